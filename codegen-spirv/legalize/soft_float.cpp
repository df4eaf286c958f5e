// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen-spirv/legalize/soft_float.h"

#include <bit>
#include <utility>

namespace spirea::spirv {
namespace {

using kir::Builder;
using kir::Opcode;
using kir::Type;
using kir::Value;

/// A finite number other than 0: significand * 2^(exponent - precision + 1), the significand of `precision`
/// bits.
struct Parts {
  Value* sign;         ///< i64, in the place of the format's sign
  Value* exponent;     ///< i32
  Value* significand;  ///< i64
};

/// 64 bits (f32) or 128 (f64).
struct Wide {
  Value* high;  ///< null for 64
  Value* low;
};

class SoftFloat {
 public:
  SoftFloat(Builder& b, Type type)
      : b_(b),
        type_(type),
        precision_(type == Type::f32() ? 24 : 53),
        bias_(type == Type::f32() ? 127 : 1023) {}

  Value* fma(Value* a, Value* b, Value* c) {
    const Parts x = parts(a), y = parts(b), z = parts(c);
    Value* c_is_zero = b_.compare(Opcode::IEq, magnitude(c), num(0));
    // Both as fractions of the same frame, whose second highest bit has these exponents.
    Value* product_exponent = add32(add32(x.exponent, y.exponent), 1);
    Value* addend_exponent =
        b_.select(c_is_zero, b_.i32(static_cast<std::uint32_t>(-100000)), add32(z.exponent, 1));
    Wide product = multiplied(x.significand, y.significand);
    Wide addend = in_frame(b_.select(c_is_zero, num(0), z.significand));
    Value* distance = b_.binary(Opcode::Sub, product_exponent, addend_exponent);
    Value* product_is_above = b_.compare(Opcode::SGe, distance, b_.i32(0));
    addend = shifted_right(addend, b_.select(product_is_above, distance, b_.i32(0)));
    product = shifted_right(product, b_.select(product_is_above, b_.i32(0), negated32(distance)));
    Value* exponent = b_.select(product_is_above, product_exponent, addend_exponent);

    Value* product_sign = b_.binary(Opcode::Xor, x.sign, y.sign);
    Value* differ = b_.compare(Opcode::INe, product_sign, z.sign);
    const auto [sum, sign] = added(product, addend, differ, product_sign, z.sign);
    Value* rounded = round_wide(sum, exponent, sign);

    // With zeros, infinities and NaNs the product is exact; else an infinity or NaN that is added remains.
    Value *a_is_special = is_special(a), *b_is_special = is_special(b);
    Value* exact = b_.binary(Opcode::FMul, stand_in(a, a_is_special), stand_in(b, b_is_special));
    Value* is_nothing = b_.compare(Opcode::IEq, magnitude(exact), num(0));
    Value* by_operations =
        b_.select(b_.binary(Opcode::And, is_nothing, b_.compare(Opcode::INe, magnitude(c), num(0))), c,
                  b_.binary(Opcode::FAdd, exact, c));
    Value* result = b_.select(b_.compare(Opcode::UGe, magnitude(c), num(infinity())), c, rounded);
    return b_.select(any({a_is_special, b_is_special}), by_operations, result);
  }

  Value* divide(Value* a, Value* b, EstimateQuotient estimate) {
    const Parts x = parts(a), y = parts(b);
    Value *fx = fraction(x), *fy = fraction(y);
    Value* near = estimate != nullptr ? estimate(b_, fx, fy) : b_.binary(Opcode::FDiv, fx, fy);
    // The quotient of the significands in units of 2^-(precision + 1), from below: then up in powers of two.
    Value* quotient = b_.binary(Opcode::Sub, integer_of(near, precision_ + 1), num(kSlack));
    Value* rest = b_.binary(Opcode::Sub, shl(x.significand, precision_ + 1),
                            b_.binary(Opcode::Mul, quotient, y.significand));
    for (std::uint64_t step = kSlack; step != 0; step /= 2) {
      Value* part = b_.binary(Opcode::Mul, y.significand, num(step));
      Value* fits = b_.compare(Opcode::UGe, rest, part);
      quotient = b_.binary(Opcode::Add, quotient, b_.select(fits, num(step), num(0)));
      rest = b_.binary(Opcode::Sub, rest, b_.select(fits, part, num(0)));
    }
    Value* exponent = b_.binary(Opcode::Sub, x.exponent, y.exponent);
    Value* sign = b_.binary(Opcode::Xor, x.sign, y.sign);
    Value* rounded = round_narrow(quotient, precision_ + 1, rest, exponent, sign);
    Value *a_is_special = is_special(a), *b_is_special = is_special(b);
    Value* by_operation = b_.binary(Opcode::FDiv, stand_in(a, a_is_special), stand_in(b, b_is_special));
    return b_.select(any({a_is_special, b_is_special}), by_operation, rounded);
  }

