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

/// LoopRotate, LICM and trivial SimpleLoopUnswitch. Each rotation updates what dominates all that follows:
/// loops stay as they are in functions of more than 256, where that would take most of the time.
struct CanonicalLoopsPass : llvm::PassInfoMixin<CanonicalLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& fam);
};

}  // namespace spirea::frontend
