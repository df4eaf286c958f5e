// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/transform/canonicalize_control.h"

#include <algorithm>

#include "ir/core/exits.h"
#include "ir/transform/rewriter.h"

namespace spirea::kir {
namespace {

/// True if the value is defined in the op's regions.
bool is_inside(const Value* value, const Op* op) {
  const Region* region = value->def() != nullptr ? value->def()->parent() : value->argument_of();
  while (region != nullptr && region->parent() != op)
    region = region->parent() == nullptr ? nullptr : region->parent()->parent();
  return region != nullptr;
}

class ControlRules {
 public:
  explicit ControlRules(Kernel& kernel) : exits_(kernel.body) { region(kernel.body); }
  bool changed() const { return changed_; }

 private:
  void region(Region& region) {
    for (Op* op = region.first(); op != nullptr;) {
      for (const auto& child : op->regions()) this->region(*child);
      Op* next = op->next();
      is_cut_ = false;
      Op* current = is_structured(op->opcode()) ? op : nullptr;
      while (current != nullptr && simplify(current)) changed_ = true;
      op = is_cut_ ? nullptr : next;
    }
  }

  bool simplify(Op*& op) {
    return cut_off(op) || known_condition(op) || complement(op) || choice(op) || once(op) ||
           inline_block(op) || same_results(op) || same_arguments(op);
  }

  // ---- rules: each returns true if it applied; the op becomes what stands for it now, null if nothing does

  /// Nothing leaves the op, so what follows it is never reached.
  bool cut_off(Op* op) {
    if (op->is(Opcode::Block) || !exits_.breaks(op).empty()) return false;
    if (op->next() == nullptr || op->next()->is(Opcode::Unreachable)) return false;
    cut_behind(*op);
    Builder end(*op->parent());
    end.set_location(op->location);
    end.unreachable();
    return true;
  }

  /// An if or switch on a constant becomes a block of its region.
  bool known_condition(Op*& op) {
    if (!op->is(Opcode::If) && !op->is(Opcode::Switch)) return false;
    const auto condition = literal(op->operand(0));
    if (!condition) return false;
    op = to_block(*op, op->is(Opcode::If) ? (*condition != 0 ? 0 : 1) : case_of(*op, *condition));
    return true;
  }

  static std::size_t case_of(const Op& op, std::uint64_t value) {
    const auto& cases = op.as<CasesAttr>().values;
    for (std::size_t i = 0; i < cases.size(); ++i)
      if (std::find(cases[i].begin(), cases[i].end(), value) != cases[i].end()) return i;
    return cases.size();
  }

  /// An if on a complement swaps its regions.
  bool complement(Op* op) {
    if (!op->is(Opcode::If)) return false;
    const Op* inner = defined_by(op->operand(0), Opcode::Xor);
    if (inner == nullptr || !is_literal(inner->operand(1), 1)) return false;
    op->set_operand(0, inner->operand(0));
    Region then(nullptr);
    then.splice(nullptr, op->region(0));
    op->region(0).splice(nullptr, op->region(1));
    op->region(1).splice(nullptr, then);
    return true;
  }

  /// An if whose regions do nothing but give it its results becomes selects. Pointers stay: which object they
  /// point to is easier to see in an if.
  bool choice(Op*& op) {
    if (!op->is(Opcode::If)) return false;
    const Op* then = op->region(0).first();
    const Op* otherwise = op->region(1).first();
    if (!is_break_to(then, *op) || !is_break_to(otherwise, *op)) return false;
    for (std::size_t i = 0; i < op->num_results(); ++i)
      if (op->result(i)->type().is_ptr()) return false;
    Builder builder = Rewriter::before(*op);
    for (std::size_t i = 0; i < op->num_results(); ++i)
      replace(op->result(i), builder.select(op->operand(0), then->operand(i), otherwise->operand(i)));
    destroy(*op);
    op = nullptr;
    return true;
  }

  static bool is_break_to(const Op* op, const Op& target) {
    return op != nullptr && op->is(Opcode::Break) && op->target() == &target;
  }

