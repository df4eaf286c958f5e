// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen-host/select/selector.h"

#include <cassert>
#include <iterator>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>

#include "codegen-host/emit/debug_info.h"

namespace spirea::host {
namespace {

using kir::Op;
using kir::Opcode;
using llvm::AtomicRMWInst;
using llvm::CmpInst;
using llvm::Instruction;
namespace Intrinsic = llvm::Intrinsic;

struct Row {
  Opcode op;
  Select select;
  unsigned parameter;
};

constexpr Row kRows[] = {
#define HOST_OP(op, selector, parameter) {Opcode::op, selectors::selector, parameter},
#include "codegen-host/select/selectors.def"
};

constexpr bool rows_follow_the_op_table() {
  if (std::size(kRows) != kir::kNumOpcodes) return false;
  for (std::size_t i = 0; i < std::size(kRows); ++i)
    if (kRows[i].op != static_cast<Opcode>(i)) return false;
  return true;
}
static_assert(rows_follow_the_op_table(),
              "selectors.def must have one row for each op, in the order of ops.def");

llvm::FastMathFlags fast_math_flags(kir::FastAttr fast) {
  llvm::FastMathFlags flags;
  flags.setAllowContract(fast.has(kir::FastAttr::Contract));
  flags.setAllowReassoc(fast.has(kir::FastAttr::Reassoc));
  flags.setNoNaNs(fast.has(kir::FastAttr::NoNan));
  flags.setNoInfs(fast.has(kir::FastAttr::NoInf));
  flags.setNoSignedZeros(fast.has(kir::FastAttr::NoSignedZero));
  flags.setAllowReciprocal(fast.has(kir::FastAttr::Reciprocal));
  flags.setApproxFunc(fast.has(kir::FastAttr::Approx));
  return flags;
}

}  // namespace

void Selector::select(const kir::Region& region) {
  for (const Op& op : region) select(op);
}

void Selector::select(const Op& op) {
  const auto* fast = std::get_if<kir::FastAttr>(&op.attr);
  builder.setFastMathFlags(fast_math_flags(fast == nullptr ? kir::FastAttr{} : *fast));
  if (environment_.debug_info != nullptr)
    builder.SetCurrentDebugLocation(environment_.debug_info->location(op.location));
  const Row& row = kRows[static_cast<std::size_t>(op.opcode())];
  if (llvm::Value* result = row.select(*this, op, row.parameter)) {
    const std::string& name = op.result()->name;
    if (!name.empty() && !result->hasName() && llvm::isa<Instruction>(result)) result->setName(name);
    set(op.result(), result);
  }
}

llvm::Type* Selector::type(kir::Type type) const {
  llvm::LLVMContext& context = builder.getContext();
  switch (type.kind()) {
    case kir::TypeKind::Void: return llvm::Type::getVoidTy(context);
    case kir::TypeKind::Int: return llvm::Type::getIntNTy(context, type.bits());
    case kir::TypeKind::Ptr: return llvm::PointerType::get(context, 0);
    case kir::TypeKind::Float:
      return type.bits() == 16   ? llvm::Type::getHalfTy(context)
             : type.bits() == 32 ? llvm::Type::getFloatTy(context)
                                 : llvm::Type::getDoubleTy(context);
  }
  return nullptr;
}

llvm::BasicBlock* Selector::new_block(const llvm::Twine& name) {
  return llvm::BasicBlock::Create(builder.getContext(), name, function());
}

llvm::Value* Selector::frozen(llvm::Value* value) {
  return llvm::isGuaranteedNotToBeUndefOrPoison(value) ? value : builder.CreateFreeze(value);
}

llvm::CallInst* Selector::call_library(std::string_view name, llvm::Type* result,
                                       llvm::ArrayRef<llvm::Value*> arguments, bool touches_memory) {
  llvm::SmallVector<llvm::Type*, 4> types;
  for (llvm::Value* argument : arguments) types.push_back(argument->getType());
  llvm::FunctionCallee callee =
      environment_.module->getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
  auto* declaration = llvm::cast<llvm::Function>(callee.getCallee());
  declaration->setDoesNotThrow();
  declaration->setWillReturn();
  declaration->setMemoryEffects(touches_memory ? llvm::MemoryEffects::argMemOnly()
                                               : llvm::MemoryEffects::none());
  return builder.CreateCall(callee, arguments);
}

llvm::AllocaInst* Selector::stack_slot(llvm::Type* type, llvm::Align align, const llvm::Twine& name) {
  llvm::IRBuilder<> entry(environment_.entry, environment_.entry->getFirstInsertionPt());
  llvm::AllocaInst* slot = entry.CreateAlloca(type, nullptr, name);
  slot->setAlignment(align);
  builder.CreateLifetimeStart(slot);
  return slot;
}

}  // namespace spirea::host
