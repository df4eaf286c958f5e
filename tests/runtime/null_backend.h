// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A back end that runs nothing: its memory is the host's, launches are noted. What it claims to be and allow
// is for the test to say. Also the smallest back end there is, to start a new one from.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/core/backend.h"

namespace runtime_test {

/// What kernel code would have seen.
struct NotedLaunch {
  std::string kernel;
  std::vector<std::byte> block;
  std::array<std::uint32_t, 3> num_workgroups, workgroup_size;
};

/// A device of the machine that the test makes up.
struct NullDeviceSpec {
  spirea::backend_kind backend = spirea::backend_kind::vulkan;
  std::string name = "null";
  bool is_software = false;
  std::string reason;  ///< not empty: not usable
  spirea::detail::Limits limits{};
  std::string open_failure;                             ///< not empty: opening throws this
  std::string launch_failure;                           ///< not empty: launching throws this
  std::function<void(const NotedLaunch&)> kernel_code;  ///< called by each launch, before it may throw
};

/// The devices that enumeration finds; cleared by the fixture.
extern std::deque<NullDeviceSpec> machine;
/// All launches since the fixture's start.
extern std::vector<NotedLaunch> launches;
/// Times that a device was opened, and allocations not yet released.
extern int num_opened;
extern int num_allocations;

/// Forgets devices and launches, and unsets what the environment says of devices.
void reset();

class NullDevice : public spirea::detail::BackendDevice {
 public:
  explicit NullDevice(const NullDeviceSpec& spec);
  const spirea::detail::Limits& limits() const override { return spec_.limits; }
  std::uint64_t allocate(std::uint64_t bytes, std::uint64_t align) override;
  void release(std::uint64_t address) noexcept override;
  void write(std::uint64_t address, const void* data, std::uint64_t bytes) override;
  void read(std::uint64_t address, void* data, std::uint64_t bytes) override;
  std::shared_ptr<spirea::detail::Completion> launch(const spirea::detail::LaunchParameters&) override;
  void wait() override {}

 private:
  NullDeviceSpec spec_;
};

}  // namespace runtime_test
