// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>

#include "ir/core/builder.h"
#include "ir/transform/fold.h"

namespace spirea::kir {

/// What the rules of canonicalize use to make values, and whether one of them changed something.
class Rewriter {
 public:
  /// A builder before the op, with its location.
  static Builder before(Op&);
  static Value* constant(Op& at, Type, std::uint64_t bits);

  /// For rules that change an op in place.
  void mark_changed() { changed_ = true; }
  bool take_changed() {
    const bool changed = changed_;
    changed_ = false;
    return changed;
  }

 private:
  bool changed_ = false;
};

/// A rule looks at an op with one result. It returns a value to use instead of the result; or changes the op
/// in place and says so to the rewriter, or does nothing, and returns null.
struct Rule {
  Opcode opcode;
  Value* (*apply)(Op&, Rewriter&);
};

std::span<const Rule> integer_rules();
std::span<const Rule> compare_rules();
std::span<const Rule> float_rules();
std::span<const Rule> pointer_rules();

/// True if the value is a constant with these bits.
inline bool is_literal(const Value* value, std::uint64_t bits) { return literal(value) == bits; }
/// The op that defines the value if it has this opcode, else null.
inline Op* defined_by(const Value* value, Opcode opcode) {
  return value->def() != nullptr && value->def()->is(opcode) ? value->def() : nullptr;
}

}  // namespace spirea::kir
