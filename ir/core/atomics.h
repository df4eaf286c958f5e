// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What passes, back ends and the interpreter ask of memory accesses and of ops that combine values.
#pragma once

#include <optional>

#include "ir/core/op.h"

namespace spirea::kir {

/// An atomic access; not a fence.
inline bool is_atomic(const Op& op) { return info(op.opcode()).attr == AttrKind::Atomic; }
/// A load, a store or an atomic access: operand 0 is the pointer.
inline bool is_access(const Op& op) { return op.is(Opcode::Load) || op.is(Opcode::Store) || is_atomic(op); }
/// The type in memory of an access.
inline Type accessed_type(const Op& op) {
  return op.num_operands() > 1 ? op.operand(1)->type() : op.result()->type();
}

inline bool acquires(Order order) { return order != Order::Relaxed && order != Order::Release; }
inline bool releases(Order order) { return order != Order::Relaxed && order != Order::Acquire; }

/// The op of two values that an atomic update or a subgroup operation combines them by: `add` for
/// `atomic_add` and `subgroup_add`. Nothing for other ops.
std::optional<Opcode> combining_op(Opcode);
/// The bits of what changes nothing in a subgroup operation on values of the type, which an exclusive scan
/// gives to the first invocation. Of floats' sums it is 0, as in SPIR-V, although -0 would keep one more sum.
std::uint64_t group_identity(Opcode, Type);

}  // namespace spirea::kir
