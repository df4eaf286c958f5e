// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <tuple>

#include "runtime/core/selection.h"
#include "runtime/core/state.h"

namespace spirea {
namespace {

/// A device is opened once, however many `device` objects name it, so that all of them can use its buffers.
std::shared_ptr<detail::device_state> open(detail::Candidate candidate) {
  using Key = std::tuple<backend_kind, unsigned, std::string>;
  static std::mutex mutex;
  static auto* opened = new std::map<Key, std::weak_ptr<detail::device_state>>;  // outlives static devices
  const std::lock_guard lock(mutex);
  std::weak_ptr<detail::device_state>& known =
      (*opened)[{candidate.info.backend, candidate.info.index, candidate.settings}];
  if (auto state = known.lock()) return state;
  try {
    auto backend = candidate.open();
    auto state = std::make_shared<detail::device_state>(std::move(candidate.info), std::move(backend));
    known = state;
    return state;
  } catch (const error& e) {
    throw error(e.cause(), candidate.info.name);
  }
}

std::string message(const std::string& cause, const std::string& device, const std::string& kernel) {
  std::string text = "spirea: ";
  if (!kernel.empty()) text += "kernel '" + kernel + "'";
  if (!device.empty()) text += (kernel.empty() ? "device '" : " on device '") + device + "'";
  return text + (kernel.empty() && device.empty() ? "" : ": ") + cause;
}

}  // namespace

std::string_view to_string(backend_kind kind) {
  switch (kind) {
    case backend_kind::vulkan: return "vulkan";
    case backend_kind::host: return "host";
    case backend_kind::interp: return "interp";
  }
  return "?";
}

error::error(const std::string& cause, std::string device, std::string kernel)
    : std::runtime_error(message(cause, device, kernel)),
      cause_(cause),
      device_(std::move(device)),
      kernel_(std::move(kernel)) {}
error::~error() = default;

device::device() : state_(open(detail::select_default())) {}
device::device(std::string_view selector) : state_(open(detail::select(selector))) {}
std::string device::name() const { return state_->info.name; }
backend_kind device::backend() const { return state_->info.backend; }
const device_info& device::info() const { return state_->info; }
bool device::keeps_subnormals_f32() const { return state_->backend->limits().keeps_subnormals_f32; }
void device::wait() {
  detail::guarded(*state_, {}, [this](detail::BackendDevice& backend) {
    backend.wait();
    state_->messages.drain(backend);
    state_->messages.report();
  });
}

void device::on_message(std::function<void(const kernel_message&)> handler) {
  detail::guarded(*state_, {}, [&](detail::BackendDevice& backend) {
    state_->messages.drain(backend);  // earlier ones are the earlier handler's
    state_->messages.set_handler(std::move(handler));
  });
}

namespace detail {

device_state::~device_state() {
  try {
    guarded(*this, {}, [this](BackendDevice& device) {
      messages.drain(device);
      messages.report();
    });
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
  }
  messages.release(*backend);
}

std::uint64_t allocate(device_state& state, std::uint64_t bytes, std::uint64_t align) {
  return guarded(state, {}, [&](BackendDevice& backend) {
    const std::uint64_t limit = backend.limits().max_buffer_bytes;
    if (bytes > limit)
      throw error("a buffer of " + std::to_string(bytes) + " bytes is too large: the device allows " +
                  std::to_string(limit));
    return backend.allocate(bytes, align);
  });
}

void release(device_state& state, std::uint64_t address) noexcept {
  const std::lock_guard lock(state.mutex);
  state.backend->release(address);
}

void write(device_state& state, std::uint64_t address, const void* data, std::uint64_t bytes) {
  guarded(state, {}, [&](BackendDevice& backend) {
    state.messages.drain(backend);
    backend.write(address, data, bytes);
  });
}

void read(device_state& state, std::uint64_t address, void* data, std::uint64_t bytes) {
  guarded(state, {}, [&](BackendDevice& backend) {
    state.messages.drain(backend);
    state.messages.report();
    backend.read(address, data, bytes);
  });
}

void fill(device_state& state, std::uint64_t address, const void* element, std::uint64_t element_size,
          std::uint64_t count) {
  constexpr std::uint64_t part_bytes = 1 << 20;
  const std::uint64_t step = std::clamp<std::uint64_t>(part_bytes / element_size, 1, count);
  std::vector<std::byte> part(step * element_size);
  for (std::uint64_t i = 0; i < step; ++i) std::memcpy(part.data() + i * element_size, element, element_size);
  for (std::uint64_t first = 0; first < count; first += step)
    write(state, address + first * element_size, part.data(), std::min(step, count - first) * element_size);
}

void check_range(const char* what, std::uint64_t first, std::uint64_t count, std::uint64_t size) {
  if (first <= size && count <= size - first) return;
  throw error(std::string(what) + " of " + std::to_string(count) + " elements from " + std::to_string(first) +
              " on goes beyond the buffer's " + std::to_string(size));
}

}  // namespace detail
}  // namespace spirea
