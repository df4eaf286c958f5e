// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "ir/interp/ops/handlers.h"

namespace spirea::interp {

const Instr* jump(const Instr* i, Invocation& v) { return v.program.code.data() + i->target; }

const Instr* jump_unless(const Instr* i, Invocation& v) {
  const Slot& condition = v.frame[i->a];
  if (condition.undefined != 0) [[unlikely]]
    return undefined_fault(i, v, condition, "branch");
  return condition.bits != 0 ? i + 1 : v.program.code.data() + i->target;
}

const Instr* jump_by_case(const Instr* i, Invocation& v) {
  const Slot& operand = v.frame[i->a];
  if (operand.undefined != 0) [[unlikely]]
    return undefined_fault(i, v, operand, "switch");
  const auto& cases = v.program.switches[static_cast<std::size_t>(i->immediate)].cases;
  const auto found = std::lower_bound(cases.begin(), cases.end(), operand.bits,
                                      [](const auto& row, std::uint64_t value) { return row.first < value; });
  const bool matches = found != cases.end() && found->first == operand.bits;
  return v.program.code.data() + (matches ? found->second : i->target);
}

const Instr* end_invocation(const Instr*, Invocation&) { return nullptr; }

const Instr* wait_for_others(const Instr* i, Invocation& v) {
  v.waits_at = i;
  return nullptr;
}

const Instr* begin_loop(const Instr* i, Invocation& v) {
  v.iterations[i->immediate] = 0;
  return i + 1;
}

const Instr* next_iteration(const Instr* i, Invocation& v) {
  ++v.iterations[i->immediate];
  return i + 1;
}

const Instr* report_trap(const Instr* i, Invocation& v) { return fault(i, v, "the kernel traps here"); }

const Instr* report_unreachable(const Instr* i, Invocation& v) {
  return fault(i, v, "the kernel reaches a place that the compiler took to be unreachable");
}

}  // namespace spirea::interp
