// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating-point intrinsics of LLVM and functions of <math.h> that become several ops.
#include <llvm/ADT/FloatingPointMode.h>
#include <llvm/IR/Intrinsics.h>

#include "frontend/import/importer.h"

namespace spirea::frontend {

using kir::Opcode;
using kir::Type;
namespace Intrinsic = llvm::Intrinsic;

namespace {

/// The IEEE format of a type.
struct Format {
  unsigned fraction_bits;
  std::int64_t bias;  ///< also the largest exponent; the smallest of a normal number is 1 - bias
  std::uint64_t sign_bit;
  Type bits;  ///< integer of the same width

  std::uint64_t fraction() const { return (std::uint64_t{1} << fraction_bits) - 1; }
  std::uint64_t infinity() const { return (sign_bit - 1) & ~fraction(); }
  std::uint64_t power_of_two(std::int64_t exponent) const {
    return static_cast<std::uint64_t>(exponent + bias) << fraction_bits;
  }
};

Format format(Type type) {
  const unsigned width = type.bits();
  const unsigned fraction_bits = width == 16 ? 10 : width == 32 ? 23 : 52;
  const unsigned exponent_bits = width - 1 - fraction_bits;
  return {fraction_bits, (std::int64_t{1} << (exponent_bits - 1)) - 1, std::uint64_t{1} << (width - 1),
          Type::integer(width)};
}

}  // namespace

kir::Value* Importer::float_literal(Type type, double number) {
  llvm::APFloat value(number);
  bool loses = false;
  value.convert(type.bits() == 16   ? llvm::APFloat::IEEEhalf()
                : type.bits() == 32 ? llvm::APFloat::IEEEsingle()
                                    : llvm::APFloat::IEEEdouble(),
                llvm::APFloat::rmNearestTiesToEven, &loses);
  return literal(type, value.bitcastToAPInt().getZExtValue());
}

bool Importer::float_intrinsic(const llvm::IntrinsicInst& inst) {
  const Intrinsic::ID id = inst.getIntrinsicID();
  if (id == Intrinsic::ptrmask) {
    kir::Value* pointer = scalar(inst.getArgOperand(0));
    if (pointer->type().space() != kir::Space::Global || inst.getType()->isVectorTy()) return false;
    kir::Value* address = builder_.convert(Opcode::PtrToInt, pointer, Type::i64());
    address = builder_.binary(Opcode::And, address, scalar(inst.getArgOperand(1)));
    set(&inst, builder_.convert(Opcode::IntToPtr, address, pointer->type()));
    return true;
  }
  if (inst.arg_size() == 0 || !inst.getArgOperand(0)->getType()->isFPOrFPVectorTy()) return false;
  const kir::FastAttr flags = fast(inst);
  Components parts[3], result, second;
  for (unsigned i = 0; i < std::min(inst.arg_size(), 3u); ++i) parts[i] = get(inst.getArgOperand(i));
  for (std::size_t i = 0; i < parts[0].size(); ++i) {
    kir::Value* x = parts[0][i];
    const auto y = [&] { return parts[1][parts[1].size() == 1 ? 0 : i]; };
    switch (id) {
      case Intrinsic::fma: result.push_back(builder_.ternary(Opcode::Fma, x, y(), parts[2][i], flags)); break;
      case Intrinsic::fmuladd: {
        kir::FastAttr fused = flags;
        fused.flags |= kir::FastAttr::Contract;
        kir::Value* product = builder_.binary(Opcode::FMul, x, y(), fused);
        result.push_back(builder_.binary(Opcode::FAdd, product, parts[2][i], fused));
        break;
      }
      case Intrinsic::is_fpclass:
        result.push_back(float_class(
            static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(inst.getArgOperand(1))->getZExtValue()), x));
        break;
      case Intrinsic::minimum:
      case Intrinsic::maximum:
      case Intrinsic::minimumnum:
      case Intrinsic::maximumnum: result.push_back(strict_extremum(id, x, y())); break;
      case Intrinsic::ldexp: result.push_back(ldexp(x, y())); break;
      case Intrinsic::powi: result.push_back(power(x, y(), flags)); break;
      case Intrinsic::lround:
      case Intrinsic::llround:
        result.push_back(rounded_to_int(Opcode::Round, x, inst.getType()->getScalarType()));
        break;
      case Intrinsic::lrint:
      case Intrinsic::llrint:
        result.push_back(rounded_to_int(Opcode::RoundEven, x, inst.getType()->getScalarType()));
        break;
      case Intrinsic::sincos:
        result.push_back(builder_.unary(Opcode::Sin, x, flags));
        second.push_back(builder_.unary(Opcode::Cos, x, flags));
        break;
      case Intrinsic::frexp: {
        const auto [fraction, exponent] =
            frexp(x, scalar_type(inst.getType()->getStructElementType(1)->getScalarType(), nullptr));
        result.push_back(fraction);
        second.push_back(exponent);
        break;
      }
      default: return false;
    }
  }
  result.append(second);
  set(&inst, result);
  return true;
}

