// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>

#include "ir/abi/interpreter.h"
#include "runtime/core/backend.h"

namespace spirea::interp {

/// The interpreter as a device. What it finds wrong in a kernel is the cause of the error that the launch
/// throws. A launch has run when launch() returns.
class InterpreterDevice : public detail::BackendDevice {
 public:
  explicit InterpreterDevice(const spirea_interp_functions*);
  ~InterpreterDevice() override;
  const detail::Limits& limits() const override { return limits_; }
  std::uint64_t allocate(std::uint64_t bytes, std::uint64_t align) override;
  void release(std::uint64_t address) noexcept override;
  void write(std::uint64_t address, const void* data, std::uint64_t bytes) override;
  void read(std::uint64_t address, void* data, std::uint64_t bytes) override;
  std::shared_ptr<detail::Completion> launch(const detail::LaunchParameters&) override;
  void wait() override {}

 private:
  /// Throws what the interpreter says of its last failure.
  [[noreturn]] void fail() const;
  spirea_interp_module* module_of(const detail::KernelCode&);

  const spirea_interp_functions* functions_;
  spirea_interp* interpreter_;
  std::map<std::uint64_t, spirea_interp_module*> modules_;  ///< by KernelCode::object_id
  detail::Limits limits_;
};

}  // namespace spirea::interp
