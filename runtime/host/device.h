// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/core/backend.h"

namespace spirea::host {

/// The CPU as a device: its memory is the program's own, its addresses are pointers. A launch has run when
/// launch() returns.
class HostDevice : public detail::BackendDevice {
 public:
  HostDevice();
  ~HostDevice() override;
  const detail::Limits& limits() const override { return limits_; }
  std::uint64_t allocate(std::uint64_t bytes, std::uint64_t align) override;
  void release(std::uint64_t address) noexcept override;
  void write(std::uint64_t address, const void* data, std::uint64_t bytes) override;
  void read(std::uint64_t address, void* data, std::uint64_t bytes) override;
  std::shared_ptr<detail::Completion> launch(const detail::LaunchParameters&) override;
  void wait() override {}

 private:
  detail::Limits limits_;
};

}  // namespace spirea::host
