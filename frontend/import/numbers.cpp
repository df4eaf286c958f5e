// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/import/numbers.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <optional>

namespace spirea::frontend {
namespace {

/// A value that an address can be part of, other than a pointer.
bool is_number(const llvm::Value* value) {
  const llvm::Type* type = value->getType();
  return type->isSized() && !type->isPtrOrPtrVectorTy();
}

bool is_address(const llvm::Value* value) {
  const auto* op = llvm::dyn_cast<llvm::Operator>(value);
  return op != nullptr &&
         (op->getOpcode() == llvm::Instruction::PtrToInt || op->getOpcode() == llvm::Instruction::PtrToAddr);
}

/// How often each number of a function has the address of memory as a summand: p + 4 once, p - q never.
class Weights {
 public:
  explicit Weights(const llvm::Function& function) {
    for (bool changed = true; changed;) {  // a weight becomes known, and then perhaps kAny
      changed = false;
      for (const llvm::Instruction& inst : llvm::instructions(function))
        if (is_number(&inst)) changed |= update(inst);
    }
  }

  bool depends_on_address(const llvm::Value* number) const { return of(number) != 0; }

 private:
  using Weight = std::optional<int>;  // nothing: not yet known
  static constexpr int kAny = 1000;

  Weight of(const llvm::Value* value) const {
    if (const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(value))
      return computed(*llvm::cast<llvm::Operator>(expression));
    if (!llvm::isa<llvm::Instruction>(value)) return 0;
    const auto known = weights_.find(value);
    return known == weights_.end() ? Weight() : known->second;
  }

  bool update(const llvm::Instruction& inst) {
    const Weight weight = computed(llvm::cast<llvm::Operator>(inst));
    if (!weight) return false;
    const auto [at, is_new] = weights_.try_emplace(&inst, *weight);
    if (is_new || at->second == *weight) return is_new;
    const bool changed = at->second != kAny;
    at->second = kAny;
    return changed;
  }

  Weight computed(const llvm::Operator& op) const {
    if (is_address(&op)) return 1;
    switch (op.getOpcode()) {
      case llvm::Instruction::Add:
      case llvm::Instruction::Or: return sum(op, 1);
      case llvm::Instruction::Sub: return sum(op, -1);
      case llvm::Instruction::Trunc:
      case llvm::Instruction::Freeze: return of(op.getOperand(0));
      case llvm::Instruction::PHI:
      case llvm::Instruction::Select: return common(op);
      case llvm::Instruction::Load:
      case llvm::Instruction::ICmp:
      case llvm::Instruction::FCmp: return 0;
      default: return any_or_none(op);
    }
  }

  Weight sum(const llvm::Operator& op, int sign) const {
    const Weight a = of(op.getOperand(0)), b = of(op.getOperand(1));
    if (!a || !b) return {};
    const auto* either = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&op);
    const bool is_sum =
        op.getOpcode() != llvm::Instruction::Or || (either != nullptr && either->isDisjoint());
    if (*a == 0 && *b == 0) return 0;
    const int result = *a + sign * *b;
    return !is_sum || *a == kAny || *b == kAny || std::abs(result) >= kAny ? kAny : result;
  }

  /// Of a value that is one of several: what is not yet known will be alike, or change this.
  Weight common(const llvm::Operator& op) const {
    Weight result;
    for (const llvm::Value* source : op.operand_values()) {
      if (op.getOpcode() == llvm::Instruction::Select && source == op.getOperand(0)) continue;
      const Weight weight = of(source);
      if (weight && result && *weight != *result) return kAny;
      if (weight) result = weight;
    }
    return result;
  }

  Weight any_or_none(const llvm::Operator& op) const {
    Weight result = 0;
    for (const llvm::Value* operand : op.operand_values()) {
      if (!is_number(operand)) continue;
      const Weight weight = of(operand);
      if (!weight) return {};
      if (*weight != 0) result = kAny;
    }
    return result;
  }

  llvm::DenseMap<const llvm::Value*, int> weights_;
};

bool has_addresses(const llvm::Function& function) {
  for (const llvm::Instruction& inst : llvm::instructions(function)) {
    if (is_address(&inst)) return true;
    for (const llvm::Value* operand : inst.operand_values())
      if (llvm::isa<llvm::ConstantExpr>(operand) && is_number(operand)) return true;
  }
  return false;
}

/// The numbers that memory gets, and those that become pointers.
llvm::SmallVector<const llvm::Value*, 16> kept_numbers(const llvm::Function& function) {
  llvm::SmallVector<const llvm::Value*, 16> result;
  for (const llvm::Instruction& inst : llvm::instructions(function))
    if (llvm::isa<llvm::StoreInst, llvm::IntToPtrInst>(inst) && is_number(inst.getOperand(0)))
      result.push_back(inst.getOperand(0));
  return result;
}

}  // namespace

llvm::SmallVector<const llvm::Value*, 4> escaping_addresses(const llvm::Function& function) {
  llvm::SmallVector<const llvm::Value*, 4> result;
  if (!has_addresses(function)) return result;
  const Weights weights(function);
  llvm::SmallPtrSet<const llvm::Value*, 16> seen;
  auto work = kept_numbers(function);
  while (!work.empty()) {
    const llvm::Value* number = work.pop_back_val();
    if (!weights.depends_on_address(number) || !seen.insert(number).second) continue;
    const auto* op = llvm::cast<llvm::Operator>(number);
    if (is_address(op)) {
      result.push_back(op->getOperand(0));
      continue;
    }
    for (const llvm::Value* operand : op->operand_values())
      if (is_number(operand)) work.push_back(operand);
  }
  return result;
}

}  // namespace spirea::frontend
