// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A hazard of Mesa's CPU driver (llvmpipe, seen in 22.3): of invocations that have left a loop, it keeps the
// values of phis alone. A value that comes out of the loop through one exit needs no phi, and is computed
// again for those that have left, from what its operands have become since; what they load is 0. That goes
// for an argument of the loop, too, which is a phi: what is computed from it behind the loop may be what the
// loop computed from it before, which the driver then takes.
//
// Such a loop gets a second exit at the start of its body, which is never taken, so that its merge block has
// a phi with two different values. (Two exits at the place of the first do not help: the driver makes one of
// them again.) The guard is `enabled || num_workgroups.x != impossible`. `enabled` is specialization constant
// kExitGuardSpecId, true by default, so that drivers fold all of this away; the runtime sets it to false for
// the driver that needs the phi. That driver knows in the rest of a loop's body that the loop's guard was
// true, so a loop in a guarded one needs a condition of its own, and each depth has its own impossible
// number.
#include <algorithm>

#include "codegen-spirv/select/selector.h"
#include "ir/abi/vulkan.h"
#include "ir/core/exits.h"

namespace spirea::spirv {
namespace {

using kir::Op;
using kir::Opcode;

bool is_inside(const kir::Value* value, const Op& loop) {
  const kir::Region* region = value->def() != nullptr ? value->def()->parent() : value->argument_of();
  while (region->parent() != nullptr && region->parent() != &loop) region = region->parent()->parent();
  return region->parent() == &loop;
}

/// True if a value of the loop leaves it: as a result, or in private memory, which the driver makes values
/// of.
bool values_leave(const Op& loop, const std::vector<Op*>& breaks) {
  for (const Op* exit : breaks)
    for (const kir::Value* value : exit->operands())
      if (is_inside(value, loop)) return true;
  bool stores = false;
  kir::walk(loop.region(), [&](const Op& op) {
    stores |= op.is(Opcode::Store) && op.operand(0)->type().space() == kir::Space::Private;
  });
  return stores;
}

/// What num_workgroups.x never is: llvmpipe takes 1 to 65535.
Word impossible_groups(std::size_t depth) { return Word{0} - static_cast<Word>(depth); }

}  // namespace

/// Finds the loops that need a guard, and how many of those each lies in.
void Selector::declare_exit_guards() {
  const kir::Exits exits(kernel_.body);
  std::size_t depths = 0;
  kir::walk(kernel_.body, [&](const Op& op) {
    if (!op.is(Opcode::Loop)) return;
    const auto& breaks = exits.breaks(&op);
    if (breaks.empty() || !values_leave(op, breaks)) return;
    const std::size_t depth = guarded_loops_around(op);
    guarded_loops_.emplace(&op, depth);
    depths = std::max(depths, depth + 1);
  });
  if (depths == 0) return;
  const Id enabled = w_.define(Section::Global, OpSpecConstantTrue{.type = w_.type_bool()});
  w_.decorate(enabled, spv::Decoration::SpecId, {abi::kExitGuardSpecId});
  w_.name(enabled, "exits_need_no_phi");
  const Id groups = component(built_in(spv::BuiltIn::NumWorkgroups, "num_workgroups"), kir::Dim::X);
  for (std::size_t depth = 0; depth < depths; ++depth) {
    const Id impossible = w_.constant_u32(impossible_groups(depth));
    const Id possible =
        add(OpINotEqual{.type = w_.type_bool(), .operand_1 = groups, .operand_2 = impossible});
    exit_guards_.push_back(
        add(OpLogicalOr{.type = w_.type_bool(), .operand_1 = enabled, .operand_2 = possible}));
  }
}

/// `walk` comes to a loop before it comes to what is in it.
std::size_t Selector::guarded_loops_around(const Op& loop) const {
  std::size_t count = 0;
  for (const Op* op = loop.parent()->parent(); op != nullptr; op = op->parent()->parent())
    count += guarded_loops_.count(op);
  return count;
}

Id Selector::zero(kir::Type t) {
  if (t.is_bool()) return w_.constant_bool(false);
  return w_.constant(type(t), t.bits(), 0);
}

///   %body: OpBranchConditional %guard %start %never
///   %never: OpBranch %merge   with zeros
///   %start:
void Selector::guard_exits(const Op& loop, Construct& construct) {
  const auto depth = guarded_loops_.find(&loop);
  if (depth == guarded_loops_.end()) return;
  const Id start = w_.new_id(), never = w_.new_id();
  w_.emit(Section::Function, OpSelectionMerge{.merge_block = start});
  w_.emit(Section::Function,
          OpBranchConditional{
              .condition = exit_guards_[depth->second], .true_label = start, .false_label = never});
  label(never);
  branch(construct.merge);
  Exit exit{never, {}};
  for (std::size_t i = 0; i < loop.num_results(); ++i) exit.values.push_back(zero(loop.result(i)->type()));
  construct.breaks.push_back(std::move(exit));
  label(start);
}

}  // namespace spirea::spirv
