// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Identities of comparisons and of their complements.
#include <optional>

#include "ir/transform/rewriter.h"

namespace spirea::kir {
namespace {

/// A comparison, the one with swapped operands, and the one with the opposite result.
struct Comparison {
  Opcode opcode;
  Opcode swapped;
  Opcode opposite;
};

constexpr Comparison kComparisons[] = {
    {Opcode::IEq, Opcode::IEq, Opcode::INe},    {Opcode::INe, Opcode::INe, Opcode::IEq},
    {Opcode::ULt, Opcode::UGt, Opcode::UGe},    {Opcode::ULe, Opcode::UGe, Opcode::UGt},
    {Opcode::UGt, Opcode::ULt, Opcode::ULe},    {Opcode::UGe, Opcode::ULe, Opcode::ULt},
    {Opcode::SLt, Opcode::SGt, Opcode::SGe},    {Opcode::SLe, Opcode::SGe, Opcode::SGt},
    {Opcode::SGt, Opcode::SLt, Opcode::SLe},    {Opcode::SGe, Opcode::SLe, Opcode::SLt},
    {Opcode::FOEq, Opcode::FOEq, Opcode::FUNe}, {Opcode::FONe, Opcode::FONe, Opcode::FUEq},
    {Opcode::FOLt, Opcode::FOGt, Opcode::FUGe}, {Opcode::FOLe, Opcode::FOGe, Opcode::FUGt},
    {Opcode::FOGt, Opcode::FOLt, Opcode::FULe}, {Opcode::FOGe, Opcode::FOLe, Opcode::FULt},
    {Opcode::FUEq, Opcode::FUEq, Opcode::FONe}, {Opcode::FUNe, Opcode::FUNe, Opcode::FOEq},
    {Opcode::FULt, Opcode::FUGt, Opcode::FOGe}, {Opcode::FULe, Opcode::FUGe, Opcode::FOGt},
    {Opcode::FUGt, Opcode::FULt, Opcode::FOLe}, {Opcode::FUGe, Opcode::FULe, Opcode::FOLt},
    {Opcode::FOrd, Opcode::FOrd, Opcode::FUno}, {Opcode::FUno, Opcode::FUno, Opcode::FOrd},
};

const Comparison* comparison(Opcode opcode) {
  for (const Comparison& row : kComparisons)
    if (row.opcode == opcode) return &row;
  return nullptr;
}

/// A constant first operand becomes the second.
Value* constant_second(Op& op, Rewriter& rewriter) {
  if (!literal(op.operand(0)) || literal(op.operand(1))) return nullptr;
  return rewriter.before(op).compare(comparison(op.opcode())->swapped, op.operand(1), op.operand(0));
}

/// An integer or pointer compared with itself.
Value* same_operands(Op& op, Rewriter& rewriter) {
  if (op.operand(0) != op.operand(1)) return nullptr;
  const bool holds = op.is(Opcode::IEq) || op.is(Opcode::ULe) || op.is(Opcode::UGe) || op.is(Opcode::SLe) ||
                     op.is(Opcode::SGe);
  return rewriter.constant(op, Type::i1(), holds ? 1 : 0);
}

/// A bool that is compared with a constant: itself or its complement.
Value* bool_with_constant(Op& op, Rewriter& rewriter) {
  const auto c = literal(op.operand(1));
  if (!c || !op.operand(0)->type().is_bool()) return nullptr;
  if (op.is(Opcode::IEq) == (*c == 1)) return op.operand(0);
  Value* constant = rewriter.constant(op, Type::i1(), 1);
  return rewriter.before(op).binary(Opcode::Xor, op.operand(0), constant);
}

/// No unsigned number is below 0.
Value* unsigned_with_zero(Op& op, Rewriter& rewriter) {
  if (!is_literal(op.operand(1), 0)) return nullptr;
  return rewriter.constant(op, Type::i1(), op.is(Opcode::UGe) ? 1 : 0);
}

/// The complement of a comparison: the opposite comparison.
Value* complement(Op& op, Rewriter& rewriter) {
  if (!op.result()->type().is_bool() || !is_literal(op.operand(1), 1)) return nullptr;
  const Op* inner = op.operand(0)->def();
  if (inner == nullptr || !op.operand(0)->has_one_use()) return nullptr;
  const Comparison* row = comparison(inner->opcode());
  if (row == nullptr) return nullptr;
  return rewriter.before(op).compare(row->opposite, inner->operand(0), inner->operand(1));
}

constexpr Rule kRules[] = {
    {Opcode::ULt, constant_second},    {Opcode::ULe, constant_second},    {Opcode::UGt, constant_second},
    {Opcode::UGe, constant_second},    {Opcode::SLt, constant_second},    {Opcode::SLe, constant_second},
    {Opcode::SGt, constant_second},    {Opcode::SGe, constant_second},    {Opcode::FOLt, constant_second},
    {Opcode::FOLe, constant_second},   {Opcode::FOGt, constant_second},   {Opcode::FOGe, constant_second},
    {Opcode::FULt, constant_second},   {Opcode::FULe, constant_second},   {Opcode::FUGt, constant_second},
    {Opcode::FUGe, constant_second},   {Opcode::IEq, same_operands},      {Opcode::INe, same_operands},
    {Opcode::ULt, same_operands},      {Opcode::ULe, same_operands},      {Opcode::UGt, same_operands},
    {Opcode::UGe, same_operands},      {Opcode::SLt, same_operands},      {Opcode::SLe, same_operands},
    {Opcode::SGt, same_operands},      {Opcode::SGe, same_operands},      {Opcode::IEq, bool_with_constant},
    {Opcode::INe, bool_with_constant}, {Opcode::ULt, unsigned_with_zero}, {Opcode::UGe, unsigned_with_zero},
    {Opcode::Xor, complement},
};

}  // namespace

std::span<const Rule> compare_rules() { return kRules; }

}  // namespace spirea::kir