/// Names of the double versions; the float versions end in f. Those that KIR has an op for: intrinsics.def.
bool Importer::float_library_call(const llvm::CallBase& inst, llvm::StringRef name) {
  if (inst.arg_size() == 0) return false;
  llvm::Type* type = inst.getArgOperand(0)->getType();
  if (!type->isFloatTy() && !type->isDoubleTy()) return false;
  if (type->isFloatTy() && !name.consume_back("f")) return false;
  const unsigned n = inst.arg_size();
  const auto argument = [&](unsigned i) { return scalar(inst.getArgOperand(i)); };
  const auto has_pointer = [&](unsigned i) {
    return n > i && inst.getArgOperand(i)->getType()->isPointerTy();
  };
  const auto write = [&](unsigned i, kir::Value* value) {
    builder_.store(argument(i), value, {value->type().bytes(), false});
  };
  kir::Value* x = argument(0);
  if (n == 1 && (name == "lround" || name == "llround")) {
    set(&inst, rounded_to_int(Opcode::Round, x, inst.getType()));
  } else if (n == 1 && (name == "lrint" || name == "llrint")) {
    set(&inst, rounded_to_int(Opcode::RoundEven, x, inst.getType()));
  } else if (n == 2 && name == "fdim") {
    kir::Value* y = argument(1);
    kir::Value* above = builder_.compare(Opcode::FUGt, x, y);  // NaNs go through the difference
    set(&inst, builder_.select(above, builder_.binary(Opcode::FSub, x, y, fast(inst)), zero(x->type())));
  } else if (n == 3 && name == "fma") {
    set(&inst, builder_.ternary(Opcode::Fma, x, argument(1), argument(2), fast(inst)));
  } else if (n == 2 && (name == "ldexp" || name == "scalbn" || name == "scalbln")) {
    set(&inst, ldexp(x, argument(1)));
  } else if (has_pointer(1) && n == 2 && name == "frexp") {
    const auto [fraction, exponent] = frexp(x, Type::i32());
    write(1, exponent);
    set(&inst, fraction);
  } else if (has_pointer(1) && n == 2 && name == "modf") {
    kir::Value* whole = builder_.unary(Opcode::FTrunc, x);
    write(1, whole);
    kir::Value* rest = builder_.binary(Opcode::FSub, x, whole);
    rest = builder_.select(builder_.test(Opcode::IsInf, x), zero(x->type()), rest);
    set(&inst, builder_.binary(Opcode::CopySign, rest, x));
  } else if (has_pointer(1) && has_pointer(2) && n == 3 && name == "sincos") {
    write(1, builder_.unary(Opcode::Sin, x));
    write(2, builder_.unary(Opcode::Cos, x));
  } else {
    return false;
  }
  return true;
}

/// Tests on the bits: sign, exponent and fraction.
kir::Value* Importer::float_class(unsigned classes, kir::Value* value) {
  const Format f = format(value->type());
  kir::Value* bits = builder_.convert(Opcode::Bitcast, value, f.bits);
  kir::Value* magnitude = builder_.binary(Opcode::And, bits, literal(f.bits, f.sign_bit - 1));
  kir::Value* is_negative = builder_.compare(Opcode::SLt, bits, zero(f.bits));
  kir::Value* found = literal(Type::i1(), 0);
  // Magnitudes from `low` to `high`, for one sign or both.
  const auto range = [&](llvm::FPClassTest negative, llvm::FPClassTest positive, std::uint64_t low,
                         std::uint64_t high) {
    const bool for_negative = (classes & negative) != 0, for_positive = (classes & positive) != 0;
    if (!for_negative && !for_positive) return;
    kir::Value* relative = builder_.binary(Opcode::Sub, magnitude, literal(f.bits, low));
    kir::Value* test = builder_.compare(Opcode::ULe, relative, literal(f.bits, high - low));
    if (!for_negative || !for_positive) {
      kir::Value* sign = for_negative ? is_negative : logical_not(is_negative);
      test = builder_.binary(Opcode::And, test, sign);
    }
    found = builder_.binary(Opcode::Or, found, test);
  };
  const std::uint64_t quiet = std::uint64_t{1} << (f.fraction_bits - 1);
  range(llvm::fcNegZero, llvm::fcPosZero, 0, 0);
  range(llvm::fcNegSubnormal, llvm::fcPosSubnormal, 1, f.fraction());
  range(llvm::fcNegNormal, llvm::fcPosNormal, f.fraction() + 1, f.infinity() - 1);
  range(llvm::fcNegInf, llvm::fcPosInf, f.infinity(), f.infinity());
  range(llvm::fcSNan, llvm::fcSNan, f.infinity() + 1, f.infinity() + quiet - 1);
  range(llvm::fcQNan, llvm::fcQNan, f.infinity() + quiet, f.sign_bit - 1);
  return found;
}

