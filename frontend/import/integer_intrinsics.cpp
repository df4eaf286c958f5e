// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer intrinsics of LLVM that become several ops.
#include <llvm/IR/Intrinsics.h>

#include "frontend/import/importer.h"

namespace spirea::frontend {

using kir::Opcode;
using kir::Type;
namespace Intrinsic = llvm::Intrinsic;

bool Importer::integer_intrinsic(const llvm::IntrinsicInst& inst) {
  const Intrinsic::ID id = inst.getIntrinsicID();
  if (id == Intrinsic::trap || id == Intrinsic::ubsantrap) {
    trapped_ = true;
    return true;
  }
  if (inst.arg_size() < 2 || !inst.getArgOperand(0)->getType()->isIntOrIntVectorTy()) {
    if (id != Intrinsic::is_constant) return false;
    set(&inst, literal(Type::i1(), 0));
    return true;
  }
  const unsigned bits = inst.getArgOperand(0)->getType()->getScalarSizeInBits();
  if (bits > 64 || bits == 1) return false;
  const bool is_full = held_bits(bits) == bits;
  const Components a = get(inst.getArgOperand(0)), b = get(inst.getArgOperand(1));
  Components result;
  switch (id) {
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
      for (std::size_t i = 0; i < a.size(); ++i) result.push_back(saturating(id, a[i], b[i], bits));
      break;
    case Intrinsic::fshl:
    case Intrinsic::fshr: {
      if (!is_full) return false;
      const Components n = get(inst.getArgOperand(2));
      for (std::size_t i = 0; i < a.size(); ++i)
        result.push_back(funnel_shift(id == Intrinsic::fshl, a[i], b[i], n[i]));
      break;
    }
    case Intrinsic::ucmp:
    case Intrinsic::scmp:
      for (std::size_t i = 0; i < a.size(); ++i)
        result.push_back(three_way(id == Intrinsic::scmp, a[i], b[i], bits, inst.getType()->getScalarType()));
      break;
    default: return false;
  }
  set(&inst, result);
  return true;
}

/// Of widths that KIR has no type for: computed in the wider type, and corrected.
kir::Value* Importer::narrow_unary(Opcode opcode, kir::Value* value, unsigned bits) {
  if (value->type().is_bool()) {
    kir::Value* wide = narrow_unary(opcode, builder_.convert(Opcode::ZExt, value, Type::i8()), 1);
    return builder_.convert(Opcode::Trunc, wide, Type::i1());
  }
  const Type type = value->type();
  kir::Value* rest = literal(type, type.bits() - bits);
  switch (opcode) {
    case Opcode::Clz: return builder_.binary(Opcode::Sub, builder_.unary(opcode, value), rest);
    case Opcode::Ctz:  // stops at the first bit above
      value = builder_.binary(Opcode::Or, value, literal(type, std::uint64_t{1} << bits));
      return builder_.unary(opcode, value);
    case Opcode::BitReverse:
    case Opcode::ByteSwap: return builder_.binary(Opcode::LShr, builder_.unary(opcode, value), rest);
    case Opcode::IAbs: return mask(builder_.unary(opcode, sign_extended(value, bits)), bits);
    default: return builder_.unary(opcode, value);
  }
}

kir::Value* Importer::narrow_binary(Opcode opcode, kir::Value* a, kir::Value* b, unsigned bits) {
  if (a->type().is_bool()) {  // as a signed number, true is the smaller one
    const bool all = opcode == Opcode::UMin || opcode == Opcode::SMax;
    return builder_.binary(all ? Opcode::And : Opcode::Or, a, b);
  }
  if (opcode == Opcode::SMin || opcode == Opcode::SMax) {
    a = sign_extended(a, bits);
    b = sign_extended(b, bits);
  }
  return mask(builder_.binary(opcode, a, b), bits);
}

void Importer::overflow(const llvm::IntrinsicInst& inst) {
  const Components a = get(inst.getArgOperand(0)), b = get(inst.getArgOperand(1));
  Components values, flags;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto [value, flag] =
        overflow(inst.getIntrinsicID(), a[i], b[i], inst.getArgOperand(0)->getType()->getScalarSizeInBits());
    values.push_back(value);
    flags.push_back(flag);
  }
  values.append(flags);
  set(&inst, values);
}

