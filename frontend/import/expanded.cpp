// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM intrinsics that become several ops.
#include <llvm/ADT/FloatingPointMode.h>
#include <llvm/IR/Intrinsics.h>

#include "frontend/import/importer.h"

namespace spirea::frontend {

using kir::Opcode;
using kir::Type;

bool Importer::expanded_intrinsic(const llvm::IntrinsicInst& inst) {
  namespace Intrinsic = llvm::Intrinsic;
  const unsigned bits = inst.getType()->isIntOrIntVectorTy() ? inst.getType()->getScalarSizeInBits() : 0;
  switch (inst.getIntrinsicID()) {
    case Intrinsic::trap:
    case Intrinsic::ubsantrap:
    case Intrinsic::debugtrap: trapped_ = true; return true;
    case Intrinsic::expect:
    case Intrinsic::expect_with_probability:
    case Intrinsic::launder_invariant_group:
    case Intrinsic::strip_invariant_group:
    case Intrinsic::ssa_copy: set(&inst, get(inst.getArgOperand(0))); return true;
    case Intrinsic::threadlocal_address:
      unsupported(inst, "thread-local variables cannot be used in kernels");
      return true;
    case Intrinsic::is_constant: set(&inst, literal(Type::i1(), 0)); return true;
    case Intrinsic::fma:
    case Intrinsic::fmuladd: {
      const Components a = get(inst.getArgOperand(0)), b = get(inst.getArgOperand(1)),
                       c = get(inst.getArgOperand(2));
      Components result;
      for (std::size_t i = 0; i < a.size(); ++i) {
        kir::FastAttr attr = fast(inst);
        if (inst.getIntrinsicID() == Intrinsic::fma) {
          result.push_back(builder_.ternary(Opcode::Fma, a[i], b[i], c[i], attr));
          continue;
        }
        attr.flags |= kir::FastAttr::Contract;
        kir::Value* product = builder_.binary(Opcode::FMul, a[i], b[i], attr);
        result.push_back(builder_.binary(Opcode::FAdd, product, c[i], attr));
      }
      set(&inst, result);
      return true;
    }
    case Intrinsic::sadd_with_overflow:
    case Intrinsic::uadd_with_overflow:
    case Intrinsic::ssub_with_overflow:
    case Intrinsic::usub_with_overflow:
    case Intrinsic::smul_with_overflow:
    case Intrinsic::umul_with_overflow: overflow(inst); return true;
    case Intrinsic::sadd_sat:
    case Intrinsic::uadd_sat:
    case Intrinsic::ssub_sat:
    case Intrinsic::usub_sat:
      if (held_bits(bits) != bits) return false;
      saturating(inst);
      return true;
    case Intrinsic::fshl:
    case Intrinsic::fshr:
      if (held_bits(bits) != bits || bits == 1) return false;
      funnel_shift(inst);
      return true;
    case Intrinsic::is_fpclass: float_class(inst); return true;
    case Intrinsic::ucmp:
    case Intrinsic::scmp: {
      const bool is_signed = inst.getIntrinsicID() == Intrinsic::scmp;
      kir::Value *a = scalar(inst.getArgOperand(0)), *b = scalar(inst.getArgOperand(1));
      const Type type = scalar_type(inst.getType(), nullptr);
      kir::Value* less = builder_.compare(is_signed ? Opcode::SLt : Opcode::ULt, a, b);
      kir::Value* greater = builder_.compare(is_signed ? Opcode::SGt : Opcode::UGt, a, b);
      kir::Value* positive = builder_.select(greater, literal(type, 1), zero(type));
      set(&inst, builder_.select(less, mask(literal(type, ~std::uint64_t{0} >> (64 - type.bits())), bits),
                                 positive));
      return true;
    }
    default: return false;
  }
}

void Importer::overflow(const llvm::IntrinsicInst& inst) {
  namespace Intrinsic = llvm::Intrinsic;
  kir::Value *a = scalar(inst.getArgOperand(0)), *b = scalar(inst.getArgOperand(1));
  const Type type = a->type();
  if (type.bits() != inst.getArgOperand(0)->getType()->getScalarSizeInBits() || type.is_bool() ||
      inst.getArgOperand(0)->getType()->isVectorTy())
    return unsupported(inst, "overflow checks of this type are not supported in kernels");
  const auto both = [&](kir::Value* value, kir::Value* flag) { set(&inst, Components{value, flag}); };
  const auto negative = [&](kir::Value* value) { return builder_.compare(Opcode::SLt, value, zero(type)); };
  switch (inst.getIntrinsicID()) {
    case Intrinsic::uadd_with_overflow: {
      kir::Value* sum = builder_.binary(Opcode::Add, a, b);
      return both(sum, builder_.compare(Opcode::ULt, sum, a));
    }
    case Intrinsic::usub_with_overflow: {
      kir::Value* difference = builder_.binary(Opcode::Sub, a, b);
      return both(difference, builder_.compare(Opcode::ULt, a, b));
    }
    case Intrinsic::sadd_with_overflow: {  // the operands' signs agree, and differ from the sum's
      kir::Value* sum = builder_.binary(Opcode::Add, a, b);
      kir::Value* x = builder_.binary(Opcode::Xor, a, sum);
      kir::Value* y = builder_.binary(Opcode::Xor, b, sum);
      kir::Value* bits = builder_.binary(Opcode::And, x, y);
      return both(sum, negative(bits));
    }
    case Intrinsic::ssub_with_overflow: {
      kir::Value* difference = builder_.binary(Opcode::Sub, a, b);
      kir::Value* x = builder_.binary(Opcode::Xor, a, b);
      kir::Value* y = builder_.binary(Opcode::Xor, a, difference);
      kir::Value* bits = builder_.binary(Opcode::And, x, y);
      return both(difference, negative(bits));
    }
    default: break;
  }
  kir::Value* product = builder_.binary(Opcode::Mul, a, b);
  if (inst.getIntrinsicID() == Intrinsic::umul_with_overflow) {
    kir::Value* high = builder_.binary(Opcode::UMulHi, a, b);
    return both(product, builder_.compare(Opcode::INe, high, zero(type)));
  }
  kir::Value* high = builder_.binary(Opcode::SMulHi, a, b);
  kir::Value* sign = builder_.binary(Opcode::AShr, product, literal(type, type.bits() - 1));
  both(product, builder_.compare(Opcode::INe, high, sign));
}

void Importer::saturating(const llvm::IntrinsicInst& inst) {
  namespace Intrinsic = llvm::Intrinsic;
  const Components a = get(inst.getArgOperand(0)), b = get(inst.getArgOperand(1));
  Components result;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Type type = a[i]->type();
    const std::uint64_t all = ~std::uint64_t{0} >> (64 - type.bits());
    const bool add =
        inst.getIntrinsicID() == Intrinsic::uadd_sat || inst.getIntrinsicID() == Intrinsic::sadd_sat;
    kir::Value* wrapped = builder_.binary(add ? Opcode::Add : Opcode::Sub, a[i], b[i]);
    if (inst.getIntrinsicID() == Intrinsic::uadd_sat) {
      kir::Value* over = builder_.compare(Opcode::ULt, wrapped, a[i]);
      result.push_back(builder_.select(over, literal(type, all), wrapped));
    } else if (inst.getIntrinsicID() == Intrinsic::usub_sat) {
      kir::Value* under = builder_.compare(Opcode::ULt, a[i], b[i]);
      result.push_back(builder_.select(under, zero(type), wrapped));
    } else {
      // Overflow where the result's sign is not a's, though a's (and for addition b's) allowed no change.
      kir::Value* x = builder_.binary(Opcode::Xor, a[i], add ? wrapped : b[i]);
      kir::Value* y = builder_.binary(Opcode::Xor, add ? b[i] : a[i], wrapped);
      kir::Value* bits = builder_.binary(Opcode::And, x, y);
      kir::Value* over = builder_.compare(Opcode::SLt, bits, zero(type));
      kir::Value* sign = builder_.binary(Opcode::AShr, a[i], literal(type, type.bits() - 1));
      kir::Value* limit = builder_.binary(Opcode::Xor, sign, literal(type, all >> 1));
      result.push_back(builder_.select(over, limit, wrapped));
    }
  }
  set(&inst, result);
}