/// IEEE 754-2019's minimum and maximum, which pass a NaN on, and minimumNumber and maximumNumber, which pass
/// the other operand on. For all of them -0 is less than +0.
kir::Value* Importer::strict_extremum(Intrinsic::ID id, kir::Value* a, kir::Value* b) {
  const bool smaller = id == Intrinsic::minimum || id == Intrinsic::minimumnum;
  const Format f = format(a->type());
  kir::Value* first = builder_.compare(smaller ? Opcode::FOLt : Opcode::FOGt, a, b);
  kir::Value* result = builder_.select(first, a, b);
  kir::Value* a_bits = builder_.convert(Opcode::Bitcast, a, f.bits);
  kir::Value* b_bits = builder_.convert(Opcode::Bitcast, b, f.bits);
  kir::Value* both = builder_.binary(smaller ? Opcode::Or : Opcode::And, a_bits, b_bits);
  both = builder_.convert(Opcode::Bitcast, both, a->type());
  result = builder_.select(builder_.compare(Opcode::FOEq, a, b), both, result);
  if (id == Intrinsic::minimum || id == Intrinsic::maximum) {
    kir::Value* unordered = builder_.compare(Opcode::FUno, a, b);
    return builder_.select(unordered, builder_.binary(Opcode::FAdd, a, b), result);
  }
  result = builder_.select(builder_.test(Opcode::IsNan, a), b, result);
  return builder_.select(builder_.test(Opcode::IsNan, b), a, result);
}

Importer::Apart Importer::take_apart(kir::Value* value) {
  const Format f = format(value->type());
  const auto exponent_of = [&](kir::Value* bits) {
    kir::Value* field = builder_.binary(Opcode::And, bits, literal(f.bits, f.infinity()));
    return builder_.binary(Opcode::LShr, field, literal(f.bits, f.fraction_bits));
  };
  kir::Value* bits = builder_.convert(Opcode::Bitcast, value, f.bits);
  kir::Value* fraction = builder_.binary(Opcode::And, bits, literal(f.bits, f.fraction()));
  kir::Value* field = exponent_of(bits);
  // A subnormal number is its fraction, an integer, times the smallest number: as a normal number, that
  // integer has the digits in place, and the exponent less that of the smallest number.
  kir::Value* is_subnormal = builder_.compare(Opcode::IEq, field, zero(f.bits));
  kir::Value* whole = builder_.convert(Opcode::UiToFp, fraction, value->type());
  whole = builder_.convert(Opcode::Bitcast, whole, f.bits);
  const auto least = static_cast<std::uint64_t>(f.bias - 1) + f.fraction_bits;
  kir::Value* shifted = builder_.binary(Opcode::Sub, exponent_of(whole), literal(f.bits, least));
  kir::Value* digits = builder_.select(is_subnormal, whole, bits);
  return {builder_.binary(Opcode::And, digits, literal(f.bits, f.fraction())),
          builder_.select(is_subnormal, shifted, field),
          builder_.binary(Opcode::And, bits, literal(f.bits, f.sign_bit))};
}

/// Times a power of two, on integers: a device that flushes subnormal numbers takes and gives them here, too.
kir::Value* Importer::ldexp(kir::Value* value, kir::Value* exponent) {
  const Type type = value->type(), integer = exponent->type();
  const Format f = format(type);
  const auto number = [&](Type of, std::int64_t n) {
    return literal(of, static_cast<std::uint64_t>(n) & (~std::uint64_t{0} >> (64 - of.bits())));
  };
  const std::int64_t precision = static_cast<std::int64_t>(f.fraction_bits) + 1;
  const std::int64_t far = 2 * (f.bias + precision);  // brings any number beyond the other end
  exponent = builder_.binary(Opcode::SMin, exponent, number(integer, far));
  exponent = builder_.binary(Opcode::SMax, exponent, number(integer, -far));
  const Apart x = take_apart(value);
  kir::Value* field = builder_.binary(Opcode::Add, x.field, resize(Opcode::SExt, exponent, f.bits));
  kir::Value* digits = builder_.binary(Opcode::Or, x.fraction, literal(f.bits, f.fraction() + 1));
  kir::Value* bits = rounded_to_field(digits, field, f.fraction_bits);
  kir::Value* overflows = builder_.compare(Opcode::SGt, field, number(f.bits, 2 * f.bias));
  bits = builder_.select(overflows, literal(f.bits, f.infinity()), bits);
  bits = builder_.binary(Opcode::Or, bits, x.sign);
  kir::Value* special = float_class(llvm::fcZero | llvm::fcInf | llvm::fcNan, value);
  return builder_.select(special, value, builder_.convert(Opcode::Bitcast, bits, type));
}

