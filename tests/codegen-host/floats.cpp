// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating-point ops, against the same computed by C++.
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "tests/codegen-host/harness.h"

namespace codegen_host {
namespace {

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

template <class T>
std::vector<T> interesting() {
  using Limits = std::numeric_limits<T>;
  return {T(0),
          T(-0.0),
          T(1),
          T(-1),
          T(0.5),
          T(-0.5),
          T(1.5),
          T(2.5),
          T(-2.5),
          T(3.25),
          T(-7.75),
          T(1e-3),
          T(12345.678),
          Limits::max(),
          Limits::lowest(),
          Limits::min(),
          Limits::denorm_min(),
          Limits::infinity(),
          -Limits::infinity(),
          Limits::quiet_NaN()};
}

template <class T>
struct Pairs {
  std::vector<T> a, b;
  Pairs() {
    for (const T x : interesting<T>())
      for (const T y : interesting<T>()) {
        a.push_back(x);
        b.push_back(y);
      }
  }
};

/// Equal bits, or both NaN.
template <class T>
void expect_same(T got, T want, const std::string& what) {
  if (std::isnan(got) && std::isnan(want)) return;
  EXPECT_EQ(std::bit_cast<BitsOf<T>>(got), std::bit_cast<BitsOf<T>>(want))
      << what << ": " << got << ", not " << want;
}

template <class T>
std::string show(const std::string& op, T x) {
  return op + " of " + std::to_string(x) + " as " + kir_type<T>();
}

template <class T>
class Floats : public ::testing::Test {};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Floats, Types);

TYPED_TEST(Floats, Arithmetic) {
  using T = TypeParam;
  const Pairs<T> p;
  const auto expect = [&](const std::string& op, auto expected) {
    const std::vector<T> results = apply<T>(op, p.a, p.b);
    for (std::size_t i = 0; i < results.size(); ++i)
      expect_same<T>(results[i], expected(p.a[i], p.b[i]),
                     show(op, p.a[i]) + " and " + std::to_string(p.b[i]));
  };
  expect("fadd", [](T x, T y) { return x + y; });
  expect("fsub", [](T x, T y) { return x - y; });
  expect("fmul", [](T x, T y) { return x * y; });
  expect("fdiv", [](T x, T y) { return x / y; });
  expect("frem", [](T x, T y) { return std::fmod(x, y); });
  expect("copysign", [](T x, T y) { return std::copysign(x, y); });
}

// Which zero the minimum of two zeros is stays open; a NaN gives way to a number.
TYPED_TEST(Floats, MinimumAndMaximum) {
  using T = TypeParam;
  const Pairs<T> p;
  const std::vector<T> low = apply<T>("fmin", p.a, p.b), high = apply<T>("fmax", p.a, p.b);
  for (std::size_t i = 0; i < low.size(); ++i) {
    if (std::isnan(p.a[i]) && std::isnan(p.b[i])) {
      EXPECT_TRUE(std::isnan(low[i]) && std::isnan(high[i]));
      continue;
    }
    EXPECT_EQ(low[i], std::fmin(p.a[i], p.b[i])) << p.a[i] << " and " << p.b[i];
    EXPECT_EQ(high[i], std::fmax(p.a[i], p.b[i])) << p.a[i] << " and " << p.b[i];
  }
}

TYPED_TEST(Floats, Unary) {
  using T = TypeParam;
  const std::vector<T> values = interesting<T>();
  const auto expect = [&](const std::string& op, auto expected) {
    const std::vector<T> results = apply<T>(op, values);
    for (std::size_t i = 0; i < values.size(); ++i)
      expect_same<T>(results[i], expected(values[i]), show(op, values[i]));
  };
  expect("fneg", [](T x) { return -x; });
  expect("fabs", [](T x) { return std::fabs(x); });
  expect("sqrt", [](T x) { return std::sqrt(x); });
  expect("floor", [](T x) { return std::floor(x); });
  expect("ceil", [](T x) { return std::ceil(x); });
  expect("ftrunc", [](T x) { return std::trunc(x); });
  expect("round", [](T x) { return std::round(x); });
  expect("round_even", [](T x) { return std::nearbyint(x); });
}

TYPED_TEST(Floats, FusedMultiplyAddRoundsOnce) {
  using T = TypeParam;
  const T x = 1 + std::numeric_limits<T>::epsilon();
  const std::vector<T> a{x, T(2), T(-0.0)}, b{x, T(3), T(1)},
      c{T(-1) - 2 * std::numeric_limits<T>::epsilon(), T(4), T(-0.0)};
  const std::vector<T> results = apply<T>("fma", a, b, c);
  for (std::size_t i = 0; i < a.size(); ++i) expect_same<T>(results[i], std::fma(a[i], b[i], c[i]), "fma");
  EXPECT_NE(results[0], T(0)) << "the product was rounded";
}

TYPED_TEST(Floats, Comparisons) {
  using T = TypeParam;
  const Pairs<T> p;
  const auto expect = [&](const std::string& op, bool if_unordered, auto expected) {
    const std::vector<Bool> results = apply<Bool>(op, p.a, p.b);
    for (std::size_t i = 0; i < results.size(); ++i) {
      const bool unordered = std::isnan(p.a[i]) || std::isnan(p.b[i]);
      EXPECT_EQ(results[i] == Bool::True, unordered ? if_unordered : expected(p.a[i], p.b[i]))
          << op << " of " << p.a[i] << " and " << p.b[i];
    }
  };
  for (const bool unordered : {false, true}) {
    const std::string prefix = unordered ? "fu" : "fo";
    expect(prefix + "eq", unordered, [](T x, T y) { return x == y; });
    expect(prefix + "ne", unordered, [](T x, T y) { return x != y; });
    expect(prefix + "lt", unordered, [](T x, T y) { return x < y; });
    expect(prefix + "le", unordered, [](T x, T y) { return x <= y; });
    expect(prefix + "gt", unordered, [](T x, T y) { return x > y; });
    expect(prefix + "ge", unordered, [](T x, T y) { return x >= y; });
  }
  expect("ford", false, [](T, T) { return true; });
  expect("funo", true, [](T, T) { return false; });
}

TYPED_TEST(Floats, Tests) {
  using T = TypeParam;
  const std::vector<T> values = interesting<T>();
  const auto nan = apply<Bool>("is_nan", values), inf = apply<Bool>("is_inf", values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(nan[i] == Bool::True, std::isnan(values[i])) << values[i];
    EXPECT_EQ(inf[i] == Bool::True, std::isinf(values[i])) << values[i];
  }
}

TYPED_TEST(Floats, ElementaryFunctionsAreTheLibrarys) {
  using T = TypeParam;
  const Pairs<T> p;
  std::vector<T> values = interesting<T>();
  for (const T x : {T(0.1), T(-0.9), T(4.2), T(-3.7), T(20)}) values.push_back(x);
  const auto expect = [&](const std::string& op, auto function) {
    const std::vector<T> results = apply<T>(op, values);
    for (std::size_t i = 0; i < values.size(); ++i)
      expect_same<T>(results[i], function(values[i]), show(op, values[i]));
  };
#define EXPECT_FUNCTION(name) expect(#name, [](T x) { return std::name(x); })
  EXPECT_FUNCTION(sin), EXPECT_FUNCTION(cos), EXPECT_FUNCTION(tan), EXPECT_FUNCTION(asin),
      EXPECT_FUNCTION(acos);
  EXPECT_FUNCTION(atan), EXPECT_FUNCTION(sinh), EXPECT_FUNCTION(cosh), EXPECT_FUNCTION(tanh),
      EXPECT_FUNCTION(asinh);
  EXPECT_FUNCTION(acosh), EXPECT_FUNCTION(atanh), EXPECT_FUNCTION(exp), EXPECT_FUNCTION(exp2),
      EXPECT_FUNCTION(expm1);
  EXPECT_FUNCTION(log), EXPECT_FUNCTION(log2), EXPECT_FUNCTION(log10), EXPECT_FUNCTION(log1p),
      EXPECT_FUNCTION(cbrt);
  EXPECT_FUNCTION(erf), EXPECT_FUNCTION(erfc), EXPECT_FUNCTION(tgamma), EXPECT_FUNCTION(lgamma);
#undef EXPECT_FUNCTION
  const auto expect_binary = [&](const std::string& op, auto function) {
    const std::vector<T> results = apply<T>(op, p.a, p.b);
    for (std::size_t i = 0; i < results.size(); ++i)
      expect_same<T>(results[i], function(p.a[i], p.b[i]),
                     show(op, p.a[i]) + " and " + std::to_string(p.b[i]));
  };
  expect_binary("atan2", [](T x, T y) { return std::atan2(x, y); });
  expect_binary("pow", [](T x, T y) { return std::pow(x, y); });
  expect_binary("hypot", [](T x, T y) { return std::hypot(x, y); });
  expect("exp10", [](T x) {
    if constexpr (sizeof(T) == 4)
      return exp10f(x);
    else
      return exp10(x);
  });
}

// Half has no registers of its own on most CPUs: results must be those of one rounding.
TEST(Half, ArithmeticRoundsOnce) {
  using H = _Float16;
  std::vector<H> a, b;
  for (std::uint32_t bits = 0; bits < 0x7c00; bits += 97)
    for (const std::uint16_t other : {0x3c01, 0x0001, 0x7bff, 0xb555, 0x6400}) {
      a.push_back(std::bit_cast<H>(static_cast<std::uint16_t>(bits)));
      b.push_back(std::bit_cast<H>(other));
    }
  const std::vector<H> sum = apply<H>("fadd", a, b), product = apply<H>("fmul", a, b),
                       quotient = apply<H>("fdiv", a, b), fused = apply<H>("fma", a, b, a);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = static_cast<double>(a[i]), y = static_cast<double>(b[i]);
    EXPECT_EQ(static_cast<double>(sum[i]), static_cast<double>(static_cast<H>(x + y)));
    EXPECT_EQ(static_cast<double>(product[i]), static_cast<double>(static_cast<H>(x * y)));
    EXPECT_EQ(static_cast<double>(fused[i]), static_cast<double>(static_cast<H>(std::fma(x, y, x))));
    EXPECT_EQ(static_cast<double>(quotient[i]), static_cast<double>(static_cast<H>(x / y)));
  }
  EXPECT_NEAR(static_cast<double>(apply<H>("sin", std::vector<H>{static_cast<H>(1.0)})[0]), std::sin(1.0),
              1e-3);
}

// Flags may change results, but contract alone changes none on a CPU without fused operations, nor may absent
// flags.
TEST(Flags, AreThoseOfTheOp) {
  const auto text = [](const std::string& flags) {
    KernelText kernel("f");
    kernel.buffer("out").value("a", "f32").value("b", "f32");
    const auto module =
        parse(kernel.module("  %0 = fdiv " + flags + "%a, %b : f32\n  store %out, %0 align 4"));
    spirea::host::Options options;
    options.optimize = 0;
    return generate(*module, spirea::host::Output::LlvmText, options);
  };
  EXPECT_NE(text("").find("fdiv float"), std::string::npos);
  EXPECT_NE(text("contract reassoc nnan ninf nsz arcp afn ").find("fdiv fast float"), std::string::npos);
  EXPECT_NE(text("nnan arcp ").find("fdiv nnan arcp float"), std::string::npos);
}

}  // namespace
}  // namespace codegen_host