  Value* sqrt(Value* x, EstimateRoot estimate) {
    const Parts p = parts(x);
    Value* odd = b_.binary(Opcode::And, p.exponent, b_.i32(1));
    Value* is_odd = b_.compare(Opcode::INe, odd, b_.i32(0));
    Value* f = fraction(p);
    f = b_.select(is_odd, b_.binary(Opcode::FAdd, f, f), f);
    Value* near = estimate != nullptr ? estimate(b_, f) : b_.unary(Opcode::Sqrt, f);
    Value* radicand =
        b_.select(is_odd, shl(p.significand, precision_ + 2), shl(p.significand, precision_ + 1));
    Value* root = b_.binary(Opcode::Sub, integer_of(near, precision_), num(kSlack));
    Value* rest = b_.binary(Opcode::Sub, radicand, b_.binary(Opcode::Mul, root, root));
    for (std::uint64_t step = kSlack; step != 0; step /= 2) {  // (r + s)^2 = r^2 + s (2 r + s)
      Value* part = b_.binary(Opcode::Mul, b_.binary(Opcode::Add, shl(root, 1), num(step)), num(step));
      Value* fits = b_.compare(Opcode::UGe, rest, part);
      root = b_.binary(Opcode::Add, root, b_.select(fits, num(step), num(0)));
      rest = b_.binary(Opcode::Sub, rest, b_.select(fits, part, num(0)));
    }
    Value* half = b_.binary(Opcode::AShr, b_.binary(Opcode::Sub, p.exponent, odd), b_.i32(1));
    Value* rounded = round_narrow(root, precision_, rest, half, num(0));
    // Of negative numbers, zeros, infinities and NaNs: none is rounded.
    Value* negative = b_.compare(Opcode::UGt, bits(x), num(infinity()));
    Value* x_is_special = is_special(x);
    return b_.select(any({x_is_special, negative}), b_.unary(Opcode::Sqrt, stand_in(x, x_is_special)),
                     rounded);
  }

 private:
  static constexpr std::uint64_t kSlack = 32;  ///< of an estimate, in units of the last bit that is computed

  Value* num(std::uint64_t value) { return b_.i64(value); }
  Value* shl(Value* value, unsigned n) { return b_.binary(Opcode::Shl, value, num(n)); }
  Value* shr(Value* value, unsigned n) { return b_.binary(Opcode::LShr, value, num(n)); }
  Value* add32(Value* a, Value* b) { return b_.binary(Opcode::Add, a, b); }
  Value* add32(Value* a, std::int32_t b) { return add32(a, b_.i32(static_cast<std::uint32_t>(b))); }
  Value* negated32(Value* a) { return b_.binary(Opcode::Sub, b_.i32(0), a); }
  Value* to_64(Value* value) { return b_.convert(Opcode::ZExt, value, Type::i64()); }
  Value* to_32(Value* value) { return b_.convert(Opcode::Trunc, value, Type::i32()); }
  Value* clz(Value* value) { return b_.unary(Opcode::Clz, value); }
  Value* any(std::initializer_list<Value*> conditions) {
    Value* result = nullptr;
    for (Value* each : conditions) result = result == nullptr ? each : b_.binary(Opcode::Or, result, each);
    return result;
  }
  /// 1 where the number is not 0.
  Value* sticky(Value* value) { return to_64_bit(b_.compare(Opcode::INe, value, num(0))); }
  Value* to_64_bit(Value* condition) { return b_.select(condition, num(1), num(0)); }

  std::uint64_t sign_bit() const { return type_ == Type::f32() ? 1ull << 31 : 1ull << 63; }
  std::uint64_t infinity() const { return static_cast<std::uint64_t>(2 * bias_ + 1) << (precision_ - 1); }

