// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/transform/canonicalize.h"

#include <array>
#include <vector>

#include "ir/transform/canonicalize_control.h"
#include "ir/transform/rewriter.h"

namespace spirea::kir {
namespace {

/// The rules of each opcode, in the order of the tables.
const std::vector<Rule>& rules_of(Opcode opcode) {
  static const auto table = [] {
    std::array<std::vector<Rule>, kNumOpcodes> result;
    for (const auto rules : {integer_rules(), compare_rules(), float_rules(), pointer_rules()})
      for (const Rule& rule : rules) result[static_cast<std::size_t>(rule.opcode)].push_back(rule);
    return result;
  }();
  return table[static_cast<std::size_t>(opcode)];
}

class ValueRules {
 public:
  bool run(Region& body) {
    changed_ = false;
    walk(body, [&](Op& op) { simplify(op); });
    return changed_;
  }

 private:
  /// Applies rules to the op, which goes if it is replaced, and to the ops that they make in front of it.
  void simplify(Op& op) {
    if (op.num_results() != 1 || !op.result()->has_uses() || op.num_regions() != 0) return;
    commute(op);
    Op* before = op.previous();
    Value* replacement = rewrite(op);
    changed_ |= rewriter_.take_changed();
    if (replacement != nullptr) replace(op, replacement);
    for (Op* made = before == nullptr ? op.parent()->first() : before->next(); made != &op;) {
      Op* next = made->next();
      simplify(*made);
      made = next;
    }
    if (replacement != nullptr) op.erase();
  }

  void commute(Op& op) {
    if (!is_commutative(op.opcode()) || !literal(op.operand(0)) || literal(op.operand(1))) return;
    Value* constant = op.operand(0);
    op.set_operand(0, op.operand(1));
    op.set_operand(1, constant);
    changed_ = true;
  }

  Value* rewrite(Op& op) {
    if (Value* folded = fold_literals(op)) return folded;
    for (const Rule& rule : rules_of(op.opcode()))
      if (Value* value = rule.apply(op, rewriter_)) return value;
    return nullptr;
  }

  Value* fold_literals(Op& op) {
    std::vector<std::uint64_t>& bits = literals_;
    bits.clear();
    for (std::size_t i = 0; i < op.num_operands(); ++i) {
      const auto value = literal(op.operand(i));
      if (!value) return nullptr;
      bits.push_back(*value);
    }
    const auto result = fold(op, bits);
    return result ? rewriter_.constant(op, op.result()->type(), *result) : nullptr;
  }

  void replace(Op& op, Value* value) {
    if (value->name.empty() && value->def() != nullptr && !value->def()->is(Opcode::Const))
      value->name = op.result()->name;
    op.result()->replace_all_uses_with(value);
    changed_ = true;
  }

  Rewriter rewriter_;
  std::vector<std::uint64_t> literals_;
  bool changed_ = false;
};

}  // namespace

Result<bool> canonicalize(Module& module, const CanonicalizeConfig& config) {
  bool changed = false;
  ValueRules values;
  for (const auto& kernel : module.kernels) {
    for (unsigned round = 0; round < config.max_rounds; ++round) {
      const bool values_changed = values.run(kernel->body);
      const bool control_changed = canonicalize_control(*kernel);
      changed |= values_changed || control_changed;
      if (!values_changed && !control_changed) break;
    }
  }
  return changed;
}

}  // namespace spirea::kir
