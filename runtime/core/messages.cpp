// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/messages.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "ir/abi/messages.h"

namespace spirea::detail {
namespace {

constexpr std::uint64_t kDefaultBytes = 1 << 20;
constexpr std::uint64_t kMinBytes = 64, kMaxBytes = std::uint64_t{1} << 31;
/// Launches with messages on their way, before the next one waits for them.
constexpr std::size_t kMaxPending = 16;

using Words = std::vector<std::uint32_t>;

std::uint64_t buffer_bytes() {
  const char* text = std::getenv("SPIREA_PRINTF_BYTES");
  if (text == nullptr || *text == 0) return kDefaultBytes;
  std::uint64_t bytes = 0;
  const char* end = text + std::strlen(text);
  if (const auto [at, status] = std::from_chars(text, end, bytes);
      status != std::errc() || at != end || bytes < kMinBytes || bytes > kMaxBytes)
    throw error("SPIREA_PRINTF_BYTES is '" + std::string(text) + "', not a number of bytes from " +
                std::to_string(kMinBytes) + " to " + std::to_string(kMaxBytes));
  return bytes;
}

void clear(BackendDevice& backend, std::uint64_t address, std::uint32_t capacity) {
  std::uint32_t header[abi::kFirstRecord] = {};
  header[abi::kCapacityWords] = capacity;
  backend.write(address, header, sizeof(header));
}

void say_lost(const abi::Manifest& manifest, std::uint32_t lost, std::uint32_t capacity) {
  if (lost == 0) return;
  std::fprintf(stderr,
               "spirea: kernel '%s': %u messages of printf were lost: the %llu bytes for them are full; "
               "SPIREA_PRINTF_BYTES asks for more\n",
               manifest.display.c_str(), lost, static_cast<unsigned long long>(capacity) * 4);
}

/// "k.cpp:12: assertion 'x > 0' failed in invocation (3, 0, 0), and 7 more checks failed".
std::string failure_text(const abi::Manifest& manifest, std::span<const std::uint32_t> header) {
  const std::uint32_t failed = header[abi::kFailedChecks], number = header[abi::kFailure];
  if (failed == 0) return {};
  if (number == 0 || number > manifest.messages.size()) return "a check of the kernel failed";
  const abi::Message& message = manifest.messages[number - 1];
  const auto id = [&](unsigned dim) { return std::to_string(header[abi::kFailure + 1 + dim]); };
  std::string text = message.file + ":" + std::to_string(message.line) + ": " +
                     format_message(message, header.subspan(abi::kFailureArguments)) + " in invocation (" +
                     id(0) + ", " + id(1) + ", " + id(2) + ")";
  if (failed > 1)
    text += failed == 2 ? ", and 1 more check failed"
                        : ", and " + std::to_string(failed - 1) + " more checks failed";
  return text;
}

}  // namespace

std::uint64_t MessageBuffers::acquire(BackendDevice& backend) {
  if (pending_.size() >= kMaxPending) drain(backend);
  if (!free_.empty()) {
    const std::uint64_t address = free_.back();
    free_.pop_back();
    return address;
  }
  if (capacity_ == 0) capacity_ = static_cast<std::uint32_t>(buffer_bytes() / 4);
  const std::uint64_t bytes = (abi::kFirstRecord + std::uint64_t{capacity_}) * 4;
  const std::uint64_t address = backend.allocate(bytes, 8);
  clear(backend, address, capacity_);
  return address;
}

std::shared_ptr<MessageOutcome> MessageBuffers::launched(std::uint64_t address, const KernelCode& kernel,
                                                         std::shared_ptr<Completion> completion) {
  pending_.push_back({address, &kernel, std::move(completion), std::make_shared<MessageOutcome>()});
  return pending_.back().outcome;
}

void MessageBuffers::print(const abi::Manifest& manifest, std::span<const std::uint32_t> words) const {
  while (words.size() >= abi::kRecordHeaderWords) {
    const std::uint32_t length = words[0], number = words[1];
    if (length < abi::kRecordHeaderWords || length > words.size()) return;
    if (number != 0 && number <= manifest.messages.size()) {
      const abi::Message& message = manifest.messages[number - 1];
      const std::string text =
          format_message(message, words.subspan(abi::kRecordHeaderWords, length - abi::kRecordHeaderWords));
      if (handler_)
        handler_({manifest.display, {words[2], words[3], words[4]}, message.file, message.line, text});
      else
        std::fwrite(text.data(), 1, text.size(), stdout);
    }
    words = words.subspan(length);
  }
}

/// The buffer is free again before anything is printed, since a handler may throw, or use the device.
void MessageBuffers::read(BackendDevice& backend, std::uint64_t address, const KernelCode& kernel,
                          const std::shared_ptr<MessageOutcome>& outcome) {
  Words header(abi::kFirstRecord);
  backend.read(address, header.data(), header.size() * 4);
  const std::uint32_t capacity = capacity_;
  Words records(std::min(header[abi::kUsedWords], capacity));
  if (!records.empty()) backend.read(address + abi::kFirstRecord * 4, records.data(), records.size() * 4);
  clear(backend, address, capacity);
  free_.push_back(address);
  outcome->failure = failure_text(kernel.manifest(), header);
  if (!outcome->failure.empty()) failures_.emplace_back(kernel.manifest().display, outcome);
  say_lost(kernel.manifest(), header[abi::kLostMessages], capacity);
  print(kernel.manifest(), records);
}

std::shared_ptr<MessageOutcome> MessageBuffers::failed(BackendDevice& backend, std::uint64_t address,
                                                       const KernelCode& kernel) {
  drain(backend);
  auto outcome = std::make_shared<MessageOutcome>();
  read(backend, address, kernel, outcome);
  return outcome->failure.empty() ? nullptr : outcome;
}

void MessageBuffers::drain(BackendDevice& backend) {
  while (!pending_.empty()) {
    const Pending next = std::move(pending_.front());
    pending_.pop_front();
    next.completion->wait();
    read(backend, next.address, *next.kernel, next.outcome);
  }
}

void MessageBuffers::report() {
  auto failures = std::exchange(failures_, {});
  std::erase_if(failures, [](const auto& entry) { return std::exchange(entry.second->is_reported, true); });
  if (failures.empty()) return;
  std::string text = failures.front().second->failure;
  if (const std::size_t more = failures.size() - 1; more != 0)
    text += more == 1 ? "; 1 later launch failed, too"
                      : "; " + std::to_string(more) + " later launches failed, too";
  throw error(text, "", failures.front().first);
}

void MessageBuffers::release(BackendDevice& backend) noexcept {
  for (const std::uint64_t address : free_) backend.release(address);
  free_.clear();
}

}  // namespace spirea::detail
