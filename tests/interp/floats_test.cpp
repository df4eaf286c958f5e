// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>

#include "tests/interp/support.h"

namespace spirea::interp::test {
namespace {

using testing::ElementsAre;
using Floats = std::vector<float>;
using Doubles = std::vector<double>;

constexpr float kTiny = std::numeric_limits<float>::denorm_min();

TEST(Floats, arithmetic_is_ieee) {
  EXPECT_EQ(bits(apply<float>("fadd", Floats{0.1f, 1e38f, -0.0f, kTiny}, Floats{0.2f, 3e38f, 0.0f, kTiny})),
            bits(Floats{0.1f + 0.2f, kInf<float>, 0.0f, 2 * kTiny}));
  EXPECT_EQ(bits(apply<float>("fsub", Floats{1, 0.0f, -0.0f}, Floats{1, 0.0f, 0.0f})),
            bits(Floats{0.0f, 0.0f, -0.0f}));
  EXPECT_EQ(bits(apply<float>("fmul", Floats{3, kTiny, -0.0f}, Floats{1.0f / 3, 0.5f, 5})),
            bits(Floats{1.0f, 0.0f, -0.0f}));
  EXPECT_EQ(bits(apply<float>("fdiv", Floats{1, -1, 1, 6}, Floats{0, 0.0f, -kInf<float>, 3})),
            bits(Floats{kInf<float>, -kInf<float>, -0.0f, 2.0f}));
  EXPECT_EQ(bits(apply<double>("fadd", Doubles{0.1, 1e308}, Doubles{0.2, 1e308})),
            bits(Doubles{0.1 + 0.2, kInf<double>}));
  EXPECT_TRUE(std::isnan(apply<float>("fdiv", Floats{0}, Floats{0})[0]));
  EXPECT_TRUE(std::isnan(apply<float>("fadd", Floats{kInf<float>}, Floats{-kInf<float>})[0]));
}

/// The results of ops on two operands, on a device that flushes subnormal numbers.
Floats flushed(const std::string& ops, float a, float b) {
  KernelText text;
  text.value("a", "f32").value("b", "f32").buffer("out");
  Machine machine(text.with(ops));
  machine.options.subnormals = Subnormals::flush;
  machine.argument(a);
  machine.argument(b);
  const u64 out = machine.uninitialized<float>(1);
  EXPECT_EQ(machine.error(), "");
  return machine.read<float>(out, 1);
}

TEST(Floats, subnormals_can_be_flushed) {
  const float smallest = std::numeric_limits<float>::min();
  const auto result = [&](const std::string& op, float a, float b) {
    return bits(flushed("%r = " + op + "\nstore %out, %r align 4", a, b))[0];
  };
  EXPECT_EQ(result("fadd %a, %b : f32", kTiny, kTiny), 0u);
  EXPECT_EQ(result("fmul %a, %b : f32", -smallest, 0.5f), 0x80000000u) << "the zero has the sign";
  EXPECT_EQ(result("fmul %a, %b : f32", kTiny, 0x1p100f), 0u);
  EXPECT_EQ(result("fadd %a, %b : f32", smallest, smallest), bits(Floats{2 * smallest})[0]);
  EXPECT_EQ(result("fneg %a : f32", kTiny, 0), 0x80000000u);
  EXPECT_EQ(result("fabs %a : f32", -kTiny, 0), 0u);
  EXPECT_EQ(result("fmax %a, %b : f32", kTiny, -1), 0u);
  EXPECT_EQ(result("fma %a, %b, %b : f32", kTiny, 0x1p100f), bits(Floats{0x1p100f})[0]);
  EXPECT_EQ(result("floor %a : f32", -kTiny, 0), 0x80000000u);
}

TEST(Floats, flushing_touches_comparisons_and_widths_but_no_copies) {
  EXPECT_EQ(
      bits(flushed("%c = foeq %a, %b : i1\n%r = select %c, %a, %b : f32\nstore %out, %r align 4", kTiny, 0)),
      bits(Floats{kTiny}));
  EXPECT_EQ(bits(flushed("%w = fpext %a : f64\n%r = fptrunc %w : f32\nstore %out, %r align 4", kTiny, 0)),
            bits(Floats{0}));
  EXPECT_EQ(bits(flushed("%w = fpext %a : f64\n%s = const 0x3730000000000000 : f64\n%m = fmul %w, %s : f64\n"
                         "%r = fptrunc %m : f32\nstore %out, %r align 4",
                         1, 0)),
            bits(Floats{0}));
}

TEST(Floats, single_precision_rounds_after_each_op) {
  // 16777217 needs 25 bits; in f64 the sum would keep it.
  EXPECT_THAT(apply<float>("fadd", Floats{16777216}, Floats{1}), ElementsAre(16777216));
  KernelText text;
  text.buffer("in", "read").buffer("out");
  Machine machine(text.with(R"(
    %a = load %in align 4 : f32
    %q = fmul contract %a, %a : f32
    %m = fneg %q : f32
    %n = fmul contract %a, %a : f32
    %r = fadd contract %n, %m : f32
    store %out, %r align 4)"));
  machine.buffer(Floats{1.1f});
  const u64 out = machine.uninitialized<float>(1);
  ASSERT_EQ(machine.error(), "");
  EXPECT_THAT(machine.read<float>(out, 1),
              ElementsAre(0.0f));  // fused it would be the product's rounding error
}

TEST(Floats, remainder_keeps_the_sign_of_the_dividend) {
  EXPECT_EQ(bits(apply<float>("frem", Floats{5.5f, -5.5f, -4, 1}, Floats{2, 2, 2, kInf<float>})),
            bits(Floats{1.5f, -1.5f, -0.0f, 1.0f}));
  EXPECT_TRUE(std::isnan(apply<double>("frem", Doubles{1}, Doubles{0})[0]));
}

TEST(Floats, signs_of_anything) {
  const std::vector<u32> in{0, 0x80000000, 0x7fc12345, 0xff800000, 0x7f812345};
  Floats values;
  for (const u32 b : in) values.push_back(std::bit_cast<float>(b));
  EXPECT_EQ(bits(apply<float>("fneg", values)),
            (std::vector<u32>{0x80000000, 0, 0xffc12345, 0x7f800000, 0xff812345}));
  EXPECT_EQ(bits(apply<float>("fabs", values)), (std::vector<u32>{0, 0, 0x7fc12345, 0x7f800000, 0x7f812345}));
  EXPECT_EQ(bits(apply<double>("copysign", Doubles{1, -2, 3}, Doubles{-0.0, 5, -kNan<double>})),
            bits(Doubles{-1.0, 2.0, -3.0}));
}

TEST(Floats, minimum_and_maximum_prefer_numbers) {
  const Floats a{1, kNan<float>, 3, -kInf<float>}, b{2, 5, kNan<float>, 0};
  EXPECT_THAT(apply<float>("fmin", a, b), ElementsAre(1, 5, 3, -kInf<float>));
  EXPECT_THAT(apply<float>("fmax", a, b), ElementsAre(2, 5, 3, 0));
}

TEST(Floats, fma_rounds_once) {
  const double a = 1 + std::ldexp(1.0, -30);
  EXPECT_EQ(apply<double>("fma", Doubles{a}, Doubles{a}, Doubles{-1})[0], std::fma(a, a, -1.0));
  EXPECT_NE(apply<double>("fma", Doubles{a}, Doubles{a}, Doubles{-1})[0], a * a - 1);
  EXPECT_THAT(apply<float>("fma", Floats{2, kInf<float>}, Floats{3, 1}, Floats{4, 1}),
              ElementsAre(10, kInf<float>));
}

TEST(Floats, rounding_to_integers) {
  const Floats in{2.5f, -2.5f, 3.5f, -0.3f, 0.49999997f, 8388609, kInf<float>};
  EXPECT_EQ(bits(apply<float>("floor", in)), bits(Floats{2, -3, 3, -1, 0, 8388609, kInf<float>}));
  EXPECT_EQ(bits(apply<float>("ceil", in)), bits(Floats{3, -2, 4, -0.0f, 1, 8388609, kInf<float>}));
  EXPECT_EQ(bits(apply<float>("ftrunc", in)), bits(Floats{2, -2, 3, -0.0f, 0, 8388609, kInf<float>}));
  EXPECT_EQ(bits(apply<float>("round", in)), bits(Floats{3, -3, 4, -0.0f, 0, 8388609, kInf<float>}));
  EXPECT_EQ(bits(apply<float>("round_even", in)), bits(Floats{2, -2, 4, -0.0f, 0, 8388609, kInf<float>}));
  EXPECT_THAT(apply<double>("sqrt", Doubles{2, 1e-320, 0}),
              ElementsAre(std::sqrt(2.0), std::sqrt(1e-320), 0));
  EXPECT_TRUE(std::isnan(apply<float>("sqrt", Floats{-1})[0]));
}

TEST(Floats, comparisons_of_ordered_and_unordered) {
  const Floats a{1, 2, 2, kNan<float>, -0.0f}, b{2, 1, 2, 1, 0.0f};
  const auto check = [&](const char* op, const char* expected) {
    std::string found;
    for (const Bool r : apply<Bool>(op, a, b)) found += r == Bool::True ? '1' : '0';
    EXPECT_EQ(found, expected) << op;
  };
  // columns: less, greater, equal, unordered, zeros of different sign
  check("foeq", "00101");
  check("fone", "11000");
  check("folt", "10000");
  check("fole", "10101");
  check("fogt", "01000");
  check("foge", "01101");
  check("ford", "11101");
  check("funo", "00010");
  check("fueq", "00111");
  check("fune", "11010");
  check("fult", "10010");
  check("fule", "10111");
  check("fugt", "01010");
  check("fuge", "01111");
  const Doubles special{kNan<double>, -kNan<double>, kInf<double>, -kInf<double>, 1};
  EXPECT_THAT(apply<Bool>("is_nan", special),
              ElementsAre(Bool::True, Bool::True, Bool::False, Bool::False, Bool::False));
  EXPECT_THAT(apply<Bool>("is_inf", special),
              ElementsAre(Bool::False, Bool::False, Bool::True, Bool::True, Bool::False));
}

struct Function {
  const char* op;
  double (*exact)(double);
  float (*single)(float);
  double low, high;
};

TEST(Floats, elementary_functions_are_those_of_the_precision) {
  const Function functions[] = {
      {"sin", std::sin, std::sin, -10, 10},
      {"cos", std::cos, std::cos, -10, 10},
      {"tan", std::tan, std::tan, -1.5, 1.5},
      {"asin", std::asin, std::asin, -1, 1},
      {"acos", std::acos, std::acos, -1, 1},
      {"atan", std::atan, std::atan, -9, 9},
      {"sinh", std::sinh, std::sinh, -9, 9},
      {"cosh", std::cosh, std::cosh, -9, 9},
      {"tanh", std::tanh, std::tanh, -3, 3},
      {"asinh", std::asinh, std::asinh, -9, 9},
      {"acosh", std::acosh, std::acosh, 1, 9},
      {"atanh", std::atanh, std::atanh, -0.99, 0.99},
      {"exp", std::exp, std::exp, -9, 9},
      {"exp2", std::exp2, std::exp2, -9, 9},
      {"exp10", [](double x) { return std::pow(10.0, x); }, nullptr, -9, 9},
      {"expm1", std::expm1, std::expm1, -2, 2},
      {"log", std::log, std::log, 0.01, 100},
      {"log2", std::log2, std::log2, 0.01, 100},
      {"log10", std::log10, std::log10, 0.01, 100},
      {"log1p", std::log1p, std::log1p, -0.5, 5},
      {"cbrt", std::cbrt, std::cbrt, -50, 50},
      {"erf", std::erf, std::erf, -3, 3},
      {"erfc", std::erfc, std::erfc, -3, 3},
      {"tgamma", std::tgamma, std::tgamma, 0.1, 9},
      {"lgamma", std::lgamma, std::lgamma, 0.1, 0.9},
  };
  for (const Function& f : functions) {
    Floats singles;
    Doubles doubles;
    for (int i = 0; i <= 20; ++i) doubles.push_back(f.low + (f.high - f.low) * i / 20);
    for (const double x : doubles) singles.push_back(static_cast<float>(x));
    const auto got_single = apply<float>(f.op, singles);
    const auto got_double = apply<double>(f.op, doubles);
    for (std::size_t i = 0; i < doubles.size(); ++i) {
      const double wide = f.exact(singles[i]);
      EXPECT_NEAR(got_single[i], wide, 1e-6 * std::abs(wide) + 1e-45) << f.op << " " << singles[i];
      EXPECT_NEAR(got_double[i], f.exact(doubles[i]), 4e-15 * std::abs(f.exact(doubles[i]))) << f.op;
      if (f.single == nullptr) continue;
      EXPECT_EQ(bits(Floats{got_single[i]}), bits(Floats{f.single(singles[i])})) << f.op;
    }
  }
}

TEST(Floats, elementary_functions_of_two_operands) {
  EXPECT_THAT(apply<float>("atan2", Floats{1, -1, 0}, Floats{-1, -1, -1}),
              ElementsAre(std::atan2(1.0f, -1.0f), std::atan2(-1.0f, -1.0f), std::atan2(0.0f, -1.0f)));
  EXPECT_THAT(apply<double>("pow", Doubles{2, 0, -8, 9}, Doubles{10, 0, 3, 0.5}),
              ElementsAre(1024, 1, -512, 3));
  EXPECT_THAT(apply<float>("hypot", Floats{3, 3e38f, kInf<float>}, Floats{4, 0, kNan<float>}),
              ElementsAre(5, 3e38f, kInf<float>));
  EXPECT_THAT(apply<float>("exp10", Floats{3, -1}), ElementsAre(1000, 0.1f));
}

TEST(Floats, fast_math_promises_that_are_broken_make_poison) {
  KernelText text;
  text.buffer("in", "read").buffer("out");
  const std::string module = text.with(R"(
    %a = load %in align 4 : f32
    %b = fadd nnan ninf %a, %a : f32 !7
    %c = folt %b, %a : i1
    if %c @l !9 {
      break @l
    } else {
      break @l
    }
    store %out, %b align 4)");
  const auto run = [&](float value) {
    Machine machine(module);
    machine.buffer(Floats{value});
    machine.uninitialized<float>(1);
    return machine.error();
  };
  EXPECT_EQ(run(1), "");
  for (const float value : {kNan<float>, kInf<float>, 3e38f})
    EXPECT_THAT(run(value),
                testing::AllOf(testing::HasSubstr("k.cpp:9:1: error: branch depends on an undefined value"),
                               testing::HasSubstr("k.cpp:7:1: note: the value breaks the operation's "
                                                  "fast-math promises here")));
}

}  // namespace
}  // namespace spirea::interp::test