/// fshl(a, b, n): the high bits of a:b shifted left by n modulo the width; fshr: the low bits of a:b shifted
/// right.
void Importer::funnel_shift(const llvm::IntrinsicInst& inst) {
  const bool left = inst.getIntrinsicID() == llvm::Intrinsic::fshl;
  const Components a = get(inst.getArgOperand(0)), b = get(inst.getArgOperand(1)),
                   n = get(inst.getArgOperand(2));
  Components result;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Type type = a[i]->type();
    kir::Value* last = literal(type, type.bits() - 1);
    kir::Value* by = builder_.binary(Opcode::And, n[i], last);
    kir::Value* rest = builder_.binary(Opcode::Xor, by, last);  // width - 1 - by
    kir::Value* one = literal(type, 1);
    if (left) {
      kir::Value* high = builder_.binary(Opcode::Shl, a[i], by);
      kir::Value* low = builder_.binary(Opcode::LShr, b[i], one);
      low = builder_.binary(Opcode::LShr, low, rest);
      result.push_back(builder_.binary(Opcode::Or, high, low));
    } else {
      kir::Value* low = builder_.binary(Opcode::LShr, b[i], by);
      kir::Value* high = builder_.binary(Opcode::Shl, a[i], one);
      high = builder_.binary(Opcode::Shl, high, rest);
      result.push_back(builder_.binary(Opcode::Or, high, low));
    }
  }
  set(&inst, result);
}

