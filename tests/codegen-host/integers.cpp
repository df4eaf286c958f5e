// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer ops on values at the edges of their types, against the same computed by C++.
#include <bit>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>

#include "tests/codegen-host/harness.h"

namespace codegen_host {
namespace {

/// Pairs of values near the type's edges, each with each.
template <class T>
struct Pairs {
  std::vector<T> a, b;
  Pairs() {
    using U = std::make_unsigned_t<T>;
    std::vector<T> values;
    for (const int small : {0, 1, 2, 3, 7, -1, -2, -7, 100}) values.push_back(static_cast<T>(small));
    const U minimum = U{1} << (sizeof(T) * 8 - 1);
    for (const U edge : {minimum, static_cast<U>(minimum + 1), static_cast<U>(minimum - 1),
                         static_cast<U>(0x5a5a5a5a5a5a5a5a)})
      values.push_back(static_cast<T>(edge));
    for (const T x : values)
      for (const T y : values) {
        a.push_back(x);
        b.push_back(y);
      }
  }
};

template <class T, class F>
void expect_binary(const std::string& op, const Pairs<T>& pairs, F expected) {
  const std::vector<T> results = apply<T>(op, pairs.a, pairs.b);
  for (std::size_t i = 0; i < results.size(); ++i)
    EXPECT_EQ(results[i], static_cast<T>(expected(pairs.a[i], pairs.b[i])))
        << op << " of " << +pairs.a[i] << " and " << +pairs.b[i] << " as " << kir_type<T>();
}

template <class T>
class Integers : public ::testing::Test {};
using Widths = ::testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(Integers, Widths);

TYPED_TEST(Integers, WrappingArithmetic) {
  using T = TypeParam;
  using U = std::make_unsigned_t<T>;
  const Pairs<T> pairs;
  expect_binary<T>("add", pairs,
                   [](T x, T y) { return static_cast<std::uint64_t>(x) + static_cast<std::uint64_t>(y); });
  expect_binary<T>("sub", pairs,
                   [](T x, T y) { return static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(y); });
  expect_binary<T>("mul", pairs,
                   [](T x, T y) { return static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y); });
  expect_binary<T>("and", pairs, [](T x, T y) { return x & y; });
  expect_binary<T>("or", pairs, [](T x, T y) { return x | y; });
  expect_binary<T>("xor", pairs, [](T x, T y) { return x ^ y; });
  expect_binary<T>("smin", pairs, [](T x, T y) { return std::min(x, y); });
  expect_binary<T>("smax", pairs, [](T x, T y) { return std::max(x, y); });
  expect_binary<T>("umin", pairs, [](T x, T y) { return std::min<U>(x, y); });
  expect_binary<T>("umax", pairs, [](T x, T y) { return std::max<U>(x, y); });
}

TYPED_TEST(Integers, HighProducts) {
  using T = TypeParam;
  using U = std::make_unsigned_t<T>;
  constexpr int bits = sizeof(T) * 8;
  const Pairs<T> pairs;
  expect_binary<T>("smul_hi", pairs, [](T x, T y) { return static_cast<__int128>(x) * y >> bits; });
  expect_binary<T>("umul_hi", pairs, [](T x, T y) {
    return static_cast<unsigned __int128>(static_cast<U>(x)) * static_cast<U>(y) >> bits;
  });
}

// Division by zero and overflow are undefined, but must not stop the process: divisions may be moved above
// their guards.
TYPED_TEST(Integers, DivisionNeverTraps) {
  using T = TypeParam;
  using U = std::make_unsigned_t<T>;
  const Pairs<T> pairs;
  const std::vector<T> sdiv = apply<T>("sdiv", pairs.a, pairs.b), srem = apply<T>("srem", pairs.a, pairs.b);
  const std::vector<T> udiv = apply<T>("udiv", pairs.a, pairs.b), urem = apply<T>("urem", pairs.a, pairs.b);
  for (std::size_t i = 0; i < pairs.a.size(); ++i) {
    const T x = pairs.a[i], y = pairs.b[i];
    if (y == 0) continue;
    EXPECT_EQ(udiv[i], static_cast<T>(static_cast<U>(x) / static_cast<U>(y)));
    EXPECT_EQ(urem[i], static_cast<T>(static_cast<U>(x) % static_cast<U>(y)));
    if (x == std::numeric_limits<T>::min() && y == -1) continue;
    EXPECT_EQ(sdiv[i], static_cast<T>(x / y)) << +x << " / " << +y;
    EXPECT_EQ(srem[i], static_cast<T>(x % y)) << +x << " % " << +y;
  }
}

TYPED_TEST(Integers, Shifts) {
  using T = TypeParam;
  using U = std::make_unsigned_t<T>;
  std::vector<T> values, amounts;
  for (const std::uint64_t value : {0x8000000000000001ull, 0x7fffffff7fff7f7full, 0xdeadbeefcafe8421ull})
    for (unsigned amount = 0; amount < sizeof(T) * 8; ++amount) {
      values.push_back(static_cast<T>(value));
      amounts.push_back(static_cast<T>(amount));
    }
  const std::vector<T> shl = apply<T>("shl", values, amounts), lshr = apply<T>("lshr", values, amounts),
                       ashr = apply<T>("ashr", values, amounts);
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(shl[i], static_cast<T>(static_cast<std::uint64_t>(values[i]) << amounts[i]));
    EXPECT_EQ(lshr[i], static_cast<T>(static_cast<U>(values[i]) >> amounts[i]));
    EXPECT_EQ(ashr[i], static_cast<T>(values[i] >> amounts[i]));
  }
}

