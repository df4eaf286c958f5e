// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>
#include <random>

#include "tests/interp/support.h"

namespace spirea::interp::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// The compiler's own f16, to compare with.
_Float16 to_host(Half half) { return std::bit_cast<_Float16>(static_cast<u16>(half)); }
Half from_host(_Float16 value) { return Half{std::bit_cast<u16>(value)}; }

bool same(Half a, Half b) {
  const auto is_nan = [](Half h) { return (static_cast<u16>(h) & 0x7fff) > 0x7c00; };
  return (is_nan(a) && is_nan(b)) || a == b;
}

std::vector<Half> every_half() {
  std::vector<Half> values;
  for (u32 bits = 0; bits < 0x10000; ++bits) values.push_back(Half{static_cast<u16>(bits)});
  return values;
}

TEST(Conversions, integers) {
  EXPECT_THAT(apply<u8>("trunc", std::vector<u32>{0x12345678, ~0u}), ElementsAre(0x78, 0xff));
  EXPECT_THAT(apply<Bool>("trunc", std::vector<u64>{2, 3}), ElementsAre(Bool::False, Bool::True));
  EXPECT_THAT(apply<u64>("zext", std::vector<u32>{~0u}), ElementsAre(0xffffffffu));
  EXPECT_THAT(apply<i64>("sext", std::vector<i32>{-5, 5}), ElementsAre(-5, 5));
  EXPECT_THAT(apply<i32>("sext", std::vector<Bool>{Bool::True, Bool::False}), ElementsAre(-1, 0));
  EXPECT_THAT(apply<i16>("sext", std::vector<i8>{-128}), ElementsAre(-128));
}

TEST(Conversions, floats_to_integers_round_to_zero) {
  EXPECT_THAT(apply<i32>("fptosi", std::vector<float>{1.9f, -1.9f, -2147483648.0f}),
              ElementsAre(1, -1, kMin<i32>));
  EXPECT_THAT(apply<i32>("fptosi", std::vector<double>{-2147483648.9, 2147483647.9}),
              ElementsAre(kMin<i32>, kMax<i32>));
  EXPECT_THAT(apply<u8>("fptoui", std::vector<float>{255.9f, -0.9f}), ElementsAre(255, 0));
  EXPECT_THAT(apply<u64>("fptoui", std::vector<double>{18446744073709549568.0}),
              ElementsAre(18446744073709549568u));
  EXPECT_THAT(apply<i64>("fptosi", std::vector<double>{-9223372036854775808.0}), ElementsAre(kMin<i64>));
  EXPECT_THAT(apply<i8>("fptosi", std::vector<double>{-128.5}), ElementsAre(-128));
}

TEST(Conversions, floats_out_of_range_are_poison) {
  const auto run = [](const char* op, const char* type, double value) {
    KernelText text;
    text.value("x", "f64");
    Machine machine(text.with(std::string("  %i = ") + op + " %x : " + type +
                              " !3\n  %z = const 0 : " + type +
                              "\n  %c = ieq %i, %z : i1\n  if %c @l {\n break @l\n } else {\n break @l\n }"));
    machine.argument(value);
    return machine.error();
  };
  EXPECT_EQ(run("fptosi", "i8", 127.9), "");
  EXPECT_THAT(run("fptosi", "i8", 128),
              HasSubstr("k.cpp:3:1: note: the value does not fit the integer type here"));
  EXPECT_THAT(run("fptosi", "i8", -129), HasSubstr("does not fit"));
  EXPECT_THAT(run("fptosi", "i32", 2147483648.0), HasSubstr("does not fit"));
  EXPECT_THAT(run("fptosi", "i64", 9223372036854775808.0), HasSubstr("does not fit"));
  EXPECT_THAT(run("fptoui", "i32", -1), HasSubstr("does not fit"));
  EXPECT_EQ(run("fptoui", "i32", -0.5), "");
  EXPECT_THAT(run("fptoui", "i64", 18446744073709551616.0), HasSubstr("does not fit"));
  EXPECT_THAT(run("fptosi", "i32", kNan<double>), HasSubstr("does not fit"));
  EXPECT_THAT(run("fptoui", "i16", kInf<double>), HasSubstr("does not fit"));
}

