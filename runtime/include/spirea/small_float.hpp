// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spirea::half and spirea::bfloat16: 16-bit floating-point numbers, with the same layout and the same results
// in kernels and on the host, whatever the host's compiler knows. Conversions round to nearest even, once.
//
// half is IEEE 754's binary16, bfloat16 the upper half of a float. Both convert to float by themselves, so
// that the functions of <cmath> take them, and from other numbers on demand: half(x). An operation of two of
// them is rounded to their type; one with another number is computed in float or double, as C++ has it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

// GCC has _Float16 in C++ from version 13 on; Clang defines the macro where it has it.
#if defined(__FLT16_MANT_DIG__) && (!defined(__GNUC__) || defined(__clang__) || __GNUC__ >= 13)
#define SPIREA_HAS_FLOAT16 1
#else
#define SPIREA_HAS_FLOAT16 0
#endif

namespace spirea {
namespace detail {

/// An IEEE format: the unsigned type of its bits, and how many of those are fraction and exponent.
template <class B, unsigned Fraction, unsigned Exponent>
struct float_format {
  using bits = B;
  static constexpr unsigned fraction = Fraction;
  static constexpr int bias = (1 << (Exponent - 1)) - 1;
  static constexpr B sign = static_cast<B>(B{1} << (Fraction + Exponent));
  static constexpr B infinity = static_cast<B>(sign - (B{1} << Fraction));
  static constexpr B quiet = static_cast<B>(B{1} << (Fraction - 1));
};
using half_format = float_format<std::uint16_t, 10, 5>;
using bfloat16_format = float_format<std::uint16_t, 7, 8>;
template <class T>
using wide_format = std::conditional_t<sizeof(T) == 4, float_format<std::uint32_t, 23, 8>,
                                       float_format<std::uint64_t, 52, 11>>;

/// The upper bits, rounded to nearest even.
template <class B>
constexpr B round_off(B value, unsigned bits) {
  const B half = static_cast<B>((B{1} << (bits - 1)) - 1 + ((value >> bits) & 1));
  return (value + half) >> bits;
}

/// The bits of the number of the format that is nearest.
template <class To, class T>
constexpr std::uint16_t narrow(T value) {
  using From = wide_format<T>;
  using B = typename From::bits;
  const B bits = __builtin_bit_cast(B, value), magnitude = bits & (From::sign - 1);
  const auto sign = static_cast<std::uint16_t>(bits >> (8 * sizeof(B) - 16) & To::sign);
  constexpr unsigned dropped = From::fraction - To::fraction;
  constexpr B rebias = static_cast<B>(From::bias - To::bias) << From::fraction;
  B result = 0;
  if (magnitude > From::infinity) {
    result = To::infinity | To::quiet | (magnitude >> dropped & (To::quiet - 1));
  } else if (magnitude >= rebias + (B{1} << From::fraction) || rebias == 0) {
    result = round_off<B>(magnitude - rebias, dropped);
    if (result > To::infinity) result = To::infinity;
  } else {
    const B significand = (magnitude & ((B{1} << From::fraction) - 1)) | B{1} << From::fraction;
    const auto exponent = static_cast<unsigned>(magnitude >> From::fraction);
    const unsigned shift = dropped + 1 + static_cast<unsigned>(From::bias - To::bias) - exponent;
    if (shift <= From::fraction + 1) result = round_off<B>(significand, shift);
  }
  return static_cast<std::uint16_t>(sign | result);
}

/// What has conversions to the types here.
template <class T>
concept number = std::is_arithmetic_v<T> && sizeof(T) <= 8;

/// A double that rounds as the number does: of a 64-bit integer, the bits that double has no place for become
/// one that says whether any of them is set.
template <number T>
constexpr double widened(T value) {
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
    const bool is_negative = std::is_signed_v<T> && static_cast<std::int64_t>(value) < 0;
    const std::uint64_t bits = static_cast<std::uint64_t>(value), magnitude = is_negative ? 0 - bits : bits;
    const bool is_long = magnitude >> 53 != 0;
    const std::uint64_t kept =
        is_long ? (magnitude >> 12 << 12) | ((magnitude & 0xfff) != 0 ? 0x800u : 0u) : magnitude;
    const double result = static_cast<double>(kept);
    return is_negative ? -result : result;
  } else {
    return static_cast<double>(value);
  }
}

/// The same of any number.
template <class To, number T>
constexpr std::uint16_t narrow_any(T value) {
  if constexpr (std::is_same_v<T, float>)
    return narrow<To>(value);
  else
    return narrow<To>(widened(value));
}

#if SPIREA_HAS_FLOAT16
/// Rounded once; integers that double cannot hold are beyond the range of half.
template <number T>
constexpr _Float16 native_half(T value) {
  if constexpr (std::is_same_v<T, float>)
    return static_cast<_Float16>(value);
  else
    return static_cast<_Float16>(static_cast<double>(value));
}
#endif

constexpr float widen_half(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000u) << 16, exponent = bits >> 10 & 31u;
  std::uint32_t fraction = bits & 0x3ffu;
  if (exponent == 0) {  // subnormals of half are no subnormals of float
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return __builtin_bit_cast(float, __builtin_bit_cast(std::uint32_t, magnitude) | sign);
  }
  if (exponent == 31 && fraction != 0) fraction |= 0x200u;  // a quiet NaN
  const std::uint32_t wide = exponent == 31 ? 255u : exponent + 112;
  return __builtin_bit_cast(float, sign | wide << 23 | fraction << 13);
}
constexpr float widen_bfloat16(std::uint16_t bits) {
  return __builtin_bit_cast(float, static_cast<std::uint32_t>(bits) << 16);
}

}  // namespace detail