/// Tests on the bits: sign, exponent and fraction.
void Importer::float_class(const llvm::IntrinsicInst& inst) {
  const auto classes =
      static_cast<llvm::FPClassTest>(llvm::cast<llvm::ConstantInt>(inst.getArgOperand(1))->getZExtValue());
  Components result;
  for (kir::Value* value : get(inst.getArgOperand(0))) {
    const unsigned width = value->type().bits();
    const unsigned fraction_bits = width == 16 ? 10 : width == 32 ? 23 : 52;
    const Type type = Type::integer(width);
    const std::uint64_t sign_bit = std::uint64_t{1} << (width - 1),
                        fraction = (std::uint64_t{1} << fraction_bits) - 1;
    const std::uint64_t infinity = (sign_bit - 1) & ~fraction,
                        quiet = std::uint64_t{1} << (fraction_bits - 1);
    kir::Value* bits = builder_.convert(Opcode::Bitcast, value, type);
    kir::Value* magnitude = builder_.binary(Opcode::And, bits, literal(type, sign_bit - 1));
    kir::Value* is_negative = builder_.compare(Opcode::SLt, bits, zero(type));
    kir::Value* found = literal(Type::i1(), 0);
    // Magnitudes from `low` to `high`, for one sign or both.
    const auto range = [&](llvm::FPClassTest negative, llvm::FPClassTest positive, std::uint64_t low,
                           std::uint64_t high) {
      const bool for_negative = (classes & negative) != 0, for_positive = (classes & positive) != 0;
      if (!for_negative && !for_positive) return;
      kir::Value* relative = builder_.binary(Opcode::Sub, magnitude, literal(type, low));
      kir::Value* test = builder_.compare(Opcode::ULe, relative, literal(type, high - low));
      if (!for_negative || !for_positive) {
        kir::Value* sign =
            for_negative ? is_negative : builder_.binary(Opcode::Xor, is_negative, literal(Type::i1(), 1));
        test = builder_.binary(Opcode::And, test, sign);
      }
      found = builder_.binary(Opcode::Or, found, test);
    };
    range(llvm::fcNegZero, llvm::fcPosZero, 0, 0);
    range(llvm::fcNegSubnormal, llvm::fcPosSubnormal, 1, fraction);
    range(llvm::fcNegNormal, llvm::fcPosNormal, fraction + 1, infinity - 1);
    range(llvm::fcNegInf, llvm::fcPosInf, infinity, infinity);
    range(llvm::fcSNan, llvm::fcSNan, infinity + 1, infinity + quiet - 1);
    range(llvm::fcQNan, llvm::fcQNan, infinity + quiet, sign_bit - 1);
    result.push_back(found);
  }
  set(&inst, result);
}

}  // namespace spirea::frontend
