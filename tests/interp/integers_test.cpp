// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <numeric>

#include "tests/interp/support.h"

namespace spirea::interp::test {
namespace {

using testing::ElementsAre;

template <class T>
using Values = std::vector<T>;

TEST(Integers, wrap_around) {
  EXPECT_THAT(apply<u8>("add", Values<u8>{200, 255, 0}, Values<u8>{100, 1, 0}), ElementsAre(44, 0, 0));
  EXPECT_THAT(apply<i32>("sub", Values<i32>{kMin<i32>, 5}, Values<i32>{1, 7}), ElementsAre(kMax<i32>, -2));
  EXPECT_THAT(apply<u64>("mul", Values<u64>{kMax<u64>, 1ull << 33}, Values<u64>{kMax<u64>, 1ull << 33}),
              ElementsAre(1, 0));
  EXPECT_THAT(apply<u16>("mul", Values<u16>{0xffff}, Values<u16>{0xfffe}), ElementsAre(2));
  EXPECT_THAT(apply<Bool>("add", Values<Bool>{Bool::True, Bool::True}, Values<Bool>{Bool::True, Bool::False}),
              ElementsAre(Bool::False, Bool::True));
}

TEST(Integers, division_rounds_to_zero) {
  const Values<i32> a{7, -7, 7, -7, kMin<i32>, kMin<i32>, 0}, b{2, 2, -2, -2, 1, 2, 5};
  EXPECT_THAT(apply<i32>("sdiv", a, b), ElementsAre(3, -3, -3, 3, kMin<i32>, -(1 << 30), 0));
  EXPECT_THAT(apply<i32>("srem", a, b), ElementsAre(1, -1, 1, -1, 0, 0, 0));
  EXPECT_THAT(apply<u32>("udiv", Values<u32>{7, ~0u, ~0u}, Values<u32>{2, 2, ~0u}),
              ElementsAre(3, kMax<i32>, 1));
  EXPECT_THAT(apply<u32>("urem", Values<u32>{7, ~0u, 5}, Values<u32>{2, 10, ~0u}), ElementsAre(1, 5, 5));
  EXPECT_THAT(apply<i8>("sdiv", Values<i8>{-128, -128, 127}, Values<i8>{2, 127, -1}),
              ElementsAre(-64, -1, -127));
  EXPECT_THAT(apply<u8>("udiv", Values<u8>{200}, Values<u8>{3}), ElementsAre(66));
  EXPECT_THAT(apply<i64>("srem", Values<i64>{kMin<i64>, -9}, Values<i64>{kMax<i64>, 4}), ElementsAre(-1, -1));
}

TEST(Integers, bits) {
  EXPECT_THAT(apply<u8>("and", Values<u8>{0xcc}, Values<u8>{0xaa}), ElementsAre(0x88));
  EXPECT_THAT(apply<u8>("or", Values<u8>{0xcc}, Values<u8>{0xaa}), ElementsAre(0xee));
  EXPECT_THAT(apply<u8>("xor", Values<u8>{0xcc}, Values<u8>{0xaa}), ElementsAre(0x66));
  EXPECT_THAT(apply<u32>("clz", Values<u32>{0, 1, ~0u, 0x00800000}), ElementsAre(32, 31, 0, 8));
  EXPECT_THAT(apply<u8>("clz", Values<u8>{0, 1, 0x80}), ElementsAre(8, 7, 0));
  EXPECT_THAT(apply<u64>("ctz", Values<u64>{0, 1, 1ull << 63}), ElementsAre(64, 0, 63));
  EXPECT_THAT(apply<u16>("ctz", Values<u16>{0, 0x0300}), ElementsAre(16, 8));
  EXPECT_THAT(apply<u16>("popcount", Values<u16>{0, 0xffff, 0x8001}), ElementsAre(0, 16, 2));
  EXPECT_THAT(apply<u8>("bit_reverse", Values<u8>{0x01, 0xc4}), ElementsAre(0x80, 0x23));
  EXPECT_THAT(apply<u64>("bit_reverse", Values<u64>{1, 6}), ElementsAre(1ull << 63, 3ull << 61));
  EXPECT_THAT(apply<u16>("byte_swap", Values<u16>{0x1234}), ElementsAre(0x3412));
  EXPECT_THAT(apply<u32>("byte_swap", Values<u32>{0x12345678}), ElementsAre(0x78563412));
  EXPECT_THAT(apply<u64>("byte_swap", Values<u64>{0x0123456789abcdef}), ElementsAre(0xefcdab8967452301));
}

TEST(Integers, shifts_up_to_the_width) {
  EXPECT_THAT(apply<u8>("shl", Values<u8>{0xff, 0xff, 0x81}, Values<u8>{0, 7, 1}),
              ElementsAre(0xff, 0x80, 2));
  EXPECT_THAT(apply<u32>("lshr", Values<u32>{~0u, ~0u, 8}, Values<u32>{0, 31, 3}), ElementsAre(~0u, 1, 1));
  EXPECT_THAT(apply<i32>("ashr", Values<i32>{-1, kMin<i32>, 64, -9}, Values<i32>{5, 31, 3, 1}),
              ElementsAre(-1, -1, 8, -5));
  EXPECT_THAT(apply<i8>("ashr", Values<i8>{-128, 127}, Values<i8>{7, 6}), ElementsAre(-1, 1));
  EXPECT_THAT(apply<u64>("shl", Values<u64>{3}, Values<u64>{63}), ElementsAre(1ull << 63));
}

TEST(Integers, minimum_maximum_and_absolute) {
  const Values<i32> a{kMin<i32>, 3, -1}, b{kMax<i32>, 3, 1};
  EXPECT_THAT(apply<i32>("smin", a, b), ElementsAre(kMin<i32>, 3, -1));
  EXPECT_THAT(apply<i32>("smax", a, b), ElementsAre(kMax<i32>, 3, 1));
  EXPECT_THAT(apply<i32>("umin", a, b), ElementsAre(kMax<i32>, 3, 1));
  EXPECT_THAT(apply<i32>("umax", a, b), ElementsAre(kMin<i32>, 3, -1));
  EXPECT_THAT(apply<i8>("iabs", Values<i8>{-128, -127, 0, 5}), ElementsAre(-128, 127, 0, 5));
  EXPECT_THAT(apply<i64>("iabs", Values<i64>{kMin<i64>, -3}), ElementsAre(kMin<i64>, 3));
}

TEST(Integers, high_halves_of_products) {
  EXPECT_THAT(apply<u32>("umul_hi", Values<u32>{~0u, 1u << 31}, Values<u32>{~0u, 2}), ElementsAre(~1u, 1));
  EXPECT_THAT(apply<i32>("smul_hi", Values<i32>{-1, kMin<i32>}, Values<i32>{1, kMin<i32>}),
              ElementsAre(-1, 1 << 30));
  EXPECT_THAT(apply<u64>("umul_hi", Values<u64>{kMax<u64>}, Values<u64>{kMax<u64>}),
              ElementsAre(kMax<u64> - 1));
  EXPECT_THAT(apply<i64>("smul_hi", Values<i64>{kMin<i64>}, Values<i64>{-1}), ElementsAre(0));
  EXPECT_THAT(apply<u8>("umul_hi", Values<u8>{255}, Values<u8>{255}), ElementsAre(254));
  EXPECT_THAT(apply<i8>("smul_hi", Values<i8>{-128}, Values<i8>{127}), ElementsAre(-64));
}

TEST(Integers, comparisons) {
  const Values<i32> a{-1, 1, 5, kMin<i32>}, b{1, -1, 5, kMax<i32>};
  const auto check = [&](const char* op, bool r0, bool r1, bool r2, bool r3) {
    EXPECT_THAT(apply<Bool>(op, a, b), ElementsAre(Bool(r0), Bool(r1), Bool(r2), Bool(r3))) << op;
  };
  check("ieq", false, false, true, false);
  check("ine", true, true, false, true);
  check("slt", true, false, false, true);
  check("sle", true, false, true, true);
  check("sgt", false, true, false, false);
  check("sge", false, true, true, false);
  check("ult", false, true, false, false);
  check("ule", false, true, true, false);
  check("ugt", true, false, false, true);
  check("uge", true, false, true, true);
  EXPECT_THAT(apply<Bool>("slt", Values<i8>{-128}, Values<i8>{127}), ElementsAre(Bool::True));
  EXPECT_THAT(apply<Bool>("ugt", Values<u64>{1ull << 63}, Values<u64>{1}), ElementsAre(Bool::True));
  EXPECT_THAT(apply<Bool>("slt", Values<Bool>{Bool::True}, Values<Bool>{Bool::False}),
              ElementsAre(Bool::True));
}

TEST(Integers, every_pair_of_bytes) {
  Values<u8> a, b;
  for (int x = 0; x < 256; ++x)
    for (int y = 0; y < 256; ++y) a.push_back(static_cast<u8>(x)), b.push_back(static_cast<u8>(y));
  const auto expect = [&](const char* op, auto reference) {
    const auto results = apply<u8>(op, a, b);
    for (std::size_t i = 0; i < a.size(); ++i)
      ASSERT_EQ(results[i], static_cast<u8>(reference(a[i], b[i])))
          << op << " " << int(a[i]) << " " << int(b[i]);
  };
  expect("add", [](int x, int y) { return x + y; });
  expect("sub", [](int x, int y) { return x - y; });
  expect("mul", [](int x, int y) { return x * y; });
  expect("umul_hi", [](int x, int y) { return x * y / 256; });
  expect("smul_hi", [](int x, int y) { return (i8(x) * i8(y) - u8(x * y)) / 256; });
  expect("smin", [](int x, int y) { return std::min<int>(i8(x), i8(y)); });
  expect("umax", [](int x, int y) { return std::max(x, y); });
}

}  // namespace
}  // namespace spirea::interp::test