/// The magnitude's bits: the digits, the first of which a normal number leaves out, and the exponent's field,
/// which below 1 shifts the digits out, rounded to nearest even.
kir::Value* Importer::rounded_to_field(kir::Value* digits, kir::Value* field, unsigned fraction_bits) {
  const Type type = digits->type();
  const auto binary = [&](Opcode opcode, kir::Value* a, kir::Value* b) {
    return builder_.binary(opcode, a, b);
  };
  kir::Value* one = literal(type, 1);
  kir::Value* missing = binary(Opcode::SMax, binary(Opcode::Sub, one, field), zero(type));
  kir::Value* least = binary(Opcode::Add, missing, field);  // 1, or the field where that is larger
  missing = binary(Opcode::UMin, missing, literal(type, fraction_bits + 2));  // then nothing is left
  // With one more place, there always is one to round away.
  kir::Value* odd = binary(Opcode::And, binary(Opcode::LShr, digits, missing), one);
  kir::Value* half = binary(Opcode::Sub, binary(Opcode::Shl, one, missing), one);
  kir::Value* sum = binary(Opcode::Add, binary(Opcode::Shl, digits, one), binary(Opcode::Add, half, odd));
  kir::Value* shift = binary(Opcode::Add, missing, one);
  kir::Value* kept = binary(Opcode::LShr, sum, shift);
  kir::Value* exponent = binary(Opcode::Shl, binary(Opcode::Sub, least, one), literal(type, fraction_bits));
  return binary(Opcode::Add, kept, exponent);
}

/// A fraction in [1/2, 1) with the sign of the value, and the exponent; the value itself and 0 for zeros,
/// infinities and NaNs.
std::pair<kir::Value*, kir::Value*> Importer::frexp(kir::Value* value, Type exponent_type) {
  const Format f = format(value->type());
  const Apart x = take_apart(value);
  kir::Value* exponent =
      builder_.binary(Opcode::Sub, x.field, literal(f.bits, static_cast<std::uint64_t>(f.bias - 1)));
  kir::Value* rest = builder_.binary(Opcode::Or, x.fraction, literal(f.bits, f.power_of_two(-1)));
  rest = builder_.binary(Opcode::Or, rest, x.sign);
  kir::Value* fraction = builder_.convert(Opcode::Bitcast, rest, value->type());
  kir::Value* special = float_class(llvm::fcZero | llvm::fcInf | llvm::fcNan, value);
  fraction = builder_.select(special, value, fraction);
  exponent = resize(Opcode::SExt, exponent, exponent_type);
  return {fraction, builder_.select(special, zero(exponent_type), exponent)};
}

/// An integer power: by multiplication where the exponent is a small constant.
kir::Value* Importer::power(kir::Value* value, kir::Value* exponent, kir::FastAttr flags) {
  const auto fixed = kir::literal(exponent);
  const auto n = fixed ? llvm::SignExtend64(*fixed, exponent->type().bits()) : std::int64_t{1000};
  if (n < -64 || n > 64)
    return builder_.binary(Opcode::Pow, value, builder_.convert(Opcode::SiToFp, exponent, value->type()),
                           flags);
  kir::Value* one = float_literal(value->type(), 1.0);
  kir::Value* result = nullptr;
  for (auto rest = static_cast<std::uint64_t>(std::abs(n)); rest != 0; rest /= 2) {
    if (rest % 2 != 0)
      result = result == nullptr ? value : builder_.binary(Opcode::FMul, result, value, flags);
    if (rest > 1) value = builder_.binary(Opcode::FMul, value, value, flags);
  }
  if (result == nullptr) return one;
  return n < 0 ? builder_.binary(Opcode::FDiv, one, result, flags) : result;
}

kir::Value* Importer::rounded_to_int(Opcode round, kir::Value* value, llvm::Type* type) {
  return builder_.convert(Opcode::FpToSi, builder_.unary(round, value), scalar_type(type, nullptr));
}

}  // namespace spirea::frontend
