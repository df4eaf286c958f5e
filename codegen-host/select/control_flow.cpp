// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structured ops become basic blocks. A break, of however many levels, is a branch to the target's exit
// block, where the target's results are phis; a continue is a branch to the loop's header.
#include "codegen-host/select/selector.h"

namespace spirea::host {

void Selector::close(const kir::Op& op) {
  Target& closed = targets_[&op];
  closed.exit->moveAfter(&function()->back());
  builder.SetInsertPoint(closed.exit);
  builder.clearFastMathFlags();  // phis would take them
  for (unsigned i = 0; i < op.num_results(); ++i) {
    llvm::Type* result = type(op.result(i)->type());
    if (closed.breaks.empty()) {  // never reached: LLVM wants no phi there
      set(op.result(i), llvm::PoisonValue::get(result));
      continue;
    }
    llvm::PHINode* phi =
        builder.CreatePHI(result, static_cast<unsigned>(closed.breaks.size()), op.result(i)->name);
    for (const Target::Jump& jump : closed.breaks) phi->addIncoming(jump.values[i], jump.from);
    set(op.result(i), phi);
  }
  targets_.erase(&op);
}

namespace selectors {

// A subgroup is one invocation, which waits for nobody.
llvm::Value* barrier(Selector& s, const kir::Op& op, unsigned) {
  if (op.as<kir::SyncAttr>().scope == kir::Scope::Subgroup) return nullptr;
  const Cut cut{s.new_block("suspend"), s.new_block("resume")};
  llvm::BasicBlock* behind = s.new_block("behind");
  s.builder.CreateBr(cut.suspend);
  s.builder.SetInsertPoint(cut.suspend);
  s.builder.CreateBr(cut.resume);
  s.builder.SetInsertPoint(cut.resume);
  s.builder.CreateBr(behind);
  s.builder.SetInsertPoint(behind);
  s.environment().cuts->push_back(cut);
  return nullptr;
}

llvm::Value* branch_if(Selector& s, const kir::Op& op, unsigned) {
  llvm::BasicBlock* then_block = s.new_block("then");
  llvm::BasicBlock* else_block = s.new_block("else");
  s.target(&op).exit = s.new_block("endif");
  s.builder.CreateCondBr(s.operand(op, 0), then_block, else_block);
  s.builder.SetInsertPoint(then_block);
  s.select(op.region(0));
  else_block->moveAfter(&s.function()->back());
  s.builder.SetInsertPoint(else_block);
  s.select(op.region(1));
  s.close(op);
  return nullptr;
}

llvm::Value* loop(Selector& s, const kir::Op& op, unsigned) {
  llvm::BasicBlock* before = s.builder.GetInsertBlock();
  llvm::BasicBlock* header = s.new_block("loop");
  Selector::Target& target = s.target(&op);
  target.exit = s.new_block("endloop");
  target.header = header;
  s.builder.CreateBr(header);
  s.builder.SetInsertPoint(header);
  const kir::Region& body = op.region();
  for (const auto& argument : body.arguments()) {
    llvm::PHINode* phi = s.builder.CreatePHI(s.type(argument->type()), 2, argument->name);
    phi->addIncoming(s.operand(op, argument->index()), before);
    target.arguments.push_back(phi);
    s.set(argument.get(), phi);
  }
  s.select(body);
  s.close(op);
  return nullptr;
}

llvm::Value* branch_switch(Selector& s, const kir::Op& op, unsigned) {
  const auto& cases = op.as<kir::CasesAttr>().values;
  llvm::Value* value = s.operand(op, 0);
  auto* type = llvm::cast<llvm::IntegerType>(value->getType());
  s.target(&op).exit = s.new_block("endswitch");
  llvm::BasicBlock* default_block = s.new_block("default");
  llvm::SwitchInst* branch =
      s.builder.CreateSwitch(value, default_block, static_cast<unsigned>(cases.size()));
  for (std::size_t i = 0; i < op.num_regions(); ++i) {
    const bool is_default = i == cases.size();
    llvm::BasicBlock* block = is_default ? default_block : s.new_block("case");
    if (is_default) block->moveAfter(&s.function()->back());
    if (!is_default)
      for (const std::uint64_t label : cases[i])
        branch->addCase(
            llvm::ConstantInt::get(type->getContext(), llvm::APInt(type->getBitWidth(), label, false, true)),
            block);
    s.builder.SetInsertPoint(block);
    s.select(op.region(i));
  }
  s.close(op);
  return nullptr;
}

llvm::Value* block(Selector& s, const kir::Op& op, unsigned) {
  s.target(&op).exit = s.new_block("endblock");
  s.select(op.region());
  s.close(op);
  return nullptr;
}

llvm::Value* jump_break(Selector& s, const kir::Op& op, unsigned) {
  Selector::Target& target = s.target(op.target());
  Selector::Target::Jump jump{s.builder.GetInsertBlock(), {}};
  for (unsigned i = 0; i < op.num_operands(); ++i) jump.values.push_back(s.operand(op, i));
  target.breaks.push_back(std::move(jump));
  s.builder.CreateBr(target.exit);
  return nullptr;
}

llvm::Value* jump_continue(Selector& s, const kir::Op& op, unsigned) {
  Selector::Target& target = s.target(op.target());
  for (unsigned i = 0; i < op.num_operands(); ++i)
    target.arguments[i]->addIncoming(s.operand(op, i), s.builder.GetInsertBlock());
  s.builder.CreateBr(target.header);
  return nullptr;
}

llvm::Value* jump_return(Selector& s, const kir::Op&, unsigned) {
  s.builder.CreateBr(s.environment().invocation_end);
  return nullptr;
}

/// The invocation ends, and the process lives on: what failed is in the message buffer.
llvm::Value* trap(Selector& s, const kir::Op& op, unsigned i) { return jump_return(s, op, i); }

llvm::Value* unreachable(Selector& s, const kir::Op&, unsigned) {
  s.builder.CreateUnreachable();
  return nullptr;
}

}  // namespace selectors
}  // namespace spirea::host
