// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a back end implements. Each lies in a folder of its own (vulkan/, host/, interp/) with the same file
// names: device.h declares `enumerate`, device.cpp has the class derived from BackendDevice.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ir/abi/artifact.h"
#include "ir/abi/manifest.h"
#include "runtime/include/spirea/spirea.hpp"

namespace spirea::detail {

/// SPIR-V modules, each with the same kernel as its only entry point.
using SpirvModules = std::vector<std::vector<std::uint32_t>>;

/// A registered kernel: what a back end needs of it, decompressed on demand.
class KernelCode {
 public:
  virtual ~KernelCode() = default;
  virtual const abi::Manifest& manifest() const = 0;
  /// A number that no other kernel of the process has: a key for caches.
  virtual std::uint64_t id() const = 0;
  /// Modules for Vulkan in order of preference, of which a device takes the first that needs nothing it
  /// lacks; empty if the object holds none.
  virtual const SpirvModules& spirv() const = 0;
  /// The text of the KIR module that has the kernel, and a number that all kernels of one object share.
  virtual const std::string& kir() const = 0;
  virtual std::uint64_t object_id() const = 0;
  /// Null if the object holds no host code.
  virtual spirea_host_kernel host() const = 0;
};

struct Limits {
  std::uint64_t max_buffer_bytes = ~std::uint64_t{0};
  std::uint32_t max_workgroup_invocations = 1024;
  std::array<std::uint32_t, 3> max_workgroup_size = {1024, 1024, 64};
  std::array<std::uint32_t, 3> max_num_workgroups = {65535, 65535, 65535};
  std::uint32_t max_shared_bytes = 16384;  ///< of workgroup memory, with what is dynamic
  bool keeps_subnormals_f32 = true;        ///< else its arithmetic takes them for zero
  std::uint32_t shared_granularity = 1;    ///< dynamic workgroup memory takes a multiple of so many bytes
  std::uint32_t min_subgroup_size = 1, max_subgroup_size = 1;  ///< that a kernel may demand
};

/// A launch after all checks: sizes are not zero and within the limits.
struct LaunchParameters {
  const KernelCode* kernel;
  std::span<const std::byte> argument_block;  ///< as Manifest says; Manifest::block_size() bytes
  std::array<std::uint32_t, 3> num_workgroups;
  std::array<std::uint32_t, 3> workgroup_size;
  std::uint32_t dynamic_shared = 0;  ///< bytes of workgroup memory beyond Manifest::shared_bytes
};

/// A launch on its way. Functions throw spirea::error.
class Completion {
 public:
  virtual ~Completion() = default;
  virtual void wait() = 0;
  virtual bool done() = 0;
  virtual std::chrono::nanoseconds duration() = 0;  ///< on the device; waits
};

/// An opened device. Functions throw spirea::error with the cause; the caller adds device and kernel. Calls
/// come from one thread at a time. Launches run in order; write and read come after all launches before them.
class BackendDevice {
 public:
  virtual ~BackendDevice() = default;
  virtual const Limits& limits() const = 0;
  /// Memory of `bytes` > 0; the address that kernels see.
  virtual std::uint64_t allocate(std::uint64_t bytes, std::uint64_t align) = 0;
  /// Waits for launches that may use it.
  virtual void release(std::uint64_t address) noexcept = 0;
  /// The range lies within one allocation; complete on return.
  virtual void write(std::uint64_t address, const void* data, std::uint64_t bytes) = 0;
  virtual void read(std::uint64_t address, void* data, std::uint64_t bytes) = 0;
  virtual std::shared_ptr<Completion> launch(const LaunchParameters&) = 0;
  virtual void wait() = 0;
};

/// A device that a back end found, and how to open it. Enumerating must be cheap and must never throw: what
/// is missing is the reason of an unusable entry.
struct Candidate {
  device_info info;
  std::function<std::unique_ptr<BackendDevice>()> open;  ///< empty if not usable
  /// What the environment asks of the device: opened with other settings, it is another one.
  std::string settings;
};

struct Backend {
  backend_kind kind;
  std::vector<Candidate> (*enumerate)();
};

/// runtime/core/backends.cpp: one row a back end.
std::span<const Backend> backends();

}  // namespace spirea::detail

namespace spirea::vulkan {
std::vector<detail::Candidate> enumerate();
}
namespace spirea::host {
std::vector<detail::Candidate> enumerate();
}
namespace spirea::interp {
std::vector<detail::Candidate> enumerate();
}
