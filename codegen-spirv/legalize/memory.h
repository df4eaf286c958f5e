// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the passes on memory have in common: objects behind pointers, and local memory as an array of words.
#pragma once

#include "ir/core/atomics.h"
#include "ir/core/builder.h"

namespace spirea::spirv {

/// The pointer that a chain of offsets starts at.
inline const kir::Value* start_of(const kir::Value* pointer) {
  while (pointer->def() != nullptr && pointer->def()->is(kir::Opcode::Offset))
    pointer = pointer->def()->operand(0);
  return pointer;
}
/// The object, constant or dynamic memory behind a pointer to local or workgroup memory whose chain of
/// offsets is known; null for global memory.
inline const kir::Op* root_of(const kir::Value* pointer) {
  const kir::Value* start = start_of(pointer);
  return start->type().space() == kir::Space::Global ? nullptr : start->def();
}

/// Every offset between the pointer and its object is a multiple of these bytes.
bool is_multiple_of(const kir::Value* pointer, std::int64_t bytes);

/// A place in an object that is, or will be, an array of words of 4 or 8 bytes.
class WordPlace {
 public:
  /// Of a pointer that is a chain of offsets from its object. Computes the offset before the builder's place.
  WordPlace(kir::Builder&, kir::Value* pointer, unsigned word_bytes);

  kir::Type word() const { return kir::Type::integer(word_bytes_ * 8); }
  /// To the word that holds the byte at `extra` behind the place.
  kir::Value* pointer(std::uint32_t extra = 0) const;
  /// Position of that byte in its word, in bits, of the word's type.
  kir::Value* bit_position(std::uint32_t extra = 0) const;

 private:
  kir::Builder& builder_;
  unsigned word_bytes_;
  kir::Value* base_;
  kir::Value* dynamic_ = nullptr;  ///< i32; null if the whole offset is known
  std::uint32_t fixed_ = 0;
};

/// shl or lshr; the value itself for a known shift by 0.
kir::Value* shifted(kir::Builder&, kir::Opcode, kir::Value* value, kir::Value* by);
/// A value as the integer that is in memory, and back.
kir::Value* to_bits(kir::Builder&, kir::Value*);
kir::Value* from_bits(kir::Builder&, kir::Value* bits, kir::Type);

}  // namespace spirea::spirv
