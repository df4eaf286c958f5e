// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/interp/ops/floats.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace spirea::interp {

using kir::Opcode;

std::uint64_t half_bits(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t sign = bits >> 48 & 0x8000;
  if (std::isnan(value)) return sign | 0x7e00 | (bits >> 42 & 0x3ff);
  const double magnitude = std::abs(value);
  if (magnitude >= 65520.0) return sign | 0x7c00;  // halfway from the largest f16 to the next power of two
  // The last place of the result is a power of two: dividing by it leaves an integer to round.
  const int exponent = std::max(std::ilogb(magnitude), -14);
  if (magnitude == 0) return sign;
  const auto digits = static_cast<std::uint64_t>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  // A carry out of the digits lands in the exponent, which is what it should do.
  return sign | ((static_cast<std::uint64_t>(exponent + 14) << 10) + digits);
}

double half_value(std::uint64_t bits) {
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const auto digits = static_cast<double>(bits & 0x3ff);
  if (exponent == 31) {
    if (digits == 0) return sign * std::numeric_limits<double>::infinity();
    return std::bit_cast<double>((bits & 0x8000) << 48 | std::uint64_t{0x7ff} << 52 | (bits & 0x3ff) << 42);
  }
  return exponent == 0 ? sign * std::ldexp(digits, -24) : sign * std::ldexp(1024 + digits, exponent - 25);
}