/// The wrapped result, and whether it is wrong.
std::pair<kir::Value*, kir::Value*> Importer::overflow(Intrinsic::ID id, kir::Value* a, kir::Value* b,
                                                       unsigned bits) {
  const Type type = a->type();
  const bool is_signed = id == Intrinsic::sadd_with_overflow || id == Intrinsic::ssub_with_overflow ||
                         id == Intrinsic::smul_with_overflow;
  const bool adds = id == Intrinsic::sadd_with_overflow || id == Intrinsic::uadd_with_overflow;
  const bool multiplies = id == Intrinsic::smul_with_overflow || id == Intrinsic::umul_with_overflow;
  if (is_signed) {
    a = sign_extended(a, bits);
    b = sign_extended(b, bits);
  }
  kir::Value* result = builder_.binary(multiplies ? Opcode::Mul : adds ? Opcode::Add : Opcode::Sub, a, b);
  kir::Value* flag = nullptr;
  if (multiplies) {
    kir::Value* high = builder_.binary(is_signed ? Opcode::SMulHi : Opcode::UMulHi, a, b);
    kir::Value* expected =
        is_signed ? builder_.binary(Opcode::AShr, result, literal(type, type.bits() - 1)) : zero(type);
    flag = builder_.compare(Opcode::INe, high, expected);
  } else if (!is_signed) {
    flag = adds ? builder_.compare(Opcode::ULt, result, a) : builder_.compare(Opcode::ULt, a, b);
  } else {
    // The sum's sign differs from those of both operands; the difference's from a's, and b's from a's.
    kir::Value* x = builder_.binary(Opcode::Xor, a, result);
    kir::Value* y = adds ? builder_.binary(Opcode::Xor, b, result) : builder_.binary(Opcode::Xor, a, b);
    flag = builder_.compare(Opcode::SLt, builder_.binary(Opcode::And, x, y), zero(type));
  }
  if (bits == type.bits()) return {result, flag};
  // Of a narrower width: also wrong where the bits above are not those of the result extended again.
  kir::Value* wrapped = mask(result, bits);
  kir::Value* again = is_signed ? sign_extended(wrapped, bits) : wrapped;
  kir::Value* cut = builder_.compare(Opcode::INe, result, again);
  return {wrapped, builder_.binary(Opcode::Or, flag, cut)};
}

kir::Value* Importer::saturating(Intrinsic::ID id, kir::Value* a, kir::Value* b, unsigned bits) {
  const bool is_signed = id == Intrinsic::sadd_sat || id == Intrinsic::ssub_sat;
  const bool adds = id == Intrinsic::sadd_sat || id == Intrinsic::uadd_sat;
  const Intrinsic::ID checked = is_signed
                                    ? (adds ? Intrinsic::sadd_with_overflow : Intrinsic::ssub_with_overflow)
                                    : (adds ? Intrinsic::uadd_with_overflow : Intrinsic::usub_with_overflow);
  const auto [wrapped, over] = overflow(checked, a, b, bits);
  const Type type = a->type();
  const std::uint64_t all = ~std::uint64_t{0} >> (64 - bits);
  kir::Value* limit = literal(type, adds && !is_signed ? all : 0);
  if (is_signed) {  // the limit on a's side
    kir::Value* sign = builder_.binary(Opcode::AShr, sign_extended(a, bits), literal(type, type.bits() - 1));
    limit = mask(builder_.binary(Opcode::Xor, sign, literal(type, all >> 1)), bits);
  }
  return builder_.select(over, limit, wrapped);
}

/// fshl(a, b, n): the high bits of a:b shifted left by n modulo the width; fshr: the low bits of a:b shifted
/// right. The other operand is shifted in two steps: a shift by the whole width would be undefined.
kir::Value* Importer::funnel_shift(bool left, kir::Value* a, kir::Value* b, kir::Value* n) {
  const Type type = a->type();
  kir::Value* last = literal(type, type.bits() - 1);
  kir::Value* one = literal(type, 1);
  kir::Value* by = builder_.binary(Opcode::And, n, last);
  kir::Value* rest = builder_.binary(Opcode::Xor, by, last);  // width - 1 - by
  if (left) {
    kir::Value* high = builder_.binary(Opcode::Shl, a, by);
    kir::Value* low = builder_.binary(Opcode::LShr, b, one);
    low = builder_.binary(Opcode::LShr, low, rest);
    return builder_.binary(Opcode::Or, high, low);
  }
  kir::Value* low = builder_.binary(Opcode::LShr, b, by);
  kir::Value* high = builder_.binary(Opcode::Shl, a, one);
  high = builder_.binary(Opcode::Shl, high, rest);
  return builder_.binary(Opcode::Or, high, low);
}

/// -1, 0 or 1.
kir::Value* Importer::three_way(bool is_signed, kir::Value* a, kir::Value* b, unsigned bits,
                                llvm::Type* result) {
  const Type type = scalar_type(result, nullptr);
  using llvm::CmpInst;
  kir::Value* less = integer_compare(is_signed ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT, a, b, bits);
  kir::Value* greater = integer_compare(is_signed ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT, a, b, bits);
  kir::Value* positive = builder_.select(greater, literal(type, 1), zero(type));
  const std::uint64_t minus_one = ~std::uint64_t{0} >> (64 - result->getIntegerBitWidth());
  return builder_.select(less, literal(type, minus_one), positive);
}

/// All elements of a vector by one op, in order.
void Importer::reduce(const llvm::IntrinsicInst& inst, Opcode opcode) {
  const bool has_start = inst.arg_size() == 2;
  const Components parts = get(inst.getArgOperand(has_start ? 1 : 0));
  const unsigned bits = inst.getType()->getScalarSizeInBits();
  const bool narrow = inst.getType()->isIntegerTy() && held_bits(bits) != bits;
  if (narrow || (bits == 1 && opcode != Opcode::And && opcode != Opcode::Or && opcode != Opcode::Xor))
    return unsupported(inst, "this operation on a vector of " + std::to_string(bits) +
                                 "-bit integers is not supported in kernels");
  kir::Value* result = has_start ? scalar(inst.getArgOperand(0)) : parts[0];
  for (std::size_t i = has_start ? 0 : 1; i < parts.size(); ++i)
    result = builder_.binary(opcode, result, parts[i], fast(inst));
  set(&inst, result);
}

}  // namespace spirea::frontend
