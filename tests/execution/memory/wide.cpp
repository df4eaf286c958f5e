// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers of 128 bits.
#include <bit>
#include <cstring>
#include <type_traits>

#include "tests/execution/harness.h"

using namespace execution;

namespace {

using u64 = std::uint64_t;

u64 int128_product(u64 x) {
  const unsigned __int128 p = static_cast<unsigned __int128>(x) * (x ^ 0x9e3779b97f4a7c15u);
  return static_cast<u64>(p >> 64) ^ static_cast<u64>(p);
}

u64 int128_sums_and_shifts(u64 x) {
  unsigned __int128 v = static_cast<unsigned __int128>(x) << 64 | ~x;
  v += static_cast<unsigned __int128>(x) << (x % 100);
  v ^= v >> (x % 127 + 1);
  __int128 s = static_cast<__int128>(v);
  s = -s >> (x % 9);
  return static_cast<u64>(s) * 3 + static_cast<u64>(s >> 64) + (s < 0 ? 1 : 0);
}

u64 int128_division(u64 x) {
  const unsigned __int128 n = static_cast<unsigned __int128>(x) << 50 | 0x123456789;
  const unsigned __int128 d = static_cast<unsigned __int128>(x >> 3) + 7;
  const __int128 s = static_cast<__int128>(n) - (static_cast<__int128>(x) << 52);
  return static_cast<u64>(n / d) ^ static_cast<u64>(n % d) ^ static_cast<u64>(s / 1000003) ^
         static_cast<u64>(s % 1000003);
}

u64 int128_in_memory(u64 x) {
  unsigned __int128 v[3] = {x, static_cast<unsigned __int128>(x) << 70, 5};
  v[x % 3] += v[(x >> 2) % 3];
  u64 words[6];
  std::memcpy(words, v, sizeof v);
  u64 hash = 0;
  for (const u64 w : words) hash = hash * 31 + w;
  return hash;
}

template <class F>
u64 bits_of(F value) {
  using Bits = std::conditional_t<sizeof(F) == 4, std::uint32_t, u64>;
  return std::bit_cast<Bits>(value);
}

/// Numbers of every length, from zero to the largest, those near a power of two and those half-way between
/// two floats among them.
unsigned __int128 of_any_length(u64 x) {
  unsigned __int128 v =
      static_cast<unsigned __int128>(x * 0x9e3779b97f4a7c15u) << 64 | x * 0xd1342543de82ef95u;
  v >>= x % 128;
  const unsigned __int128 top = static_cast<unsigned __int128>(1) << (x % 127);
  switch (x % 7) {
    case 0: return v;
    case 1: return top - 1;
    case 2: return top + (top >> 24);                      // half of float's last bit
    case 3: return top + (top >> 24) + (top >> 60);        // a little more
    case 4: return top + (top >> 53);                      // half of double's
    case 5: return top + (top >> 53) + (top > 1 ? 1 : 0);  // a little more, 127 bits below
    default: return x == 6 ? ~static_cast<unsigned __int128>(0) : v | 1;
  }
}

u64 int128_to_float(u64 x) {
  const unsigned __int128 v = of_any_length(x);
  const __int128 s = static_cast<__int128>(v - (v >> 1) * (x % 3)), negated = static_cast<__int128>(0 - v);
  return bits_of(static_cast<float>(v >> 1)) * 3 ^ bits_of(static_cast<float>(s)) << 20 ^
         bits_of(static_cast<float>(negated)) * 5;
}
u64 int128_to_double(u64 x) {
  const unsigned __int128 v = of_any_length(x);
  const __int128 s = static_cast<__int128>(v);
  return bits_of(static_cast<double>(v)) * 3 ^ bits_of(static_cast<double>(s)) ^
         bits_of(static_cast<double>(-(s >> 1)));
}
u64 int128_limits_to_floats(u64 x) {
  const unsigned __int128 limits[] = {0,
                                      1,
                                      ~static_cast<unsigned __int128>(0),
                                      static_cast<unsigned __int128>(1) << 127,
                                      (static_cast<unsigned __int128>(1) << 127) - 1,
                                      static_cast<unsigned __int128>(0xffffff) << 104};
  const unsigned __int128 v = limits[x % 6];
  return bits_of(static_cast<double>(v)) ^ bits_of(static_cast<double>(static_cast<__int128>(v))) * 5 ^
         bits_of(static_cast<float>(static_cast<__int128>(v))) * 7;
}

u64 folded(unsigned __int128 v) { return static_cast<u64>(v >> 64) * 31 ^ static_cast<u64>(v); }

/// A float of the bits of x with an exponent that the integer has.
template <class F>
F in_range(u64 x, int largest) {
  using Bits = std::conditional_t<sizeof(F) == 4, std::uint32_t, u64>;
  constexpr int kFraction = sizeof(F) == 4 ? 23 : 52, kBias = sizeof(F) == 4 ? 127 : 1023;
  const Bits fraction = static_cast<Bits>(x * 0x9e3779b97f4a7c15u) & ((Bits{1} << kFraction) - 1);
  const int exponent = static_cast<int>(x % static_cast<u64>(largest + 4)) - 3;
  return std::bit_cast<F>(static_cast<Bits>(static_cast<Bits>(exponent + kBias) << kFraction | fraction));
}

u64 float_to_int128(u64 x) {
  const float f = in_range<float>(x, 127), s = in_range<float>(x, 126);
  return folded(static_cast<unsigned __int128>(f)) ^
         folded(static_cast<unsigned __int128>(static_cast<__int128>(s))) * 3 ^
         folded(static_cast<unsigned __int128>(static_cast<__int128>(-s)));
}
u64 double_to_int128(u64 x) {
  const double f = in_range<double>(x, 127), s = in_range<double>(x, 126);
  return folded(static_cast<unsigned __int128>(f)) ^
         folded(static_cast<unsigned __int128>(static_cast<__int128>(s))) * 3 ^
         folded(static_cast<unsigned __int128>(static_cast<__int128>(-s)));
}
u64 limits_to_int128(u64 x) {
  const double limits[] = {0.0,      -0.0, 0.999, -0.999, 0x1p64, 0x1p126, -0x1p127, 0x1.fffffffffffffp126,
                           0x1p-1070};
  const double d = limits[x % 9];
  const float f = static_cast<float>(d);
  u64 hash = folded(static_cast<unsigned __int128>(static_cast<__int128>(d))) * 3;
  if (f < 0x1p127f) hash ^= folded(static_cast<unsigned __int128>(static_cast<__int128>(f)));
  if (d >= 0) hash ^= folded(static_cast<unsigned __int128>(d)) * 5;
  return hash;
}

}  // namespace

EXECUTION_TEST(int128_product) { run_map<int128_product>(); }
EXECUTION_TEST(int128_sums_and_shifts) { run_map<int128_sums_and_shifts>(); }
EXECUTION_TEST(int128_division) { run_map<int128_division>(); }
EXECUTION_TEST(int128_in_memory) { run_map<int128_in_memory>(); }
EXECUTION_TEST(int128_to_float) { run_map<int128_to_float>(); }
EXECUTION_TEST(int128_to_double) { run_map<int128_to_double>(); }
EXECUTION_TEST(int128_limits_to_floats) { run_map<int128_limits_to_floats>(); }
EXECUTION_TEST(float_to_int128) { run_map<float_to_int128>(); }
EXECUTION_TEST(double_to_int128) { run_map<double_to_int128>(); }
EXECUTION_TEST(limits_to_int128) { run_map<limits_to_int128>(); }
