// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>

#include "ir/core/type.h"

namespace llvm {
class Constant;
class Function;
class GlobalVariable;
class Instruction;
class Value;
}  // namespace llvm

namespace spirea::frontend {

/// Which memory each pointer of a function points to. LLVM has all pointers in one address space; the spaces
/// follow from where a pointer comes from: an alloca is private, a global variable constant or in workgroup
/// memory, what comes with an argument or from a buffer is global. What comes from private or workgroup
/// memory points where the pointers that are stored there do. A pointer that may be to several kinds of
/// memory is generic.
class PointerSpaces {
 public:
  explicit PointerSpaces(const llvm::Function&);

  /// Of a pointer, or of the pointers in an aggregate that is loaded; global for null and undefined ones.
  kir::Space operator[](const llvm::Value* pointer) const;
  /// Addresses of local memory become numbers, which are stored or become pointers again: all numbers are
  /// those of generic pointers.
  bool has_generic_numbers() const { return (numbers_ & ~kGlobal) != 0; }

 private:
  using Mask = std::uint8_t;  // a bit for each space
  static constexpr Mask kGlobal = 1, kPrivate = 2, kConstant = 4, kWorkgroup = 8;

  Mask mask(const llvm::Value*) const;
  Mask mask_of_constant(const llvm::Constant&) const;
  Mask mask_of_instruction(const llvm::Instruction&) const;
  /// Takes in what the instruction does to memory and to other values; true if something is new.
  bool visit(const llvm::Instruction&);
  bool add(Mask& mask, Mask more);
  void look_at_tables(const llvm::Function&);
  /// A pointer that can only be null, as from memory that holds no others, takes the space of what it meets.
  void place_nulls(const llvm::Function&);

  llvm::DenseMap<const llvm::Value*, Mask> masks_;
  Mask stored_ = 0;   ///< in private and workgroup memory
  Mask numbers_ = 0;  ///< as integers
};

/// A constant with addresses in it: it becomes a private object that each invocation fills in. Tables of
/// virtual functions are none: no kernel calls through them.
bool holds_addresses(const llvm::GlobalVariable&);
}  // namespace spirea::frontend
