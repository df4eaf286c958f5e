// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/transform/fold.h"

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "ir/core/builder.h"
#include "tests/ir/support.h"

namespace spirea::kir::test {
namespace {

using Bits = std::optional<std::uint64_t>;

/// Folds an op with these operands of one type.
Bits fold_op(Opcode opcode, Type operand, Type result, std::vector<std::uint64_t> bits) {
  Region region(nullptr);
  Builder b(region);
  std::vector<Value*> operands;
  for (const std::uint64_t x : bits) operands.push_back(b.constant(operand, x));
  const Attr attr = info(opcode).attr == AttrKind::Fast ? Attr(FastAttr{}) : Attr();
  return fold(*b.create(opcode, operands, std::array{result}, attr), bits);
}

// ---- integers: compared with what C++ computes in the type itself

template <class U>
using Signed = std::make_signed_t<U>;

template <class U>
struct IntCase {
  Opcode opcode;
  bool compares;
  Bits (*expected)(U a, U b);
};

template <class U>
constexpr unsigned kBits = std::numeric_limits<U>::digits;

template <class U>
Bits as_bits(U value) {
  return static_cast<std::uint64_t>(value);
}
template <class U>
bool divides(U a, U b) {
  return b != 0 && !(static_cast<Signed<U>>(b) == -1 && a == U(U{1} << (kBits<U> - 1)));
}

template <class U>
constexpr IntCase<U> kIntCases[] = {
    {Opcode::Add, false, [](U a, U b) { return as_bits<U>(U(a + b)); }},
    {Opcode::Sub, false, [](U a, U b) { return as_bits<U>(U(a - b)); }},
    {Opcode::Mul, false, [](U a, U b) { return as_bits<U>(U(std::uint64_t{a} * b)); }},
    {Opcode::UDiv, false, [](U a, U b) { return b == 0 ? Bits() : as_bits<U>(U(a / b)); }},
    {Opcode::URem, false, [](U a, U b) { return b == 0 ? Bits() : as_bits<U>(U(a % b)); }},
    {Opcode::SDiv, false,
     [](U a, U b) { return divides(a, b) ? as_bits<U>(U(Signed<U>(a) / Signed<U>(b))) : Bits(); }},
    {Opcode::SRem, false,
     [](U a, U b) { return divides(a, b) ? as_bits<U>(U(Signed<U>(a) % Signed<U>(b))) : Bits(); }},
    {Opcode::And, false, [](U a, U b) { return as_bits<U>(U(a & b)); }},
    {Opcode::Or, false, [](U a, U b) { return as_bits<U>(U(a | b)); }},
    {Opcode::Xor, false, [](U a, U b) { return as_bits<U>(U(a ^ b)); }},
    {Opcode::Shl, false,
     [](U a, U b) { return b < kBits<U> ? as_bits<U>(U(std::uint64_t{a} << b)) : Bits(); }},
    {Opcode::LShr, false, [](U a, U b) { return b < kBits<U> ? as_bits<U>(U(a >> b)) : Bits(); }},
    {Opcode::AShr, false, [](U a, U b) { return b < kBits<U> ? as_bits<U>(U(Signed<U>(a) >> b)) : Bits(); }},
    {Opcode::SMin, false, [](U a, U b) { return as_bits<U>(Signed<U>(a) < Signed<U>(b) ? a : b); }},
    {Opcode::SMax, false, [](U a, U b) { return as_bits<U>(Signed<U>(a) < Signed<U>(b) ? b : a); }},
    {Opcode::UMin, false, [](U a, U b) { return as_bits<U>(a < b ? a : b); }},
    {Opcode::UMax, false, [](U a, U b) { return as_bits<U>(a < b ? b : a); }},
    {Opcode::IEq, true, [](U a, U b) -> Bits { return a == b; }},
    {Opcode::INe, true, [](U a, U b) -> Bits { return a != b; }},
    {Opcode::ULt, true, [](U a, U b) -> Bits { return a < b; }},
    {Opcode::ULe, true, [](U a, U b) -> Bits { return a <= b; }},
    {Opcode::UGt, true, [](U a, U b) -> Bits { return a > b; }},
    {Opcode::UGe, true, [](U a, U b) -> Bits { return a >= b; }},
    {Opcode::SLt, true, [](U a, U b) -> Bits { return Signed<U>(a) < Signed<U>(b); }},
    {Opcode::SLe, true, [](U a, U b) -> Bits { return Signed<U>(a) <= Signed<U>(b); }},
    {Opcode::SGt, true, [](U a, U b) -> Bits { return Signed<U>(a) > Signed<U>(b); }},
    {Opcode::SGe, true, [](U a, U b) -> Bits { return Signed<U>(a) >= Signed<U>(b); }},
};

template <class U>
void check_integers(const std::vector<U>& values) {
  const Type type = Type::integer(kBits<U>);
  for (const IntCase<U>& c : kIntCases<U>)
    for (const U a : values)
      for (const U b : values)
        ASSERT_EQ(fold_op(c.opcode, type, c.compares ? Type::i1() : type, {a, b}), c.expected(a, b))
            << info(c.opcode).name << " i" << kBits<U> << " " << +a << ", " << +b;
}

template <class U>
std::vector<U> interesting_values() {
  std::vector<U> values{
      0, 1, 2, 3, 7, kBits<U> - 1, kBits<U>, U(~U{0}), U(~U{1}), U(U{1} << (kBits<U> - 1)), U(~U{0} >> 1)};
  std::mt19937_64 random(7);
  for (int i = 0; i < 8; ++i) values.push_back(static_cast<U>(random()));
  return values;
}

TEST(Fold, IntegersAsInCpp) {
  check_integers<std::uint8_t>(interesting_values<std::uint8_t>());
  check_integers<std::uint16_t>(interesting_values<std::uint16_t>());
  check_integers<std::uint32_t>(interesting_values<std::uint32_t>());
  check_integers<std::uint64_t>(interesting_values<std::uint64_t>());
}

struct Known {
  Opcode opcode;
  Type operand;
  Type result;
  std::vector<std::uint64_t> bits;
  Bits expected;
};

void check(const std::vector<Known>& cases) {
  for (const Known& c : cases) {
    std::string what(info(c.opcode).name);
    for (const std::uint64_t x : c.bits) what += " " + std::to_string(x);
    EXPECT_EQ(fold_op(c.opcode, c.operand, c.result, c.bits), c.expected) << what;
  }
}

TEST(Fold, IntegersByKnownAnswers) {
  const Type i1 = Type::i1(), i8 = Type::i8(), i16 = Type::i16(), i32 = Type::i32(), i64 = Type::i64();
  check({
      {Opcode::Add, i1, i1, {1, 1}, 0},
      {Opcode::Mul, i1, i1, {1, 1}, 1},
      {Opcode::SDiv, i1, i1, {1, 1}, {}},  // -1 / -1 is 1, which i1 has not
      {Opcode::SLt, i1, i1, {1, 0}, 1},
      {Opcode::UMulHi, i8, i8, {255, 255}, 254},
      {Opcode::SMulHi, i8, i8, {255, 255}, 0},
      {Opcode::SMulHi, i8, i8, {128, 127}, 0xc0},
      {Opcode::UMulHi, i64, i64, {~0ull, ~0ull}, ~0ull - 1},
      {Opcode::SMulHi, i64, i64, {~0ull, 1}, ~0ull},
      {Opcode::IAbs, i32, i32, {0xffffffff}, 1},
      {Opcode::IAbs, i32, i32, {0x80000000}, 0x80000000},
      {Opcode::Clz, i8, i8, {0}, 8},
      {Opcode::Clz, i16, i16, {1}, 15},
      {Opcode::Clz, i64, i64, {0}, 64},
      {Opcode::Ctz, i8, i8, {0}, 8},
      {Opcode::Ctz, i32, i32, {0x50}, 4},
      {Opcode::Ctz, i64, i64, {0}, 64},
      {Opcode::Popcount, i64, i64, {~0ull}, 64},
      {Opcode::BitReverse, i8, i8, {0x12}, 0x48},
      {Opcode::ByteSwap, i32, i32, {0x12345678}, 0x78563412},
      {Opcode::ByteSwap, i16, i16, {0x1234}, 0x3412},
      {Opcode::Trunc, i32, i8, {0x1ff}, 0xff},
      {Opcode::ZExt, i8, i32, {0xff}, 0xff},
      {Opcode::SExt, i8, i32, {0xff}, 0xffffffff},
      {Opcode::SExt, i1, i64, {1}, ~0ull},
      {Opcode::Freeze, i32, i32, {9}, 9},
      {Opcode::PtrToInt, Type::ptr(Space::Global), i64, {0}, {}},
  });
}

// ---- floats

std::uint64_t f(float x) { return std::bit_cast<std::uint32_t>(x); }
std::uint64_t d(double x) { return std::bit_cast<std::uint64_t>(x); }

TEST(Fold, Floats) {
  const Type f16 = Type::f16(), f32 = Type::f32(), f64 = Type::f64();
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  check({
      {Opcode::FAdd, f32, f32, {f(1), f(2)}, f(3)},
      {Opcode::FAdd, f32, f32, {f(16777216), f(1)}, f(16777216)},  // halves to even
      {Opcode::FAdd, f64, f64, {d(16777216), d(1)}, d(16777217)},
      {Opcode::FSub, f32, f32, {f(inf), f(inf)}, {}},
      {Opcode::FMul, f32, f32, {f(-0.0f), f(2)}, f(-0.0f)},
      {Opcode::FDiv, f32, f32, {f(1), f(0)}, f(inf)},
      {Opcode::FRem, f32, f32, {f(-5.5f), f(2)}, f(-1.5f)},
      {Opcode::FNeg, f32, f32, {f(0)}, f(-0.0f)},
      {Opcode::FNeg, f16, f16, {0x3c00}, 0xbc00},
      {Opcode::FAdd, f16, f16, {0x3c00, 0x3c00}, {}},
      {Opcode::CopySign, f64, f64, {d(2), d(-0.0)}, d(-2)},
      {Opcode::FMin, f32, f32, {f(nan), f(2)}, f(2)},
      {Opcode::FMin, f32, f32, {f(0), f(-0.0f)}, {}},
      {Opcode::FMax, f32, f32, {f(0), f(0)}, f(0)},
      {Opcode::FMax, f32, f32, {f(nan), f(nan)}, {}},
      {Opcode::Fma,
       f32,
       f32,
       {f(16777217), f(16777217), f(-281474976710656.0f)},
       f(std::fma(16777217.0f, 16777217.0f, -281474976710656.0f))},
      {Opcode::Sqrt, f32, f32, {f(2)}, f(std::sqrt(2.0f))},
      {Opcode::Sqrt, f32, f32, {f(-1)}, {}},
      {Opcode::Floor, f32, f32, {f(-1.5f)}, f(-2)},
      {Opcode::Ceil, f32, f32, {f(-0.5f)}, f(-0.0f)},
      {Opcode::FTrunc, f32, f32, {f(-1.5f)}, f(-1)},
      {Opcode::Round, f32, f32, {f(2.5f)}, f(3)},
      {Opcode::RoundEven, f32, f32, {f(2.5f)}, f(2)},
      {Opcode::Sin, f32, f32, {f(0)}, {}},
      {Opcode::FOEq, f32, Type::i1(), {f(0), f(-0.0f)}, 1},
      {Opcode::FONe, f32, Type::i1(), {f(nan), f(1)}, 0},
      {Opcode::FUNe, f32, Type::i1(), {f(nan), f(1)}, 1},
      {Opcode::FULt, f32, Type::i1(), {f(2), f(1)}, 0},
      {Opcode::FUGe, f32, Type::i1(), {f(nan), f(1)}, 1},
      {Opcode::FOrd, f64, Type::i1(), {d(1), d(2)}, 1},
      {Opcode::FUno, f32, Type::i1(), {f(nan), f(2)}, 1},
      {Opcode::IsNan, f32, Type::i1(), {f(nan)}, 1},
      {Opcode::IsInf, f32, Type::i1(), {f(-inf)}, 1},
  });
}

TEST(Fold, Conversions) {
  const Type i8 = Type::i8(), i32 = Type::i32(), i64 = Type::i64(), f32 = Type::f32(), f64 = Type::f64();
  check({
      {Opcode::FpToSi, f32, i32, {f(-1.9f)}, 0xffffffff},
      {Opcode::FpToSi, f32, i32, {f(-2147483648.0f)}, 0x80000000},
      {Opcode::FpToSi, f32, i32, {f(2147483648.0f)}, {}},
      {Opcode::FpToSi, f64, i8, {d(127.9)}, 127},
      {Opcode::FpToSi, f64, i8, {d(-128.9)}, 0x80},
      {Opcode::FpToSi, f64, i8, {d(-129)}, {}},
      {Opcode::FpToSi, f32, i32, {f(std::numeric_limits<float>::quiet_NaN())}, {}},
      {Opcode::FpToUi, f32, i32, {f(4294967040.0f)}, 4294967040u},
      {Opcode::FpToUi, f32, i32, {f(-0.9f)}, 0},
      {Opcode::FpToUi, f32, i32, {f(-1)}, {}},
      {Opcode::FpToUi, f64, i64, {d(18446744073709551616.0)}, {}},
      {Opcode::FpToUi, f64, i64, {d(9223372036854775808.0)}, 9223372036854775808ull},
      {Opcode::SiToFp, i8, f32, {0xff}, f(-1)},
      {Opcode::UiToFp, i8, f32, {0xff}, f(255)},
      {Opcode::UiToFp, i64, f32, {0x8000008000000001}, f(9223373136366403584.0f)},  // once, not by way of f64
      {Opcode::SiToFp, i64, f64, {~0ull}, d(-1)},
      {Opcode::SiToFp, i32, Type::f16(), {1}, {}},
      {Opcode::FpTrunc, f64, f32, {d(0.1)}, f(0.1f)},
      {Opcode::FpExt, f32, f64, {f(0.1f)}, d(0.1f)},
      {Opcode::Bitcast, i32, f32, {0x3f800000}, f(1)},
      {Opcode::Bitcast, f64, i64, {d(1)}, 0x3ff0000000000000},
  });
}

}  // namespace
}  // namespace spirea::kir::test
