// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating-point formats: bits to a value to compute with, and back with one rounding to nearest even.
#pragma once

#include <bit>
#include <cstdint>

#include "ir/interp/ops/handlers.h"

namespace spirea::interp {

/// The f16 nearest to the value, as bits; ties to even.
std::uint64_t half_bits(double);
double half_value(std::uint64_t bits);

/// f16 computes in f64: it has more than twice the digits and two, so that rounding its sum, difference,
/// product, quotient or square root is rounding the exact one.
struct Half {
  using Value = double;
  static constexpr unsigned bits = 16;
  static Value decode(std::uint64_t x) { return half_value(x); }
  static std::uint64_t encode(Value x) { return half_bits(x); }
};
struct Single {
  using Value = float;
  static constexpr unsigned bits = 32;
  static Value decode(std::uint64_t x) { return std::bit_cast<float>(static_cast<std::uint32_t>(x)); }
  static std::uint64_t encode(Value x) { return std::bit_cast<std::uint32_t>(x); }
};
/// Single on a device that flushes subnormal numbers: they are zeros of their sign.
struct FlushedSingle : Single {
  static constexpr std::uint64_t exponent = 0x7f800000, sign = 0x80000000;
  static std::uint64_t flushed(std::uint64_t x) { return (x & exponent) == 0 ? x & sign : x; }
  static Value decode(std::uint64_t x) { return Single::decode(flushed(x)); }
  static std::uint64_t encode(Value x) { return flushed(Single::encode(x)); }
};
struct Double {
  using Value = double;
  static constexpr unsigned bits = 64;
  static Value decode(std::uint64_t x) { return std::bit_cast<double>(x); }
  static std::uint64_t encode(Value x) { return std::bit_cast<std::uint64_t>(x); }
};

template <auto F, class T>
const Instr* float_unary(const Instr* i, Invocation& v) {
  const Slot& a = v.frame[i->a];
  set_undefined(v.frame[i->result], T::encode(F(T::decode(a.bits))), a.undefined != 0 ? low_bits(T::bits) : 0,
                a.origin);
  return i + 1;
}

template <auto F, class T>
const Instr* float_binary(const Instr* i, Invocation& v) {
  const Slot &a = v.frame[i->a], &b = v.frame[i->b];
  set_undefined(v.frame[i->result], T::encode(F(T::decode(a.bits), T::decode(b.bits))),
                (a.undefined | b.undefined) != 0 ? low_bits(T::bits) : 0, origin_of(a, b));
  return i + 1;
}

template <auto F>
constexpr ByFloat kFloatUnary = {float_unary<F, Half>, float_unary<F, Single>, float_unary<F, Double>,
                                 float_unary<F, FlushedSingle>};
template <auto F>
constexpr ByFloat kFloatBinary = {float_binary<F, Half>, float_binary<F, Single>, float_binary<F, Double>,
                                  float_binary<F, FlushedSingle>};

}  // namespace spirea::interp
