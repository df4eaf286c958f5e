// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating-point arithmetic, comparison and functions.
#include <string>

#include "codegen-host/select/selector.h"

namespace spirea::host::selectors {
namespace {

/// The operands in the type that the C library computes with: float for half.
llvm::SmallVector<llvm::Value*, 3> library_operands(Selector& s, const kir::Op& op) {
  llvm::SmallVector<llvm::Value*, 3> operands;
  for (unsigned i = 0; i < op.num_operands(); ++i) {
    llvm::Value* value = s.operand(op, i);
    if (value->getType()->isHalfTy()) value = s.builder.CreateFPExt(value, s.builder.getFloatTy());
    operands.push_back(value);
  }
  return operands;
}

/// The library's name for a function of this type, e.g. sinf.
std::string library_name(const std::string& name, llvm::Type* type) {
  return type->isDoubleTy() ? name : name + "f";
}

llvm::Value* to_result_type(Selector& s, const kir::Op& op, llvm::Value* value) {
  llvm::Type* type = s.result_type(op);
  return value->getType() == type ? value : s.builder.CreateFPTrunc(value, type);
}

}  // namespace

llvm::Value* floating(Selector& s, const kir::Op& op, unsigned opcode) {
  return s.builder.CreateBinOp(static_cast<llvm::Instruction::BinaryOps>(opcode), s.operand(op, 0),
                               s.operand(op, 1));
}

llvm::Value* negate(Selector& s, const kir::Op& op, unsigned) {
  return s.builder.CreateFNeg(s.operand(op, 0));
}

// A half's product is exact in double, and so is the sum where its rounding could matter; LLVM would compute
// the sum in float and round twice.
llvm::Value* fused_multiply_add(Selector& s, const kir::Op& op, unsigned) {
  llvm::IRBuilder<>& b = s.builder;
  llvm::Type* type = s.result_type(op);
  if (!type->isHalfTy())
    return b.CreateIntrinsic(llvm::Intrinsic::fma, {type},
                             {s.operand(op, 0), s.operand(op, 1), s.operand(op, 2)});
  llvm::Value* wide[3];
  for (unsigned i = 0; i < 3; ++i) wide[i] = b.CreateFPExt(s.operand(op, i), b.getDoubleTy());
  return b.CreateFPTrunc(b.CreateFAdd(b.CreateFMul(wide[0], wide[1]), wide[2]), type);
}

llvm::Value* compare_floats(Selector& s, const kir::Op& op, unsigned predicate) {
  return s.builder.CreateFCmp(static_cast<llvm::CmpInst::Predicate>(predicate), s.operand(op, 0),
                              s.operand(op, 1));
}

llvm::Value* is_nan(Selector& s, const kir::Op& op, unsigned) {
  return s.builder.CreateFCmpUNO(s.operand(op, 0), s.operand(op, 0));
}

llvm::Value* is_infinite(Selector& s, const kir::Op& op, unsigned) {
  llvm::Value* magnitude = s.builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, s.operand(op, 0));
  return s.builder.CreateFCmpOEQ(magnitude, llvm::ConstantFP::getInfinity(magnitude->getType()));
}

llvm::Value* intrinsic(Selector& s, const kir::Op& op, unsigned id) {
  llvm::SmallVector<llvm::Value*, 3> operands;
  for (unsigned i = 0; i < op.num_operands(); ++i) operands.push_back(s.operand(op, i));
  return s.builder.CreateIntrinsic(id, {s.result_type(op)}, operands);
}

// The mnemonics of the elementary functions are their names in <math.h>.
llvm::Value* elementary(Selector& s, const kir::Op& op, unsigned) {
  const auto operands = library_operands(s, op);
  llvm::Type* type = operands[0]->getType();
  const std::string name(kir::mnemonic(op.opcode()));
  return to_result_type(s, op, s.call_library(library_name(name, type), type, operands));
}

// lgamma writes the sign to a global variable, which threads would share; lgamma_r to a local one.
llvm::Value* log_gamma(Selector& s, const kir::Op& op, unsigned) {
  auto operands = library_operands(s, op);
  llvm::Type* type = operands[0]->getType();
  operands.push_back(s.stack_slot(s.builder.getInt32Ty(), llvm::Align(4), "sign"));
  const std::string name = type->isDoubleTy() ? "lgamma_r" : "lgammaf_r";
  return to_result_type(s, op, s.call_library(name, type, operands, true));
}

}  // namespace spirea::host::selectors