TEST(Conversions, integers_to_floats_round_to_even) {
  EXPECT_THAT(apply<float>("sitofp", std::vector<i32>{16777217, -16777219, kMin<i32>}),
              ElementsAre(16777216, -16777220, -2147483648.0f));
  EXPECT_THAT(apply<float>("uitofp", std::vector<u64>{kMax<u64>, (1ull << 40) + 1}),
              ElementsAre(18446744073709551616.0f, 1099511627776.0f));
  // Through f64 this would round twice, down.
  EXPECT_THAT(apply<float>("uitofp", std::vector<u64>{0x8000008000000001}),
              ElementsAre(9223373136366403584.0f));
  EXPECT_THAT(apply<double>("sitofp", std::vector<i64>{(1ll << 53) + 1}), ElementsAre(9007199254740992.0));
  EXPECT_THAT(apply<double>("uitofp", std::vector<u8>{200}), ElementsAre(200));
  EXPECT_THAT(apply<float>("sitofp", std::vector<Bool>{Bool::True}), ElementsAre(-1));
  EXPECT_THAT(apply<Half>("uitofp", std::vector<u32>{2049, 2051, 65519, 65520}),
              ElementsAre(Half{0x6800}, Half{0x6802}, Half{0x7bff}, Half{0x7c00}));
}

TEST(Conversions, between_floats) {
  EXPECT_THAT(apply<float>("fptrunc", std::vector<double>{0.1, 1e300, 1e-60}),
              ElementsAre(0.1f, kInf<float>, 0));
  EXPECT_THAT(apply<double>("fpext", std::vector<float>{0.1f}), ElementsAre(static_cast<double>(0.1f)));
  EXPECT_THAT(apply<u32>("bitcast", std::vector<float>{1}), ElementsAre(0x3f800000));
  EXPECT_THAT(apply<double>("bitcast", std::vector<u64>{0x4000000000000000}), ElementsAre(2));
}

TEST(Conversions, every_half) {
  const auto halves = every_half();
  const auto wide = apply<double>("fpext", halves);
  const auto single = apply<float>("fpext", halves);
  const auto back = apply<Half>("fptrunc", wide);
  for (std::size_t i = 0; i < halves.size(); ++i) {
    const double expected = to_host(halves[i]);
    ASSERT_TRUE(wide[i] == expected || (std::isnan(wide[i]) && std::isnan(expected))) << i;
    ASSERT_TRUE(single[i] == expected || std::isnan(expected)) << i;
    ASSERT_TRUE(same(back[i], halves[i])) << i;
  }
}

TEST(Conversions, halfway_cases_and_neighbours_to_half) {
  std::vector<double> values;
  for (u32 bits = 0; bits < 0x7c00; ++bits) {
    const double low = to_host(Half{static_cast<u16>(bits)});
    const double high =
        bits == 0x7bff ? 65536.0 : static_cast<double>(to_host(Half{static_cast<u16>(bits + 1)}));
    const double middle = (low + high) / 2;
    for (const double v : {middle, std::nextafter(middle, 0.0), std::nextafter(middle, 1e9)}) {
      values.push_back(v);
      values.push_back(-v);
    }
  }
  const auto results = apply<Half>("fptrunc", values);
  for (std::size_t i = 0; i < values.size(); ++i)
    ASSERT_EQ(results[i], from_host(static_cast<_Float16>(values[i]))) << values[i];
}

TEST(Conversions, half_arithmetic_rounds_once) {
  std::mt19937 random(7);
  std::vector<Half> a, b;
  for (int i = 0; i < 20000; ++i) {
    a.push_back(Half{static_cast<u16>(random())});
    b.push_back(Half{static_cast<u16>(random())});
  }
  const auto check = [&](const char* op, auto reference) {
    const auto results = apply<Half>(op, a, b);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double exact = reference(static_cast<double>(to_host(a[i])), static_cast<double>(to_host(b[i])));
      ASSERT_TRUE(same(results[i], from_host(static_cast<_Float16>(exact)))) << op << " " << i;
    }
  };
  check("fadd", [](double x, double y) { return x + y; });
  check("fmul", [](double x, double y) { return x * y; });
  check("fdiv", [](double x, double y) { return x / y; });
}

TEST(Conversions, half_fma_rounds_once) {
  std::mt19937 random(11);
  std::vector<Half> a, b, c;
  for (int i = 0; i < 30000; ++i) {
    a.push_back(Half{static_cast<u16>(random())});
    b.push_back(Half{static_cast<u16>(random())});
    c.push_back(Half{static_cast<u16>(random())});
  }
  const auto results = apply<Half>("fma", a, b, c);
  for (std::size_t i = 0; i < a.size(); ++i) {
    // Exact: the sum has no more than 81 digits.
    const __float128 exact = static_cast<__float128>(to_host(a[i])) * to_host(b[i]) + to_host(c[i]);
    ASSERT_TRUE(same(results[i], from_host(static_cast<_Float16>(exact)))) << i;
  }
}

}  // namespace
}  // namespace spirea::interp::test
