// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Offsets. The canonical constant offset has the index 0 of type i64 and the scale 1: all of it is
// displacement.
#include <optional>

#include "ir/transform/rewriter.h"

namespace spirea::kir {
namespace {

std::optional<std::int64_t> sum(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
  return result;
}

std::optional<std::int64_t> product(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
  return result;
}

bool is_constant_offset(const Op& op) {
  return op.operand(1)->type() == Type::i64() && is_literal(op.operand(1), 0) &&
         op.as<ScaleAttr>().scale == 1;
}

/// A constant index becomes displacement; a scale of 0 makes any index constant.
Value* constant_index(Op& op, Rewriter& rewriter) {
  if (is_constant_offset(op)) return nullptr;
  ScaleAttr& attr = op.as<ScaleAttr>();
  const auto bits = attr.scale == 0 ? 0 : literal(op.operand(1));
  if (!bits) return nullptr;
  const auto bytes = product(sign_extend(*bits, op.operand(1)->type().bits()), attr.scale);
  const auto displacement = bytes ? sum(*bytes, attr.displacement) : std::nullopt;
  if (!displacement) return nullptr;
  op.set_operand(1, rewriter.constant(op, Type::i64(), 0));
  attr = {1, *displacement};
  rewriter.mark_changed();
  return nullptr;
}

Value* no_offset(Op& op, Rewriter&) {
  return is_constant_offset(op) && op.as<ScaleAttr>().displacement == 0 ? op.operand(0) : nullptr;
}

/// Two offsets of which one is constant become one.
Value* offset_of_offset(Op& op, Rewriter& rewriter) {
  Op* inner = defined_by(op.operand(0), Opcode::Offset);
  if (inner == nullptr) return nullptr;
  const auto displacement = sum(op.as<ScaleAttr>().displacement, inner->as<ScaleAttr>().displacement);
  if (!displacement) return nullptr;
  if (is_constant_offset(op)) {
    return rewriter.before(op).offset(inner->operand(0), inner->operand(1), inner->as<ScaleAttr>().scale,
                                      *displacement);
  }
  if (!is_constant_offset(*inner)) return nullptr;
  return rewriter.before(op).offset(inner->operand(0), op.operand(1), op.as<ScaleAttr>().scale,
                                    *displacement);
}

/// p + (x + c) * s: p + x * s + c * s. In 64 bits only, where addresses wrap as the sum does.
Value* index_plus_constant(Op& op, Rewriter& rewriter) {
  const Op* add = defined_by(op.operand(1), Opcode::Add);
  if (add == nullptr || add->result()->type() != Type::i64()) return nullptr;
  const auto c = literal(add->operand(1));
  if (!c) return nullptr;
  const auto bytes = product(static_cast<std::int64_t>(*c), op.as<ScaleAttr>().scale);
  const auto displacement = bytes ? sum(*bytes, op.as<ScaleAttr>().displacement) : std::nullopt;
  if (!displacement) return nullptr;
  return rewriter.before(op).offset(op.operand(0), add->operand(0), op.as<ScaleAttr>().scale, *displacement);
}

/// p + (x * c) * s: p + x * (c * s). In 64 bits only.
Value* index_times_constant(Op& op, Rewriter& rewriter) {
  const Op* index = op.operand(1)->def();
  if (index == nullptr || op.operand(1)->type() != Type::i64()) return nullptr;
  if (!index->is(Opcode::Mul) && !index->is(Opcode::Shl)) return nullptr;
  const auto c = literal(index->operand(1));
  if (!c || (index->is(Opcode::Shl) && *c > 62)) return nullptr;
  const auto factor = index->is(Opcode::Shl) ? std::int64_t{1} << *c : static_cast<std::int64_t>(*c);
  const auto scale = product(factor, op.as<ScaleAttr>().scale);
  if (!scale) return nullptr;
  return rewriter.before(op).offset(op.operand(0), index->operand(0), *scale,
                                    op.as<ScaleAttr>().displacement);
}

Value* address_of_pointer(Op& op, Rewriter&) {
  const Op* inner = defined_by(op.operand(0), Opcode::IntToPtr);
  return inner != nullptr ? inner->operand(0) : nullptr;
}

Value* pointer_of_address(Op& op, Rewriter&) {
  const Op* inner = defined_by(op.operand(0), Opcode::PtrToInt);
  return inner != nullptr && inner->operand(0)->type() == op.result()->type() ? inner->operand(0) : nullptr;
}

constexpr Rule kRules[] = {
    {Opcode::Offset, constant_index},       {Opcode::Offset, no_offset},
    {Opcode::Offset, offset_of_offset},     {Opcode::Offset, index_plus_constant},
    {Opcode::Offset, index_times_constant}, {Opcode::PtrToInt, address_of_pointer},
    {Opcode::IntToPtr, pointer_of_address},
};

}  // namespace

std::span<const Rule> pointer_rules() { return kRules; }

}  // namespace spirea::kir
