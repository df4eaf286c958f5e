// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>

#include "runtime/core/backend.h"

namespace spirea::host {

/// A launch on the CPU, complete before the launching call returns.
class FinishedLaunch : public detail::Completion {
 public:
  using Clock = std::chrono::steady_clock;
  explicit FinishedLaunch(Clock::time_point start) : duration_(Clock::now() - start) {}
  void wait() override {}
  bool done() override { return true; }
  std::chrono::nanoseconds duration() override { return duration_; }

 private:
  std::chrono::nanoseconds duration_;
};

}  // namespace spirea::host
