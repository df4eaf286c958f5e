// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <llvm/IR/CFG.h>

#include "frontend/import/importer.h"

namespace spirea::frontend {

using structurize::BranchKind;
using structurize::Item;
using structurize::ItemKind;

namespace {

/// The block that a successor of build_cfg() means. (LLVM counts a switch's default first, the structurizer
/// last.)
const llvm::BasicBlock& destination(const llvm::BasicBlock& from, int successor) {
  const llvm::Instruction* end = from.getTerminator();
  const unsigned n = end->getNumSuccessors(), index = static_cast<unsigned>(successor);
  return *end->getSuccessor(llvm::isa<llvm::SwitchInst>(end) ? (index + 1) % n : index);
}

}  // namespace

/// Blocks that the entry reaches; for an invoke, only where it goes on normally.
void Importer::collect_blocks() {
  const auto add = [&](const llvm::BasicBlock* block) {
    if (block_index_.try_emplace(block, static_cast<int>(blocks_.size())).second) blocks_.push_back(block);
  };
  add(&entry_.getEntryBlock());
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const llvm::Instruction* end = blocks_[i]->getTerminator();
    if (const auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(end))
      add(invoke->getNormalDest());
    else if (llvm::isa<llvm::BranchInst, llvm::SwitchInst>(end))
      for (const llvm::BasicBlock* next : llvm::successors(end)) add(next);
  }
}

structurize::Cfg Importer::build_cfg() {
  collect_blocks();
  structurize::Cfg cfg(blocks_.size());
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const llvm::Instruction* end = blocks_[i]->getTerminator();
    structurize::CfgBlock& block = cfg[i];
    const auto add = [&](const llvm::BasicBlock* next) { block.successors.push_back(block_index_.at(next)); };
    block.is_empty = &*blocks_[i]->getFirstNonPHIOrDbg() == end && blocks_[i]->phis().empty();
    if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(end)) {
      block.kind = branch->isConditional() ? BranchKind::If : BranchKind::Jump;
      for (unsigned k = 0; k < branch->getNumSuccessors(); ++k) add(branch->getSuccessor(k));
    } else if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(end)) {
      block.kind = BranchKind::Switch;
      for (const auto& c : choice->cases()) add(c.getCaseSuccessor());
      add(choice->getDefaultDest());
    } else if (const auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(end)) {
      block.kind = BranchKind::Jump;
      add(invoke->getNormalDest());
    } else {
      block.kind = llvm::isa<llvm::ReturnInst>(end) ? BranchKind::Return : BranchKind::Unreachable;
    }
  }
  return cfg;
}

void Importer::find_headers(const structurize::Sequence& items) {
  for (const auto& item : items) {
    if (item->kind == ItemKind::Loop) loop_headers_.insert(item->block);
    for (const auto& body : item->bodies) find_headers(body);
  }
}

void Importer::sequence(const structurize::Sequence& items) {
  for (const auto& i : items) item(*i);
}

void Importer::item(const Item& item) {
  switch (item.kind) {
    case ItemKind::Code: code(*blocks_[item.block]); break;
    case ItemKind::Inline: {
      const llvm::BasicBlock& from = *blocks_[item.block];
      const llvm::BasicBlock& to = destination(from, item.successor);
      bind_phis(to, phi_values(from, to));
      break;
    }
    case ItemKind::If:
    case ItemKind::Switch:
    case ItemKind::Loop:
    case ItemKind::Block: construct(item); break;
    case ItemKind::Break:
    case ItemKind::Continue: leave(item); break;
    case ItemKind::Return:
    case ItemKind::Unreachable: end_block(item); break;
  }
}

void Importer::code(const llvm::BasicBlock& block) {
  trapped_ = false;
  for (const llvm::Instruction& inst : block) {
    if (llvm::isa<llvm::PHINode>(inst)) continue;
    builder_.set_location(location(inst.getDebugLoc()));
    if (!inst.isTerminator())
      instruction(inst);
    else if (const auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&inst))
      call(*invoke);
    if (trapped_ && inst.isTerminator() && !llvm::isa<llvm::UnreachableInst>(inst))
      error("internal error: code follows a trap");
  }
}

void Importer::end_block(const Item& item) {
  if (item.kind == ItemKind::Return) {
    builder_.ret();
    return;
  }
  const llvm::Instruction* end = item.block == -1 ? nullptr : blocks_[item.block]->getTerminator();
  if (end != nullptr && llvm::isa<llvm::IndirectBrInst>(end))
    error("computed goto is not supported in kernels");
  else if (end != nullptr && llvm::isa<llvm::CallBrInst>(end))
    error("inline assembly is not supported in kernels");
  else if (end != nullptr && !llvm::isa<llvm::UnreachableInst>(end))
    error("exceptions are not supported in kernels");
  if (item.block != -1 && trapped_)
    builder_.trap();
  else
    builder_.unreachable();
}

