// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen-spirv/legalize/nesting.h"

#include <algorithm>

#include "codegen-spirv/legalize/legalize.h"
#include "codegen-spirv/legalize/state_machine.h"

namespace spirea::spirv {

using kir::Op;
using kir::Opcode;

namespace {

bool ends_invocation(const Op& op) { return op.is(Opcode::Return) || op.is(Opcode::Trap); }

}  // namespace

Nesting::Nesting(const kir::Region& body) {
  kir::walk(body, [&](const Op& op) { exit(op); });
  levels_of_body_ = measure(body);
}

/// Marks what an exit leaves on its way. In a loop, a return is a break: what it leaves for good begins with
/// the outermost loop.
void Nesting::exit(const Op& op) {
  if (op.is(Opcode::Break) && !op.target()->is(Opcode::Loop)) {
    for (const Op* each = op.parent_op(); each != op.target(); each = each->parent_op()) left_.insert(each);
  } else if (ends_invocation(op)) {
    const Op* from = op.parent_op();
    for (const Op* each = from; each != nullptr; each = each->parent_op())
      if (each->is(Opcode::Loop)) from = each;
    for (; from != nullptr; from = from->parent_op()) left_.insert(from);
  }
}

std::size_t Nesting::measure(const kir::Region& region) {
  std::size_t deepest = 0, predicates = 0;
  for (const Op& op : region) {
    if (op.num_regions() == 0) continue;
    std::size_t levels = 0;
    for (const auto& inner : op.regions()) levels = std::max(levels, measure(*inner));
    if (!op.is(Opcode::Block)) ++levels;  // a switch with nothing but a default is no condition
    levels_[&op] = levels;
    deepest = std::max(deepest, predicates + levels);
    if (left_.count(&op) != 0) ++predicates;
  }
  return std::max(deepest, predicates);
}

Cuts::Cuts(const kir::Region& body, const Nesting& nesting, std::size_t kept) : exits_(body) {
  kir::walk(body, [&](const Op& op) {
    if (op.num_regions() != 0 && nesting.levels(&op) > kept) add(&op);
    if (ends_invocation(op)) add_path(&op, nullptr);
  });
}

void Cuts::add(const Op* op) {
  if (!cut_.insert(op).second) return;
  for (const Op* exit : exits_.breaks(op)) add_path(exit, op);
  for (const Op* exit : exits_.continues(op)) add_path(exit, op);
}

void Cuts::add_path(const Op* exit, const Op* target) {
  for (const Op* each = exit->parent_op(); each != target; each = each->parent_op()) add(each);
}

bool bound_nesting(kir::Kernel& kernel, const NestingLimits& limits) {
  const Nesting nesting(kernel.body);
  if (nesting.levels() <= limits.most) return false;
  const Cuts cuts(kernel.body, nesting, limits.kept);
  build_state_machine(kernel, cuts, limits.loops);
  return true;
}

kir::Result<bool> legalize_nesting(kir::Module& module) {
  bool changed = false;
  for (const auto& kernel : module.kernels) changed |= bound_nesting(*kernel, {});
  return changed;
}

}  // namespace spirea::spirv
