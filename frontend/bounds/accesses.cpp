// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/bounds/accesses.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace spirea::frontend {
namespace {

using llvm::Instruction;

constexpr llvm::StringLiteral kRead = "read", kWrite = "write", kAtomic = "atomic access";

/// An instruction with one pointer: its operand, and the operand, or the result, whose type is accessed.
struct Row {
  unsigned opcode;
  int pointer;
  int value;  ///< -1: the result
  llvm::StringLiteral what;
};
constexpr Row kRows[] = {
    {Instruction::Load, 0, -1, kRead},
    {Instruction::Store, 1, 0, kWrite},
    {Instruction::AtomicRMW, 0, 1, kAtomic},
    {Instruction::AtomicCmpXchg, 0, 1, kAtomic},
};

void add(Instruction& inst, llvm::Value* pointer, llvm::Type* type, llvm::StringRef what,
         llvm::SmallVectorImpl<Access>& out) {
  const llvm::TypeSize bytes = inst.getDataLayout().getTypeStoreSize(type);
  if (!bytes.isScalable() && !bytes.isZero()) out.push_back({&inst, pointer, bytes, nullptr, what});
}

/// memcpy, memmove and memset.
void add(llvm::MemIntrinsic& call, llvm::Value* pointer, llvm::StringRef what,
         llvm::SmallVectorImpl<Access>& out) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(call.getLength());
  if (constant == nullptr)
    out.push_back({&call, pointer, 0, call.getLength(), what});
  else if (!constant->isZero())
    out.push_back({&call, pointer, constant->getZExtValue(), nullptr, what});
}

}  // namespace

void find_accesses(Instruction& inst, llvm::SmallVectorImpl<Access>& out) {
  for (const Row& row : kRows)
    if (row.opcode == inst.getOpcode()) {
      llvm::Value* value = row.value < 0 ? &inst : inst.getOperand(static_cast<unsigned>(row.value));
      const bool is_atomic = inst.isAtomic();
      return add(inst, inst.getOperand(static_cast<unsigned>(row.pointer)), value->getType(),
                 is_atomic ? kAtomic : row.what, out);
    }
  if (auto* call = llvm::dyn_cast<llvm::MemIntrinsic>(&inst)) {
    if (auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(call))
      add(*call, transfer->getRawSource(), kRead, out);
    add(*call, call->getRawDest(), kWrite, out);
  } else if (auto* function_call = llvm::dyn_cast<llvm::CallBase>(&inst)) {
    // T __spirea_atomic_<op>.<type>(T* pointer, T values..., int order, unsigned scope)
    const llvm::Function* callee = function_call->getCalledFunction();
    if (callee == nullptr || !callee->getName().starts_with("__spirea_atomic_")) return;
    const bool has_result = !inst.getType()->isVoidTy();
    llvm::Type* type = has_result ? inst.getType() : function_call->getArgOperand(1)->getType();
    add(inst, function_call->getArgOperand(0), type, kAtomic, out);
  }
}

}  // namespace spirea::frontend
