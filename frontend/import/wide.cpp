// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers of 65 to 128 bits, as two i64: what `unsigned __int128` is used for in hashes and generators, and
// the wide integers that LLVM makes of small structs. Division has been expanded before
// (frontend/passes.cpp).
#include "frontend/import/importer.h"

namespace spirea::frontend {

using kir::Opcode;
using kir::Type;

namespace {

constexpr unsigned kHalf = 64;

}  // namespace

bool Importer::is_wide(const llvm::Type* type) {
  const auto* integer = llvm::dyn_cast<llvm::IntegerType>(type);
  return integer != nullptr && integer->getBitWidth() > kHalf && integer->getBitWidth() <= 2 * kHalf;
}

Components Importer::wide_masked(Components value, unsigned bits) {
  value[1] = mask(value[1], bits - kHalf);
  return value;
}

Components Importer::wide_sign_extended(const Components& value, unsigned bits) {
  return {value[0], sign_extended(value[1], bits - kHalf)};
}

bool Importer::wide_binary(const llvm::BinaryOperator& inst) {
  const unsigned opcode = inst.getOpcode(), bits = inst.getType()->getIntegerBitWidth();
  Components a = get(inst.getOperand(0)), b = get(inst.getOperand(1));
  const auto op = [&](Opcode o, kir::Value* x, kir::Value* y) { return builder_.binary(o, x, y); };
  const auto bit = [&](kir::Value* x) { return builder_.convert(Opcode::ZExt, x, Type::i64()); };
  Components result;
  switch (opcode) {
    case llvm::Instruction::And:
    case llvm::Instruction::Or:
    case llvm::Instruction::Xor:
      for (unsigned i = 0; i < 2; ++i) result.push_back(integer_binary(opcode, a[i], b[i], kHalf));
      break;
    case llvm::Instruction::Add: {
      kir::Value* low = op(Opcode::Add, a[0], b[0]);
      kir::Value* carry = bit(builder_.compare(Opcode::ULt, low, a[0]));
      kir::Value* high = op(Opcode::Add, a[1], b[1]);
      result = {low, op(Opcode::Add, high, carry)};
      break;
    }
    case llvm::Instruction::Sub: {
      kir::Value* borrow = bit(builder_.compare(Opcode::ULt, a[0], b[0]));
      kir::Value* low = op(Opcode::Sub, a[0], b[0]);
      kir::Value* high = op(Opcode::Sub, a[1], b[1]);
      result = {low, op(Opcode::Sub, high, borrow)};
      break;
    }
    case llvm::Instruction::Mul: {
      kir::Value* low = op(Opcode::Mul, a[0], b[0]);
      kir::Value* high = op(Opcode::UMulHi, a[0], b[0]);
      high = op(Opcode::Add, high, op(Opcode::Mul, a[1], b[0]));
      result = {low, op(Opcode::Add, high, op(Opcode::Mul, a[0], b[1]))};
      break;
    }
    case llvm::Instruction::AShr: a = wide_sign_extended(a, bits); [[fallthrough]];
    case llvm::Instruction::Shl:
    case llvm::Instruction::LShr: result = wide_shift(opcode, a, b[0]); break;
    default: unsupported(inst, "internal error: a division of 128-bit integers is left"); return false;
  }
  set(&inst, wide_masked(result, bits));
  return true;
}

/// Shifts by 64 or more move one half into the other. A shift by 64 minus the amount would be undefined for
/// amount 0, so it is done in two steps.
Components Importer::wide_shift(unsigned opcode, const Components& value, kir::Value* by) {
  const auto op = [&](Opcode o, kir::Value* x, kir::Value* y) { return builder_.binary(o, x, y); };
  kir::Value* last = literal(Type::i64(), kHalf - 1);
  kir::Value* amount = op(Opcode::And, by, last);
  kir::Value* rest = op(Opcode::Xor, amount, last);
  kir::Value* far = builder_.compare(Opcode::UGe, by, literal(Type::i64(), kHalf));
  kir::Value* one = literal(Type::i64(), 1);
  if (opcode == llvm::Instruction::Shl) {
    kir::Value* low = op(Opcode::Shl, value[0], amount);
    kir::Value* carried = op(Opcode::LShr, op(Opcode::LShr, value[0], one), rest);
    kir::Value* high = op(Opcode::Or, op(Opcode::Shl, value[1], amount), carried);
    return {builder_.select(far, zero(Type::i64()), low), builder_.select(far, low, high)};
  }
  const Opcode shift = opcode == llvm::Instruction::AShr ? Opcode::AShr : Opcode::LShr;
  kir::Value* high = op(shift, value[1], amount);
  kir::Value* carried = op(Opcode::Shl, op(Opcode::Shl, value[1], one), rest);
  kir::Value* low = op(Opcode::Or, op(Opcode::LShr, value[0], amount), carried);
  kir::Value* sign = shift == Opcode::AShr ? op(shift, value[1], last) : zero(Type::i64());
  return {builder_.select(far, high, low), builder_.select(far, sign, high)};
}

kir::Value* Importer::wide_compare(llvm::CmpInst::Predicate predicate, Components a, Components b,
                                   unsigned bits) {
  if (llvm::CmpInst::isSigned(predicate)) {
    a = wide_sign_extended(a, bits);
    b = wide_sign_extended(b, bits);
  }
  if (llvm::CmpInst::isEquality(predicate)) {
    kir::Value* low = builder_.binary(Opcode::Xor, a[0], b[0]);
    kir::Value* high = builder_.binary(Opcode::Xor, a[1], b[1]);
    return integer_compare(predicate, builder_.binary(Opcode::Or, low, high), zero(Type::i64()), kHalf);
  }
  kir::Value* same = builder_.compare(Opcode::IEq, a[1], b[1]);
  kir::Value* low = integer_compare(
      llvm::CmpInst::isSigned(predicate) ? llvm::ICmpInst::getUnsignedPredicate(predicate) : predicate, a[0],
      b[0], kHalf);
  kir::Value* high = integer_compare(predicate, a[1], b[1], kHalf);
  return builder_.select(same, low, high);
}

/// Conversions from or to a wide integer; false for others.
bool Importer::wide_cast(const llvm::CastInst& inst) {
  llvm::Type *from = inst.getSrcTy(), *to = inst.getDestTy();
  if (!is_wide(from) && !is_wide(to)) return false;
  const Components value = get(inst.getOperand(0));
  const unsigned from_bits = from->getScalarSizeInBits(), to_bits = to->getScalarSizeInBits();
  switch (inst.getOpcode()) {
    case llvm::Instruction::Trunc:
      if (is_wide(to))
        set(&inst, wide_masked(value, to_bits));
      else
        set(&inst, mask(resize(Opcode::ZExt, value[0], scalar_type(to, nullptr)), to_bits));
      return true;
    case llvm::Instruction::ZExt:
      if (is_wide(from))
        set(&inst, value);
      else
        set(&inst, Components{resize(Opcode::ZExt, value[0], Type::i64()), zero(Type::i64())});
      return true;
    case llvm::Instruction::SExt: {
      Components result;
      if (is_wide(from)) {
        result = wide_sign_extended(value, from_bits);
      } else {
        kir::Value* low = resize(Opcode::SExt, sign_extended(value[0], from_bits), Type::i64());
        result = {low, builder_.binary(Opcode::AShr, low, literal(Type::i64(), kHalf - 1))};
      }
      set(&inst, wide_masked(result, to_bits));
      return true;
    }
    case llvm::Instruction::UIToFP: set(&inst, wide_to_float(value, scalar_type(to, nullptr))); return true;
    case llvm::Instruction::SIToFP: {
      const Components number = wide_sign_extended(value, from_bits);
      kir::Value* negative = builder_.compare(Opcode::SLt, number[1], zero(Type::i64()));
      const Components magnitude = wide_select(negative, wide_negated(number), number);
      kir::Value* result = wide_to_float(magnitude, scalar_type(to, nullptr));
      set(&inst, builder_.select(negative, builder_.unary(Opcode::FNeg, result), result));
      return true;
    }
    case llvm::Instruction::FPToUI: set(&inst, wide_masked(float_to_wide(value[0]), to_bits)); return true;
    case llvm::Instruction::FPToSI: {
      const Components magnitude = float_to_wide(builder_.unary(Opcode::FAbs, value[0]));
      kir::Value* negative = builder_.compare(Opcode::FOLt, value[0], zero(value[0]->type()));
      set(&inst, wide_masked(wide_select(negative, wide_negated(magnitude), magnitude), to_bits));
      return true;
    }
    default:
      unsupported(inst, "this conversion of 128-bit integers is not supported in kernels");
      return true;
  }
}

/// The nearest number: the 64 bits from the first one on, the last of them set if anything follows, round as
/// the whole does, since they are at least two more than a float keeps. A power of two then puts them back.
kir::Value* Importer::wide_to_float(const Components& value, Type to) {
  const Type word = Type::i64();
  if (to == Type::f16()) {  // far beyond its range in 64 bits already
    kir::Value* is_large = builder_.compare(Opcode::INe, value[1], zero(word));
    kir::Value* low = builder_.select(is_large, literal(word, ~std::uint64_t{0}), value[0]);
    return builder_.convert(Opcode::UiToFp, low, to);
  }
  kir::Value* zeros = wide_count(llvm::Intrinsic::ctlz, value, 2 * kHalf);
  const Components first = wide_shift(llvm::Instruction::Shl, value, zeros);
  kir::Value* more = builder_.compare(Opcode::INe, first[0], zero(word));
  kir::Value* bits = builder_.binary(Opcode::Or, first[1], builder_.convert(Opcode::ZExt, more, word));
  const bool is_double = to == Type::f64();
  kir::Value* exponent = builder_.binary(Opcode::Sub, literal(word, (is_double ? 1023 : 127) + kHalf), zeros);
  kir::Value* power = builder_.binary(Opcode::Shl, exponent, literal(word, is_double ? 52 : 23));
  power = reinterpret(resize(Opcode::ZExt, power, Type::integer(to.bits())), to);
  return builder_.binary(Opcode::FMul, builder_.convert(Opcode::UiToFp, bits, to), power);
}

/// Without the fraction; all of these products and differences are exact.
Components Importer::float_to_wide(kir::Value* value) {
  const Type type = value->type(), word = Type::i64();
  if (type == Type::f16()) return {builder_.convert(Opcode::FpToUi, value, word), zero(word)};
  kir::Value* high = builder_.binary(Opcode::FMul, value, float_literal(type, 0x1p-64));
  high = builder_.unary(Opcode::FTrunc, high);
  kir::Value* above = builder_.binary(Opcode::FMul, high, float_literal(type, 0x1p64));
  kir::Value* low = builder_.unary(Opcode::FTrunc, builder_.binary(Opcode::FSub, value, above));
  return {builder_.convert(Opcode::FpToUi, low, word), builder_.convert(Opcode::FpToUi, high, word)};
}

}  // namespace spirea::frontend
