// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/analysis/uniformity.h"

#include <algorithm>

namespace spirea::kir {
namespace {

bool has_one_invocation(const Kernel& kernel, const Op& op) {
  const auto& size = kernel.manifest.workgroup_size;
  return size && (*size)[static_cast<std::size_t>(op.as<Dim>())] == 1;
}

}  // namespace

UniformityAnalysis::UniformityAnalysis(const Kernel& kernel) : kernel_(kernel) {
  walk(kernel.body, [&](const Op& op) {
    if (op.is(Opcode::Break)) ++breaks_[op.target()];
  });
  do {
    changed_ = false;
    walk(kernel.body, [&](const Op& op) { visit(op); });
  } while (changed_);
}

void UniformityAnalysis::raise(const Value* value, Uniformity level) {
  if (level == Uniformity::Uniform) return;
  Uniformity& known = levels_[value];
  if (level <= known) return;
  known = level;
  changed_ = true;
}

Uniformity UniformityAnalysis::condition(const Op& op) const {
  return op.is(Opcode::If) || op.is(Opcode::Switch) ? of(op.operand(0)) : Uniformity::Uniform;
}

std::pair<Uniformity, const Op*> UniformityAnalysis::path(const Op& op, const Region& region) const {
  std::pair<Uniformity, const Op*> result{Uniformity::Uniform, nullptr};
  for (const Op* at = &op; at->parent() != &region; at = at->parent_op()) {
    const Op* around = at->parent_op();
    if (condition(*around) > result.first) result = {condition(*around), around};
  }
  return result;
}

/// What the op adds to what its operands are.
Uniformity UniformityAnalysis::own(const Op& op) const {
  switch (op.opcode()) {
    case Opcode::LocalId:
    case Opcode::GlobalId: return has_one_invocation(kernel_, op) ? Uniformity::Uniform : Uniformity::Varying;
    case Opcode::SubgroupLane:
    case Opcode::SubgroupId:
    case Opcode::SubgroupElect: return Uniformity::Varying;
    default: break;
  }
  switch (info(op.opcode()).effect) {
    case OpEffect::Read: return Uniformity::Unknown;
    case OpEffect::Atomic: return Uniformity::Varying;  // each invocation sees another state
    case OpEffect::Convergent: return Uniformity::Unknown;
    case OpEffect::Pure:
    case OpEffect::Write:
    case OpEffect::Control: break;
  }
  return Uniformity::Uniform;
}

void UniformityAnalysis::visit(const Op& op) {
  if (op.is(Opcode::Break) || op.is(Opcode::Continue)) return exit(op);
  if (op.is(Opcode::Loop))
    for (std::size_t i = 0; i < op.num_operands(); ++i) raise(op.region().argument(i), of(op.operand(i)));
  if (is_structured(op.opcode())) return;  // exits raise the results
  Uniformity level = own(op);
  for (const Value* operand : op.operands()) level = std::max(level, of(operand));
  for (const auto& result : op.results()) raise(result.get(), level);
}

void UniformityAnalysis::exit(const Op& op) {
  const Op& target = *op.target();
  const bool is_break = op.is(Opcode::Break);
  // With one break of an if, switch or block, all invocations behind it have come that way.
  const bool is_decided = !is_break || target.is(Opcode::Loop) || breaks_[&target] > 1;
  Uniformity decision = Uniformity::Uniform;
  if (is_decided) {
    const Region* within = op.parent();
    while (within->parent() != &target) within = within->parent()->parent();
    decision = std::max(condition(target), path(op, *within).first);
  }
  for (std::size_t i = 0; i < op.num_operands(); ++i)
    raise(is_break ? target.result(i) : target.region().argument(i), std::max(decision, of(op.operand(i))));
}

}  // namespace spirea::kir
