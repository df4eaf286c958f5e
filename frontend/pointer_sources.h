// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/SmallVector.h>

namespace llvm {
class Instruction;
class Value;
}  // namespace llvm

namespace spirea::frontend {

/// The operands that point to the same memory as the instruction's result; none for one that starts a new
/// chain, as a load does. Of aggregates and vectors nothing is said here.
llvm::SmallVector<llvm::Value*, 4> pointer_sources(const llvm::Instruction&);

}  // namespace spirea::frontend
