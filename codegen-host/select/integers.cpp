// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer arithmetic and comparison.
#include "codegen-host/select/selector.h"

namespace spirea::host::selectors {
namespace {

using llvm::Instruction;

bool is_constant_below(const llvm::Value* value, std::uint64_t bound) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value);
  return constant != nullptr && constant->getValue().ult(bound);
}

}  // namespace

llvm::Value* integer(Selector& s, const kir::Op& op, unsigned opcode) {
  return s.builder.CreateBinOp(static_cast<Instruction::BinaryOps>(opcode), s.operand(op, 0),
                               s.operand(op, 1));
}

// Any value will do for an amount out of range, but the same one at every use.
llvm::Value* shift(Selector& s, const kir::Op& op, unsigned opcode) {
  llvm::Value* shifted = integer(s, op, opcode);
  return is_constant_below(s.operand(op, 1), op.result()->type().bits()) ? shifted : s.frozen(shifted);
}

// A quotient that does not exist is an arbitrary value in KIR, where divisions may be moved above the test
// that guards them; the CPU's division would stop the process. So such divisions get the divisor 1.
llvm::Value* division(Selector& s, const kir::Op& op, unsigned opcode) {
  const bool is_signed = opcode == Instruction::SDiv || opcode == Instruction::SRem;
  llvm::IRBuilder<>& b = s.builder;
  llvm::Value* dividend = s.operand(op, 0);
  llvm::Value* divisor = s.operand(op, 1);
  // The only divisor of a signed i1 is -1, and 0 the only dividend that has a quotient by it.
  if (is_signed && divisor->getType()->isIntegerTy(1)) return b.getFalse();
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(divisor);
  if (constant == nullptr || constant->isZero() || (is_signed && constant->isMinusOne())) {
    llvm::Type* type = divisor->getType();
    divisor = s.frozen(divisor);
    llvm::Value* undefined = b.CreateICmpEQ(divisor, llvm::ConstantInt::get(type, 0));
    if (is_signed) {
      dividend = s.frozen(dividend);
      llvm::Value* is_minimum = b.CreateICmpEQ(
          dividend, llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(type->getIntegerBitWidth())));
      llvm::Value* is_minus_one = b.CreateICmpEQ(divisor, llvm::Constant::getAllOnesValue(type));
      undefined = b.CreateOr(undefined, b.CreateAnd(is_minimum, is_minus_one));
    }
    divisor = b.CreateSelect(undefined, llvm::ConstantInt::get(type, 1), divisor);
  }
  return b.CreateBinOp(static_cast<Instruction::BinaryOps>(opcode), dividend, divisor);
}

llvm::Value* multiply_high(Selector& s, const kir::Op& op, unsigned extension) {
  llvm::IRBuilder<>& b = s.builder;
  llvm::Type* type = s.result_type(op);
  const unsigned bits = type->getIntegerBitWidth();
  llvm::Type* wide = b.getIntNTy(bits * 2);
  llvm::Value* left = b.CreateCast(static_cast<Instruction::CastOps>(extension), s.operand(op, 0), wide);
  llvm::Value* right = b.CreateCast(static_cast<Instruction::CastOps>(extension), s.operand(op, 1), wide);
  return b.CreateTrunc(b.CreateLShr(b.CreateMul(left, right), bits), type);
}

llvm::Value* absolute(Selector& s, const kir::Op& op, unsigned) {
  return s.builder.CreateBinaryIntrinsic(llvm::Intrinsic::abs, s.operand(op, 0), s.builder.getFalse());
}

llvm::Value* count_zeros(Selector& s, const kir::Op& op, unsigned id) {
  return s.builder.CreateBinaryIntrinsic(id, s.operand(op, 0), s.builder.getFalse());
}

llvm::Value* bit_reverse(Selector& s, const kir::Op& op, unsigned) {
  llvm::Value* value = s.operand(op, 0);
  return value->getType()->isIntegerTy(1)
             ? value
             : s.builder.CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, value);
}

llvm::Value* compare_integers(Selector& s, const kir::Op& op, unsigned predicate) {
  return s.builder.CreateICmp(static_cast<llvm::CmpInst::Predicate>(predicate), s.operand(op, 0),
                              s.operand(op, 1));
}

}  // namespace spirea::host::selectors
