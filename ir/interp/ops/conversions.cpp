// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions. An instruction's immediate is the operand's width in bits, its displacement the result's.
#include <cmath>

#include "ir/interp/ops/floats.h"

namespace spirea::interp {
namespace {

using kir::Opcode;

unsigned from_bits(const Instr* i) { return static_cast<unsigned>(i->immediate); }
unsigned to_bits(const Instr* i) { return static_cast<unsigned>(i->displacement); }

const Instr* truncate(const Instr* i, Invocation& v) {
  const Slot& a = v.frame[i->a];
  const std::uint64_t mask = low_bits(to_bits(i));
  set_undefined(v.frame[i->result], a.bits & mask, a.undefined & mask, a.origin);
  return i + 1;
}

const Instr* zero_extend(const Instr* i, Invocation& v) {
  const Slot& a = v.frame[i->a];
  set_undefined(v.frame[i->result], a.bits, a.undefined, a.origin);
  return i + 1;
}

/// The new bits are copies of the sign, undefined if that is.
const Instr* extend_sign(const Instr* i, Invocation& v) {
  const Slot& a = v.frame[i->a];
  const std::uint64_t mask = low_bits(to_bits(i));
  set_undefined(v.frame[i->result], static_cast<std::uint64_t>(sign_extend(a.bits, from_bits(i))) & mask,
                static_cast<std::uint64_t>(sign_extend(a.undefined, from_bits(i))) & mask, a.origin);
  return i + 1;
}

template <class From, class To>
const Instr* resize(const Instr* i, Invocation& v) {
  const Slot& a = v.frame[i->a];
  const auto value = static_cast<typename To::Value>(From::decode(a.bits));
  set_undefined(v.frame[i->result], To::encode(value), a.undefined != 0 ? low_bits(To::bits) : 0, a.origin);
  return i + 1;
}

template <class From, bool Signed>
const Instr* to_integer(const Instr* i, Invocation& v) {
  const Slot& a = v.frame[i->a];
  Slot& result = v.frame[i->result];
  const unsigned bits = to_bits(i);
  const double value = std::trunc(static_cast<double>(From::decode(a.bits)));
  const double limit = std::ldexp(1.0, static_cast<int>(Signed ? bits - 1 : bits));
  if (a.undefined != 0) [[unlikely]]
    set_undefined(result, 0, low_bits(bits), a.origin);
  else if (!(value >= (Signed ? -limit : 0.0) && value < limit)) [[unlikely]]
    set_undefined(result, 0, low_bits(bits), i->op);
  else if (Signed)
    set(result, static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) & low_bits(bits));
  else
    set(result, static_cast<std::uint64_t>(value));
  return i + 1;
}

template <class To, bool Signed>
const Instr* from_integer(const Instr* i, Invocation& v) {
  const Slot& a = v.frame[i->a];
  using Value = typename To::Value;
  const Value value =
      Signed ? static_cast<Value>(sign_extend(a.bits, from_bits(i))) : static_cast<Value>(a.bits);
  set_undefined(v.frame[i->result], To::encode(value), a.undefined != 0 ? low_bits(To::bits) : 0, a.origin);
  return i + 1;
}

const Instr* to_pointer(const Instr* i, Invocation& v) {
  Slot& result = v.frame[i->result];
  result = v.frame[i->a];
  result.window = v.window_of(result.bits, static_cast<kir::Space>(i->b));
  return i + 1;
}

/// The same for all positions.
constexpr ByFloat all(Handler handler) { return {handler, handler, handler, handler}; }

template <bool Signed>
constexpr ByFloat kToInteger = {to_integer<Half, Signed>, to_integer<Single, Signed>,
                                to_integer<Double, Signed>, to_integer<Single, Signed>};
template <bool Signed>
constexpr ByFloat kFromInteger = {from_integer<Half, Signed>, from_integer<Single, Signed>,
                                  from_integer<Double, Signed>, from_integer<Single, Signed>};

template <class From>
constexpr ByFloat kResizeFrom = {resize<From, Half>, resize<From, Single>, resize<From, Double>,
                                 resize<From, FlushedSingle>};
/// By the operand's format, then the result's.
constexpr ByFloat kResize[] = {kResizeFrom<Half>, kResizeFrom<Single>, kResizeFrom<Double>,
                               kResizeFrom<FlushedSingle>};

}  // namespace

Handler conversion_handler(const kir::Op& op, Subnormals subnormals) {
  const std::size_t from = float_index(op.operand(0)->type().bits(), subnormals);
  const std::size_t to = float_index(op.result()->type().bits(), subnormals);
  const Row<ByFloat> rows[] = {
      {Opcode::Trunc, all(truncate)},
      {Opcode::ZExt, all(zero_extend)},
      {Opcode::SExt, all(extend_sign)},
      {Opcode::FpTrunc, kResize[from]},
      {Opcode::FpExt, kResize[from]},
      {Opcode::FpToSi, all(kToInteger<true>[from])},
      {Opcode::FpToUi, all(kToInteger<false>[from])},
      {Opcode::SiToFp, kFromInteger<true>},
      {Opcode::UiToFp, kFromInteger<false>},
      {Opcode::Bitcast, all(move_value)},
      {Opcode::PtrToInt, all(move_value)},
      {Opcode::IntToPtr, all(to_pointer)},
      {Opcode::ToGeneric, all(move_value)},
  };
  return find(rows, op.opcode(), to);
}

}  // namespace spirea::interp
