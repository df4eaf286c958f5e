// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/import/spaces.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "frontend/import/numbers.h"
#include "frontend/pointer_sources.h"
#include "frontend/synchronization.h"

namespace spirea::frontend {
namespace {

/// The operands that a pointer takes its space from, also by way of aggregates; none for one that starts a
/// new chain.
llvm::SmallVector<llvm::Value*, 4> sources(const llvm::Instruction& inst) {
  switch (inst.getOpcode()) {
    case llvm::Instruction::ExtractElement:
    case llvm::Instruction::ExtractValue: return {inst.getOperand(0)};
    case llvm::Instruction::InsertElement:
    case llvm::Instruction::InsertValue:
    case llvm::Instruction::ShuffleVector: return {inst.getOperand(0), inst.getOperand(1)};
    default: return pointer_sources(inst);
  }
}

bool holds_pointers(const llvm::Type* type) {
  if (type->isPtrOrPtrVectorTy()) return true;
  for (const llvm::Type* element : type->subtypes())
    if (holds_pointers(element)) return true;
  return false;
}

bool is_dynamic_shared(const llvm::Instruction& inst) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&inst);
  const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  return callee != nullptr && callee->getName() == "__spirea_dynamic_shared";
}

bool has_address(const llvm::Constant& c) {
  if (llvm::isa<llvm::GlobalValue>(c)) return true;
  for (const llvm::Value* operand : c.operand_values())
    if (has_address(*llvm::cast<llvm::Constant>(operand))) return true;
  return false;
}

}  // namespace

bool holds_addresses(const llvm::GlobalVariable& global) {
  return global.isConstant() && global.hasInitializer() && !global.getName().starts_with("_ZTV") &&
         has_address(*global.getInitializer());
}

bool PointerSpaces::add(Mask& mask, Mask more) {
  const Mask before = mask;
  mask |= more;
  return mask != before;
}

PointerSpaces::Mask PointerSpaces::mask_of_constant(const llvm::Constant& constant) const {
  if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(&constant)) {
    if (is_shared(*global)) return kWorkgroup;
    return holds_addresses(*global) ? kPrivate : kConstant;
  }
  if (llvm::isa<llvm::GlobalValue>(constant)) return kConstant;
  if (llvm::isa<llvm::ConstantPointerNull, llvm::UndefValue>(constant)) return 0;
  const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant);
  if (expression != nullptr && expression->getOpcode() == llvm::Instruction::IntToPtr) return kGlobal;
  Mask result = 0;
  for (const llvm::Value* operand : constant.operand_values()) result |= mask(operand);
  return result;
}

PointerSpaces::Mask PointerSpaces::mask(const llvm::Value* value) const {
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(value)) return mask_of_constant(*constant);
  if (llvm::isa<llvm::AllocaInst>(value)) return kPrivate;
  if (!llvm::isa<llvm::Instruction>(value)) return kGlobal;
  const auto known = masks_.find(value);
  return known == masks_.end() ? Mask{0} : known->second;
}

PointerSpaces::Mask PointerSpaces::mask_of_instruction(const llvm::Instruction& inst) const {
  Mask result = 0;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&inst)) {
    const Mask from = mask(load->getPointerOperand());
    if ((from & kGlobal) != 0) result |= kGlobal;
    if ((from & (kPrivate | kWorkgroup)) != 0) result |= stored_ | numbers_;
    return result;
  }
  const Mask local = (stored_ | numbers_) & ~kGlobal;
  if (llvm::isa<llvm::IntToPtrInst>(inst)) return kGlobal | local;
  if (is_dynamic_shared(inst)) return kWorkgroup;
  const auto from = sources(inst);
  if (from.empty()) return kGlobal;
  for (const llvm::Value* source : from)
    if (holds_pointers(source->getType())) result |= mask(source);
  return result;
}

bool PointerSpaces::visit(const llvm::Instruction& inst) {
  bool changed = false;
  if (holds_pointers(inst.getType()) && !llvm::isa<llvm::AllocaInst>(inst))
    changed = add(masks_[&inst], mask_of_instruction(inst));
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&inst)) {
    const llvm::Value* value = store->getValueOperand();
    const bool is_local = (mask(store->getPointerOperand()) & (kPrivate | kWorkgroup)) != 0;
    if (!is_local) return changed;
    if (holds_pointers(value->getType())) changed |= add(stored_, mask(value));
    // Whole words may be the addresses of buffers, copied as numbers.
    if (value->getType()->isIntOrIntVectorTy() && value->getType()->getScalarSizeInBits() >= 64 &&
        (stored_ & ~kGlobal) != 0)
      changed |= add(stored_, kGlobal);
  } else if (const auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&inst)) {
    if ((mask(transfer->getRawDest()) & (kPrivate | kWorkgroup)) != 0 &&
        (mask(transfer->getRawSource()) & kGlobal) != 0)
      changed |= add(stored_, kGlobal);
  }
  return changed;
}

/// Constants with addresses are private memory with these pointers in it.
void PointerSpaces::look_at_tables(const llvm::Function& function) {
  llvm::SmallPtrSet<const llvm::Constant*, 16> seen;
  llvm::SmallVector<const llvm::Constant*, 16> work;
  for (const llvm::Instruction& inst : llvm::instructions(function))
    for (const llvm::Value* operand : inst.operand_values())
      if (const auto* constant = llvm::dyn_cast<llvm::Constant>(operand)) work.push_back(constant);
  while (!work.empty()) {
    const llvm::Constant* constant = work.pop_back_val();
    if (!seen.insert(constant).second) continue;
    if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(constant)) {
      if (!holds_addresses(*global)) continue;
      stored_ |= mask_of_constant(*global->getInitializer());
      work.push_back(global->getInitializer());
    } else if (!llvm::isa<llvm::GlobalValue>(constant)) {
      for (const llvm::Value* operand : constant->operand_values())
        work.push_back(llvm::cast<llvm::Constant>(operand));
    }
  }
}

PointerSpaces::PointerSpaces(const llvm::Function& function) {
  look_at_tables(function);
  const auto escaping = escaping_addresses(function);
  for (bool changed = true; changed;) {  // a mask has few bits to gain
    changed = false;
    for (const llvm::Value* pointer : escaping) changed |= add(numbers_, mask(pointer));
    for (const llvm::Instruction& inst : llvm::instructions(function)) changed |= visit(inst);
  }
  place_nulls(function);
}

void PointerSpaces::place_nulls(const llvm::Function& function) {
  const auto place = [&](const llvm::Value* value, Mask mask) {
    return mask != 0 && llvm::isa<llvm::Instruction>(value) && holds_pointers(value->getType()) &&
           this->mask(value) == 0 && add(masks_[value], mask);
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::Instruction& inst : llvm::instructions(function)) {
      if (const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&inst)) {
        const llvm::Value *a = compare->getOperand(0), *b = compare->getOperand(1);
        if (!holds_pointers(a->getType())) continue;
        changed |= place(a, mask(b));
        changed |= place(b, mask(a));
      } else if (holds_pointers(inst.getType())) {
        for (const llvm::Value* source : sources(inst)) changed |= place(source, mask(&inst));
      }
    }
  }
}

kir::Space PointerSpaces::operator[](const llvm::Value* pointer) const {
  switch (mask(pointer)) {
    case 0:
    case kGlobal: return kir::Space::Global;
    case kPrivate: return kir::Space::Private;
    case kConstant: return kir::Space::Constant;
    case kWorkgroup: return kir::Space::Workgroup;
    default: return kir::Space::Generic;
  }
}

}  // namespace spirea::frontend