  Value* bits(Value* number) {
    if (type_ == Type::f64()) return b_.convert(Opcode::Bitcast, number, Type::i64());
    return to_64(b_.convert(Opcode::Bitcast, number, Type::i32()));
  }
  Value* from_bits(Value* value) {
    return b_.convert(Opcode::Bitcast, type_ == Type::f64() ? value : to_32(value), type_);
  }
  Value* magnitude(Value* number) { return b_.binary(Opcode::And, bits(number), num(sign_bit() - 1)); }

  /// A zero, an infinity or a NaN: magnitude - 1 (as unsigned) is the largest of all, or at least infinity
  /// - 1.
  Value* is_special(Value* number) {
    return b_.compare(Opcode::UGe, b_.binary(Opcode::Sub, magnitude(number), num(1)), num(infinity() - 1));
  }

  /// The number if it is special, otherwise 1 with its sign: where the other operand is special no more than
  /// that decides, and devices that flush would take a subnormal number for a zero.
  Value* stand_in(Value* number, Value* special) {
    const std::uint64_t one = static_cast<std::uint64_t>(bias_) << (precision_ - 1);
    Value* sign = b_.binary(Opcode::And, bits(number), num(sign_bit()));
    return b_.select(special, number, from_bits(b_.binary(Opcode::Or, sign, num(one))));
  }

  Parts parts(Value* number) {
    Value* m = magnitude(number);
    Value* field = shr(m, precision_ - 1);
    Value* is_subnormal = b_.compare(Opcode::IEq, field, num(0));
    const std::uint64_t implicit = 1ull << (precision_ - 1);
    Value* normal = b_.binary(Opcode::Or, b_.binary(Opcode::And, m, num(implicit - 1)), num(implicit));
    // Zeros are special, but the distances of shifts must be in range.
    Value* one_at_least = b_.select(b_.compare(Opcode::IEq, m, num(0)), num(1), m);
    Value* shift = b_.binary(Opcode::Sub, clz(one_at_least), num(64 - precision_));
    Value* up = b_.binary(Opcode::Shl, one_at_least, b_.select(is_subnormal, shift, num(0)));
    Value* subnormal_exponent =
        b_.binary(Opcode::Sub, b_.i32(static_cast<std::uint32_t>(1 - bias_)), to_32(shift));
    Value* exponent = add32(to_32(field), -bias_);
    return {b_.binary(Opcode::And, bits(number), num(sign_bit())),
            b_.select(is_subnormal, subnormal_exponent, exponent), b_.select(is_subnormal, up, normal)};
  }

  /// The significand as a number of at least 1 and less than 2.
  Value* fraction(const Parts& p) {
    const std::uint64_t implicit = 1ull << (precision_ - 1);
    Value* field = b_.binary(Opcode::And, p.significand, num(implicit - 1));
    return from_bits(
        b_.binary(Opcode::Or, field, num(static_cast<std::uint64_t>(bias_) << (precision_ - 1))));
  }

  /// value * 2^n without its fraction, for a positive value.
  Value* integer_of(Value* value, unsigned n) {
    Value* factor =
        b_.constant(type_, static_cast<std::uint64_t>(static_cast<unsigned>(bias_) + n) << (precision_ - 1));
    Value* scaled = b_.binary(Opcode::FMul, value, factor);
    if (type_ == Type::f64()) return b_.convert(Opcode::FpToSi, scaled, Type::i64());
    return to_64(b_.convert(Opcode::FpToSi, scaled, Type::i32()));
  }

  /// Products of significands have their highest bit in the second or third highest of the frame, addends in
  /// the third.
  Wide multiplied(Value* a, Value* b) {
    if (type_ == Type::f32()) return {nullptr, shl(b_.binary(Opcode::Mul, a, b), 15)};
    Value *x = shl(a, 10), *y = shl(b, 11);
    return {b_.binary(Opcode::UMulHi, x, y), b_.binary(Opcode::Mul, x, y)};
  }
  Wide in_frame(Value* significand) {
    if (type_ == Type::f32()) return {nullptr, shl(significand, 38)};
    return {shl(significand, 9), num(0)};
  }

