// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer arithmetic of any width up to 64 bits. Widths that KIR has no type for are held in the next wider
// type with zero upper bits; bool, whose arithmetic no target has, becomes logic.
#include "frontend/import/importer.h"

namespace spirea::frontend {

using kir::Opcode;
using kir::Type;
using Predicate = llvm::CmpInst::Predicate;

namespace {

struct IntegerOp {
  Opcode opcode;
  bool is_signed = false;     ///< of a held width: extend operands by their sign first
  bool may_overflow = false;  ///< of a held width: mask the result
};

IntegerOp integer_op(unsigned opcode) {
  switch (opcode) {
    case llvm::Instruction::Add: return {Opcode::Add, false, true};
    case llvm::Instruction::Sub: return {Opcode::Sub, false, true};
    case llvm::Instruction::Mul: return {Opcode::Mul, false, true};
    case llvm::Instruction::UDiv: return {Opcode::UDiv};
    case llvm::Instruction::SDiv: return {Opcode::SDiv, true, true};
    case llvm::Instruction::URem: return {Opcode::URem};
    case llvm::Instruction::SRem: return {Opcode::SRem, true, true};
    case llvm::Instruction::Shl: return {Opcode::Shl, false, true};
    case llvm::Instruction::LShr: return {Opcode::LShr};
    case llvm::Instruction::AShr: return {Opcode::AShr, true, true};
    case llvm::Instruction::And: return {Opcode::And};
    case llvm::Instruction::Or: return {Opcode::Or};
    default: return {Opcode::Xor};
  }
}

Opcode integer_predicate(Predicate predicate) {
  switch (predicate) {
    case llvm::CmpInst::ICMP_EQ: return Opcode::IEq;
    case llvm::CmpInst::ICMP_NE: return Opcode::INe;
    case llvm::CmpInst::ICMP_ULT: return Opcode::ULt;
    case llvm::CmpInst::ICMP_ULE: return Opcode::ULe;
    case llvm::CmpInst::ICMP_UGT: return Opcode::UGt;
    case llvm::CmpInst::ICMP_UGE: return Opcode::UGe;
    case llvm::CmpInst::ICMP_SLT: return Opcode::SLt;
    case llvm::CmpInst::ICMP_SLE: return Opcode::SLe;
    case llvm::CmpInst::ICMP_SGT: return Opcode::SGt;
    default: return Opcode::SGe;
  }
}

}  // namespace

unsigned Importer::held_bits(unsigned bits) {
  for (const unsigned width : {1u, 8u, 16u, 32u, 64u})
    if (bits <= width) return width;
  return 0;
}

kir::Value* Importer::mask(kir::Value* value, unsigned bits) {
  if (bits >= value->type().bits()) return value;
  return builder_.binary(Opcode::And, value, literal(value->type(), (std::uint64_t{1} << bits) - 1));
}

kir::Value* Importer::sign_extended(kir::Value* value, unsigned bits) {
  const unsigned held = value->type().bits();
  if (bits >= held) return value;
  kir::Value* by = literal(value->type(), held - bits);
  kir::Value* shifted = builder_.binary(Opcode::Shl, value, by);
  return builder_.binary(Opcode::AShr, shifted, by);
}

kir::Value* Importer::logical_not(kir::Value* value) {
  return builder_.binary(Opcode::Xor, value, literal(Type::i1(), 1));
}

kir::Value* Importer::integer_binary(unsigned opcode, kir::Value* a, kir::Value* b, unsigned bits) {
  if (a->type().is_bool()) return bool_binary(opcode, a, b);
  const IntegerOp op = integer_op(opcode);
  if (op.is_signed) {
    a = sign_extended(a, bits);
    if (opcode != llvm::Instruction::AShr) b = sign_extended(b, bits);
  }
  kir::Value* result = builder_.binary(op.opcode, a, b);
  return op.may_overflow ? mask(result, bits) : result;
}

/// Operands that make the operation undefined (a divisor or a shift of other than the identity) are left out.
kir::Value* Importer::bool_binary(unsigned opcode, kir::Value* a, kir::Value* b) {
  switch (opcode) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Xor: return builder_.binary(Opcode::Xor, a, b);
    case llvm::Instruction::Mul:
    case llvm::Instruction::And: return builder_.binary(Opcode::And, a, b);
    case llvm::Instruction::Or: return builder_.binary(Opcode::Or, a, b);
    case llvm::Instruction::URem:
    case llvm::Instruction::SRem: return literal(Type::i1(), 0);
    default: return a;
  }
}

kir::Value* Importer::integer_compare(Predicate predicate, kir::Value* a, kir::Value* b, unsigned bits) {
  if (a->type().is_bool()) return bool_compare(predicate, a, b);
  if (llvm::CmpInst::isSigned(predicate)) {
    a = sign_extended(a, bits);
    b = sign_extended(b, bits);
  }
  return builder_.compare(integer_predicate(predicate), a, b);
}

/// As an unsigned number true is 1, as a signed one -1: signed comparisons are unsigned ones the other way.
kir::Value* Importer::bool_compare(Predicate predicate, kir::Value* a, kir::Value* b) {
  if (predicate == llvm::CmpInst::ICMP_NE) return builder_.binary(Opcode::Xor, a, b);
  if (predicate == llvm::CmpInst::ICMP_EQ) return logical_not(builder_.binary(Opcode::Xor, a, b));
  if (llvm::CmpInst::isSigned(predicate))
    return bool_compare(llvm::ICmpInst::getUnsignedPredicate(predicate), b, a);
  if (predicate == llvm::CmpInst::ICMP_UGT || predicate == llvm::CmpInst::ICMP_UGE)
    return bool_compare(llvm::CmpInst::getSwappedPredicate(predicate), b, a);
  kir::Value* less = logical_not(a);
  return builder_.binary(predicate == llvm::CmpInst::ICMP_ULT ? Opcode::And : Opcode::Or, less, b);
}

}  // namespace spirea::frontend
