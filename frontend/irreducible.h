// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Function;
}

namespace spirea::frontend {

/// Makes every loop one with a single entry: the entries of a cycle that has several get a common
/// predecessor, which branches by a number that each edge to it sets. Phis become stack slots first and have
/// to be promoted again; all blocks must be reachable. True if something changed.
/// (docs/decisions/0007-own-irreducible-pass.md says why LLVM's FixIrreducible is not used.)
bool make_reducible(llvm::Function&);

}  // namespace spirea::frontend
