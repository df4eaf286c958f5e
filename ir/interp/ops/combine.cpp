// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/interp/ops/combine.h"

#include <array>
#include <cmath>

#include "ir/interp/ops/floats.h"

namespace spirea::interp {
namespace {

using kir::Opcode;
using Bits = std::uint64_t;

template <bool IsSigned, bool IsMax>
Bits extreme(Bits a, Bits b, unsigned bits) {
  const bool a_is_less = IsSigned ? sign_extend(a, bits) < sign_extend(b, bits) : a < b;
  return a_is_less != IsMax ? a : b;
}

template <auto F>
Bits on_floats(Bits a, Bits b, unsigned bits) {
  switch (bits) {
    case 16: return Half::encode(F(Half::decode(a), Half::decode(b)));
    case 32: return Single::encode(F(Single::decode(a), Single::decode(b)));
    default: return Double::encode(F(Double::decode(a), Double::decode(b)));
  }
}

struct CombineRow {
  Opcode opcode;
  Combine combine;
};
constexpr CombineRow kCombines[] = {
    {Opcode::Add, [](Bits a, Bits b, unsigned) { return a + b; }},
    {Opcode::Sub, [](Bits a, Bits b, unsigned) { return a - b; }},
    {Opcode::Mul, [](Bits a, Bits b, unsigned) { return a * b; }},
    {Opcode::And, [](Bits a, Bits b, unsigned) { return a & b; }},
    {Opcode::Or, [](Bits a, Bits b, unsigned) { return a | b; }},
    {Opcode::Xor, [](Bits a, Bits b, unsigned) { return a ^ b; }},
    {Opcode::SMin, extreme<true, false>},
    {Opcode::SMax, extreme<true, true>},
    {Opcode::UMin, extreme<false, false>},
    {Opcode::UMax, extreme<false, true>},
    {Opcode::FAdd, on_floats<[](auto a, auto b) { return a + b; }>},
    {Opcode::FMul, on_floats<[](auto a, auto b) { return a * b; }>},
    {Opcode::FMin, on_floats<[](auto a, auto b) { return std::fmin(a, b); }>},
    {Opcode::FMax, on_floats<[](auto a, auto b) { return std::fmax(a, b); }>},
};

}  // namespace

Combine combine_of(Opcode opcode) {
  static const auto table = [] {
    std::array<Combine, kir::kNumOpcodes> result{};
    for (std::size_t i = 0; i < result.size(); ++i)
      for (const CombineRow& row : kCombines)
        if (kir::combining_op(static_cast<Opcode>(i)) == row.opcode) result[i] = row.combine;
    return result;
  }();
  return table[static_cast<std::size_t>(opcode)];
}

}  // namespace spirea::interp
