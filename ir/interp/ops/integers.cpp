// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <bit>

#include "ir/interp/ops/handlers.h"

namespace spirea::interp {
namespace {

using kir::Opcode;
using u64 = std::uint64_t;
using i64 = std::int64_t;

/// The width of an op as a type, which a function can compute with.
template <unsigned N>
struct Width {
  static constexpr unsigned bits = N;
  static constexpr u64 mask = low_bits(N);
  static i64 sign(u64 value) { return sign_extend(value, N); }
};

/// Which bits of a result are undefined if some of the operands' are.
enum class Spread : std::uint8_t {
  All,     ///< every one
  Upward,  ///< those from the lowest undefined bit on: carries go up
  And,     ///< not where the other operand has a zero
  Or,      ///< not where the other operand has a one
  Xor,     ///< the same ones
};

u64 spread(Spread kind, const Slot& a, const Slot& b) {
  const u64 either = a.undefined | b.undefined;
  switch (kind) {
    case Spread::All: return ~u64{0};
    case Spread::Upward: return ~u64{0} << std::countr_zero(either);
    case Spread::And: return either & (a.bits | a.undefined) & (b.bits | b.undefined);
    case Spread::Or: return either & (~a.bits | a.undefined) & (~b.bits | b.undefined);
    case Spread::Xor: return either;
  }
  return ~u64{0};
}

template <auto F, Spread S, unsigned N>
const Instr* binary(const Instr* i, Invocation& v) {
  const Slot &a = v.frame[i->a], &b = v.frame[i->b];
  Slot& result = v.frame[i->result];
  set(result, F(Width<N>{}, a.bits, b.bits) & low_bits(N));
  if ((a.undefined | b.undefined) != 0) [[unlikely]] {
    result.undefined = spread(S, a, b) & low_bits(N);
    result.origin = origin_of(a, b);
  }
  return i + 1;
}

template <auto F, unsigned N>
const Instr* shift(const Instr* i, Invocation& v) {
  const Slot &a = v.frame[i->a], &b = v.frame[i->b];
  Slot& result = v.frame[i->result];
  if (b.undefined != 0) [[unlikely]]
    set_undefined(result, a.bits, low_bits(N), b.origin);
  else if (b.bits >= N) [[unlikely]]
    set_undefined(result, a.bits, low_bits(N), i->op);
  else {
    // The undefined bits move with the others; an arithmetic shift copies an undefined sign as well.
    const unsigned amount = static_cast<unsigned>(b.bits);
    set_undefined(result, F(Width<N>{}, a.bits, amount) & low_bits(N),
                  F(Width<N>{}, a.undefined, amount) & low_bits(N), a.origin);
  }
  return i + 1;
}

/// Division is the one family whose undefined cases are errors at once.
template <auto F, bool Signed, unsigned N>
const Instr* divide(const Instr* i, Invocation& v) {
  const Slot &a = v.frame[i->a], &b = v.frame[i->b];
  if (b.undefined != 0) [[unlikely]]
    return undefined_fault(i, v, b, "divisor");
  if (b.bits == 0) [[unlikely]]
    return fault(i, v, "division by zero");
  constexpr u64 minimum = u64{1} << (N - 1);
  if (Signed && a.undefined == 0 && a.bits == minimum && b.bits == low_bits(N)) [[unlikely]]
    return fault(i, v, "division overflows: the minimum of the type by -1");
  Slot& result = v.frame[i->result];
  if (a.undefined != 0) [[unlikely]]
    set_undefined(result, 0, low_bits(N), a.origin);
  else
    set(result, F(Width<N>{}, a.bits, b.bits) & low_bits(N));
  return i + 1;
}

template <auto F, unsigned N>
const Instr* unary(const Instr* i, Invocation& v) {
  const Slot& a = v.frame[i->a];
  set_undefined(v.frame[i->result], F(Width<N>{}, a.bits) & low_bits(N), a.undefined != 0 ? low_bits(N) : 0,
                a.origin);
  return i + 1;
}

/// Bits change their places and nothing else.
template <auto F, unsigned N>
const Instr* permute(const Instr* i, Invocation& v) {
  const Slot& a = v.frame[i->a];
  set_undefined(v.frame[i->result], F(Width<N>{}, a.bits), F(Width<N>{}, a.undefined), a.origin);
  return i + 1;
}

template <auto F, unsigned N>
const Instr* compare(const Instr* i, Invocation& v) {
  const Slot &a = v.frame[i->a], &b = v.frame[i->b];
  Slot& result = v.frame[i->result];
  set(result, F(Width<N>{}, a.bits, b.bits) ? 1 : 0);
  if ((a.undefined | b.undefined) != 0) [[unlikely]]
    set_undefined(result, result.bits, 1, origin_of(a, b));
  return i + 1;
}

/// Values that differ in a defined bit are different, whatever the others are.
template <bool Equal>
const Instr* compare_equal(const Instr* i, Invocation& v) {
  const Slot &a = v.frame[i->a], &b = v.frame[i->b];
  Slot& result = v.frame[i->result];
  set(result, (a.bits == b.bits) == Equal ? 1 : 0);
  const u64 undefined = a.undefined | b.undefined;
  if (undefined == 0) [[likely]]
    return i + 1;
  if (((a.bits ^ b.bits) & ~undefined) != 0)
    set(result, Equal ? 0 : 1);
  else
    set_undefined(result, result.bits, 1, origin_of(a, b));
  return i + 1;
}

template <auto F, Spread S>
constexpr ByWidth kBinary = {binary<F, S, 1>, binary<F, S, 8>, binary<F, S, 16>, binary<F, S, 32>,
                             binary<F, S, 64>};
template <auto F>
constexpr ByWidth kShift = {shift<F, 1>, shift<F, 8>, shift<F, 16>, shift<F, 32>, shift<F, 64>};
template <auto F, bool Signed>
constexpr ByWidth kDivide = {divide<F, Signed, 1>, divide<F, Signed, 8>, divide<F, Signed, 16>,
                             divide<F, Signed, 32>, divide<F, Signed, 64>};
template <auto F>
constexpr ByWidth kUnary = {unary<F, 1>, unary<F, 8>, unary<F, 16>, unary<F, 32>, unary<F, 64>};
template <auto F>
constexpr ByWidth kPermute = {permute<F, 1>, permute<F, 8>, permute<F, 16>, permute<F, 32>, permute<F, 64>};
template <auto F>
constexpr ByWidth kCompare = {compare<F, 1>, compare<F, 8>, compare<F, 16>, compare<F, 32>, compare<F, 64>};

constexpr auto umul_hi = []<unsigned N>(Width<N>, u64 a, u64 b) {
  return static_cast<u64>(static_cast<unsigned __int128>(a) * b >> N);
};
constexpr auto smul_hi = []<unsigned N>(Width<N> w, u64 a, u64 b) {
  return static_cast<u64>(static_cast<__int128>(w.sign(a)) * w.sign(b) >> N);
};
constexpr auto reverse_bits = []<unsigned N>(Width<N>, u64 a) {
  u64 result = 0;
  for (unsigned bit = 0; bit < N; ++bit) result |= (a >> bit & 1) << (N - 1 - bit);
  return result;
};
constexpr auto swap_bytes = []<unsigned N>(Width<N>, u64 a) { return __builtin_bswap64(a) >> (64 - N) % 64; };
constexpr auto srem = [](auto w, u64 a, u64 b) {
  return w.sign(b) == -1 ? 0 : static_cast<u64>(w.sign(a) % w.sign(b));
};

constexpr Row<ByWidth> kIntegers[] = {
    {Opcode::Add, kBinary<[](auto, u64 a, u64 b) { return a + b; }, Spread::Upward>},
    {Opcode::Sub, kBinary<[](auto, u64 a, u64 b) { return a - b; }, Spread::Upward>},
    {Opcode::Mul, kBinary<[](auto, u64 a, u64 b) { return a * b; }, Spread::Upward>},
    {Opcode::UDiv, kDivide<[](auto, u64 a, u64 b) { return a / b; }, false>},
    {Opcode::SDiv,
     kDivide<[](auto w, u64 a, u64 b) { return static_cast<u64>(w.sign(a) / w.sign(b)); }, true>},
    {Opcode::URem, kDivide<[](auto, u64 a, u64 b) { return a % b; }, false>},
    {Opcode::SRem, kDivide<srem, true>},
    {Opcode::And, kBinary<[](auto, u64 a, u64 b) { return a & b; }, Spread::And>},
    {Opcode::Or, kBinary<[](auto, u64 a, u64 b) { return a | b; }, Spread::Or>},
    {Opcode::Xor, kBinary<[](auto, u64 a, u64 b) { return a ^ b; }, Spread::Xor>},
    {Opcode::Shl, kShift<[](auto, u64 a, unsigned n) { return a << n; }>},
    {Opcode::LShr, kShift<[](auto, u64 a, unsigned n) { return (a >> n); }>},
    {Opcode::AShr, kShift<[](auto w, u64 a, unsigned n) { return static_cast<u64>((w.sign(a) >> n)); }>},
    {Opcode::SMin, kBinary<[](auto w, u64 a, u64 b) { return w.sign(a) < w.sign(b) ? a : b; }, Spread::All>},
    {Opcode::SMax, kBinary<[](auto w, u64 a, u64 b) { return w.sign(b) < w.sign(a) ? a : b; }, Spread::All>},
    {Opcode::UMin, kBinary<[](auto, u64 a, u64 b) { return a < b ? a : b; }, Spread::All>},
    {Opcode::UMax, kBinary<[](auto, u64 a, u64 b) { return b < a ? a : b; }, Spread::All>},
    {Opcode::UMulHi, kBinary<umul_hi, Spread::All>},
    {Opcode::SMulHi, kBinary<smul_hi, Spread::All>},
    {Opcode::IAbs, kUnary<[](auto w, u64 a) { return w.sign(a) < 0 ? -a : a; }>},
    {Opcode::Clz, kUnary<[](auto w, u64 a) -> u64 { return std::countl_zero(a) - (64 - w.bits); }>},
    {Opcode::Ctz, kUnary<[](auto w, u64 a) -> u64 { return a == 0 ? w.bits : std::countr_zero(a); }>},
    {Opcode::Popcount, kUnary<[](auto, u64 a) -> u64 { return std::popcount(a); }>},
    {Opcode::BitReverse, kPermute<reverse_bits>},
    {Opcode::ByteSwap, kPermute<swap_bytes>},
};

constexpr ByWidth all_widths(Handler handler) { return {handler, handler, handler, handler, handler}; }

constexpr Row<ByWidth> kComparisons[] = {
    {Opcode::IEq, all_widths(compare_equal<true>)},
    {Opcode::INe, all_widths(compare_equal<false>)},
    {Opcode::ULt, kCompare<[](auto, u64 a, u64 b) { return a < b; }>},
    {Opcode::ULe, kCompare<[](auto, u64 a, u64 b) { return a <= b; }>},
    {Opcode::UGt, kCompare<[](auto, u64 a, u64 b) { return (a > b); }>},
    {Opcode::UGe, kCompare<[](auto, u64 a, u64 b) { return (a >= b); }>},
    {Opcode::SLt, kCompare<[](auto w, u64 a, u64 b) { return w.sign(a) < w.sign(b); }>},
    {Opcode::SLe, kCompare<[](auto w, u64 a, u64 b) { return w.sign(a) <= w.sign(b); }>},
    {Opcode::SGt, kCompare<[](auto w, u64 a, u64 b) { return (w.sign(a) > w.sign(b)); }>},
    {Opcode::SGe, kCompare<[](auto w, u64 a, u64 b) { return (w.sign(a) >= w.sign(b)); }>},
};

}  // namespace

Handler integer_handler(const kir::Op& op) {
  return find(kIntegers, op.opcode(), width_index(op.operand(0)->type().bits()));
}

Handler comparison_handler(const kir::Op& op) {
  return find(kComparisons, op.opcode(), width_index(op.operand(0)->type().bits()));
}

}  // namespace spirea::interp