namespace {

/// In f64, a product of f16s is exact. A sum that is not has a product with its 22 digits far below the last
/// one of c, so that f16 rounds it to c whatever f64 made of it.
double fused(Half, double a, double b, double c) { return a * b + c; }
float fused(Single, float a, float b, float c) { return std::fma(a, b, c); }
double fused(Double, double a, double b, double c) { return std::fma(a, b, c); }

template <class T>
const Instr* fma_op(const Instr* i, Invocation& v) {
  const Slot &a = v.frame[i->a], &b = v.frame[i->b], &c = v.frame[i->c];
  const auto value = fused(T{}, T::decode(a.bits), T::decode(b.bits), T::decode(c.bits));
  const bool undefined = (a.undefined | b.undefined | c.undefined) != 0;
  set_undefined(v.frame[i->result], T::encode(value), undefined ? low_bits(T::bits) : 0,
                a.undefined != 0 ? a.origin : origin_of(b, c));
  return i + 1;
}

enum class SignOp : std::uint8_t { Flip, Clear, Copy };

/// Changes to the sign touch no other bit, of a NaN's either; but devices that flush may do so here.
template <SignOp O, unsigned N, bool Flushes = false>
const Instr* sign_op(const Instr* i, Invocation& v) {
  constexpr std::uint64_t sign = std::uint64_t{1} << (N - 1);
  const Slot &a = v.frame[i->a], &b = v.frame[O == SignOp::Copy ? i->b : i->a];
  const std::uint64_t bits = O == SignOp::Flip    ? a.bits ^ sign
                             : O == SignOp::Clear ? a.bits & ~sign
                                                  : (a.bits & ~sign) | (b.bits & sign);
  set_undefined(v.frame[i->result], Flushes ? FlushedSingle::flushed(bits) : bits,
                (a.undefined | b.undefined) != 0 ? low_bits(N) : 0, origin_of(a, b));
  return i + 1;
}

template <SignOp O>
constexpr ByFloat kSign = {sign_op<O, 16>, sign_op<O, 32>, sign_op<O, 64>, sign_op<O, 32, O != SignOp::Copy>};

constexpr Row<ByFloat> kFloats[] = {
    {Opcode::FAdd, kFloatBinary<[](auto a, auto b) { return a + b; }>},
    {Opcode::FSub, kFloatBinary<[](auto a, auto b) { return a - b; }>},
    {Opcode::FMul, kFloatBinary<[](auto a, auto b) { return a * b; }>},
    {Opcode::FDiv, kFloatBinary<[](auto a, auto b) { return a / b; }>},
    {Opcode::FRem, kFloatBinary<[](auto a, auto b) { return std::fmod(a, b); }>},
    {Opcode::FNeg, kSign<SignOp::Flip>},
    {Opcode::FAbs, kSign<SignOp::Clear>},
    {Opcode::FMin, kFloatBinary<[](auto a, auto b) { return std::fmin(a, b); }>},
    {Opcode::FMax, kFloatBinary<[](auto a, auto b) { return std::fmax(a, b); }>},
    {Opcode::CopySign, kSign<SignOp::Copy>},
    {Opcode::Fma, {fma_op<Half>, fma_op<Single>, fma_op<Double>, fma_op<FlushedSingle>}},
    {Opcode::Sqrt, kFloatUnary<[](auto a) { return std::sqrt(a); }>},
    {Opcode::Floor, kFloatUnary<[](auto a) { return std::floor(a); }>},
    {Opcode::Ceil, kFloatUnary<[](auto a) { return std::ceil(a); }>},
    {Opcode::FTrunc, kFloatUnary<[](auto a) { return std::trunc(a); }>},
    {Opcode::Round, kFloatUnary<[](auto a) { return std::round(a); }>},
    {Opcode::RoundEven, kFloatUnary<[](auto a) { return std::nearbyint(a); }>},
};

template <auto F, class T>
const Instr* test(const Instr* i, Invocation& v) {
  const Slot &a = v.frame[i->a], &b = v.frame[i->b];
  set_undefined(v.frame[i->result], F(T::decode(a.bits), T::decode(b.bits)) ? 1 : 0,
                (a.undefined | b.undefined) != 0 ? 1 : 0, origin_of(a, b));
  return i + 1;
}

/// Tests of one operand have it as `b` too.
template <auto F>
constexpr ByFloat kTest = {test<F, Half>, test<F, Single>, test<F, Double>, test<F, FlushedSingle>};

template <class T>
bool unordered(T a, T b) {
  return std::isnan(a) || std::isnan(b);
}

constexpr Row<ByFloat> kTests[] = {
    {Opcode::FOEq, kTest<[](auto a, auto b) { return a == b; }>},
    {Opcode::FONe, kTest<[](auto a, auto b) { return !unordered(a, b) && a != b; }>},
    {Opcode::FOLt, kTest<[](auto a, auto b) { return a < b; }>},
    {Opcode::FOLe, kTest<[](auto a, auto b) { return a <= b; }>},
    {Opcode::FOGt, kTest<[](auto a, auto b) { return (a > b); }>},
    {Opcode::FOGe, kTest<[](auto a, auto b) { return (a >= b); }>},
    {Opcode::FOrd, kTest<[](auto a, auto b) { return !unordered(a, b); }>},
    {Opcode::FUno, kTest<[](auto a, auto b) { return unordered(a, b); }>},
    {Opcode::FUEq, kTest<[](auto a, auto b) { return unordered(a, b) || a == b; }>},
    {Opcode::FUNe, kTest<[](auto a, auto b) { return a != b; }>},
    {Opcode::FULt, kTest<[](auto a, auto b) { return !(a >= b); }>},
    {Opcode::FULe, kTest<[](auto a, auto b) { return !(a > b); }>},
    {Opcode::FUGt, kTest<[](auto a, auto b) { return !(a <= b); }>},
    {Opcode::FUGe, kTest<[](auto a, auto b) { return !(a < b); }>},
    {Opcode::IsNan, kTest<[](auto a, auto) { return std::isnan(a); }>},
    {Opcode::IsInf, kTest<[](auto a, auto) { return std::isinf(a); }>},
};

}  // namespace

Handler float_handler(const kir::Op& op, Subnormals subnormals) {
  return find(kFloats, op.opcode(), float_index(op.operand(0)->type().bits(), subnormals));
}

Handler float_test_handler(const kir::Op& op, Subnormals subnormals) {
  return find(kTests, op.opcode(), float_index(op.operand(0)->type().bits(), subnormals));
}

}  // namespace spirea::interp
