// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <unordered_map>

#include "ir/core/module.h"

namespace spirea::kir {

/// How a value differs between the invocations of a workgroup that compute it together.
enum class Uniformity : std::uint8_t {
  Uniform,  ///< it does not
  Unknown,  ///< it comes from memory, or from what others do: it may differ
  Varying,  ///< it follows from the invocation's position, or from memory that the position chooses
};

/// The uniformity of each value of a kernel. Loops are iterated until nothing changes; a value has three
/// levels to climb, so that takes few rounds.
///
/// What an op makes of uniform operands is uniform. The results of a structured op, which depend on which of
/// its exits an invocation takes, are no more uniform than the conditions that decide so.
class UniformityAnalysis {
 public:
  explicit UniformityAnalysis(const Kernel&);
  Uniformity of(const Value* value) const {
    const auto found = levels_.find(value);
    return found == levels_.end() ? Uniformity::Uniform : found->second;
  }
  /// Of the condition of an if or switch; other ops have none.
  Uniformity condition(const Op&) const;
  /// The least uniform of the conditions that decide, within `region`, whether the op below it is executed;
  /// and the op that has it, null where all is uniform.
  std::pair<Uniformity, const Op*> path(const Op& op, const Region& region) const;

 private:
  void visit(const Op&);
  void exit(const Op&);
  void raise(const Value*, Uniformity);
  Uniformity own(const Op&) const;

  const Kernel& kernel_;
  std::unordered_map<const Value*, Uniformity> levels_;
  std::unordered_map<const Op*, unsigned> breaks_;  ///< how many leave each structured op
  bool changed_ = false;
};

}  // namespace spirea::kir