class half {
 public:
  half() = default;
  template <detail::number T>
#if SPIREA_HAS_FLOAT16
  constexpr explicit half(T value) : value_(detail::native_half(value)) {
  }
#else
  constexpr explicit half(T value) : value_(detail::narrow_any<detail::half_format>(value)) {
  }
#endif
  constexpr operator float() const { return widen(); }

  static constexpr half from_bits(std::uint16_t bits) {
    half result{};
    result.value_ = __builtin_bit_cast(storage, bits);
    return result;
  }
  constexpr std::uint16_t bits() const { return __builtin_bit_cast(std::uint16_t, value_); }

  friend constexpr half operator-(half a) { return from_bits(a.bits() ^ 0x8000u); }
  friend constexpr half operator+(half a) { return a; }

#if SPIREA_HAS_FLOAT16
  friend constexpr half operator+(half a, half b) { return native(a.value_ + b.value_); }
  friend constexpr half operator-(half a, half b) { return native(a.value_ - b.value_); }
  friend constexpr half operator*(half a, half b) { return native(a.value_ * b.value_); }
  friend constexpr half operator/(half a, half b) { return native(a.value_ / b.value_); }
  friend constexpr bool operator==(half a, half b) { return a.value_ == b.value_; }
  friend constexpr bool operator<(half a, half b) { return a.value_ < b.value_; }

 private:
  using storage = _Float16;
  static constexpr half native(storage value) {
    half result{};
    result.value_ = value;
    return result;
  }
  constexpr float widen() const { return static_cast<float>(value_); }
#else
  friend constexpr half operator+(half a, half b) { return half(float(a) + float(b)); }
  friend constexpr half operator-(half a, half b) { return half(float(a) - float(b)); }
  friend constexpr half operator*(half a, half b) { return half(float(a) * float(b)); }
  friend constexpr half operator/(half a, half b) { return half(float(a) / float(b)); }
  friend constexpr bool operator==(half a, half b) { return float(a) == float(b); }
  friend constexpr bool operator<(half a, half b) { return float(a) < float(b); }

 private:
  using storage = std::uint16_t;
  constexpr float widen() const { return detail::widen_half(value_); }
#endif

  storage value_;
};

class bfloat16 {
 public:
  bfloat16() = default;
  template <detail::number T>
  constexpr explicit bfloat16(T value) : bits_(detail::narrow_any<detail::bfloat16_format>(value)) {}
  constexpr operator float() const { return detail::widen_bfloat16(bits_); }

  static constexpr bfloat16 from_bits(std::uint16_t bits) {
    bfloat16 result{};
    result.bits_ = bits;
    return result;
  }
  constexpr std::uint16_t bits() const { return bits_; }