  /// A loop without a continue becomes a block.
  bool once(Op*& op) {
    if (!op->is(Opcode::Loop) || !exits_.continues(op).empty()) return false;
    for (std::size_t i = 0; i < op->num_operands(); ++i)
      op->region().argument(i)->replace_all_uses_with(op->operand(i));
    op = to_block(*op, 0);
    return true;
  }

  /// A block that is left at its end only, or not at all, is replaced by its ops.
  bool inline_block(Op*& op) {
    if (!op->is(Opcode::Block)) return false;
    const auto& breaks = exits_.breaks(op);
    Op* end = op->region().terminator();
    if (breaks.empty()) {
      cut_behind(*op);
    } else if (breaks.size() == 1 && breaks[0] == end) {
      for (std::size_t i = 0; i < op->num_results(); ++i) replace(op->result(i), end->operand(i));
      destroy(*end);
    } else {
      return false;
    }
    op->parent()->splice(op, op->region());
    destroy(*op);
    op = nullptr;
    return true;
  }

  /// A result to which every break gives the same value from outside is that value.
  bool same_results(Op* op) {
    bool any = false;
    const auto& breaks = exits_.breaks(op);
    for (std::size_t i = 0; i < op->num_results() && !breaks.empty(); ++i) {
      if (!op->result(i)->has_uses()) continue;
      Value* value = breaks[0]->operand(i);
      const bool same =
          std::all_of(breaks.begin(), breaks.end(), [&](const Op* b) { return b->operand(i) == value; });
      if (!same || is_inside(value, op)) continue;
      replace(op->result(i), value);
      any = true;
    }
    return any;
  }

  /// A loop argument that every continue leaves as it is, or sets to its first value, is that first value.
  bool same_arguments(Op* op) {
    if (!op->is(Opcode::Loop)) return false;
    bool any = false;
    const auto& continues = exits_.continues(op);
    for (std::size_t i = 0; i < op->num_operands(); ++i) {
      Value* argument = op->region().argument(i);
      if (!argument->has_uses()) continue;
      const bool same = std::all_of(continues.begin(), continues.end(), [&](const Op* c) {
        return c->operand(i) == argument || c->operand(i) == op->operand(i);
      });
      if (!same) continue;
      replace(argument, op->operand(i));
      any = true;
    }
    return any;
  }

  // ---- changes

  void replace(Value* old, Value* value) {
    if (value->name.empty() && value->def() != nullptr && !value->def()->is(Opcode::Const))
      value->name = old->name;
    old->replace_all_uses_with(value);
  }

  /// Puts a block with this region of the op in the op's place.
  Op* to_block(Op& op, std::size_t index) {
    for (std::size_t i = 0; i < op.num_regions(); ++i)
      if (i != index && !op.region(i).empty()) destroy_from(op.region(i).first());
    std::vector<Type> types;
    for (std::size_t i = 0; i < op.num_results(); ++i) types.push_back(op.result(i)->type());
    Op* block = Rewriter::before(op).block(types);
    block->region().splice(nullptr, op.region(index));
    exits_.retarget_breaks(&op, block);
    for (std::size_t i = 0; i < op.num_results(); ++i) replace(op.result(i), block->result(i));
    destroy(op);
    return block;
  }

  void destroy(Op& op) {
    exits_.forget(op);
    op.drop_operands();
    op.erase();
  }

  /// Destroys what follows the op in its region, which is the one that region() walks.
  void cut_behind(Op& op) {
    if (op.next() != nullptr) destroy_from(op.next());
    is_cut_ = true;
  }

  /// Destroys the op and those behind it, whose results only they use.
  void destroy_from(Op* first) {
    for (Op* op = first; op != nullptr; op = op->next()) {
      exits_.forget(*op);
      op->drop_operands();
    }
    Region& region = *first->parent();
    while (region.last() != first) region.remove(region.last());
    region.remove(first);
  }

  Exits exits_;
  bool is_cut_ = false;
  bool changed_ = false;
};

}  // namespace

bool canonicalize_control(Kernel& kernel) { return ControlRules(kernel).changed(); }

}  // namespace spirea::kir
