// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/host/device.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>

#include "runtime/host/cpu.h"
#include "runtime/host/finished_launch.h"
#include "runtime/host/thread_pool.h"
#include "runtime/host/workgroup_memory.h"

namespace spirea::host {
namespace {

using detail::LaunchParameters;

/// A cache line, and as much as the widest vector of any CPU.
constexpr std::uint64_t kMinAlign = 64;

constexpr std::uint32_t kMaxInvocations = 1024;
constexpr std::uint32_t kMaxWorkgroups = ~0u;
/// What the caches of one core hold.
constexpr std::uint32_t kMaxSharedBytes = 1u << 20;
constexpr std::uint32_t kSubgroupSize = 1;

void* pointer(std::uint64_t address) { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address)); }

/// The number of workgroups. Kernels take global ids for 32-bit numbers that do not wrap.
std::uint64_t count_workgroups(const LaunchParameters& launch) {
  std::uint64_t total = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::uint64_t invocations = std::uint64_t{launch.num_workgroups[i]} * launch.workgroup_size[i];
    if (invocations > ~0u)
      throw error("a grid of " + std::to_string(invocations) + " invocations in dimension " +
                  std::string(1, "xyz"[i]) + "; the most is " + std::to_string(~0u));
    if (__builtin_mul_overflow(total, launch.num_workgroups[i], &total) || total > ~std::uint64_t{0} / 2)
      throw error("a grid of more than 2^63 workgroups");
  }
  return total;
}

/// The block at an address that suits 8-byte values.
struct AlignedBlock {
  explicit AlignedBlock(std::span<const std::byte> block) : data(block.data()) {
    if (reinterpret_cast<std::uintptr_t>(block.data()) % alignof(std::uint64_t) == 0) return;
    copy.resize((block.size() + 7) / 8);
    std::memcpy(copy.data(), block.data(), block.size());
    data = copy.data();
  }
  std::vector<std::uint64_t> copy;
  const void* data;
};

}  // namespace

HostDevice::HostDevice() {
  limits_.max_buffer_bytes = memory_bytes();
  limits_.max_workgroup_invocations = kMaxInvocations;
  limits_.max_workgroup_size = {kMaxInvocations, kMaxInvocations, kMaxInvocations};
  limits_.max_num_workgroups = {kMaxWorkgroups, kMaxWorkgroups, kMaxWorkgroups};
  limits_.max_shared_bytes = kMaxSharedBytes;
  limits_.min_subgroup_size = limits_.max_subgroup_size = kSubgroupSize;
}

HostDevice::~HostDevice() = default;

std::uint64_t HostDevice::allocate(std::uint64_t bytes, std::uint64_t align) {
  align = std::max(align, kMinAlign);
  const std::uint64_t size = (bytes + align - 1) / align * align;
  void* memory =
      size >= bytes && size <= limits_.max_buffer_bytes ? std::aligned_alloc(align, size) : nullptr;
  if (memory == nullptr) throw error("cannot allocate " + std::to_string(bytes) + " bytes of host memory");
  return reinterpret_cast<std::uintptr_t>(memory);
}

void HostDevice::release(std::uint64_t address) noexcept { std::free(pointer(address)); }

void HostDevice::write(std::uint64_t address, const void* data, std::uint64_t bytes) {
  std::memcpy(pointer(address), data, bytes);
}

void HostDevice::read(std::uint64_t address, void* data, std::uint64_t bytes) {
  std::memcpy(data, pointer(address), bytes);
}

std::shared_ptr<detail::Completion> HostDevice::launch(const LaunchParameters& launch) {
  const spirea_host_kernel kernel = launch.kernel->host();
  if (kernel == nullptr) throw error("its object holds no host code: compile it with --target=vulkan,host");
  const std::uint64_t workgroups = count_workgroups(launch);
  const AlignedBlock block(launch.argument_block);
  spirea_host_grid grid;
  std::ranges::copy(launch.num_workgroups, grid.num_workgroups);
  std::ranges::copy(launch.workgroup_size, grid.workgroup_size);
  grid.dynamic_shared = launch.dynamic_shared;
  grid.workgroup_memory = WorkgroupMemory::of_this_thread;
  std::atomic<std::uint64_t> missing = 0;
  const auto start = FinishedLaunch::Clock::now();
  ThreadPool::instance().run(workgroups, [&](std::uint64_t first, std::uint64_t last) {
    kernel(block.data, &grid, first, last);
    if (const std::uint64_t bytes = WorkgroupMemory::end_of_call()) missing = bytes;
  });
  if (missing != 0)
    throw error("cannot allocate " + std::to_string(missing) +
                " bytes for what the invocations of a workgroup keep");
  return std::make_shared<FinishedLaunch>(start);
}

std::vector<detail::Candidate> enumerate() {
  detail::Candidate candidate;
  device_info& info = candidate.info;
  const unsigned threads = default_threads(std::getenv("SPIREA_HOST_THREADS"), info.reason);
  info.backend = backend_kind::host;
  info.name = cpu_name();
  info.is_usable = info.reason.empty();
  info.is_software = true;
  info.properties = {{"threads", std::to_string(threads)},
                     {"memory", std::to_string(memory_bytes() >> 20) + " MiB"},
                     {"max workgroup invocations", std::to_string(kMaxInvocations)},
                     {"workgroup memory (bytes)", std::to_string(kMaxSharedBytes)},
                     {"subgroup size", std::to_string(kSubgroupSize)}};
  if (info.is_usable) candidate.open = [] { return std::make_unique<HostDevice>(); };
  std::vector<detail::Candidate> all;
  all.push_back(std::move(candidate));
  return all;
}

}  // namespace spirea::host
