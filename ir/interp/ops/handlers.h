// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From an op to the function that executes it, by family.
#pragma once

#include <array>

#include "ir/interp/faults.h"
#include "ir/interp/program.h"

namespace spirea::interp {

/// The handler of a value, memory or position op; null for structured ops and what decoding resolves.
Handler select_handler(const kir::Op&, Subnormals);

Handler integer_handler(const kir::Op&);
Handler comparison_handler(const kir::Op&);
Handler float_handler(const kir::Op&, Subnormals);
Handler elementary_handler(const kir::Op&, Subnormals);
Handler float_test_handler(const kir::Op&, Subnormals);
Handler conversion_handler(const kir::Op&, Subnormals);
Handler load_handler(const kir::Op&);
Handler store_handler(const kir::Op&);
Handler atomic_handler(const kir::Op&);

// Values, ops/values.cpp
const Instr* move_value(const Instr*, Invocation&);
const Instr* freeze_value(const Instr*, Invocation&);
const Instr* select_value(const Instr*, Invocation&);
const Instr* offset_pointer(const Instr*, Invocation&);
const Instr* query_position(const Instr*, Invocation&);
const Instr* query_subgroup(const Instr*, Invocation&);
/// Orders this invocation's accesses with those of others.
const Instr* fence(const Instr*, Invocation&);
/// Makes `result` undefined if it, `a`, `b` or `c` breaks a promise of the op's fast-math flags; slot 0 is a
/// number and breaks none.
const Instr* check_fast_math(const Instr*, Invocation&);

// Control flow, ops/control.cpp
const Instr* jump(const Instr*, Invocation&);
const Instr* jump_unless(const Instr*, Invocation&);
const Instr* jump_by_case(const Instr*, Invocation&);
const Instr* end_invocation(const Instr*, Invocation&);
/// Stops until the scheduler has all that take part (ir/interp/workgroup.h).
const Instr* wait_for_others(const Instr*, Invocation&);
const Instr* begin_loop(const Instr*, Invocation&);
const Instr* next_iteration(const Instr*, Invocation&);
const Instr* report_trap(const Instr*, Invocation&);
const Instr* report_unreachable(const Instr*, Invocation&);

/// Position of an integer or pointer width in a row of handlers: 1, 8, 16, 32, 64 bits.
constexpr std::size_t width_index(unsigned bits) {
  return bits == 1 ? 0 : bits == 8 ? 1 : bits == 16 ? 2 : bits == 32 ? 3 : 4;
}
/// Position of a float width in a row of handlers: 16, 32, 64 bits, and 32 bits without subnormal numbers.
constexpr std::size_t float_index(unsigned bits, Subnormals subnormals) {
  return bits == 16 ? 0 : bits == 64 ? 2 : subnormals == Subnormals::keep ? 1 : 3;
}

using ByWidth = std::array<Handler, 5>;
using ByFloat = std::array<Handler, 4>;

template <class Handlers>
struct Row {
  kir::Opcode opcode;
  Handlers handlers;
};

template <class Handlers, std::size_t N>
Handler find(const Row<Handlers> (&rows)[N], kir::Opcode opcode, std::size_t index) {
  for (const Row<Handlers>& row : rows)
    if (row.opcode == opcode) return row.handlers[index];
  return nullptr;
}

constexpr std::uint64_t low_bits(unsigned bits) {
  return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

constexpr std::int64_t sign_extend(std::uint64_t value, unsigned bits) {
  return static_cast<std::int64_t>(value << (64 - bits)) >> (64 - bits);
}

/// Where the undefined bits of a result come from, if one of two operands has some.
inline std::uint32_t origin_of(const Slot& a, const Slot& b) {
  return a.undefined != 0 ? a.origin : b.origin;
}

inline void set(Slot& slot, std::uint64_t bits) {
  slot.bits = bits;
  slot.undefined = 0;
}

inline void set_undefined(Slot& slot, std::uint64_t bits, std::uint64_t undefined, std::uint32_t origin) {
  slot.bits = bits;
  slot.undefined = undefined;
  slot.origin = origin;
}

}  // namespace spirea::interp
