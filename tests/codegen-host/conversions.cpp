// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions and constants, each pair of types, against C++'s casts.
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "tests/codegen-host/harness.h"

namespace codegen_host {
namespace {

constexpr std::uint64_t kPatterns[] = {0,
                                       1,
                                       0x7f,
                                       0x80,
                                       0xff,
                                       0x7fff,
                                       0x8000,
                                       0x7fffffff,
                                       0x80000000,
                                       0x123456789abcdef0,
                                       0x7fffffffffffffff,
                                       0x8000000000000000,
                                       0xffffffffffffffff,
                                       16777217};

template <class T>
std::vector<T> patterns() {
  std::vector<T> values;
  for (const std::uint64_t bits : kPatterns) values.push_back(static_cast<T>(bits));
  return values;
}

template <class To, class From, class F>
void expect_each(const std::string& op, const std::vector<From>& values, F expected) {
  const std::vector<To> results = apply<To>(op, values);
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_EQ(results[i], static_cast<To>(expected(values[i])))
        << op << " from " << kir_type<From>() << " to " << kir_type<To>();
}

template <class Narrow, class Wide>
void check_widths() {
  expect_each<Narrow>("trunc", patterns<Wide>(), [](Wide x) { return static_cast<Narrow>(x); });
  expect_each<Wide>("zext", patterns<Narrow>(),
                    [](Narrow x) { return static_cast<Wide>(static_cast<std::make_unsigned_t<Narrow>>(x)); });
  expect_each<Wide>("sext", patterns<Narrow>(), [](Narrow x) { return static_cast<Wide>(x); });
}

TEST(Conversions, IntegerWidths) {
  check_widths<std::int8_t, std::int16_t>();
  check_widths<std::int8_t, std::int32_t>();
  check_widths<std::int8_t, std::int64_t>();
  check_widths<std::int16_t, std::int32_t>();
  check_widths<std::int16_t, std::int64_t>();
  check_widths<std::int32_t, std::int64_t>();
}

TEST(Conversions, Booleans) {
  const std::vector<Bool> values{Bool::False, Bool::True};
  EXPECT_EQ(apply<std::int32_t>("zext", values), (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(apply<std::int32_t>("sext", values), (std::vector<std::int32_t>{0, -1}));
  EXPECT_EQ(apply<float>("uitofp", values), (std::vector<float>{0, 1}));
  EXPECT_EQ(apply<Bool>("trunc", std::vector<std::int32_t>{2, 3}), values);
  const std::vector<Bool> left{Bool::False, Bool::False, Bool::True, Bool::True};
  const std::vector<Bool> right{Bool::False, Bool::True, Bool::False, Bool::True};
  EXPECT_EQ(apply<Bool>("and", left, right),
            (std::vector<Bool>{Bool::False, Bool::False, Bool::False, Bool::True}));
  EXPECT_EQ(apply<Bool>("xor", left, right),
            (std::vector<Bool>{Bool::False, Bool::True, Bool::True, Bool::False}));
  EXPECT_EQ(apply<Bool>("umin", left, right),
            (std::vector<Bool>{Bool::False, Bool::False, Bool::False, Bool::True}));
  EXPECT_EQ(apply<Bool>("ult", left, right),
            (std::vector<Bool>{Bool::False, Bool::True, Bool::False, Bool::False}));
}

// Rare for one bit, but KIR allows them.
TEST(Conversions, BooleansTakeEveryIntegerOp) {
  const std::vector<Bool> left{Bool::False, Bool::True}, right{Bool::True, Bool::True},
      zero{Bool::False, Bool::False};
  EXPECT_EQ(apply<Bool>("udiv", left, right), left);
  EXPECT_EQ(apply<Bool>("urem", left, right), zero);
  EXPECT_EQ(apply<Bool>("sdiv", zero, right), zero);
  EXPECT_EQ(apply<Bool>("shl", left, zero), left);
  EXPECT_EQ(apply<Bool>("smin", left, right), right);
  EXPECT_EQ(apply<Bool>("smax", left, right), left);
  EXPECT_EQ(apply<Bool>("umul_hi", left, right), zero);
  EXPECT_EQ(apply<Bool>("iabs", left), left);
  EXPECT_EQ(apply<Bool>("clz", left), (std::vector<Bool>{Bool::True, Bool::False}));
  EXPECT_EQ(apply<Bool>("popcount", left), left);
  EXPECT_EQ(apply<Bool>("bit_reverse", left), left);
}

template <class F, class I>
void check_float_and_integer() {
  using U = std::make_unsigned_t<I>;
  expect_each<F>("sitofp", patterns<I>(), [](I x) { return static_cast<F>(x); });
  expect_each<F>("uitofp", patterns<I>(), [](I x) { return static_cast<F>(static_cast<U>(x)); });
  const std::vector<F> numbers{F(0), F(-0.0), F(0.99), F(-0.99), F(1.5), F(100.99), F(-100.99), F(127)};
  expect_each<I>("fptosi", numbers, [](F x) { return static_cast<I>(x); });
  const std::vector<F> positive{F(0), F(0.99), F(1.5), F(200.99),
                                static_cast<F>(std::numeric_limits<I>::max() / 2 + 1)};
  expect_each<I>("fptoui", positive, [](F x) { return static_cast<U>(x); });
}

TEST(Conversions, FloatsAndIntegers) {
  check_float_and_integer<float, std::int8_t>();
  check_float_and_integer<float, std::int16_t>();
  check_float_and_integer<float, std::int32_t>();
  check_float_and_integer<float, std::int64_t>();
  check_float_and_integer<double, std::int8_t>();
  check_float_and_integer<double, std::int16_t>();
  check_float_and_integer<double, std::int32_t>();
  check_float_and_integer<double, std::int64_t>();
  EXPECT_EQ(apply<std::uint64_t>("fptoui", std::vector<double>{18446744073709549568.0})[0],
            18446744073709549568u);
}

TEST(Conversions, OutOfRangeDoesNotTrap) {
  const std::vector<float> values{1e30f, -1e30f, std::numeric_limits<float>::quiet_NaN(),
                                  std::numeric_limits<float>::infinity()};
  EXPECT_EQ(apply<std::int32_t>("fptosi", values).size(), values.size());
  EXPECT_EQ(apply<std::uint64_t>("fptoui", values).size(), values.size());
}

TEST(Conversions, FloatWidths) {
  using H = _Float16;
  const std::vector<double> values{0.0,
                                   -0.0,
                                   1.0 / 3,
                                   1e300,
                                   -1e-300,
                                   65519.0,
                                   65520.0,
                                   1.00048828125,
                                   1.0004882812500002,
                                   std::numeric_limits<double>::infinity()};
  expect_each<float>("fptrunc", values, [](double x) { return static_cast<float>(x); });
  expect_each<H>("fptrunc", values, [](double x) { return static_cast<H>(x); });
  expect_each<double>("fpext", std::vector<float>{0.1f, -3.5f, 1e-45f},
                      [](float x) { return static_cast<double>(x); });
  expect_each<float>("fpext", std::vector<H>{H(0.1), H(-65504.0), H(6e-8)},
                     [](H x) { return static_cast<float>(x); });
  // 2049 and 2051 lie between two halves: float's rounding must not come first.
  expect_each<H>("sitofp", std::vector<std::int64_t>{2049, 2051, -2049, 65519, 65520, 1ll << 62, 134201343},
                 [](std::int64_t x) { return static_cast<H>(static_cast<double>(x)); });
}

TEST(Conversions, Bitcasts) {
  EXPECT_EQ(apply<std::uint32_t>("bitcast", std::vector<float>{1.0f, -0.0f}),
            (std::vector<std::uint32_t>{0x3f800000, 0x80000000}));
  EXPECT_EQ(apply<double>("bitcast", std::vector<std::uint64_t>{0x4000000000000000})[0], 2.0);
  EXPECT_EQ(apply<std::uint16_t>("bitcast", std::vector<_Float16>{static_cast<_Float16>(1.0)})[0], 0x3c00);
}

TEST(Values, SelectAndConstants) {
  const std::vector<Bool> condition{Bool::True, Bool::False};
  EXPECT_EQ(apply<double>("select", condition, std::vector<double>{1, 2}, std::vector<double>{3, 4}),
            (std::vector<double>{1, 4}));
  EXPECT_EQ(apply<std::int8_t>("freeze", std::vector<std::int8_t>{5, -5}), (std::vector<std::int8_t>{5, -5}));

  KernelText kernel("constants");
  kernel.buffer("out");
  const Program program(kernel.module(
      "  %0 = const 0x7ff8000000000001 : f64\n  store %out, %0 align 8\n"
      "  %i = const 1 : i32\n  %p = offset %out, %i scale 8 disp 0 : ptr<global>\n"
      "  %1 = const 18446744073709551615 : i64\n  store %p, %1 align 8\n"
      "  %q = offset %out, %i scale 8 disp 8 : ptr<global>\n"
      "  %2 = const null : ptr<global>\n  store %q, %2 align 8\n"
      "  %r = offset %q, %i scale 8 disp 0 : ptr<global>\n"
      "  %3 = undef : i64\n  %4 = freeze %3 : i64\n  %5 = sub %4, %4 : i64\n  store %r, %5 align 8"));
  std::vector<std::uint64_t> out(4, 1);
  program.launch(Arguments().buffer(out), {1, 1, 1}, {1, 1, 1});
  EXPECT_EQ(out, (std::vector<std::uint64_t>{0x7ff8000000000001, ~0ull, 0, 0}));
}

}  // namespace
}  // namespace codegen_host
