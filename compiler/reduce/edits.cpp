// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/reduce/edits.h"

#include <bit>

#include "ir/core/builder.h"

namespace spirea::reduce {

using namespace kir;

namespace {

/// Details of an op that could be simpler, as details.cpp has it.
std::uint64_t detail_cost(const Op& op) {
  std::uint64_t cost = op.location != 0 ? 1 : 0;
  if (const auto* fast = std::get_if<FastAttr>(&op.attr)) cost += fast->flags != 0;
  if (const auto* memory = std::get_if<MemoryAttr>(&op.attr)) cost += memory->is_volatile;
  if (const auto* scale = std::get_if<ScaleAttr>(&op.attr))
    cost += (scale->displacement != 0) + (scale->scale != 1);
  if (const auto* literal = std::get_if<LiteralAttr>(&op.attr))
    cost += static_cast<std::uint64_t>(std::bit_width(literal->bits));
  if (const auto* object = std::get_if<ObjectAttr>(&op.attr))
    cost += static_cast<std::uint64_t>(std::bit_width(object->size));
  if (const auto* cases = std::get_if<CasesAttr>(&op.attr))
    for (const auto& values : cases->values) cost += values.size();
  for (const auto& result : op.results()) cost += !result->name.empty();
  return cost;
}

// A constant costs less than the use of a value that is none: replacing an operand by one is progress.
constexpr std::uint64_t kOp = 200, kConstant = 100, kOperand = 250, kRegion = 300, kArgument = 100;

std::uint64_t op_cost(const Op& op) {
  std::uint64_t cost = op.is(Opcode::Const) || op.is(Opcode::Undef) ? kConstant : kOp;
  for (const Value* operand : op.operands()) cost += literal(operand) ? kOperand / 10 : kOperand;
  cost += kArgument * op.num_results();
  for (const auto& region : op.regions()) cost += kRegion + kArgument * region->arguments().size();
  if (op.num_regions() != 0 && !op.is(Opcode::Block)) cost += 10;   // a block can be unwrapped
  if (op.is(Opcode::Break) || op.is(Opcode::Continue)) cost += 10;  // a return is simpler
  return cost + detail_cost(op);
}

std::uint64_t manifest_cost(const abi::Manifest& manifest) {
  std::uint64_t cost =
      manifest.key.size() + manifest.display.size() + manifest.file.size() + manifest.name.size();
  cost += manifest.workgroup_size.has_value() ? 20 : 0;
  for (const abi::Param& param : manifest.params) cost += kOp + 20 * param.leaves.size() + param.type.size();
  return cost;
}

}  // namespace

std::uint64_t cost(const Module& module) {
  std::uint64_t cost = module.locations.size();
  for (const auto& constant : module.constants) {
    cost += kOp;
    for (const std::uint8_t byte : constant->bytes) cost += 1 + (byte != 0);
  }
  for (const auto& kernel : module.kernels) {
    cost += kOp + manifest_cost(kernel->manifest) + (kernel->location != 0);
    walk(kernel->body, [&](Op& op) { cost += op_cost(op); });
  }
  return cost;
}

std::size_t count_ops(const Module& module) {
  std::size_t count = 0;
  for (const auto& kernel : module.kernels) walk(kernel->body, [&](Op&) { ++count; });
  return count;
}

Value* zero_before(Op* op, Type type) {
  Builder builder(op);
  return builder.constant(type, 0);
}

void erase_op(Op* op) {
  for (const auto& result : op->results())
    if (result->has_uses()) result->replace_all_uses_with(zero_before(op, result->type()));
  op->drop_operands();
  op->erase();
}

void erase_from(Op* first) {
  Region* region = first->parent();
  for (Op* op = first; op != nullptr; op = op->next()) op->drop_operands();
  while (region->last() != first) region->last()->erase();
  first->erase();
}

std::span<const Strategy> strategies() {
  static const std::vector<Strategy> all = [] {
    std::vector<Strategy> list;
    for (const auto family :
         {interface_strategies(), value_strategies(), region_strategies(), detail_strategies()})
      list.insert(list.end(), family.begin(), family.end());
    return list;
  }();
  return all;
}

}  // namespace spirea::reduce
