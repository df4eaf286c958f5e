// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/transform/dce.h"

#include <unordered_set>
#include <vector>

#include "ir/core/exits.h"

namespace spirea::kir {
namespace {

bool is_removable(const Op& op) {
  if (is_pure(op.opcode())) return true;
  return op.is(Opcode::Load) && !op.as<MemoryAttr>().is_volatile;
}

/// Finds what is needed, from effects and exits backwards.
class Liveness {
 public:
  explicit Liveness(const Region& body) : exits_(body) {
    find_self_contained(body);
    need_effects(body);
    propagate();
  }

  bool needs(const Value* value) const { return values_.count(value) != 0; }
  bool needs(const Op* op) const { return ops_.count(op) != 0; }
  const Exits& exits() const { return exits_; }

 private:
  /// An op is self-contained if all that it does is to compute its results. Returns the depth of the
  /// outermost op that something in the region leaves, or of this region if it has an effect.
  unsigned find_self_contained(const Region& region, unsigned depth = 0) {
    unsigned outermost = depth;
    for (const Op& op : region) outermost = std::min(outermost, reach(op, depth));
    return outermost;
  }

  unsigned reach(const Op& op, unsigned depth) {
    if (std::holds_alternative<TargetAttr>(op.attr)) return depth_of_.at(op.target());
    if (!is_structured(op.opcode())) return is_removable(op) ? depth : 0;
    depth_of_[&op] = depth + 1;
    unsigned outermost = depth + 1;
    for (const auto& child : op.regions())
      outermost = std::min(outermost, find_self_contained(*child, depth + 1));
    if (op.is(Opcode::Loop)) return 0;
    if (outermost > depth) self_contained_.insert(&op);
    return std::min(outermost, depth);
  }

  /// Needs the ops of the region that do more than to compute results.
  void need_effects(const Region& region) {
    for (const Op& op : region)
      if (!is_removable(op) && self_contained_.count(&op) == 0) need(op);
  }

  void need(const Op& op) {
    if (!ops_.insert(&op).second) return;
    if (std::holds_alternative<TargetAttr>(op.attr))
      return;  // its operands are needed where the target's results are
    if (!op.is(Opcode::Loop))
      for (const Value* operand : op.operands()) need(operand);
    for (const auto& child : op.regions()) pending_regions_.push_back(child.get());
  }

  void need(const Value* value) {
    if (values_.insert(value).second) pending_values_.push_back(value);
  }

  void propagate() {
    while (!pending_values_.empty() || !pending_regions_.empty()) {
      if (!pending_regions_.empty()) {
        const Region* region = pending_regions_.back();
        pending_regions_.pop_back();
        need_effects(*region);
        continue;
      }
      const Value* value = pending_values_.back();
      pending_values_.pop_back();
      propagate(*value);
    }
  }

  void propagate(const Value& value) {
    const std::size_t i = value.index();
    if (value.def() != nullptr) {
      need(*value.def());
      for (const Op* exit : exits_.breaks(value.def())) need(exit->operand(i));
    } else if (const Op* loop = value.argument_of()->parent()) {
      need(loop->operand(i));
      for (const Op* exit : exits_.continues(loop)) need(exit->operand(i));
    }
  }

  Exits exits_;
  std::unordered_map<const Op*, unsigned> depth_of_;
  std::unordered_set<const Op*> self_contained_;
  std::unordered_set<const Op*> ops_;
  std::unordered_set<const Value*> values_;
  std::vector<const Value*> pending_values_;
  std::vector<const Region*> pending_regions_;
};

class Sweep {
 public:
  explicit Sweep(const Liveness& live) : live_(live) {}

  bool run(Region& body) {
    drop(body);
    erase(body);
    return changed_;
  }

 private:
  /// Takes away the operands of what goes, so that nothing uses what goes.
  void drop(const Region& region) {
    for (Op& op : region) {
      if (!live_.needs(&op)) {
        op.drop_operands();
        continue;
      }
      for (const auto& child : op.regions()) drop(*child);
      if (is_structured(op.opcode())) drop_unneeded(op);
    }
  }

  void drop_unneeded(Op& op) {
    for (std::size_t i = op.num_results(); i-- > 0;) {
      if (live_.needs(op.result(i))) continue;
      for (Op* exit : live_.exits().breaks(&op)) exit->erase_operand(i);
      unneeded_results_.push_back(op.result(i));
    }
    if (!op.is(Opcode::Loop)) return;
    for (std::size_t i = op.num_operands(); i-- > 0;) {
      if (live_.needs(op.region().argument(i))) continue;
      for (Op* exit : live_.exits().continues(&op)) exit->erase_operand(i);
      op.erase_operand(i);
      unneeded_arguments_.push_back(op.region().argument(i));
    }
  }

  void erase(Region& body) {
    for (const Value* value : unneeded_results_) value->def()->erase_result(value->index());
    for (const Value* value : unneeded_arguments_) value->argument_of()->erase_argument(value->index());
    changed_ |= !unneeded_results_.empty() || !unneeded_arguments_.empty();
    erase_ops(body);
  }

  void erase_ops(const Region& region) {
    for (Op* op = region.first(); op != nullptr;) {
      Op* next = op->next();
      if (!live_.needs(op)) {
        op->erase();
        changed_ = true;
      } else {
        for (const auto& child : op->regions()) erase_ops(*child);
      }
      op = next;
    }
  }

  const Liveness& live_;
  std::vector<const Value*> unneeded_results_;
  std::vector<const Value*> unneeded_arguments_;
  bool changed_ = false;
};

}  // namespace

Result<bool> dce(Module& module, const DceConfig&) {
  bool changed = false;
  for (const auto& kernel : module.kernels) {
    const Liveness live(kernel->body);
    changed |= Sweep(live).run(kernel->body);
  }
  return changed;
}

}  // namespace spirea::kir
