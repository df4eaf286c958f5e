// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edits of values: ops go, and what used them uses an operand of theirs or zero; arguments of loops and
// results of structured ops go, too.
#include "compiler/reduce/edits.h"
#include "ir/core/builder.h"
#include "ir/core/exits.h"

namespace spirea::reduce {

using namespace kir;

namespace {

std::vector<Edit> remove_ops(Module& module) {
  return for_each_op(module, [](Op& op) -> Edit {
    if (is_terminator(op.opcode())) return {};
    return [&op] { erase_op(&op); };
  });
}

/// The result becomes the first (or last) operand of its type.
template <bool Last>
std::vector<Edit> use_operand(Module& module) {
  return for_each_op(module, [](Op& op) -> Edit {
    if (op.num_results() != 1 || op.num_regions() != 0) return {};
    Value* chosen = nullptr;
    std::size_t same = 0;
    for (Value* operand : op.operands())
      if (operand->type() == op.result()->type() && (same++ == 0 || Last)) chosen = operand;
    if (chosen == nullptr || (Last && same < 2)) return {};
    // By position: an earlier edit may replace the operand.
    std::size_t index = 0;
    for (std::size_t i = 0; i < op.num_operands(); ++i)
      if (op.operand(i) == chosen) index = i;
    return [&op, index] {
      op.result()->replace_all_uses_with(op.operand(index));
      op.erase();
    };
  });
}

template <std::uint64_t Bits>
std::vector<Edit> constant_operands(Module& module) {
  std::vector<Edit> edits;
  for (const auto& kernel : module.kernels)
    walk(kernel->body, [&](Op& op) {
      for (std::size_t i = 0; i < op.num_operands(); ++i) {
        const Type type = op.operand(i)->type();
        if (literal(op.operand(i)) || (Bits != 0 && !type.is_int())) continue;
        edits.push_back([&op, i, type] {
          Builder builder(&op);
          op.set_operand(i, builder.constant(type, Bits));
        });
      }
    });
  return edits;
}

/// Of equal constants in a region, one is enough.
std::vector<Edit> merge_constants(Module& module) {
  return for_each_op(module, [](Op& op) -> Edit {
    if (!op.is(Opcode::Const)) return {};
    for (Op* other = op.previous(); other != nullptr; other = other->previous())
      if (other->is(Opcode::Const) && other->result()->type() == op.result()->type() &&
          other->attr == op.attr)
        return [&op, other] {
          op.result()->replace_all_uses_with(other->result());
          op.erase();
        };
    return {};
  });
}

/// An argument keeps its initial value.
std::vector<Edit> drop_loop_arguments(Module& module) {
  std::vector<Edit> edits;
  for (const auto& kernel : module.kernels)
    walk(kernel->body, [&](Op& op) {
      if (!op.is(Opcode::Loop)) return;
      for (std::size_t i = 0; i < op.num_operands(); ++i)
        edits.push_back([&op, i] {
          op.region().argument(i)->replace_all_uses_with(op.operand(i));
          op.region().erase_argument(i);
          op.erase_operand(i);
          walk(op.region(), [&](Op& exit) {
            if (exit.is(Opcode::Continue) && exit.target() == &op) exit.erase_operand(i);
          });
        });
    });
  return edits;
}

/// A result becomes zero.
std::vector<Edit> drop_results(Module& module) {
  std::vector<Edit> edits;
  for (const auto& kernel : module.kernels)
    walk(kernel->body, [&](Op& op) {
      if (op.num_regions() == 0) return;
      for (std::size_t i = 0; i < op.num_results(); ++i)
        edits.push_back([&op, i] {
          if (op.result(i)->has_uses())
            op.result(i)->replace_all_uses_with(zero_before(&op, op.result(i)->type()));
          op.erase_result(i);
          for (const auto& region : op.regions())
            walk(*region, [&](Op& exit) {
              if (exit.is(Opcode::Break) && exit.target() == &op) exit.erase_operand(i);
            });
        });
    });
  return edits;
}

constexpr Strategy kStrategies[] = {
    {"remove ops", remove_ops},
    {"use the first operand", use_operand<false>},
    {"use the last operand", use_operand<true>},
    {"drop loop arguments", drop_loop_arguments},
    {"drop results", drop_results},
    {"operands to zero", constant_operands<0>},
    {"operands to one", constant_operands<1>},
    {"merge constants", merge_constants},
};

}  // namespace

std::span<const Strategy> value_strategies() { return kStrategies; }

}  // namespace spirea::reduce
