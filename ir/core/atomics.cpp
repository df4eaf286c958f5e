// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/core/atomics.h"

namespace spirea::kir {
namespace {

struct Row {
  Opcode op, plain;
};
constexpr Row kRows[] = {
    {Opcode::AtomicAdd, Opcode::Add},   {Opcode::AtomicSub, Opcode::Sub},
    {Opcode::AtomicAnd, Opcode::And},   {Opcode::AtomicOr, Opcode::Or},
    {Opcode::AtomicXor, Opcode::Xor},   {Opcode::AtomicSMin, Opcode::SMin},
    {Opcode::AtomicSMax, Opcode::SMax}, {Opcode::AtomicUMin, Opcode::UMin},
    {Opcode::AtomicUMax, Opcode::UMax}, {Opcode::AtomicFAdd, Opcode::FAdd},
    {Opcode::AtomicFMin, Opcode::FMin}, {Opcode::AtomicFMax, Opcode::FMax},
    {Opcode::GroupAdd, Opcode::Add},    {Opcode::GroupMul, Opcode::Mul},
    {Opcode::GroupSMin, Opcode::SMin},  {Opcode::GroupSMax, Opcode::SMax},
    {Opcode::GroupUMin, Opcode::UMin},  {Opcode::GroupUMax, Opcode::UMax},
    {Opcode::GroupAnd, Opcode::And},    {Opcode::GroupOr, Opcode::Or},
    {Opcode::GroupXor, Opcode::Xor},    {Opcode::GroupFAdd, Opcode::FAdd},
    {Opcode::GroupFMul, Opcode::FMul},  {Opcode::GroupFMin, Opcode::FMin},
    {Opcode::GroupFMax, Opcode::FMax},
};

enum class Identity : std::uint8_t { Zero, One, AllOnes, Largest, Smallest };

struct IdentityRow {
  Opcode op;
  Identity identity;
};
constexpr IdentityRow kIdentities[] = {
    {Opcode::GroupAdd, Identity::Zero},      {Opcode::GroupMul, Identity::One},
    {Opcode::GroupSMin, Identity::Largest},  {Opcode::GroupSMax, Identity::Smallest},
    {Opcode::GroupUMin, Identity::AllOnes},  {Opcode::GroupUMax, Identity::Zero},
    {Opcode::GroupAnd, Identity::AllOnes},   {Opcode::GroupOr, Identity::Zero},
    {Opcode::GroupXor, Identity::Zero},      {Opcode::GroupFAdd, Identity::Zero},
    {Opcode::GroupFMul, Identity::One},      {Opcode::GroupFMin, Identity::Largest},
    {Opcode::GroupFMax, Identity::Smallest},
};

std::uint64_t ones(unsigned bits) { return ~std::uint64_t{0} >> (64 - bits); }

std::uint64_t integer_bits(Identity identity, unsigned bits) {
  switch (identity) {
    case Identity::Zero: return 0;
    case Identity::One: return 1;
    case Identity::AllOnes: return ones(bits);
    case Identity::Largest: return ones(bits) >> 1;
    case Identity::Smallest: return std::uint64_t{1} << (bits - 1);
  }
  return 0;
}

/// Of binary16, binary32 or binary64; the largest and smallest are infinite.
std::uint64_t float_bits(Identity identity, unsigned bits) {
  const unsigned fraction = bits == 16 ? 10 : bits == 32 ? 23 : 52;
  const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
  switch (identity) {
    case Identity::Zero: return 0;
    case Identity::One: return (ones(bits - 2) >> fraction) << fraction;
    case Identity::AllOnes: return ones(bits);
    case Identity::Largest: return (ones(bits - 1) >> fraction) << fraction;
    case Identity::Smallest: return sign | float_bits(Identity::Largest, bits);
  }
  return 0;
}

}  // namespace

std::optional<Opcode> combining_op(Opcode opcode) {
  for (const Row& row : kRows)
    if (row.op == opcode) return row.plain;
  return std::nullopt;
}

std::uint64_t group_identity(Opcode opcode, Type type) {
  for (const IdentityRow& row : kIdentities)
    if (row.op == opcode)
      return type.is_float() ? float_bits(row.identity, type.bits())
                             : integer_bits(row.identity, type.bits());
  return 0;
}

}  // namespace spirea::kir
