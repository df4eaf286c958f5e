// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/pointer_sources.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace spirea::frontend {

llvm::SmallVector<llvm::Value*, 4> pointer_sources(const llvm::Instruction& inst) {
  switch (inst.getOpcode()) {
    case llvm::Instruction::GetElementPtr:
    case llvm::Instruction::AddrSpaceCast:
    case llvm::Instruction::BitCast:
    case llvm::Instruction::Freeze: return {inst.getOperand(0)};
    case llvm::Instruction::Select: return {inst.getOperand(1), inst.getOperand(2)};
    case llvm::Instruction::PHI: return {inst.op_begin(), inst.op_end()};
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

}  // namespace spirea::frontend
