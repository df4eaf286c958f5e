// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class DominatorTree;
class Function;
class LoopInfo;
}  // namespace llvm

namespace spirea::frontend {

/// Structured code nests one construct for each block that several paths from one branch lead to, such as
/// each case that another falls through to. Where a branch has many of those, all ways to them go through one
/// new block instead, which switches over the number of the destination: the code is flat then. Needs loops
/// in simplified form. Returns whether it changed the function.
bool insert_merge_hubs(llvm::Function&, const llvm::DominatorTree&, const llvm::LoopInfo&);

}  // namespace spirea::frontend
