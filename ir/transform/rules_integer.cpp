// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Identities of integer arithmetic, conversions and select.
#include <array>

#include "ir/transform/rewriter.h"

namespace spirea::kir {
namespace {

std::uint64_t all_ones(Type type) { return low_bits(~std::uint64_t{0}, type.bits()); }
std::uint64_t signed_min(Type type) { return std::uint64_t{1} << (type.bits() - 1); }
std::uint64_t signed_max(Type type) { return signed_min(type) - 1; }
std::uint64_t zero(Type) { return 0; }
std::uint64_t one(Type) { return 1; }

struct ConstantOperand {
  Opcode opcode;
  std::uint64_t (*bits)(Type);
};

/// x op c is x.
constexpr ConstantOperand kIdentities[] = {
    {Opcode::Add, zero},        {Opcode::Sub, zero},        {Opcode::Or, zero},      {Opcode::Xor, zero},
    {Opcode::Shl, zero},        {Opcode::LShr, zero},       {Opcode::AShr, zero},    {Opcode::UMax, zero},
    {Opcode::Mul, one},         {Opcode::UDiv, one},        {Opcode::And, all_ones}, {Opcode::UMin, all_ones},
    {Opcode::SMin, signed_max}, {Opcode::SMax, signed_min},
};

/// x op c is c.
constexpr ConstantOperand kAbsorbing[] = {
    {Opcode::And, zero},      {Opcode::Mul, zero},        {Opcode::UMin, zero},       {Opcode::Or, all_ones},
    {Opcode::UMax, all_ones}, {Opcode::SMin, signed_min}, {Opcode::SMax, signed_max},
};

template <std::size_t N>
bool has_constant(const Op& op, const ConstantOperand (&table)[N]) {
  for (const ConstantOperand& row : table)
    if (op.is(row.opcode) && is_literal(op.operand(1), row.bits(op.operand(1)->type()))) return true;
  return false;
}

Value* identity(Op& op, Rewriter&) { return has_constant(op, kIdentities) ? op.operand(0) : nullptr; }
Value* absorbing(Op& op, Rewriter&) { return has_constant(op, kAbsorbing) ? op.operand(1) : nullptr; }

Value* same_operands(Op& op, Rewriter&) { return op.operand(0) == op.operand(1) ? op.operand(0) : nullptr; }

Value* same_operands_zero(Op& op, Rewriter& rewriter) {
  if (op.operand(0) != op.operand(1)) return nullptr;
  return rewriter.constant(op, op.result()->type(), 0);
}

Value* signed_division_by_one(Op& op, Rewriter&) {
  return op.result()->type().bits() > 1 && is_literal(op.operand(1), 1) ? op.operand(0) : nullptr;
}

Value* remainder_by_one(Op& op, Rewriter& rewriter) {
  if (!is_literal(op.operand(1), 1)) return nullptr;
  return rewriter.constant(op, op.result()->type(), 0);
}

/// x - c: x + -c, so that chains of both are merged.
Value* subtract_constant(Op& op, Rewriter& rewriter) {
  const auto c = literal(op.operand(1));
  if (!c) return nullptr;
  Value* negated = rewriter.constant(op, op.result()->type(), 0 - *c);
  return rewriter.before(op).binary(Opcode::Add, op.operand(0), negated);
}

/// (x op c) op d: x op (c op d), for associative ops.
Value* reassociate(Op& op, Rewriter& rewriter) {
  const Op* inner = defined_by(op.operand(0), op.opcode());
  const auto d = literal(op.operand(1));
  if (inner == nullptr || !d) return nullptr;
  const auto c = literal(inner->operand(1));
  if (!c) return nullptr;
  const auto folded = fold(op, std::array{*c, *d});
  if (!folded) return nullptr;
  Value* constant = rewriter.constant(op, op.result()->type(), *folded);
  return rewriter.before(op).binary(op.opcode(), inner->operand(0), constant);
}

/// (x ^ y) ^ y: x.
Value* xor_twice(Op& op, Rewriter&) {
  const Op* inner = defined_by(op.operand(0), Opcode::Xor);
  return inner != nullptr && inner->operand(1) == op.operand(1) ? inner->operand(0) : nullptr;
}

// ---- select

Value* select_known(Op& op, Rewriter&) {
  if (op.operand(1) == op.operand(2)) return op.operand(1);
  const auto condition = literal(op.operand(0));
  if (!condition) return nullptr;
  return op.operand(*condition != 0 ? 1 : 2);
}

/// Select between true and false: the condition, or its complement.
Value* select_bool(Op& op, Rewriter& rewriter) {
  if (!op.result()->type().is_bool()) return nullptr;
  if (is_literal(op.operand(1), 1) && is_literal(op.operand(2), 0)) return op.operand(0);
  if (!is_literal(op.operand(1), 0) || !is_literal(op.operand(2), 1)) return nullptr;
  Value* constant = rewriter.constant(op, Type::i1(), 1);
  return rewriter.before(op).binary(Opcode::Xor, op.operand(0), constant);
}

Value* select_complement(Op& op, Rewriter& rewriter) {
  const Op* complement = defined_by(op.operand(0), Opcode::Xor);
  if (complement == nullptr || !is_literal(complement->operand(1), 1)) return nullptr;
  return rewriter.before(op).select(complement->operand(0), op.operand(2), op.operand(1));
}

// ---- conversions

/// The extension that may be seen through: zext or sext.
const Op* extension(const Value* value) {
  const Op* op = defined_by(value, Opcode::ZExt);
  return op != nullptr ? op : defined_by(value, Opcode::SExt);
}

Value* convert_or_same(Op& op, Opcode opcode, Value* from) {
  const Type to = op.result()->type();
  return from->type() == to ? from : Rewriter::before(op).convert(opcode, from, to);
}

Value* trunc_of_trunc(Op& op, Rewriter&) {
  const Op* inner = defined_by(op.operand(0), Opcode::Trunc);
  return inner == nullptr ? nullptr : convert_or_same(op, Opcode::Trunc, inner->operand(0));
}

Value* trunc_of_extension(Op& op, Rewriter&) {
  const Op* inner = extension(op.operand(0));
  if (inner == nullptr) return nullptr;
  const bool narrower = op.result()->type().bits() < inner->operand(0)->type().bits();
  return convert_or_same(op, narrower ? Opcode::Trunc : inner->opcode(), inner->operand(0));
}

Value* extension_of_same(Op& op, Rewriter&) {
  const Op* inner = defined_by(op.operand(0), op.opcode());
  return inner == nullptr ? nullptr : convert_or_same(op, op.opcode(), inner->operand(0));
}

/// A zero-extended value is not negative.
Value* sext_of_zext(Op& op, Rewriter&) {
  const Op* inner = defined_by(op.operand(0), Opcode::ZExt);
  return inner == nullptr ? nullptr : convert_or_same(op, Opcode::ZExt, inner->operand(0));
}

Value* bitcast_of_bitcast(Op& op, Rewriter&) {
  const Op* inner = defined_by(op.operand(0), Opcode::Bitcast);
  return inner != nullptr && inner->operand(0)->type() == op.result()->type() ? inner->operand(0) : nullptr;
}

/// The bits of -x and of |x|: those of x with the sign changed. Code that takes a number apart means integers
/// (LLVM makes such operations of them), and some devices flush subnormal numbers where they change the sign.
Value* bits_of_sign_change(Op& op, Rewriter& rewriter) {
  const Type bits = op.result()->type();
  if (!bits.is_int()) return nullptr;
  const Op* negation = defined_by(op.operand(0), Opcode::FNeg);
  const Op* inner = negation != nullptr ? negation : defined_by(op.operand(0), Opcode::FAbs);
  if (inner == nullptr) return nullptr;
  const std::uint64_t sign = std::uint64_t{1} << (bits.bits() - 1);
  Value* before = rewriter.before(op).convert(Opcode::Bitcast, inner->operand(0), bits);
  Value* mask = rewriter.constant(op, bits, negation != nullptr ? sign : sign - 1);
  return rewriter.before(op).binary(negation != nullptr ? Opcode::Xor : Opcode::And, before, mask);
}

Value* freeze_of_freeze(Op& op, Rewriter&) {
  return defined_by(op.operand(0), Opcode::Freeze) != nullptr ? op.operand(0) : nullptr;
}

constexpr Rule kRules[] = {
    {Opcode::Add, identity},
    {Opcode::Add, reassociate},
    {Opcode::Sub, identity},
    {Opcode::Sub, same_operands_zero},
    {Opcode::Sub, subtract_constant},
    {Opcode::Mul, identity},
    {Opcode::Mul, absorbing},
    {Opcode::Mul, reassociate},
    {Opcode::UDiv, identity},
    {Opcode::SDiv, signed_division_by_one},
    {Opcode::URem, remainder_by_one},
    {Opcode::And, identity},
    {Opcode::And, absorbing},
    {Opcode::And, same_operands},
    {Opcode::And, reassociate},
    {Opcode::Or, identity},
    {Opcode::Or, absorbing},
    {Opcode::Or, same_operands},
    {Opcode::Or, reassociate},
    {Opcode::Xor, identity},
    {Opcode::Xor, same_operands_zero},
    {Opcode::Xor, reassociate},
    {Opcode::Xor, xor_twice},
    {Opcode::Shl, identity},
    {Opcode::LShr, identity},
    {Opcode::AShr, identity},
    {Opcode::SMin, identity},
    {Opcode::SMin, absorbing},
    {Opcode::SMin, same_operands},
    {Opcode::SMax, identity},
    {Opcode::SMax, absorbing},
    {Opcode::SMax, same_operands},
    {Opcode::UMin, identity},
    {Opcode::UMin, absorbing},
    {Opcode::UMin, same_operands},
    {Opcode::UMax, identity},
    {Opcode::UMax, absorbing},
    {Opcode::UMax, same_operands},
    {Opcode::Select, select_known},
    {Opcode::Select, select_bool},
    {Opcode::Select, select_complement},
    {Opcode::Trunc, trunc_of_trunc},
    {Opcode::Trunc, trunc_of_extension},
    {Opcode::ZExt, extension_of_same},
    {Opcode::SExt, extension_of_same},
    {Opcode::SExt, sext_of_zext},
    {Opcode::Bitcast, bitcast_of_bitcast},
    {Opcode::Bitcast, bits_of_sign_change},
    {Opcode::Freeze, freeze_of_freeze},
};

}  // namespace

std::span<const Rule> integer_rules() { return kRules; }

}  // namespace spirea::kir
