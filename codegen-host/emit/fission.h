// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cuts the code of one invocation at its barriers, so that it can be called once for each part:
//
//   i32 invocation(i32 state, ..., values, objects, i64 index, i64 count)
//
// State 0 is the kernel's start, k what follows the k-th barrier. The result is the state in which to call it
// next, or kDone. What lives across a barrier is kept in the invocation's frame: a value in an array with an
// element for each invocation (`values` + offset * count + size * index), a local object in `objects`. What
// is cheap to compute from the parameters is computed again instead.
#pragma once

#include <cstdint>
#include <llvm/IR/Function.h>
#include <vector>

#include "codegen-host/select/selector.h"

namespace spirea::host {

inline constexpr std::uint32_t kDone = ~0u;

/// What an invocation keeps across barriers.
struct Frame {
  std::uint64_t value_bytes = 0;   ///< for each invocation, over all arrays
  std::uint64_t object_bytes = 0;  ///< from one invocation's to the next one's, a multiple of the alignment
  std::uint64_t object_align = 1;
};

/// Where the function that is cut finds its state and frame.
struct FrameParameters {
  llvm::Value* state;
  llvm::Value* values;
  llvm::Value* objects;
  llvm::Value* index;
  llvm::Value* count;
};

/// `function` begins with a block of stack slots that branches to where the invocation starts; it returns
/// kDone. Its blocks lead from each cut's suspend to its resume: this is what changes.
Frame cut_at_barriers(llvm::Function& function, const std::vector<Cut>& cuts, const FrameParameters&);

}  // namespace spirea::host
