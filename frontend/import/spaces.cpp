// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/import/spaces.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

namespace spirea::frontend {
namespace {

/// The operands that a pointer takes its space from; none for one that starts a new chain.
llvm::SmallVector<const llvm::Value*, 4> sources(const llvm::Instruction& inst) {
  switch (inst.getOpcode()) {
    case llvm::Instruction::GetElementPtr:
    case llvm::Instruction::AddrSpaceCast:
    case llvm::Instruction::BitCast:
    case llvm::Instruction::Freeze: return {inst.getOperand(0)};
    case llvm::Instruction::Select: return {inst.getOperand(1), inst.getOperand(2)};
    case llvm::Instruction::PHI: return {inst.value_op_begin(), inst.value_op_end()};
    default: break;
  }
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&inst);
  if (call == nullptr) return {};
  switch (call->getIntrinsicID()) {
    case llvm::Intrinsic::launder_invariant_group:
    case llvm::Intrinsic::strip_invariant_group:
    case llvm::Intrinsic::ssa_copy:
    case llvm::Intrinsic::expect:
    case llvm::Intrinsic::ptrmask: return {call->getArgOperand(0)};
    default: return {};
  }
}

}  // namespace

std::optional<kir::Space> PointerSpaces::find(const llvm::Value* value) const {
  if (llvm::isa<llvm::ConstantPointerNull, llvm::UndefValue>(value)) return std::nullopt;
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(value)) {
    if (const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(constant))
      return expression->getOpcode() == llvm::Instruction::IntToPtr ? kir::Space::Global
                                                                    : find(expression->getOperand(0));
    return kir::Space::Constant;
  }
  if (llvm::isa<llvm::AllocaInst>(value)) return kir::Space::Private;
  const auto* inst = llvm::dyn_cast<llvm::Instruction>(value);
  if (inst == nullptr || sources(*inst).empty()) return kir::Space::Global;
  const auto known = derived_.find(value);
  return known == derived_.end() ? std::nullopt : std::optional(known->second);
}

PointerSpaces::PointerSpaces(const llvm::Function& function) {
  llvm::SmallVector<const llvm::Instruction*, 32> joins, work;
  for (const llvm::Instruction& inst : llvm::instructions(function)) {
    if (!inst.getType()->isPointerTy() || sources(inst).empty()) continue;
    work.push_back(&inst);
    if (llvm::isa<llvm::PHINode, llvm::SelectInst>(inst)) joins.push_back(&inst);
  }
  // A pointer's space is set once, as soon as one of its sources has one.
  while (!work.empty()) {
    const llvm::Instruction* inst = work.pop_back_val();
    if (derived_.contains(inst)) continue;
    for (const llvm::Value* source : sources(*inst)) {
      const auto space = find(source);
      if (!space) continue;
      derived_[inst] = *space;
      for (const llvm::User* user : inst->users())
        if (user->getType()->isPointerTy()) work.push_back(llvm::cast<llvm::Instruction>(user));
      break;
    }
  }
  for (const llvm::Instruction* join : joins)
    for (const llvm::Value* source : sources(*join)) {
      const auto space = find(source);
      if (!space || *space == (*this)[join]) continue;
      mixed_.push_back(join);
      break;
    }
}

}  // namespace spirea::frontend
