// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions between types.
#include "codegen-host/select/selector.h"

namespace spirea::host::selectors {

using llvm::Instruction;

llvm::Value* cast(Selector& s, const kir::Op& op, unsigned opcode) {
  return s.builder.CreateCast(static_cast<Instruction::CastOps>(opcode), s.operand(op, 0), s.result_type(op));
}

/// All pointers are addresses of one space here.
llvm::Value* same(Selector& s, const kir::Op& op, unsigned) { return s.operand(op, 0); }

// Any value will do for a number out of range, but the same one at every use.
llvm::Value* to_integer(Selector& s, const kir::Op& op, unsigned opcode) {
  return s.frozen(cast(s, op, opcode));
}

// Integers that double cannot hold are beyond half's range, so that the way through double rounds once.
llvm::Value* to_float(Selector& s, const kir::Op& op, unsigned opcode) {
  llvm::Type* type = s.result_type(op);
  if (!type->isHalfTy()) return cast(s, op, opcode);
  llvm::Value* wide = s.builder.CreateCast(static_cast<Instruction::CastOps>(opcode), s.operand(op, 0),
                                           s.builder.getDoubleTy());
  return s.builder.CreateFPTrunc(wide, type);
}

}  // namespace spirea::host::selectors