  friend constexpr bfloat16 operator-(bfloat16 a) { return from_bits(a.bits() ^ 0x8000u); }
  friend constexpr bfloat16 operator+(bfloat16 a) { return a; }
  friend constexpr bfloat16 operator+(bfloat16 a, bfloat16 b) { return bfloat16(float(a) + float(b)); }
  friend constexpr bfloat16 operator-(bfloat16 a, bfloat16 b) { return bfloat16(float(a) - float(b)); }
  friend constexpr bfloat16 operator*(bfloat16 a, bfloat16 b) { return bfloat16(float(a) * float(b)); }
  friend constexpr bfloat16 operator/(bfloat16 a, bfloat16 b) { return bfloat16(float(a) / float(b)); }
  friend constexpr bool operator==(bfloat16 a, bfloat16 b) { return float(a) == float(b); }
  friend constexpr bool operator<(bfloat16 a, bfloat16 b) { return float(a) < float(b); }

 private:
  std::uint16_t bits_;
};

// Of two alike; an operation with another type is one of float, as for the built-in ones.
#define SPIREA_SMALL_FLOAT(F)                                                           \
  constexpr bool operator>(F a, F b) { return b < a; }                                  \
  constexpr bool operator<=(F a, F b) { return a < b || a == b; }                       \
  constexpr bool operator>=(F a, F b) { return b < a || a == b; }                       \
  constexpr F& operator+=(F& a, F b) { return a = a + b; }                              \
  constexpr F& operator-=(F& a, F b) { return a = a - b; }                              \
  constexpr F& operator*=(F& a, F b) { return a = a * b; }                              \
  constexpr F& operator/=(F& a, F b) { return a = a / b; }                              \
  static_assert(sizeof(F) == 2 && alignof(F) == 2 && std::is_trivially_copyable_v<F> && \
                std::is_trivially_default_constructible_v<F>);
SPIREA_SMALL_FLOAT(half)
SPIREA_SMALL_FLOAT(bfloat16)
#undef SPIREA_SMALL_FLOAT

namespace detail {

template <class F, class Format>
struct small_float_limits {
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;
  static constexpr bool has_infinity = true, has_quiet_NaN = true, has_signaling_NaN = true;
  static constexpr bool is_iec559 = true, is_bounded = true, is_modulo = false, traps = false;
  static constexpr bool tinyness_before = false;
  static constexpr std::float_denorm_style has_denorm = std::denorm_present;
  static constexpr bool has_denorm_loss = false;
  static constexpr std::float_round_style round_style = std::round_to_nearest;
  static constexpr int radix = 2, digits = Format::fraction + 1;
  static constexpr int digits10 = (digits - 1) * 30103 / 100000, max_digits10 = 2 + digits * 30103 / 100000;
  static constexpr int max_exponent = Format::bias + 1, min_exponent = 2 - Format::bias;
  static constexpr int max_exponent10 = max_exponent * 30103 / 100000;
  static constexpr int min_exponent10 = (min_exponent - 1) * 30103 / 100000;

  static constexpr F min() noexcept { return F::from_bits(1u << Format::fraction); }
  static constexpr F max() noexcept { return F::from_bits(Format::infinity - 1); }
  static constexpr F lowest() noexcept { return F::from_bits(Format::sign | (Format::infinity - 1)); }
  static constexpr F epsilon() noexcept {
    return F::from_bits(static_cast<std::uint16_t>((Format::bias - Format::fraction) << Format::fraction));
  }
  static constexpr F round_error() noexcept { return F(0.5f); }
  static constexpr F infinity() noexcept { return F::from_bits(Format::infinity); }
  static constexpr F quiet_NaN() noexcept { return F::from_bits(Format::infinity | Format::quiet); }
  static constexpr F signaling_NaN() noexcept { return F::from_bits(Format::infinity | 1); }
  static constexpr F denorm_min() noexcept { return F::from_bits(1); }
};

}  // namespace detail
}  // namespace spirea

template <>
class std::numeric_limits<spirea::half>
    : public spirea::detail::small_float_limits<spirea::half, spirea::detail::half_format> {};
template <>
class std::numeric_limits<spirea::bfloat16>
    : public spirea::detail::small_float_limits<spirea::bfloat16, spirea::detail::bfloat16_format> {};
