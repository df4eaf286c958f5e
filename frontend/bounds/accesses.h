// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What of LLVM's instructions accesses memory, and how many bytes.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>

namespace llvm {
class Instruction;
class Value;
}  // namespace llvm

namespace spirea::frontend {

struct Access {
  llvm::Instruction* inst;
  llvm::Value* pointer;
  std::uint64_t bytes;   ///< if it is always the same: at least 1
  llvm::Value* length;   ///< else the number of bytes, an integer that may be 0; else null
  llvm::StringRef what;  ///< "read"
};

/// Adds the accesses of the instruction: a copy has two.
void find_accesses(llvm::Instruction&, llvm::SmallVectorImpl<Access>&);

}  // namespace spirea::frontend
