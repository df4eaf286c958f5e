// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer intrinsics of 65 to 128 bits, as two i64.
#include <llvm/IR/Intrinsics.h>

#include "frontend/import/importer.h"

namespace spirea::frontend {

using kir::Opcode;
using kir::Type;
namespace Intrinsic = llvm::Intrinsic;

namespace {

constexpr unsigned kHalf = 64;

llvm::CmpInst::Predicate takes_first(Intrinsic::ID id) {
  switch (id) {
    case Intrinsic::smin: return llvm::CmpInst::ICMP_SLT;
    case Intrinsic::smax: return llvm::CmpInst::ICMP_SGT;
    case Intrinsic::umin: return llvm::CmpInst::ICMP_ULT;
    default: return llvm::CmpInst::ICMP_UGT;
  }
}

}  // namespace

Components Importer::wide_select(kir::Value* condition, const Components& a, const Components& b) {
  return {builder_.select(condition, a[0], b[0]), builder_.select(condition, a[1], b[1])};
}

/// Leading or trailing zeros, or one bits.
kir::Value* Importer::wide_count(Intrinsic::ID id, Components value, unsigned bits) {
  const auto op = [&](Opcode o, kir::Value* x, kir::Value* y) { return builder_.binary(o, x, y); };
  kir::Value* half = literal(Type::i64(), kHalf);
  if (id == Intrinsic::ctpop)
    return op(Opcode::Add, builder_.unary(Opcode::Popcount, value[0]),
              builder_.unary(Opcode::Popcount, value[1]));
  const bool leading = id == Intrinsic::ctlz;
  const Opcode count = leading ? Opcode::Clz : Opcode::Ctz;
  if (!leading && bits < 2 * kHalf)  // stops at the first bit above
    value[1] = op(Opcode::Or, value[1], literal(Type::i64(), std::uint64_t{1} << (bits - kHalf)));
  kir::Value *first = value[leading ? 1 : 0], *second = value[leading ? 0 : 1];
  kir::Value* is_zero = builder_.compare(Opcode::IEq, first, zero(Type::i64()));
  kir::Value* behind = op(Opcode::Add, builder_.unary(count, second), half);
  kir::Value* result = builder_.select(is_zero, behind, builder_.unary(count, first));
  return leading ? op(Opcode::Sub, result, literal(Type::i64(), 2 * kHalf - bits)) : result;
}

/// The value's bits in the opposite order, of the given unit: BitReverse or ByteSwap.
Components Importer::wide_reversed(Opcode opcode, const Components& value, unsigned bits) {
  const Components result = {builder_.unary(opcode, value[1]), builder_.unary(opcode, value[0])};
  return bits == 2 * kHalf
             ? result
             : wide_shift(llvm::Instruction::LShr, result, literal(Type::i64(), 2 * kHalf - bits));
}

Components Importer::wide_negated(const Components& value) {
  kir::Value* low = builder_.binary(Opcode::Sub, zero(Type::i64()), value[0]);
  kir::Value* borrows = builder_.compare(Opcode::INe, value[0], zero(Type::i64()));
  kir::Value* borrow = builder_.convert(Opcode::ZExt, borrows, Type::i64());
  kir::Value* high = builder_.binary(Opcode::Sub, zero(Type::i64()), value[1]);
  return {low, builder_.binary(Opcode::Sub, high, borrow)};
}

/// (a:b << n) or (a:b >> n), of which one half is left; n is taken modulo the width.
Components Importer::wide_funnel_shift(bool left, const Components& a, const Components& b, kir::Value* by,
                                       unsigned bits) {
  kir::Value* width = literal(Type::i64(), bits);
  kir::Value* n = builder_.binary(Opcode::URem, by, width);
  kir::Value* last = literal(Type::i64(), bits - 1);
  kir::Value* rest = builder_.binary(Opcode::Sub, last, n);
  kir::Value* one = literal(Type::i64(), 1);
  Components high, low;
  if (left) {
    high = wide_shift(llvm::Instruction::Shl, a, n);
    low = wide_shift(llvm::Instruction::LShr, wide_shift(llvm::Instruction::LShr, b, one), rest);
  } else {
    low = wide_shift(llvm::Instruction::LShr, b, n);
    high = wide_shift(llvm::Instruction::Shl, wide_shift(llvm::Instruction::Shl, a, one), rest);
  }
  return {builder_.binary(Opcode::Or, high[0], low[0]), builder_.binary(Opcode::Or, high[1], low[1])};
}

bool Importer::wide_intrinsic(const llvm::IntrinsicInst& inst) {
  if (inst.arg_size() == 0 || !is_wide(inst.getArgOperand(0)->getType()) || !is_wide(inst.getType()))
    return false;
  const Intrinsic::ID id = inst.getIntrinsicID();
  const unsigned bits = inst.getType()->getIntegerBitWidth();
  const Components a = get(inst.getArgOperand(0));
  Components result;
  switch (id) {
    case Intrinsic::ctlz:
    case Intrinsic::cttz:
    case Intrinsic::ctpop: result = {wide_count(id, a, bits), zero(Type::i64())}; break;
    case Intrinsic::bswap: result = wide_reversed(Opcode::ByteSwap, a, bits); break;
    case Intrinsic::bitreverse: result = wide_reversed(Opcode::BitReverse, a, bits); break;
    case Intrinsic::abs: {
      kir::Value* negative = builder_.compare(Opcode::SLt, wide_sign_extended(a, bits)[1], zero(Type::i64()));
      result = wide_select(negative, wide_negated(a), a);
      break;
    }
    case Intrinsic::smin:
    case Intrinsic::smax:
    case Intrinsic::umin:
    case Intrinsic::umax: {
      const Components b = get(inst.getArgOperand(1));
      result = wide_select(wide_compare(takes_first(id), a, b, bits), a, b);
      break;
    }
    case Intrinsic::fshl:
    case Intrinsic::fshr:
      result = wide_funnel_shift(id == Intrinsic::fshl, a, get(inst.getArgOperand(1)),
                                 get(inst.getArgOperand(2))[0], bits);
      break;
    default: return false;
  }
  set(&inst, wide_masked(result, bits));
  return true;
}

}  // namespace spirea::frontend
