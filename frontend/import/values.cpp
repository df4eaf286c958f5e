// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Operator.h>

#include "frontend/import/importer.h"

namespace spirea::frontend {

using kir::Type;

unsigned Importer::held_bits(unsigned bits) {
  for (const unsigned width : {1u, 8u, 16u, 32u, 64u})
    if (bits <= width) return width;
  return 0;
}

Type Importer::scalar_type(llvm::Type* type, const llvm::Value* pointer_source) {
  if (type->isIntegerTy()) {
    const unsigned width = held_bits(type->getIntegerBitWidth());
    if (width != 0) return Type::integer(width);
    error(std::to_string(type->getIntegerBitWidth()) + "-bit integers are not supported in kernels yet");
    return Type::i32();
  }
  if (type->isHalfTy()) return Type::f16();
  if (type->isFloatTy()) return Type::f32();
  if (type->isDoubleTy()) return Type::f64();
  if (type->isPointerTy())
    return Type::ptr(pointer_source == nullptr ? kir::Space::Global : space(pointer_source));
  if (type->isX86_FP80Ty())
    error("long double is not supported in kernels");
  else
    error("a type of this expression is not supported in kernels");
  return Type::i32();
}

void Importer::types(llvm::Type* type, const llvm::Value* pointer_source, std::vector<Type>& result) {
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      types(vector->getElementType(), pointer_source, result);
  } else if (const auto* record = llvm::dyn_cast<llvm::StructType>(type)) {
    for (llvm::Type* element : record->elements()) types(element, pointer_source, result);
  } else if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    for (std::uint64_t i = 0; i < array->getNumElements(); ++i)
      types(array->getElementType(), pointer_source, result);
  } else {
    result.push_back(scalar_type(type, pointer_source));
  }
}

kir::Value* Importer::literal(Type type, std::uint64_t bits) {
  kir::Value*& value = literals_[{kir::to_string(type), bits}];
  if (value == nullptr) value = constants_.constant(type, bits);
  return value;
}

Components Importer::get(const llvm::Value* value) {
  const auto it = values_.find(value);
  if (it != values_.end()) return it->second;
  Components result;
  if (const auto* c = llvm::dyn_cast<llvm::Constant>(value)) {
    constant(c, result);
    return result;
  }
  // Only reachable after an error that left a value undefined.
  std::vector<Type> wanted;
  types(value->getType(), nullptr, wanted);
  for (const Type type : wanted) result.push_back(zero(type));
  if (state_.errors.empty()) error("internal error: a value is used before it is imported");
  return result;
}

void Importer::constant(const llvm::Constant* c, Components& result) {
  if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(c); integer && !c->getType()->isVectorTy()) {
    const Type type = scalar_type(c->getType(), nullptr);
    result.push_back(literal(type, integer->getBitWidth() > 64 ? 0 : integer->getZExtValue()));
  } else if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(c);
             number && !c->getType()->isVectorTy()) {
    const Type type = scalar_type(c->getType(), nullptr);
    const llvm::APInt bits = number->getValueAPF().bitcastToAPInt();
    result.push_back(literal(type, type.is_float() ? bits.getZExtValue() : 0));
  } else if (llvm::isa<llvm::ConstantPointerNull>(c)) {
    result.push_back(literal(Type::ptr(kir::Space::Global), 0));
  } else if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(c)) {
    result.push_back(address_of(*global));
  } else if (llvm::isa<llvm::UndefValue>(c)) {
    std::vector<Type> wanted;
    types(c->getType(), nullptr, wanted);
    for (const Type type : wanted) result.push_back(constants_.undef(type));
  } else if (const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(c)) {
    constant_expression(expression, result);
  } else if (llvm::isa<llvm::Function>(c)) {
    error("the address of a function is not supported in kernels");
    result.push_back(zero(Type::ptr(kir::Space::Global)));
  } else {
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(c->getType());
    const std::uint64_t n = vector != nullptr           ? vector->getNumElements()
                            : c->getType()->isArrayTy() ? c->getType()->getArrayNumElements()
                                                        : c->getType()->getStructNumElements();
    for (unsigned i = 0; i < n; ++i) constant(c->getAggregateElement(i), result);
  }
}

void Importer::constant_expression(const llvm::ConstantExpr* expression, Components& result) {
  if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(expression)) {
    result.push_back(this->gep(*gep, get(gep->getPointerOperand())[0]));
    return;
  }
  switch (expression->getOpcode()) {
    case llvm::Instruction::PtrToInt: {
      kir::Value* address =
          builder_.convert(kir::Opcode::PtrToInt, get(expression->getOperand(0))[0], Type::i64());
      result.push_back(address);
      return;
    }
    case llvm::Instruction::BitCast:
    case llvm::Instruction::AddrSpaceCast: result = get(expression->getOperand(0)); return;
    default: break;
  }
  error("a constant address computation is not supported in kernels");
  result.push_back(zero(scalar_type(expression->getType(), nullptr)));
}

kir::Value* Importer::mask(kir::Value* value, unsigned bits) {
  if (bits >= value->type().bits()) return value;
  return builder_.binary(kir::Opcode::And, value, literal(value->type(), (std::uint64_t{1} << bits) - 1));
}

kir::Value* Importer::sign_extended(kir::Value* value, unsigned bits) {
  const unsigned held = value->type().bits();
  if (bits >= held) return value;
  kir::Value* by = literal(value->type(), held - bits);
  kir::Value* shifted = builder_.binary(kir::Opcode::Shl, value, by);
  return builder_.binary(kir::Opcode::AShr, shifted, by);
}

}  // namespace spirea::frontend
