// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forms of two LLVM passes whose time grows with a function's size, not with its square.
#pragma once

#include <llvm/IR/PassManager.h>

namespace spirea::frontend {

/// InstCombine. For each user of a local variable that it removes it looks whether the variable can go, and
/// walks all other users: variables with many are taken out of its sight.
struct LinearInstCombinePass : llvm::PassInfoMixin<LinearInstCombinePass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& fam);
};

/// LoopRotate of all loops, inner ones first. The pass of loops tells ScalarEvolution of each loop that it
/// rotates, which then follows the loop's values through the rest of the function: here there is none yet.
struct LinearLoopRotatePass : llvm::PassInfoMixin<LinearLoopRotatePass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& fam);
};

}  // namespace spirea::frontend
