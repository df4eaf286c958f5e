// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <iosfwd>
#include <string>
#include <vector>

#include "ir/core/diagnostic.h"

namespace spirea::compiler {

/// Prints diagnostics in Clang's form: place, message, source line and caret where the source can be read.
void report(std::ostream&, const std::vector<kir::Diagnostic>&, bool color);

/// Time that a stage took.
struct StageTime {
  std::string stage;
  std::chrono::nanoseconds time;
};

/// Measures until it is destroyed.
class StageTimer {
 public:
  StageTimer(std::vector<StageTime>& times, std::string stage)
      : times_(times), stage_(std::move(stage)), start_(std::chrono::steady_clock::now()) {}
  ~StageTimer() { times_.push_back({std::move(stage_), std::chrono::steady_clock::now() - start_}); }
  StageTimer(const StageTimer&) = delete;
  StageTimer& operator=(const StageTimer&) = delete;

 private:
  std::vector<StageTime>& times_;
  std::string stage_;
  std::chrono::steady_clock::time_point start_;
};

/// A table of the stages' times.
std::string time_table(const std::vector<StageTime>&);

}  // namespace spirea::compiler
