// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of half and bfloat16 on the host against exact arithmetic in double: all 65536 numbers of each,
// and floats and doubles around every place where rounding turns.
#include "spirea/small_float.hpp"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace {

using spirea::bfloat16;
using spirea::half;

/// The value of the bits of a format, by its definition.
double value_of(std::uint32_t bits, int fraction, int exponents) {
  const std::uint32_t mask = (1u << exponents) - 1, exponent = bits >> fraction & mask;
  const double digits = bits & ((1u << fraction) - 1), sign = (bits & 0x8000) != 0 ? -1 : 1;
  const int bias = static_cast<int>(mask / 2);
  if (exponent == mask) return digits != 0 ? NAN : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(digits, 1 - bias - fraction);
  return sign * std::ldexp(digits + std::ldexp(1, fraction), static_cast<int>(exponent) - bias - fraction);
}

template <class T>
struct Format;
template <>
struct Format<half> {
  static constexpr int fraction = 10, exponents = 5;
};
template <>
struct Format<bfloat16> {
  static constexpr int fraction = 7, exponents = 8;
};
template <class T>
double value_of(std::uint32_t bits) {
  return value_of(bits, Format<T>::fraction, Format<T>::exponents);
}

/// Checks that `got` is the nearest to `value`, of two the even one. Neighbours as if the exponent had no
/// end.
template <class T>
void expect_nearest(double value, T got) {
  const std::uint32_t bits = got.bits(), magnitude = bits & 0x7fff;
  if (std::isnan(value)) {
    ASSERT_TRUE(std::isnan(value_of<T>(bits)));
    return;
  }
  ASSERT_EQ(std::signbit(value), (bits & 0x8000) != 0) << value;
  const double x = std::fabs(value);
  const auto magnitude_of = [](std::uint32_t m) {
    const double v = value_of<T>(m);
    return std::isinf(v) ? 2 * value_of<T>(m - 1) - value_of<T>(m - 2) : v;
  };
  const std::uint32_t infinity = ((1u << Format<T>::exponents) - 1) << Format<T>::fraction;
  ASSERT_LE(magnitude, infinity) << value;
  const double here = magnitude_of(magnitude);
  if (magnitude != 0) {
    const double below = magnitude_of(magnitude - 1), middle = below + (here - below) / 2;
    ASSERT_TRUE(x > middle || (x == middle && magnitude % 2 == 0)) << value << " to " << magnitude;
  }
  if (magnitude == infinity) return;
  const double middle = here + (magnitude_of(magnitude + 1) - here) / 2;
  ASSERT_TRUE(x < middle || (x == middle && magnitude % 2 == 0)) << value << " to " << magnitude;
}

template <class T>
class SmallFloat : public ::testing::Test {};
using Types = ::testing::Types<half, bfloat16>;
TYPED_TEST_SUITE(SmallFloat, Types);

TYPED_TEST(SmallFloat, WidensExactly) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float wide = TypeParam::from_bits(static_cast<std::uint16_t>(bits));
    const double want = value_of<TypeParam>(bits);
    if (std::isnan(want)) {
      ASSERT_TRUE(std::isnan(wide)) << bits;
      ASSERT_TRUE(std::isnan(static_cast<float>(TypeParam(wide)))) << bits;
    } else {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(static_cast<double>(wide)), std::bit_cast<std::uint64_t>(want));
      ASSERT_EQ(TypeParam(wide).bits(), bits);
      ASSERT_EQ(TypeParam(want).bits(), bits);
    }
  }
}

TYPED_TEST(SmallFloat, RoundsToNearestEven) {
  std::mt19937_64 random(7);
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const double low = value_of<TypeParam>(bits),
                 high = value_of<TypeParam>((bits & 0x8000) | ((bits + 1) & 0x7fff));
    if (std::isnan(low) || std::isinf(low)) continue;
    const double middle =
        std::isinf(high) ? low * (1 + std::ldexp(0.5, -Format<TypeParam>::fraction - 1)) : (low + high) / 2;
    for (const double d :
         {middle, std::nextafter(middle, low), std::nextafter(middle, 2 * high), low + (middle - low) * 0.3})
      expect_nearest(d, TypeParam(d));
    const auto f = static_cast<float>(middle);
    for (const float x : {f, std::nextafterf(f, -INFINITY), std::nextafterf(f, INFINITY)})
      expect_nearest(static_cast<double>(x), TypeParam(x));
  }
  for (int i = 0; i < 4'000'000; ++i) {
    const auto bits = random();
    const auto f = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    expect_nearest(static_cast<double>(f), TypeParam(f));
    const auto d =
        std::ldexp(static_cast<double>(std::bit_cast<std::int64_t>(bits)), static_cast<int>(bits % 61) - 90);
    expect_nearest(d, TypeParam(d));
  }
}

TYPED_TEST(SmallFloat, OfIntegers) {
  for (std::int64_t i = -70000; i < 70000; ++i) {
    if (i == 0) continue;  // of no sign
    expect_nearest(static_cast<double>(i), TypeParam(i));
    expect_nearest(static_cast<double>(static_cast<std::int16_t>(i | 1)),
                   TypeParam(static_cast<std::int16_t>(i | 1)));
  }
}

TEST(Bfloat16, LongIntegersAreRoundedOnce) {
  const std::uint64_t middle = (std::uint64_t{1} << 60) + (std::uint64_t{1} << 52);
  EXPECT_EQ(static_cast<float>(bfloat16(middle)), 0x1p60f);
  EXPECT_EQ(static_cast<float>(bfloat16(middle + 1)), 0x1.02p60f);
  EXPECT_EQ(static_cast<float>(bfloat16(-static_cast<std::int64_t>(middle + 1))), -0x1.02p60f);
  EXPECT_EQ(static_cast<float>(bfloat16(~std::uint64_t{0})), 0x1p64f);
}

TEST(SmallFloatLimits, AreThoseOfTheFormats) {
  using H = std::numeric_limits<half>;
  using B = std::numeric_limits<bfloat16>;
  EXPECT_EQ(static_cast<float>(H::max()), 65504.0f);
  EXPECT_EQ(static_cast<float>(H::min()), 0x1p-14f);
  EXPECT_EQ(static_cast<float>(H::denorm_min()), 0x1p-24f);
  EXPECT_EQ(static_cast<float>(H::epsilon()), 0x1p-10f);
  EXPECT_EQ(static_cast<float>(B::epsilon()), 0x1p-7f);
  EXPECT_EQ(static_cast<float>(B::max()), 0x1.fep127f);
  EXPECT_EQ(H::digits10, 3);
  EXPECT_EQ(H::min_exponent10, -4);
  EXPECT_EQ(B::min_exponent10, -37);
}

}  // namespace
