// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Subgroups of one invocation: what its members tell each other, each knows already. Lanes that are not there
// are inactive ones, whose values KIR leaves open.
#include <llvm/ADT/APFloat.h>

#include "codegen-host/select/selector.h"
#include "ir/core/atomics.h"

namespace spirea::host::selectors {

llvm::Value* subgroup_size(Selector& s, const kir::Op&, unsigned) { return s.builder.getInt32(1); }

llvm::Value* subgroup_lane(Selector& s, const kir::Op&, unsigned) { return s.builder.getInt32(0); }

llvm::Value* subgroup_id(Selector& s, const kir::Op&, unsigned) {
  llvm::IRBuilder<>& b = s.builder;
  const auto& local = s.environment().position[kLocalId];
  const auto& size = s.environment().position[kWorkgroupSize];
  llvm::Value* row = b.CreateAdd(b.CreateMul(local[2], size[1]), local[1]);
  return b.CreateAdd(b.CreateMul(row, size[0]), local[0]);
}

llvm::Value* num_subgroups(Selector& s, const kir::Op&, unsigned) {
  const auto& size = s.environment().position[kWorkgroupSize];
  return s.builder.CreateMul(s.builder.CreateMul(size[0], size[1]), size[2]);
}

llvm::Value* elect(Selector& s, const kir::Op&, unsigned) { return s.builder.getTrue(); }

llvm::Value* all_equal(Selector& s, const kir::Op& op, unsigned) {
  llvm::Value* value = s.operand(op, 0);
  return value->getType()->isFloatingPointTy() ? s.builder.CreateFCmpOEQ(value, value) : s.builder.getTrue();
}

llvm::Value* ballot(Selector& s, const kir::Op& op, unsigned) {
  return s.builder.CreateZExt(s.operand(op, 0), s.builder.getInt64Ty());
}

llvm::Value* combine(Selector& s, const kir::Op& op, unsigned) {
  if (op.as<kir::GroupAttr>().kind != kir::GroupAttr::Kind::Exclusive) return s.operand(op, 0);
  const kir::Type type = op.result()->type();
  const llvm::APInt bits(type.bits(), kir::group_identity(op.opcode(), type));
  llvm::Type* result = s.result_type(op);
  if (!result->isFloatingPointTy()) return llvm::ConstantInt::get(result, bits);
  return llvm::ConstantFP::get(result, llvm::APFloat(result->getFltSemantics(), bits));
}

}  // namespace spirea::host::selectors
