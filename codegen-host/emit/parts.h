// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <set>
#include <vector>

#include "codegen-host/select/selector.h"

namespace spirea::host {

/// The parts of a function that has been cut at its barriers (emit/fission.h): the blocks that each state may
/// reach until the invocation stops. They overlap where several states lead to the same code.
class Parts {
 public:
  Parts(const llvm::Function&, const std::vector<Cut>&);

  std::size_t size() const { return blocks_.size(); }
  /// Instructions of all parts together.
  std::size_t num_instructions() const;
  /// The states in which a part may stop, kDone included.
  std::set<std::uint32_t> next_states(std::size_t part) const;
  /// True if the parts have the stack slot's contents in common, so that it has to outlive the first one.
  bool share(const llvm::AllocaInst&) const;

 private:
  std::vector<llvm::SmallPtrSet<const llvm::BasicBlock*, 16>> blocks_;
};

}  // namespace spirea::host
