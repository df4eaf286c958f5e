// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Identities of floating-point arithmetic. Without flags only those that hold for every value, both zeros
// included; the payload of a NaN is not kept.
#include <bit>
#include <cmath>
#include <optional>

#include "ir/transform/rewriter.h"

namespace spirea::kir {
namespace {

/// The value of a constant of type f32 or f64.
std::optional<double> float_literal(const Value* value) {
  const auto bits = literal(value);
  if (!bits) return std::nullopt;
  if (value->type() == Type::f64()) return std::bit_cast<double>(*bits);
  if (value->type() == Type::f32()) return std::bit_cast<float>(static_cast<std::uint32_t>(*bits));
  return std::nullopt;
}

bool is_one(const Value* value) { return float_literal(value) == 1.0; }
bool is_zero(const Value* value, bool negative) {
  const auto x = float_literal(value);
  return x && *x == 0.0 && std::signbit(*x) == negative;
}
bool ignores_zero_sign(const Op& op) { return op.as<FastAttr>().has(FastAttr::NoSignedZero); }

Value* times_one(Op& op, Rewriter&) { return is_one(op.operand(1)) ? op.operand(0) : nullptr; }

/// x + -0 is x for every x; x + +0 turns -0 into +0.
Value* plus_zero(Op& op, Rewriter&) {
  if (is_zero(op.operand(1), true)) return op.operand(0);
  return is_zero(op.operand(1), false) && ignores_zero_sign(op) ? op.operand(0) : nullptr;
}

Value* minus_zero(Op& op, Rewriter&) {
  if (is_zero(op.operand(1), false)) return op.operand(0);
  return is_zero(op.operand(1), true) && ignores_zero_sign(op) ? op.operand(0) : nullptr;
}

/// -0 - x: -x.
Value* zero_minus(Op& op, Rewriter& rewriter) {
  const bool negates =
      is_zero(op.operand(0), true) || (is_zero(op.operand(0), false) && ignores_zero_sign(op));
  return negates ? rewriter.before(op).unary(Opcode::FNeg, op.operand(1), op.as<FastAttr>()) : nullptr;
}

/// x / c: x * (1/c), where both c and 1/c are powers of two that are normal numbers, so that nothing is
/// rounded differently.
Value* divide_by_power_of_two(Op& op, Rewriter& rewriter) {
  const Type type = op.result()->type();
  const auto c = float_literal(op.operand(1));
  if (!c) return nullptr;
  int exponent = 0;
  if (std::abs(std::frexp(*c, &exponent)) != 0.5) return nullptr;
  const int limit = type == Type::f32() ? 120 : 1000;
  if (exponent < -limit || exponent > limit) return nullptr;
  const double reciprocal = 1.0 / *c;
  const std::uint64_t bits = type == Type::f32()
                                 ? std::bit_cast<std::uint32_t>(static_cast<float>(reciprocal))
                                 : std::bit_cast<std::uint64_t>(reciprocal);
  Value* constant = rewriter.constant(op, type, bits);
  return rewriter.before(op).binary(Opcode::FMul, op.operand(0), constant, op.as<FastAttr>());
}

Value* negated_twice(Op& op, Rewriter&) {
  const Op* inner = defined_by(op.operand(0), Opcode::FNeg);
  return inner != nullptr ? inner->operand(0) : nullptr;
}

/// |-x| and ||x||.
Value* absolute_of_sign(Op& op, Rewriter& rewriter) {
  if (defined_by(op.operand(0), Opcode::FAbs) != nullptr) return op.operand(0);
  const Op* inner = defined_by(op.operand(0), Opcode::FNeg);
  if (inner == nullptr) return nullptr;
  return rewriter.before(op).unary(Opcode::FAbs, inner->operand(0), op.as<FastAttr>());
}

Value* same_operands(Op& op, Rewriter&) { return op.operand(0) == op.operand(1) ? op.operand(0) : nullptr; }

constexpr Rule kRules[] = {
    {Opcode::FMul, times_one},     {Opcode::FDiv, times_one},        {Opcode::FDiv, divide_by_power_of_two},
    {Opcode::FAdd, plus_zero},     {Opcode::FSub, minus_zero},       {Opcode::FSub, zero_minus},
    {Opcode::FNeg, negated_twice}, {Opcode::FAbs, absolute_of_sign}, {Opcode::FMin, same_operands},
    {Opcode::FMax, same_operands},
};

}  // namespace

std::span<const Rule> float_rules() { return kRules; }

}  // namespace spirea::kir
