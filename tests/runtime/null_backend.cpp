// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/runtime/null_backend.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace runtime_test {

std::deque<NullDeviceSpec> machine;
std::vector<NotedLaunch> launches;
int num_opened = 0;
int num_allocations = 0;

namespace {

namespace detail = spirea::detail;

class DoneAtOnce : public detail::Completion {
 public:
  void wait() override {}
  bool done() override { return true; }
  std::chrono::nanoseconds duration() override { return std::chrono::nanoseconds(1500); }
};

void* pointer(std::uint64_t address) { return reinterpret_cast<void*>(address); }

template <spirea::backend_kind Kind>
std::vector<detail::Candidate> enumerate() {
  std::vector<detail::Candidate> result;
  unsigned index = 0;
  for (const NullDeviceSpec& spec : machine) {
    if (spec.backend != Kind) continue;
    detail::Candidate candidate;
    candidate.info.backend = Kind;
    candidate.info.index = index++;
    candidate.info.name = spec.name;
    candidate.info.is_usable = spec.reason.empty();
    candidate.info.is_software = spec.is_software;
    candidate.info.reason = spec.reason;
    if (spec.reason.empty()) candidate.open = [&spec] { return std::make_unique<NullDevice>(spec); };
    result.push_back(std::move(candidate));
  }
  return result;
}

}  // namespace

void reset() {
  machine.clear();
  launches.clear();
  num_opened = num_allocations = 0;
  unsetenv("SPIREA_DEVICE");
  setenv("SPIREA_QUIET", "1", 1);
}

NullDevice::NullDevice(const NullDeviceSpec& spec) : spec_(spec) {
  if (!spec.open_failure.empty()) throw spirea::error(spec.open_failure);
  ++num_opened;
}

std::uint64_t NullDevice::allocate(std::uint64_t bytes, std::uint64_t align) {
  align = std::max<std::uint64_t>(align, 64);
  ++num_allocations;
  return reinterpret_cast<std::uint64_t>(std::aligned_alloc(align, (bytes + align - 1) / align * align));
}

void NullDevice::release(std::uint64_t address) noexcept {
  --num_allocations;
  std::free(pointer(address));
}

void NullDevice::write(std::uint64_t address, const void* data, std::uint64_t bytes) {
  std::memcpy(pointer(address), data, bytes);
}

void NullDevice::read(std::uint64_t address, void* data, std::uint64_t bytes) {
  std::memcpy(data, pointer(address), bytes);
}

std::shared_ptr<detail::Completion> NullDevice::launch(const detail::LaunchParameters& launch) {
  NotedLaunch noted{launch.kernel->manifest().name,
                    {launch.argument_block.begin(), launch.argument_block.end()},
                    launch.num_workgroups,
                    launch.workgroup_size};
  if (spec_.kernel_code) spec_.kernel_code(noted);
  if (!spec_.launch_failure.empty()) throw spirea::error(spec_.launch_failure);
  launches.push_back(std::move(noted));
  return std::make_shared<DoneAtOnce>();
}

}  // namespace runtime_test

namespace spirea::detail {

std::span<const Backend> backends() {
  static constexpr Backend rows[] = {
      {backend_kind::vulkan, runtime_test::enumerate<backend_kind::vulkan>},
      {backend_kind::host, runtime_test::enumerate<backend_kind::host>},
      {backend_kind::interp, runtime_test::enumerate<backend_kind::interp>},
  };
  return rows;
}

}  // namespace spirea::detail
