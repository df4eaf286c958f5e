// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <optional>

#include "ir/core/type.h"

namespace llvm {
class Function;
class Instruction;
class Value;
}  // namespace llvm

namespace spirea::frontend {

/// Which memory each pointer of a function points to. LLVM has all pointers in one address space; the spaces
/// follow from where a pointer comes from: an alloca is private, a global variable constant, and what comes
/// with an argument, from memory or from an integer is global. Only pointers to global memory are ever stored
/// (the importer refuses the others), which makes the rule for loads right.
class PointerSpaces {
 public:
  explicit PointerSpaces(const llvm::Function&);

  /// Global for null and undefined pointers.
  kir::Space operator[](const llvm::Value* pointer) const {
    return find(pointer).value_or(kir::Space::Global);
  }

  /// Phis and selects that join pointers to different memory.
  const llvm::SmallVector<const llvm::Instruction*, 0>& mixed() const { return mixed_; }

 private:
  std::optional<kir::Space> find(const llvm::Value*) const;

  llvm::DenseMap<const llvm::Value*, kir::Space> derived_;
  llvm::SmallVector<const llvm::Instruction*, 0> mixed_;
};

}  // namespace spirea::frontend