  /// By 0 or more; the lowest bit tells of bits that were lost.
  Value* shifted_right(Value* value, Value* distance) {
    Value* n = to_64(b_.binary(Opcode::UMin, distance, b_.i32(63)));
    Value* kept = b_.binary(Opcode::LShr, value, n);
    Value* lost = b_.binary(Opcode::Xor, b_.binary(Opcode::Shl, kept, n), value);
    return b_.binary(Opcode::Or, kept, sticky(lost));
  }
  Wide shifted_right(const Wide& value, Value* distance) {
    if (value.high == nullptr) return {nullptr, shifted_right(value.low, distance)};
    Value* n = b_.binary(Opcode::UMin, distance, b_.i32(127));
    Value* whole_word = b_.compare(Opcode::UGe, n, b_.i32(64));
    Value* small = b_.binary(Opcode::And, n, b_.i32(63));
    Value* wide_small = to_64(small);
    Value* high = b_.binary(Opcode::LShr, value.high, wide_small);
    // The bits that go from the high word to the low one, in two steps, since 64 is no legal distance.
    Value* rest = to_64(b_.binary(Opcode::Sub, b_.i32(63), small));
    Value* moved = shl(b_.binary(Opcode::Shl, value.high, rest), 1);
    Value* low = b_.binary(Opcode::Or, b_.binary(Opcode::LShr, value.low, wide_small), moved);
    Value* lost = shl(b_.binary(Opcode::Shl, value.low, rest), 1);
    Value* lost_with_word = b_.binary(Opcode::Or, moved, value.low);
    Value* new_low = b_.select(whole_word, high, low);
    return {b_.select(whole_word, num(0), high),
            b_.binary(Opcode::Or, new_low, sticky(b_.select(whole_word, lost_with_word, lost)))};
  }

  Wide plus(const Wide& a, const Wide& b) {
    Value* low = b_.binary(Opcode::Add, a.low, b.low);
    if (a.high == nullptr) return {nullptr, low};
    Value* carry = to_64_bit(b_.compare(Opcode::ULt, low, a.low));
    return {b_.binary(Opcode::Add, b_.binary(Opcode::Add, a.high, b.high), carry), low};
  }
  Wide minus(const Wide& a, const Wide& b) {
    Value* low = b_.binary(Opcode::Sub, a.low, b.low);
    if (a.high == nullptr) return {nullptr, low};
    Value* borrow = to_64_bit(b_.compare(Opcode::ULt, a.low, b.low));
    return {b_.binary(Opcode::Sub, b_.binary(Opcode::Sub, a.high, b.high), borrow), low};
  }
  Value* is_less(const Wide& a, const Wide& b) {
    Value* low = b_.compare(Opcode::ULt, a.low, b.low);
    if (a.high == nullptr) return low;
    Value* equal = b_.compare(Opcode::IEq, a.high, b.high);
    return b_.select(equal, low, b_.compare(Opcode::ULt, a.high, b.high));
  }
  Wide select(Value* condition, const Wide& a, const Wide& b) {
    return {a.high == nullptr ? nullptr : b_.select(condition, a.high, b.high),
            b_.select(condition, a.low, b.low)};
  }
  Value* is_zero(const Wide& a) {
    Value* all = a.high == nullptr ? a.low : b_.binary(Opcode::Or, a.high, a.low);
    return b_.compare(Opcode::IEq, all, num(0));
  }

  /// The magnitude and the sign of the sum; that of exact cancellation is positive.
  std::pair<Wide, Value*> added(const Wide& a, const Wide& b, Value* signs_differ, Value* sign_a,
                                Value* sign_b) {
    Value* b_is_larger = is_less(a, b);
    const Wide difference = select(b_is_larger, minus(b, a), minus(a, b));
    const Wide sum = select(signs_differ, difference, plus(a, b));
    Value* sign = b_.select(b_is_larger, sign_b, sign_a);
    return {sum, b_.select(is_zero(sum), num(0), sign)};
  }

