// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <bit>
#include <limits>

#include "tests/execution/harness.h"

using namespace execution;

namespace {

template <class T>
[[spirea::kernel]] void arithmetic(std::span<const T> a, std::span<const T> b, std::span<T> out) {
  const auto i = spirea::global_id().x;
  if (i >= a.size()) return;
  const T x = a[i], y = b[i];
  out[i * 4 + 0] = static_cast<T>(x + y);
  out[i * 4 + 1] = static_cast<T>(x - y);
  out[i * 4 + 2] = static_cast<T>(static_cast<std::make_unsigned_t<T>>(x) *
                                  static_cast<unsigned long long>(static_cast<std::make_unsigned_t<T>>(y)));
  out[i * 4 + 3] = static_cast<T>((x & y) ^ (x | static_cast<T>(~y)));
}

template <class T>
void test_arithmetic() {
  Array<T> a = random_integers<T>(97, 3), b = random_integers<T>(97, 11);
  a.values[0] = std::numeric_limits<T>::max(), b.values[0] = 1;
  a.values[1] = std::numeric_limits<T>::min(), b.values[1] = 1;
  if (std::is_signed_v<T> && sizeof(T) >= 4)  // signed overflow is undefined in C++ from int up
    for (T& v : a.values) v /= 4;
  if (std::is_signed_v<T> && sizeof(T) >= 4)
    for (T& v : b.values) v /= 4;
  run_everywhere<arithmetic<T>>(shape(97), a, b, output<T>(97 * 4));
}

template <class T>
[[spirea::kernel]] void division(std::span<const T> a, std::span<const T> b, std::span<T> out) {
  const auto i = spirea::global_id().x;
  if (i >= a.size() || b[i] == 0) return;
  if (std::numeric_limits<T>::is_signed && a[i] == std::numeric_limits<T>::min() &&
      b[i] == static_cast<T>(-1))
    return;
  out[i * 2] = static_cast<T>(a[i] / b[i]);
  out[i * 2 + 1] = static_cast<T>(a[i] % b[i]);
}

template <class T>
void test_division() {
  Array<T> a = random_integers<T>(101, 5), b = random_integers<T>(101, 6);
  for (std::size_t i = 0; i < b.values.size(); i += 2) b.values[i] = static_cast<T>(b.values[i] % 13);
  a.values[0] = std::numeric_limits<T>::min(), b.values[0] = static_cast<T>(-1);
  a.values[1] = std::numeric_limits<T>::min(), b.values[1] = 3;
  a.values[2] = 7, b.values[2] = static_cast<T>(-2);
  a.values[3] = static_cast<T>(-7), b.values[3] = 2;
  run_everywhere<division<T>>(shape(101), a, b, output<T>(202));
}

template <class T>
[[spirea::kernel]] void shifts(std::span<const T> a, std::span<const std::uint32_t> by, std::span<T> out) {
  const auto i = spirea::global_id().x;
  if (i >= a.size()) return;
  const unsigned n = by[i] % std::numeric_limits<std::make_unsigned_t<T>>::digits;
  out[i * 2] = static_cast<T>(static_cast<std::make_unsigned_t<T>>(a[i]) << n);
  out[i * 2 + 1] = static_cast<T>(a[i] >> n);
}

template <class T>
[[spirea::kernel]] void comparisons(std::span<const T> a, std::span<const T> b,
                                    std::span<std::uint32_t> out) {
  const auto i = spirea::global_id().x;
  if (i >= a.size()) return;
  const T x = a[i], y = b[i];
  out[i] = (x < y) | (x <= y) << 1 | (x > y) << 2 | (x >= y) << 3 | (x == y) << 4 | (x != y) << 5;
}

template <class T>
void test_shifts_and_comparisons() {
  const Array<T> a = random_integers<T>(130, 21);
  Array<T> b = random_integers<T>(130, 22);
  for (std::size_t i = 0; i < 130; i += 5) b.values[i] = a.values[i];
  run_everywhere<shifts<T>>(shape(130), a, random_integers<std::uint32_t>(130, 8), output<T>(260));
  run_everywhere<comparisons<T>>(shape(130), a, b, output<std::uint32_t>(130));
}

[[spirea::kernel]] void conversions(std::span<const std::int64_t> in, std::span<std::int64_t> out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  const std::int64_t v = in[i];
  std::int64_t* o = &out[i * 7];
  o[0] = static_cast<std::int8_t>(v);
  o[1] = static_cast<std::uint8_t>(v);
  o[2] = static_cast<std::int16_t>(v);
  o[3] = static_cast<std::uint16_t>(v);
  o[4] = static_cast<std::int32_t>(v);
  o[5] = static_cast<std::uint32_t>(v);
  o[6] = static_cast<bool>(v & 4);
}

template <class T>
[[spirea::kernel]] void bit_functions(std::span<const T> in, std::span<T> out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  const T v = in[i];
  T* o = &out[i * 8];
  o[0] = static_cast<T>(std::popcount(v));
  o[1] = static_cast<T>(std::countl_zero(v));
  o[2] = static_cast<T>(std::countr_zero(v));
  o[3] = static_cast<T>(std::bit_width(v));
  o[4] = std::rotl(v, 3);
  o[5] = std::rotr(v, static_cast<int>(v % 16));
  o[6] = static_cast<T>(std::has_single_bit(v));
  o[7] = static_cast<T>(std::countl_one(v));
}

template <class T>
void test_bits() {
  Array<T> in = random_integers<T>(90, 31);
  in.values[0] = 0;
  in.values[1] = static_cast<T>(~T{0});
  for (unsigned k = 0; k < sizeof(T) * 8; ++k) in.values[2 + k] = static_cast<T>(T{1} << k);
  run_everywhere<bit_functions<T>>(shape(90), in, output<T>(90 * 8));
}

[[spirea::kernel]] void byte_order(std::span<const std::uint64_t> in, std::span<std::uint64_t> out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  out[i * 3] = __builtin_bswap64(in[i]);
  out[i * 3 + 1] = __builtin_bswap32(static_cast<std::uint32_t>(in[i]));
  out[i * 3 + 2] = __builtin_bswap16(static_cast<std::uint16_t>(in[i]));
}

[[spirea::kernel]] void min_max_clamp(std::span<const int> in, std::span<int> out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  const int v = in[i] % 1000, w = in[(i + 1) % in.size()] % 1000;
  out[i * 4] = std::min(v, w);
  out[i * 4 + 1] = std::max(v, w);
  out[i * 4 + 2] = std::clamp(v, -250, 250);
  out[i * 4 + 3] = v < 0 ? -v : v;
}

[[spirea::kernel]] void wide_products(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                                      std::span<std::uint32_t> out) {
  const auto i = spirea::global_id().x;
  if (i >= a.size()) return;
  const std::uint64_t unsigned_product = static_cast<std::uint64_t>(a[i]) * b[i];
  const std::int64_t signed_product =
      static_cast<std::int64_t>(static_cast<std::int32_t>(a[i])) * static_cast<std::int32_t>(b[i]);
  out[i * 2] = static_cast<std::uint32_t>(unsigned_product >> 32);
  out[i * 2 + 1] = static_cast<std::uint32_t>(static_cast<std::uint64_t>(signed_product) >> 32);
}

struct Flags {
  bool a, b;
  friend bool operator==(const Flags&, const Flags&) = default;
};

[[spirea::kernel]] void booleans(std::span<const Flags> in, std::span<Flags> out, bool invert) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  const bool a = in[i].a != invert, b = in[i].b;
  out[i * 2] = {a && b, a || b};
  out[i * 2 + 1] = {a != b, !a};
}

