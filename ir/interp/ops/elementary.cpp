// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementary functions: the C library's, in the precision of the operands.
#include <cmath>
#include <math.h>

#include "ir/interp/ops/floats.h"

namespace spirea::interp {
namespace {

using kir::Opcode;

float ten_to(float x) { return ::exp10f(x); }
double ten_to(double x) { return ::exp10(x); }

// The reentrant forms: lgamma() writes a global variable.
float log_gamma(float x) {
  int sign = 0;
  return ::lgammaf_r(x, &sign);
}
double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

constexpr Row<ByFloat> kElementary[] = {
    {Opcode::Sin, kFloatUnary<[](auto x) { return std::sin(x); }>},
    {Opcode::Cos, kFloatUnary<[](auto x) { return std::cos(x); }>},
    {Opcode::Tan, kFloatUnary<[](auto x) { return std::tan(x); }>},
    {Opcode::Asin, kFloatUnary<[](auto x) { return std::asin(x); }>},
    {Opcode::Acos, kFloatUnary<[](auto x) { return std::acos(x); }>},
    {Opcode::Atan, kFloatUnary<[](auto x) { return std::atan(x); }>},
    {Opcode::Atan2, kFloatBinary<[](auto y, auto x) { return std::atan2(y, x); }>},
    {Opcode::Sinh, kFloatUnary<[](auto x) { return std::sinh(x); }>},
    {Opcode::Cosh, kFloatUnary<[](auto x) { return std::cosh(x); }>},
    {Opcode::Tanh, kFloatUnary<[](auto x) { return std::tanh(x); }>},
    {Opcode::Asinh, kFloatUnary<[](auto x) { return std::asinh(x); }>},
    {Opcode::Acosh, kFloatUnary<[](auto x) { return std::acosh(x); }>},
    {Opcode::Atanh, kFloatUnary<[](auto x) { return std::atanh(x); }>},
    {Opcode::Exp, kFloatUnary<[](auto x) { return std::exp(x); }>},
    {Opcode::Exp2, kFloatUnary<[](auto x) { return std::exp2(x); }>},
    {Opcode::Exp10, kFloatUnary<[](auto x) { return ten_to(x); }>},
    {Opcode::Expm1, kFloatUnary<[](auto x) { return std::expm1(x); }>},
    {Opcode::Log, kFloatUnary<[](auto x) { return std::log(x); }>},
    {Opcode::Log2, kFloatUnary<[](auto x) { return std::log2(x); }>},
    {Opcode::Log10, kFloatUnary<[](auto x) { return std::log10(x); }>},
    {Opcode::Log1p, kFloatUnary<[](auto x) { return std::log1p(x); }>},
    {Opcode::Pow, kFloatBinary<[](auto x, auto y) { return std::pow(x, y); }>},
    {Opcode::Cbrt, kFloatUnary<[](auto x) { return std::cbrt(x); }>},
    {Opcode::Hypot, kFloatBinary<[](auto x, auto y) { return std::hypot(x, y); }>},
    {Opcode::Erf, kFloatUnary<[](auto x) { return std::erf(x); }>},
    {Opcode::Erfc, kFloatUnary<[](auto x) { return std::erfc(x); }>},
    {Opcode::Tgamma, kFloatUnary<[](auto x) { return std::tgamma(x); }>},
    {Opcode::Lgamma, kFloatUnary<[](auto x) { return log_gamma(x); }>},
};

}  // namespace

Handler elementary_handler(const kir::Op& op, Subnormals subnormals) {
  return find(kElementary, op.opcode(), float_index(op.operand(0)->type().bits(), subnormals));
}

}  // namespace spirea::interp
