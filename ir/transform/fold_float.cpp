// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folding of ops whose operands are floats: those that IEEE 754 defines to the last bit, in f32 and f64. Each
// is one C++ operation, so that the host's compiler has nothing to contract.
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "ir/transform/fold.h"

namespace spirea::kir {
namespace {

using Bits = std::optional<std::uint64_t>;

template <class F>
using BitsOf = std::conditional_t<sizeof(F) == 4, std::uint32_t, std::uint64_t>;

template <class F>
F from_bits(std::uint64_t bits) {
  return std::bit_cast<F>(static_cast<BitsOf<F>>(bits));
}
template <class F>
std::uint64_t to_bits(F value) {
  return std::bit_cast<BitsOf<F>>(value);
}

template <class F>
struct Args {
  F a, b, c;
};

template <class F>
struct Row {
  Opcode opcode;
  F (*fold)(const Args<F>&);
};

template <class F>
constexpr F kNan = std::numeric_limits<F>::quiet_NaN();

/// fmin and fmax leave open which zero they return; a NaN says that the result is not known.
template <class F>
bool are_different_zeros(const Args<F>& x) {
  return x.a == 0 && x.b == 0 && std::signbit(x.a) != std::signbit(x.b);
}

template <class F>
constexpr Row<F> kArithmetic[] = {
    {Opcode::FAdd, [](const Args<F>& x) -> F { return x.a + x.b; }},
    {Opcode::FSub, [](const Args<F>& x) -> F { return x.a - x.b; }},
    {Opcode::FMul, [](const Args<F>& x) -> F { return x.a * x.b; }},
    {Opcode::FDiv, [](const Args<F>& x) -> F { return x.a / x.b; }},
    {Opcode::FRem, [](const Args<F>& x) -> F { return std::fmod(x.a, x.b); }},
    {Opcode::FMin,
     [](const Args<F>& x) -> F { return are_different_zeros(x) ? kNan<F> : std::fmin(x.a, x.b); }},
    {Opcode::FMax,
     [](const Args<F>& x) -> F { return are_different_zeros(x) ? kNan<F> : std::fmax(x.a, x.b); }},
    {Opcode::Fma, [](const Args<F>& x) -> F { return std::fma(x.a, x.b, x.c); }},
    {Opcode::Sqrt, [](const Args<F>& x) -> F { return std::sqrt(x.a); }},
    {Opcode::Floor, [](const Args<F>& x) -> F { return std::floor(x.a); }},
    {Opcode::Ceil, [](const Args<F>& x) -> F { return std::ceil(x.a); }},
    {Opcode::FTrunc, [](const Args<F>& x) -> F { return std::trunc(x.a); }},
    {Opcode::Round, [](const Args<F>& x) -> F { return std::round(x.a); }},
    {Opcode::RoundEven, [](const Args<F>& x) -> F { return std::nearbyint(x.a); }},
};

template <class F>
struct TestRow {
  Opcode opcode;
  bool (*test)(const Args<F>&);
};

template <class F>
bool unordered(const Args<F>& x) {
  return std::isnan(x.a) || std::isnan(x.b);
}

template <class F>
constexpr TestRow<F> kTests[] = {
    {Opcode::FOEq, [](const Args<F>& x) { return x.a == x.b; }},
    {Opcode::FONe, [](const Args<F>& x) { return !unordered(x) && x.a != x.b; }},
    {Opcode::FOLt, [](const Args<F>& x) { return x.a < x.b; }},
    {Opcode::FOLe, [](const Args<F>& x) { return x.a <= x.b; }},
    {Opcode::FOGt, [](const Args<F>& x) { return x.a > x.b; }},
    {Opcode::FOGe, [](const Args<F>& x) { return x.a >= x.b; }},
    {Opcode::FOrd, [](const Args<F>& x) { return !unordered(x); }},
    {Opcode::FUno, [](const Args<F>& x) { return unordered(x); }},
    {Opcode::FUEq, [](const Args<F>& x) { return unordered(x) || x.a == x.b; }},
    {Opcode::FUNe, [](const Args<F>& x) { return unordered(x) || x.a != x.b; }},
    {Opcode::FULt, [](const Args<F>& x) { return unordered(x) || x.a < x.b; }},
    {Opcode::FULe, [](const Args<F>& x) { return unordered(x) || x.a <= x.b; }},
    {Opcode::FUGt, [](const Args<F>& x) { return unordered(x) || x.a > x.b; }},
    {Opcode::FUGe, [](const Args<F>& x) { return unordered(x) || x.a >= x.b; }},
    {Opcode::IsNan, [](const Args<F>& x) { return std::isnan(x.a); }},
    {Opcode::IsInf, [](const Args<F>& x) { return std::isinf(x.a); }},
};

template <class Rows>
auto find(const Rows& rows, Opcode opcode) -> decltype(&rows[0]) {
  for (const auto& row : rows)
    if (row.opcode == opcode) return &row;
  return nullptr;
}

/// Ops that only move or change the sign bit: exact in every format, for NaNs too.
Bits fold_sign(const Op& op, std::span<const std::uint64_t> x, unsigned bits) {
  const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
  if (op.is(Opcode::FNeg)) return x[0] ^ sign;
  if (op.is(Opcode::FAbs)) return x[0] & ~sign;
  if (op.is(Opcode::CopySign)) return (x[0] & ~sign) | (x[1] & sign);
  if (op.is(Opcode::Bitcast)) return x[0];
  return std::nullopt;
}

/// The integral part, where it is in range of the integer.
template <class F>
Bits fold_to_int(const Op& op, F value) {
  const bool is_signed = op.is(Opcode::FpToSi);
  const int bits = static_cast<int>(op.result()->type().bits()) - (is_signed ? 1 : 0);
  const F whole = std::trunc(value);
  const F limit = std::ldexp(F{1}, bits);
  if (!(whole < limit) || !(whole >= (is_signed ? -limit : F{0}))) return std::nullopt;
  if (is_signed) return static_cast<std::uint64_t>(static_cast<std::int64_t>(whole));
  return static_cast<std::uint64_t>(whole);
}

template <class F>
Bits fold_resize(const Op& op, F value) {
  if (std::isnan(value)) return std::nullopt;
  if (op.result()->type() == Type::f32()) return to_bits(static_cast<float>(value));
  if (op.result()->type() == Type::f64()) return to_bits(static_cast<double>(value));
  return std::nullopt;
}

template <class F>
Bits fold_as(const Op& op, std::span<const std::uint64_t> x) {
  const auto operand = [&](std::size_t i) { return i < x.size() ? from_bits<F>(x[i]) : F{0}; };
  const Args<F> args{operand(0), operand(1), operand(2)};
  if (const auto* row = find(kArithmetic<F>, op.opcode())) {
    const F result = row->fold(args);
    return std::isnan(result) ? Bits() : to_bits(result);
  }
  if (const auto* row = find(kTests<F>, op.opcode())) return row->test(args) ? 1 : 0;
  if (op.is(Opcode::FpToSi) || op.is(Opcode::FpToUi)) return fold_to_int(op, args.a);
  if (op.is(Opcode::FpTrunc) || op.is(Opcode::FpExt)) return fold_resize(op, args.a);
  return std::nullopt;
}

}  // namespace

Bits fold_float(const Op& op, std::span<const std::uint64_t> operands) {
  const Type type = op.operand(0)->type();
  if (const Bits result = fold_sign(op, operands, type.bits())) return result;
  if (type == Type::f32()) return fold_as<float>(op, operands);
  if (type == Type::f64()) return fold_as<double>(op, operands);
  return std::nullopt;
}

}  // namespace spirea::kir
