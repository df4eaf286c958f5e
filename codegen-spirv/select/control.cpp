// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structured control flow (SPIR-V specification 2.11, 3.52.17). Legalization has left only exits that SPIR-V
// allows: a break to the construct around the region, to the innermost loop or switch, and a continue of the
// innermost loop.
#include "codegen-spirv/select/selector.h"

namespace spirea::spirv {

using kir::Opcode;
using kir::OpRule;

void Selector::label(Id id) {
  w_.emit(Section::Function, OpLabel{.result = id});
  current_block_ = id;
}

void Selector::branch(Id target) { w_.emit(Section::Function, OpBranch{.target_label = target}); }

void Selector::location(kir::LocId id) {
  if (!options_.debug_info || id == 0) return;
  const kir::Location& l = module_.locations[id];
  if (l.file.empty()) return;
  Id& file = files_[l.file];
  if (file.value == 0) file = w_.define(Section::DebugSource, OpString{.string = l.file});
  w_.emit(Section::Function, OpLine{.file = file, .line = l.line, .column = l.column});
}

void Selector::region(const kir::Region& region) {
  for (const kir::Op& each : region) op(each);
}

void Selector::op(const kir::Op& op) {
  location(op.location);
  switch (info(op.opcode()).rule) {
    case OpRule::If:
    case OpRule::Switch:
    case OpRule::Block: selection(op); return;
    case OpRule::Loop: loop(op); return;
    case OpRule::Break:
    case OpRule::Continue: exit(op); return;
    case OpRule::Terminator:
      if (op.is(Opcode::Unreachable))
        w_.emit(Section::Function, OpUnreachable{});
      else
        w_.emit(Section::Function, OpReturn{});
      return;
    case OpRule::Store: store(op); return;
    case OpRule::AtomicStore: atomic_store(op); return;
    case OpRule::Effect: synchronize(op); return;
    case OpRule::Object:
    case OpRule::Dynamic:
    case OpRule::AddressOf: return;  // variables; access chains begin at the loads and stores
    default: break;
  }
  const kir::Value* result = op.result();
  if (result->type().is_ptr() && result->type().space() != kir::Space::Global)
    return;  // part of an access chain
  const Id id = value_op(op);
  w_.name(id, result->name);
  set(result, id);
}

/// If, switch, and block, which is a switch with nothing but a default: breaks may leave it from nested
/// selections.
///
///   OpSelectionMerge %merge
///   OpBranchConditional / OpSwitch
///   ... bodies ...
///   %merge = OpLabel, and an OpPhi for each result
void Selector::selection(const kir::Op& op) {
  Construct& construct = constructs_[&op];
  construct.merge = w_.new_id();
  std::vector<Id> labels;
  for (std::size_t i = 0; i < op.num_regions(); ++i) labels.push_back(w_.new_id());
  w_.emit(Section::Function, OpSelectionMerge{.merge_block = construct.merge});
  if (op.is(Opcode::If)) {
    w_.emit(Section::Function,
            OpBranchConditional{
                .condition = get(op.operand(0)), .true_label = labels[0], .false_label = labels[1]});
  } else if (op.is(Opcode::Block)) {
    w_.emit(Section::Function, OpSwitch{.selector = w_.constant_u32(0), .default_ = labels[0]});
  } else {
    std::vector<std::pair<Literal, Id>> targets;
    const auto& cases = op.as<kir::CasesAttr>().values;
    const unsigned width = op.operand(0)->type().bits();
    for (std::size_t i = 0; i < cases.size(); ++i)
      for (const std::uint64_t value : cases[i]) targets.emplace_back(Literal{value, width}, labels[i]);
    w_.emit(Section::Function,
            OpSwitch{.selector = get(op.operand(0)), .default_ = labels.back(), .target = targets});
  }
  for (std::size_t i = 0; i < op.num_regions(); ++i) {
    label(labels[i]);
    region(op.region(i));
  }
  merge(op, construct);
}

///   %header:   a phi for each argument; OpLoopMerge %merge %next; OpBranch %body
///   %body:     ...
///   %next:     a phi for each argument of the next iteration; OpBranch %header
///   %merge:    a phi for each result
void Selector::loop(const kir::Op& op) {
  Construct& construct = constructs_[&op];
  construct.merge = w_.new_id();
  construct.next = w_.new_id();
  const Id header = w_.new_id(), body = w_.new_id(), before = current_block_;
  branch(header);
  label(header);
  // The values of the next iteration are known by id before their phis are written.
  std::vector<Id> next_values;
  for (std::size_t i = 0; i < op.num_operands(); ++i) {
    next_values.push_back(w_.new_id());
    const kir::Value* argument = op.region().argument(i);
    const Id id = add(OpPhi{.type = type(argument->type()),
                            .variable = {{get(op.operand(i)), before}, {next_values[i], construct.next}}});
    w_.name(id, argument->name);
    set(argument, id);
  }
  w_.emit(Section::Function, OpLoopMerge{.merge_block = construct.merge, .continue_target = construct.next});
  branch(body);
  label(body);
  guard_exits(op, construct);
  region(op.region());
  label(construct.next);
  for (std::size_t i = 0; i < op.num_operands(); ++i) {
    const Id argument_type = type(op.operand(i)->type());
    OpPhi inst{.type = argument_type, .result = next_values[i]};
    for (const Exit& from : construct.continues) inst.variable.emplace_back(from.values[i], from.from);
    if (inst.variable.empty())
      w_.emit(Section::Function, OpUndef{.type = argument_type, .result = next_values[i]});
    else
      w_.emit(Section::Function, inst);
  }
  branch(header);
  merge(op, construct);
}

void Selector::merge(const kir::Op& op, Construct& construct) {
  label(construct.merge);
  for (std::size_t i = 0; i < op.num_results(); ++i) {
    const Id result = phi(type(op.result(i)->type()), construct.breaks, i);
    w_.name(result, op.result(i)->name);
    set(op.result(i), result);
  }
}

Id Selector::phi(Id type, const std::vector<Exit>& exits, std::size_t index) {
  if (exits.empty()) return w_.undef(type);
  OpPhi inst{.type = type};
  for (const Exit& from : exits) inst.variable.emplace_back(from.values[index], from.from);
  return add(inst);
}

void Selector::exit(const kir::Op& op) {
  Construct& construct = constructs_.at(op.target());
  Exit exit{current_block_, {}};
  for (const kir::Value* value : op.operands()) exit.values.push_back(get(value));
  const bool is_break = op.is(Opcode::Break);
  (is_break ? construct.breaks : construct.continues).push_back(std::move(exit));
  branch(is_break ? construct.merge : construct.next);
}

}  // namespace spirea::spirv