[[spirea::kernel]] void saturating(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b,
                                   std::span<std::uint8_t> out) {
  const auto i = spirea::global_id().x;
  if (i >= a.size()) return;
  out[i * 2] = static_cast<std::uint8_t>(std::min(a[i] + b[i], 255));
  out[i * 2 + 1] = static_cast<std::uint8_t>(std::max(a[i] - b[i], 0));
}

}  // namespace

EXECUTION_TEST(arithmetic_i8) { test_arithmetic<std::int8_t>(); }
EXECUTION_TEST(arithmetic_u8) { test_arithmetic<std::uint8_t>(); }
EXECUTION_TEST(arithmetic_i16) { test_arithmetic<std::int16_t>(); }
EXECUTION_TEST(arithmetic_u16) { test_arithmetic<std::uint16_t>(); }
EXECUTION_TEST(arithmetic_i32) { test_arithmetic<std::int32_t>(); }
EXECUTION_TEST(arithmetic_u32) { test_arithmetic<std::uint32_t>(); }
EXECUTION_TEST(arithmetic_i64) { test_arithmetic<std::int64_t>(); }
EXECUTION_TEST(arithmetic_u64) { test_arithmetic<std::uint64_t>(); }
EXECUTION_TEST(division_narrow) { test_division<std::int8_t>(), test_division<std::uint16_t>(); }
EXECUTION_TEST(division_i32) { test_division<std::int32_t>(), test_division<std::uint32_t>(); }
EXECUTION_TEST(division_i64) { test_division<std::int64_t>(), test_division<std::uint64_t>(); }
EXECUTION_TEST(shifts_and_comparisons_narrow) {
  test_shifts_and_comparisons<std::int8_t>(), test_shifts_and_comparisons<std::uint16_t>();
}
EXECUTION_TEST(shifts_and_comparisons_i32) {
  test_shifts_and_comparisons<std::int32_t>(), test_shifts_and_comparisons<std::uint32_t>();
}
EXECUTION_TEST(shifts_and_comparisons_i64) {
  test_shifts_and_comparisons<std::int64_t>(), test_shifts_and_comparisons<std::uint64_t>();
}
EXECUTION_TEST(integer_conversions) {
  run_everywhere<conversions>(shape(70), random_integers<std::int64_t>(70, 2), output<std::int64_t>(70 * 7));
}
EXECUTION_TEST(bit_functions_8_16) { test_bits<std::uint8_t>(), test_bits<std::uint16_t>(); }
EXECUTION_TEST(bit_functions_32_64) { test_bits<std::uint32_t>(), test_bits<std::uint64_t>(); }
EXECUTION_TEST(byte_order) {
  run_everywhere<byte_order>(shape(40), random_integers<std::uint64_t>(40, 9), output<std::uint64_t>(120));
}
EXECUTION_TEST(min_max_clamp) {
  run_everywhere<min_max_clamp>(shape(99), random_integers<int>(99, 4), output<int>(396));
}
EXECUTION_TEST(wide_products) {
  run_everywhere<wide_products>(shape(64), random_integers<std::uint32_t>(64, 14),
                                random_integers<std::uint32_t>(64, 15), output<std::uint32_t>(128));
}
EXECUTION_TEST(saturating_bytes) {
  run_everywhere<saturating>(shape(77), random_integers<std::uint8_t>(77, 24),
                             random_integers<std::uint8_t>(77, 25), output<std::uint8_t>(154));
}
EXECUTION_TEST(booleans) {
  const auto in = array<Flags>({{false, false}, {false, true}, {true, false}, {true, true}});
  const Array<Flags> out{std::vector<Flags>(8)};
  run_everywhere<booleans>(shape(4), in, out, false);
  run_everywhere<booleans>(shape(4), in, out, true);
}