TYPED_TEST(Integers, Bits) {
  using T = TypeParam;
  using U = std::make_unsigned_t<T>;
  constexpr int bits = sizeof(T) * 8;
  const std::vector<T> values = Pairs<T>().b;
  const std::vector<T> clz = apply<T>("clz", values), ctz = apply<T>("ctz", values),
                       popcount = apply<T>("popcount", values), reversed = apply<T>("bit_reverse", values),
                       magnitude = apply<T>("iabs", values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const U u = static_cast<U>(values[i]);
    EXPECT_EQ(clz[i], std::countl_zero(u));
    EXPECT_EQ(ctz[i], std::countr_zero(u));
    EXPECT_EQ(popcount[i], std::popcount(u));
    U expected = 0;
    for (int bit = 0; bit < bits; ++bit)
      if ((u >> bit & 1) != 0) expected |= static_cast<U>(U{1} << (bits - 1 - bit));
    EXPECT_EQ(static_cast<U>(reversed[i]), expected);
    EXPECT_EQ(static_cast<U>(magnitude[i]), static_cast<U>(values[i] < 0 ? U{0} - u : u));
  }
}

TYPED_TEST(Integers, Comparisons) {
  using T = TypeParam;
  using U = std::make_unsigned_t<T>;
  const Pairs<T> pairs;
  const auto expect = [&](const std::string& op, auto expected) {
    const auto results = apply<Bool>(op, pairs.a, pairs.b);
    for (std::size_t i = 0; i < pairs.a.size(); ++i)
      EXPECT_EQ(results[i] == Bool::True, expected(pairs.a[i], pairs.b[i]))
          << op << " of " << +pairs.a[i] << " and " << +pairs.b[i];
  };
  expect("ieq", [](T x, T y) { return x == y; });
  expect("ine", [](T x, T y) { return x != y; });
  expect("slt", [](T x, T y) { return x < y; });
  expect("sle", [](T x, T y) { return x <= y; });
  expect("sgt", [](T x, T y) { return x > y; });
  expect("sge", [](T x, T y) { return x >= y; });
  expect("ult", [](U x, U y) { return x < y; });
  expect("ule", [](U x, U y) { return x <= y; });
  expect("ugt", [](U x, U y) { return x > y; });
  expect("uge", [](U x, U y) { return x >= y; });
}

TEST(Integers, ByteSwap) {
  EXPECT_EQ(apply<std::uint16_t>("byte_swap", std::vector<std::uint16_t>{0x1234})[0], 0x3412);
  EXPECT_EQ(apply<std::uint32_t>("byte_swap", std::vector<std::uint32_t>{0x12345678})[0], 0x78563412u);
  EXPECT_EQ(apply<std::uint64_t>("byte_swap", std::vector<std::uint64_t>{0x0123456789abcdef})[0],
            0xefcdab8967452301u);
}

}  // namespace
}  // namespace codegen_host
