// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What random programs call: arithmetic that is defined for all operands. A device compile sees this too.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <spirea/kernel.hpp>
#include <type_traits>

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
using f32 = float;
using f64 = double;

// Wrapping, in a type that integer promotion leaves unsigned.
template <class T>
using Wide = std::conditional_t<sizeof(T) == 8, u64, u32>;

template <class T>
constexpr T add(T a, T b) {
  return static_cast<T>(static_cast<Wide<T>>(a) + static_cast<Wide<T>>(b));
}
template <class T>
constexpr T sub(T a, T b) {
  return static_cast<T>(static_cast<Wide<T>>(a) - static_cast<Wide<T>>(b));
}
template <class T>
constexpr T mul(T a, T b) {
  return static_cast<T>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b));
}

template <class T>
constexpr T quotient(T a, T b) {
  if (b == 0) return a;
  if constexpr (std::is_signed_v<T>)
    if (b == T(-1)) return sub<T>(0, a);
  return static_cast<T>(a / b);
}
template <class T>
constexpr T remainder(T a, T b) {
  if (b == 0) return a;
  if constexpr (std::is_signed_v<T>)
    if (b == T(-1)) return 0;
  return static_cast<T>(a % b);
}

inline u64 high_product(u64 a, u64 b) {
  return static_cast<u64>((static_cast<unsigned __int128>(a) * b) >> 64);
}
inline i64 high_product(i64 a, i64 b) { return static_cast<i64>((static_cast<__int128>(a) * b) >> 64); }

/// Back to where four operations more neither overflow nor give a subnormal number.
template <class F>
constexpr F tame(F x) {
  const bool fine = (x > F(1e-6) && x < F(1e6)) || (x < F(-1e-6) && x > F(-1e6));
  return fine ? x : F(0.75);
}

template <class T, class F>
T to_integer(F x) {
  constexpr F limit = sizeof(T) == 1 ? F(100) : sizeof(T) == 2 ? F(30000) : F(1e6);
  const F inside = std::min(std::max(x, -limit), limit);
  return static_cast<T>(std::is_signed_v<T> ? inside : std::fabs(inside));
}

/// Never those of a NaN, which differ.
inline u32 bits_of(f32 x) { return x == x ? std::bit_cast<u32>(x) : 1; }
inline u64 bits_of(f64 x) { return x == x ? std::bit_cast<u64>(x) : 1; }

union Word {
  u32 word;
  u8 bytes[4];
};
inline u8 byte_of(u32 word, u32 i) {
  Word w;
  w.word = word;
  return w.bytes[i & 3u];
}

/// An unaligned T in the bytes of an array.
template <class T, class E>
T bytes_at(const E* array, u32 offset) {
  T result;
  std::memcpy(&result, reinterpret_cast<const unsigned char*>(array) + offset, sizeof(T));
  return result;
}

/// A mistake of the device compiler's, for testing that it would be found.
constexpr u64 planted([[maybe_unused]] u64 seed) {
#if defined(FUZZ_PLANTED) && defined(__SPIREA_DEVICE__)
  return seed == FUZZ_PLANTED ? 1 : 0;
#else
  return 0;
#endif
}

inline u64 mix(u64 trace, u64 value) {
  trace = (trace ^ value) * 0x9e3779b97f4a7c15u;
  return trace ^ (trace >> 29);
}
inline u64 fold(f32 x) { return bits_of(x); }
inline u64 fold(f64 x) { return bits_of(x); }
template <class T>
requires std::is_integral_v<T> u64 fold(T x) { return static_cast<u64>(x); }
