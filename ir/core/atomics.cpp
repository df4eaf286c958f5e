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

}  // namespace

std::optional<Opcode> combining_op(Opcode opcode) {
  for (const Row& row : kRows)
    if (row.op == opcode) return row.plain;
  return std::nullopt;
}

}  // namespace spirea::kir
