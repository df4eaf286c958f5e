// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A hazard of Mesa's CPU driver (llvmpipe, seen in 22.3): of invocations that have left a loop, it keeps the
// values of phis alone. A value that is computed in the loop and comes out of it through one exit needs no
// phi, and is computed again for those that have left, from what its operands have become since.
//
// Such a loop gets a second exit at the start of its body, which is never taken, so that its merge block has
// a phi with two different values. (Two exits at the place of the first do not help: the driver makes one of
// them again.) The guard is `enabled || num_workgroups.x != 0`. `enabled` is specialization constant
// kExitGuardSpecId, true by default, so that drivers fold all of this away; the runtime sets it to false for
// the driver that needs the phi.
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

/// True if a value that the loop computes leaves it, and is not an argument of the loop, which is a phi: as a
/// result, or in private memory, which the driver makes values of.
bool computes_what_leaves(const Op& loop, const std::vector<Op*>& breaks) {
  for (const Op* exit : breaks)
    for (const kir::Value* value : exit->operands())
      if (value->argument_of() != &loop.region() && is_inside(value, loop)) return true;
  bool stores = false;
  kir::walk(loop.region(), [&](const Op& op) {
    stores |= op.is(Opcode::Store) && op.operand(0)->type().space() == kir::Space::Private;
  });
  return stores;
}

}  // namespace

void Selector::declare_exit_guard() {
  const kir::Exits exits(kernel_.body);
  kir::walk(kernel_.body, [&](const Op& op) {
    if (!op.is(Opcode::Loop)) return;
    const auto& breaks = exits.breaks(&op);
    if (!breaks.empty() && computes_what_leaves(op, breaks)) guarded_loops_.insert(&op);
  });
  if (guarded_loops_.empty()) return;
  const Id enabled = w_.define(Section::Global, OpSpecConstantTrue{.type = w_.type_bool()});
  w_.decorate(enabled, spv::Decoration::SpecId, {abi::kExitGuardSpecId});
  w_.name(enabled, "exits_need_no_phi");
  const Id groups = component(built_in(spv::BuiltIn::NumWorkgroups, "num_workgroups"), kir::Dim::X);
  const Id some =
      add(OpINotEqual{.type = w_.type_bool(), .operand_1 = groups, .operand_2 = w_.constant_u32(0)});
  exit_guard_ = add(OpLogicalOr{.type = w_.type_bool(), .operand_1 = enabled, .operand_2 = some});
}

Id Selector::zero(kir::Type t) {
  if (t.is_bool()) return w_.constant_bool(false);
  return w_.constant(type(t), t.bits(), 0);
}

///   %body: OpBranchConditional %guard %start %never
///   %never: OpBranch %merge   with zeros
///   %start:
void Selector::guard_exits(const Op& loop, Construct& construct) {
  if (guarded_loops_.count(&loop) == 0) return;
  const Id start = w_.new_id(), never = w_.new_id();
  w_.emit(Section::Function, OpSelectionMerge{.merge_block = start});
  w_.emit(Section::Function,
          OpBranchConditional{.condition = exit_guard_, .true_label = start, .false_label = never});
  label(never);
  branch(construct.merge);
  Exit exit{never, {}};
  for (std::size_t i = 0; i < loop.num_results(); ++i) exit.values.push_back(zero(loop.result(i)->type()));
  construct.breaks.push_back(std::move(exit));
  label(start);
}

}  // namespace spirea::spirv