/// The op of a construct, its bodies, and its results as the phis of the block that follows.
void Importer::construct(const Item& item) {
  const llvm::BasicBlock* after = item.after == -1 ? nullptr : blocks_[item.after];
  kir::Op* op = create_construct(item, after == nullptr ? std::vector<kir::Type>() : phi_types(*after));
  constructs_[&item] = op;
  kir::Region& outer = builder_.region();
  for (std::size_t i = 0; i < item.bodies.size(); ++i) {
    builder_.set_end(op->region(i));
    if (item.kind == ItemKind::Loop) {
      std::vector<kir::Value*> arguments;
      for (const auto& argument : op->region().arguments()) arguments.push_back(argument.get());
      loop_headers_.erase(item.block);  // from here on the phis are the arguments
      bind_phis(*blocks_[item.block], arguments);
      loop_headers_.insert(item.block);
    }
    sequence(item.bodies[i]);
  }
  builder_.set_end(outer);
  if (after == nullptr) return;
  std::vector<kir::Value*> results;
  for (std::size_t i = 0; i < op->num_results(); ++i) results.push_back(op->result(i));
  bind_phis(*after, results);
}

kir::Op* Importer::create_construct(const Item& item, std::vector<kir::Type> results) {
  if (item.kind == ItemKind::Block) return builder_.block(results);
  if (item.kind == ItemKind::Loop) {
    kir::Op* loop = builder_.loop(entering_[item.block], results);
    return loop;
  }
  const llvm::Instruction* end = blocks_[item.block]->getTerminator();
  if (item.kind == ItemKind::If)
    return builder_.if_op(scalar(llvm::cast<llvm::BranchInst>(end)->getCondition()), results);
  const auto& choice = llvm::cast<llvm::SwitchInst>(*end);
  kir::Value* operand = scalar(choice.getCondition());
  if (is_wide(choice.getCondition()->getType()))
    error("a switch on a 128-bit integer is not supported in kernels");
  if (operand->type().is_bool()) operand = resize(kir::Opcode::ZExt, operand, kir::Type::i32());
  return builder_.switch_op(operand, cases(item, choice), results);
}

kir::CasesAttr Importer::cases(const Item& item, const llvm::SwitchInst& choice) {
  kir::CasesAttr attr;
  for (std::size_t i = 0; i + 1 < item.arms.size(); ++i) {
    auto& values = attr.values.emplace_back();
    for (const int successor : item.arms[i])
      values.push_back((choice.case_begin() + successor)
                           ->getCaseValue()
                           ->getValue()
                           .extractBitsAsZExtValue(
                               std::min(choice.getCondition()->getType()->getIntegerBitWidth(), 64u), 0));
  }
  return attr;
}

void Importer::leave(const Item& item) {
  const llvm::BasicBlock& from = *blocks_[item.block];
  const llvm::BasicBlock& to = destination(from, item.successor);
  const std::vector<kir::Value*> values = phi_values(from, to);
  if (item.kind == ItemKind::Break)
    builder_.break_to(constructs_.at(item.target), values);
  else
    builder_.continue_to(constructs_.at(item.target), values);
}

std::vector<kir::Type> Importer::phi_types(const llvm::BasicBlock& block) {
  std::vector<kir::Type> result;
  for (const llvm::PHINode& phi : block.phis()) types(phi.getType(), &phi, result);
  return result;
}

std::vector<kir::Value*> Importer::phi_values(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
  std::vector<kir::Value*> result;
  std::vector<kir::Type> wanted;
  for (const llvm::PHINode& phi : to.phis()) {
    wanted.clear();
    types(phi.getType(), &phi, wanted);
    Components parts = get(phi.getIncomingValueForBlock(&from));
    for (std::size_t i = 0; i < wanted.size(); ++i) result.push_back(coerce(parts[i], wanted[i]));
  }
  return result;
}

void Importer::bind_phis(const llvm::BasicBlock& block, llvm::ArrayRef<kir::Value*> values) {
  const int index = block_index_.lookup(&block);
  if (is_loop_header(index)) {
    entering_[index].assign(values.begin(), values.end());
    return;
  }
  std::size_t at = 0;
  std::vector<kir::Type> wanted;
  for (const llvm::PHINode& phi : block.phis()) {
    wanted.clear();
    types(phi.getType(), &phi, wanted);
    set(&phi, Components(values.begin() + at, values.begin() + at + wanted.size()));
    at += wanted.size();
  }
}

}  // namespace spirea::frontend
