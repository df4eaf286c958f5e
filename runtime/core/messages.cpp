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

void print_records(const abi::Manifest& manifest, std::span<const std::uint32_t> words) {
  while (words.size() >= abi::kRecordHeaderWords) {
    const std::uint32_t length = words[0], number = words[1];
    if (length < abi::kRecordHeaderWords || length > words.size()) return;
    if (number != 0 && number <= manifest.messages.size()) {
      const std::string text =
          format_message(manifest.messages[number - 1],
                         words.subspan(abi::kRecordHeaderWords, length - abi::kRecordHeaderWords));
      std::fwrite(text.data(), 1, text.size(), stdout);
    }
    words = words.subspan(length);
  }
}

void say_lost(const abi::Manifest& manifest, std::uint32_t lost, std::uint32_t capacity) {
  if (lost == 0) return;
  std::fprintf(stderr,
               "spirea: kernel '%s': %u messages of printf were lost: the %llu bytes for them are full; "
               "SPIREA_PRINTF_BYTES asks for more\n",
               manifest.display.c_str(), lost, static_cast<unsigned long long>(capacity) * 4);
}

/// "k.cpp:12: assertion 'x > 0' failed in invocation (3, 0, 0), and 7 checks more".
std::string failure_text(const abi::Manifest& manifest, std::span<const std::uint32_t> header) {
  if (header[abi::kFailedChecks] == 0) return {};
  const std::uint32_t number = header[abi::kFailure];
  if (number == 0 || number > manifest.messages.size()) return "a check of the kernel failed";
  const abi::Message& message = manifest.messages[number - 1];
  std::string text = message.file + ":" + std::to_string(message.line) + ": " + message.text +
                     " in invocation (" + std::to_string(header[abi::kFailure + 1]) + ", " +
                     std::to_string(header[abi::kFailure + 2]) + ", " +
                     std::to_string(header[abi::kFailure + 3]) + ")";
  if (header[abi::kFailedChecks] > 1)
    text += "; checks failed " + std::to_string(header[abi::kFailedChecks]) + " times in all";
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
  const std::uint64_t bytes = buffer_bytes();
  const std::uint64_t address = backend.allocate(abi::kFirstRecord * 4 + bytes, 8);
  clear(backend, address, static_cast<std::uint32_t>(bytes / 4));
  return address;
}

std::shared_ptr<MessageOutcome> MessageBuffers::launched(std::uint64_t address, const KernelCode& kernel,
                                                         std::shared_ptr<Completion> completion) {
  pending_.push_back({address, &kernel, std::move(completion), std::make_shared<MessageOutcome>()});
  return pending_.back().outcome;
}

std::string MessageBuffers::read(BackendDevice& backend, std::uint64_t address, const KernelCode& kernel) {
  Words header(abi::kFirstRecord);
  backend.read(address, header.data(), header.size() * 4);
  const std::uint32_t capacity = header[abi::kCapacityWords];
  Words records(std::min(header[abi::kUsedWords], capacity));
  if (!records.empty()) backend.read(address + abi::kFirstRecord * 4, records.data(), records.size() * 4);
  print_records(kernel.manifest(), records);
  say_lost(kernel.manifest(), header[abi::kLostMessages], capacity);
  clear(backend, address, capacity);
  free_.push_back(address);
  return failure_text(kernel.manifest(), header);
}

void MessageBuffers::failed(BackendDevice& backend, std::uint64_t address, const KernelCode& kernel) {
  drain(backend);
  const std::string failure = read(backend, address, kernel);
  if (!failure.empty()) throw error(failure);
}

void MessageBuffers::drain(BackendDevice& backend) {
  while (!pending_.empty()) {
    const Pending next = std::move(pending_.front());
    pending_.pop_front();
    next.completion->wait();
    next.outcome->failure = read(backend, next.address, *next.kernel);
    if (!next.outcome->failure.empty()) failures_.emplace_back(next.kernel->manifest().display, next.outcome);
  }
}

void MessageBuffers::report() {
  const auto failures = std::exchange(failures_, {});
  for (const auto& [kernel, outcome] : failures)
    if (!std::exchange(outcome->is_reported, true)) throw error(outcome->failure, "", kernel);
}

}  // namespace spirea::detail