  /// `exponent` is that of the second highest bit.
  Value* round_wide(const Wide& value, Value* exponent, Value* sign) {
    Value* zero = is_zero(value);
    Value *word = value.low, *below = nullptr, *shift = nullptr;
    if (value.high != nullptr) {
      Value* no_high = b_.compare(Opcode::IEq, value.high, num(0));
      word = b_.select(no_high, value.low, value.high);
      below = b_.select(no_high, num(0), value.low);
      shift = b_.select(no_high, b_.i32(64), b_.i32(0));
    }
    Value* n = b_.select(zero, num(0), clz(b_.select(zero, num(1), word)));
    Value* top = b_.binary(Opcode::Shl, word, n);
    if (below != nullptr) {  // the bits that move up from the word below
      Value* rest = b_.binary(Opcode::Sub, num(63), n);
      top = b_.binary(Opcode::Or, top, shr(b_.binary(Opcode::LShr, below, rest), 1));
      top = b_.binary(Opcode::Or, top, sticky(b_.binary(Opcode::Shl, below, n)));
    }
    top = b_.binary(Opcode::Or, shr(top, 1), b_.binary(Opcode::And, top, num(1)));
    Value* leading = b_.binary(Opcode::Sub, add32(exponent, 1), to_32(n));
    if (shift != nullptr) leading = b_.binary(Opcode::Sub, leading, shift);
    return b_.select(zero, from_bits(sign), rounded(top, leading, sign));
  }

  /// value * 2^(exponent - point), and a little more if the rest is not 0.
  Value* round_narrow(Value* value, unsigned point, Value* rest, Value* exponent, Value* sign) {
    Value* n = b_.binary(Opcode::Sub, clz(value), num(1));  // one bit free, as rounded() wants it
    Value* top = b_.binary(Opcode::Or, b_.binary(Opcode::Shl, value, n), sticky(rest));
    Value* leading = b_.binary(Opcode::Sub, add32(exponent, static_cast<std::int32_t>(62 - point)), to_32(n));
    return rounded(top, leading, sign);
  }

  /// A number whose highest bit is the second highest of 64, and has this exponent; to nearest even.
  Value* rounded(Value* value, Value* exponent, Value* sign) {
    Value* biased = add32(exponent, bias_);
    Value* is_normal = b_.compare(Opcode::SGt, biased, b_.i32(0));
    Value* below = b_.select(is_normal, b_.i32(0), b_.binary(Opcode::Sub, b_.i32(1), biased));
    const unsigned spare = 63 - precision_;
    Value* shift = add32(below, static_cast<std::int32_t>(spare));
    value = b_.select(b_.compare(Opcode::UGt, shift, b_.i32(63)), num(1),
                      value);  // less than half of the last bit
    Value* n = to_64(b_.binary(Opcode::UMin, shift, b_.i32(63)));
    Value* kept = b_.binary(Opcode::LShr, value, n);
    Value* lost = b_.binary(Opcode::Xor, value, b_.binary(Opcode::Shl, kept, n));
    Value* half = b_.binary(Opcode::Shl, num(1), b_.binary(Opcode::Sub, n, num(1)));
    Value* tie_to =
        b_.binary(Opcode::Add, half, b_.binary(Opcode::Sub, num(0), b_.binary(Opcode::And, kept, num(1))));
    Value* up =
        to_64_bit(b_.compare(Opcode::UGt, lost, tie_to));  // lost > half, or for odd ones lost > half - 1
    Value* field = to_64(b_.select(is_normal, add32(biased, -1), b_.i32(0)));
    Value* result = b_.binary(Opcode::Add, shl(field, precision_ - 1), b_.binary(Opcode::Add, kept, up));
    Value* overflows = b_.compare(Opcode::SGt, biased, b_.i32(static_cast<std::uint32_t>(2 * bias_)));
    result = b_.select(overflows, num(infinity()), result);
    return from_bits(b_.binary(Opcode::Or, result, sign));
  }

  Builder& b_;
  Type type_;
  unsigned precision_;
  std::int32_t bias_;
};

}  // namespace

Value* soft_fma(Builder& builder, Value* a, Value* b, Value* c) {
  return SoftFloat(builder, a->type()).fma(a, b, c);
}

Value* soft_divide(Builder& builder, Value* a, Value* b, EstimateQuotient estimate) {
  return SoftFloat(builder, a->type()).divide(a, b, estimate);
}

Value* soft_sqrt(Builder& builder, Value* x, EstimateRoot estimate) {
  return SoftFloat(builder, x->type()).sqrt(x, estimate);
}

}  // namespace spirea::spirv
