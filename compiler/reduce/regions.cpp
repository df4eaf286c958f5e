// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edits of control flow: end a region early, put one region in the place of its op, take ops out of blocks,
// drop cases.
#include "compiler/reduce/edits.h"
#include "ir/core/builder.h"
#include "ir/core/exits.h"

namespace spirea::reduce {

using namespace kir;

namespace {

/// The rest of the region, or the jump at its end, becomes `return`.
std::vector<Edit> end_early(Module& module) {
  return for_each_op(module, [](Op& op) -> Edit {
    if (op.is(Opcode::Return) || op.is(Opcode::Object)) return {};
    return [&op] {
      Builder builder(&op);
      builder.ret();
      erase_from(&op);
    };
  });
}

/// Exits of `from`, in the region, become exits of the block.
void retarget(Region& region, Op* from, Op* block) {
  std::vector<Op*> exits;
  walk(region, [&](Op& op) {
    if (std::holds_alternative<TargetAttr>(op.attr) && op.target() == from) exits.push_back(&op);
  });
  for (Op* exit : exits) {
    if (exit->is(Opcode::Break)) {
      exit->as<TargetAttr>().op = block;
      continue;
    }
    // A continue carries the loop's arguments: the block gets zeros instead.
    Builder builder(exit);
    std::vector<Value*> values;
    for (const auto& result : block->results()) values.push_back(builder.constant(result->type(), 0));
    builder.break_to(block, values);
    exit->erase();
  }
}

/// The op becomes a block of this region of it.
void make_block(Op* op, std::size_t index) {
  Region& body = op->region(index);
  std::vector<Type> types;
  for (const auto& result : op->results()) types.push_back(result->type());
  Builder builder(op);
  builder.set_location(op->location);
  Op* block = builder.block(types);
  for (std::size_t i = 0; i < body.arguments().size(); ++i)
    body.argument(i)->replace_all_uses_with(op->operand(i));
  block->region().splice(nullptr, body);
  retarget(block->region(), op, block);
  for (std::size_t i = 0; i < types.size(); ++i) op->result(i)->replace_all_uses_with(block->result(i));
  op->drop_operands();
  op->erase();
}

template <bool Last>
std::vector<Edit> keep_region(Module& module) {
  return for_each_op(module, [](Op& op) -> Edit {
    if (op.num_regions() == 0 || op.is(Opcode::Block) || (Last && op.num_regions() == 1)) return {};
    return [&op] { make_block(&op, Last ? op.num_regions() - 1 : 0); };
  });
}

/// Takes the ops out of a block whose one break, if it has any, is its end.
void unwrap(Op* block) {
  Region* outer = block->parent();
  Op* end = block->region().terminator();
  const bool ends_here = end->is(Opcode::Break) && end->target() == block;
  if (ends_here) {
    for (std::size_t i = 0; i < block->num_results(); ++i)
      block->result(i)->replace_all_uses_with(end->operand(i));
    end->erase();
    outer->splice(block, block->region());
    block->erase();
  } else {  // nothing after it runs
    Op* after = block->next();
    outer->splice(block, block->region());
    if (after != nullptr) erase_from(after);
    block->erase();
  }
}

std::vector<Edit> unwrap_blocks(Module& module) {
  std::vector<Edit> edits;
  for (const auto& kernel : module.kernels) {
    const Exits exits(kernel->body);
    walk(kernel->body, [&](Op& op) {
      if (!op.is(Opcode::Block)) return;
      const auto& breaks = exits.breaks(&op);
      Op* end = op.region().terminator();
      if (breaks.empty() || (breaks.size() == 1 && breaks[0] == end)) edits.push_back([&op] { unwrap(&op); });
    });
  }
  return edits;
}

/// A switch without this case takes the op's place.
void drop_case(Op* op, std::size_t dropped) {
  std::vector<Type> types;
  for (const auto& result : op->results()) types.push_back(result->type());
  CasesAttr cases = op->as<CasesAttr>();
  cases.values.erase(cases.values.begin() + static_cast<std::ptrdiff_t>(dropped));
  Builder builder(op);
  builder.set_location(op->location);
  Op* smaller = builder.switch_op(op->operand(0), std::move(cases), types);
  std::size_t next = 0;
  for (std::size_t i = 0; i < op->num_regions(); ++i) {
    if (i == dropped) continue;
    Region& region = smaller->region(next++);
    region.splice(nullptr, op->region(i));
    retarget(region, op, smaller);
  }
  for (std::size_t i = 0; i < types.size(); ++i) op->result(i)->replace_all_uses_with(smaller->result(i));
  op->drop_operands();
  op->erase();
}

/// One case of each switch, since an edit replaces the op: the one at this place, from the front or the back.
template <std::size_t Place, bool FromBack = false>
std::vector<Edit> drop_cases(Module& module) {
  return for_each_op(module, [](Op& op) -> Edit {
    if (!op.is(Opcode::Switch) || op.num_regions() < Place + 2) return {};
    return [&op] { drop_case(&op, FromBack ? op.num_regions() - 2 - Place : Place); };
  });
}

constexpr Strategy kStrategies[] = {
    {"end regions early", end_early},
    {"keep the first region", keep_region<false>},
    {"keep the last region", keep_region<true>},
    {"unwrap blocks", unwrap_blocks},
    {"drop the first case", drop_cases<0>},
    {"drop the last case", drop_cases<0, true>},
    {"drop the second case", drop_cases<1>},
    {"drop the third case", drop_cases<2>},
};

}  // namespace

std::span<const Strategy> region_strategies() { return kStrategies; }

}  // namespace spirea::reduce
