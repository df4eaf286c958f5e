// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Operator.h>

#include "frontend/import/importer.h"

namespace spirea::frontend {

using kir::Type;

Type Importer::scalar_type(llvm::Type* type, const llvm::Value* pointer_source) {
  if (type->isIntegerTy()) {
    const unsigned width = held_bits(type->getIntegerBitWidth());
    if (width != 0) return Type::integer(width);
    error(std::to_string(type->getIntegerBitWidth()) + "-bit integers are not supported in kernels");
    return Type::i32();
  }
  if (type->isHalfTy()) return Type::f16();
  if (type->isFloatTy()) return Type::f32();
  if (type->isDoubleTy()) return Type::f64();
  if (type->isPointerTy())
    return Type::ptr(pointer_source == nullptr ? kir::Space::Global : spaces_[pointer_source]);
  if (type->isX86_FP80Ty() || type->isFP128Ty() || type->isPPC_FP128Ty())
    error("long double is not supported in kernels");
  else if (type->isBFloatTy())
    error("bfloat16 is not supported in kernels yet");
  else
    error("the type of this expression is not supported in kernels");
  return Type::i32();
}

void Importer::types(llvm::Type* type, const llvm::Value* pointer_source, std::vector<Type>& result) {
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      result.push_back(scalar_type(vector->getElementType(), pointer_source));
  } else if (const auto* record = llvm::dyn_cast<llvm::StructType>(type)) {
    for (llvm::Type* element : record->elements()) types(element, pointer_source, result);
  } else if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    for (std::uint64_t i = 0; i < array->getNumElements(); ++i)
      types(array->getElementType(), pointer_source, result);
  } else if (is_wide(type)) {
    result.insert(result.end(), 2, Type::i64());
  } else {
    result.push_back(scalar_type(type, pointer_source));
  }
}

kir::Value* Importer::literal(Type type, std::uint64_t bits) {
  kir::Value*& value = literals_[{type.kind(), type.space(), type.bits(), bits}];
  if (value == nullptr) value = constants_.constant(type, bits);
  return value;
}

kir::Value* Importer::coerce(kir::Value* value, Type wanted) {
  if (value->type() == wanted) return value;
  const kir::Op* def = value->def();
  if (wanted.is_ptr() && def != nullptr && def->is(kir::Opcode::Undef)) return constants_.undef(wanted);
  if (wanted == Type::ptr(kir::Space::Generic) && !is_null(value))
    return builder_.convert(kir::Opcode::ToGeneric, value, wanted);
  if (!wanted.is_ptr() || !is_null(value))
    error("a pointer to one kind of memory (local, constant or device) is used where another is expected");
  return zero(wanted);
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
  llvm::Type* type = c->getType();
  if (llvm::isa<llvm::UndefValue>(c)) {
    std::vector<Type> wanted;
    types(type, nullptr, wanted);
    for (const Type each : wanted) result.push_back(constants_.undef(each));
  } else if (type->isVectorTy() || type->isAggregateType()) {
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    const std::uint64_t n = vector != nullptr    ? vector->getNumElements()
                            : type->isArrayTy()  ? type->getArrayNumElements()
                            : type->isStructTy() ? type->getStructNumElements()
                                                 : 0;
    for (unsigned i = 0; i < n; ++i) {
      const llvm::Constant* element = c->getAggregateElement(i);
      if (element != nullptr) {
        constant(element, result);
      } else {
        error("this constant expression is not supported in kernels");
        result.push_back(zero(scalar_type(type->getScalarType(), nullptr)));
      }
    }
  } else if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(c)) {
    constant_integer(*integer, result);
  } else if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(c)) {
    const Type wanted = scalar_type(type, nullptr);
    const llvm::APInt bits = number->getValueAPF().bitcastToAPInt();
    result.push_back(literal(wanted, wanted.is_float() ? bits.getZExtValue() : 0));
  } else if (llvm::isa<llvm::ConstantPointerNull>(c)) {
    result.push_back(literal(Type::ptr(kir::Space::Global), 0));
  } else if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(c)) {
    result.push_back(address_of(*global));
  } else if (const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(c)) {
    constant_expression(expression, result);
  } else if (const auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(c);
             alias != nullptr && !llvm::isa<llvm::Function>(alias->getAliaseeObject())) {
    constant(alias->getAliasee(), result);
  } else {
    error(llvm::isa<llvm::GlobalValue>(c) ? "the address of a function is not supported in kernels"
                                          : "this constant is not supported in kernels");
    result.push_back(zero(type->isPointerTy() ? Type::ptr(spaces_[c]) : Type::i32()));
  }
}

void Importer::constant_integer(const llvm::ConstantInt& integer, Components& result) {
  if (is_wide(integer.getType())) {
    const llvm::APInt bits = integer.getValue().zext(128);
    result.push_back(literal(Type::i64(), bits.extractBitsAsZExtValue(64, 0)));
    result.push_back(literal(Type::i64(), bits.extractBitsAsZExtValue(64, 64)));
    return;
  }
  const Type type = scalar_type(integer.getType(), nullptr);
  result.push_back(literal(type, integer.getBitWidth() > 64 ? 0 : integer.getZExtValue()));
}

void Importer::constant_expression(const llvm::ConstantExpr* expression, Components& result) {
  if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(expression)) {
    result.push_back(this->gep(*gep, get(gep->getPointerOperand())[0]));
    return;
  }
  switch (expression->getOpcode()) {
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::PtrToAddr: {
      if (!expression->getType()->isIntegerTy() || is_wide(expression->getType())) break;
      const Type wanted = scalar_type(expression->getType(), nullptr);
      kir::Value* address = address_as_number(get(expression->getOperand(0))[0]);
      result.push_back(
          mask(resize(kir::Opcode::ZExt, address, wanted), expression->getType()->getIntegerBitWidth()));
      return;
    }
    case llvm::Instruction::IntToPtr:
      if (!expression->getOperand(0)->getType()->isIntegerTy(64)) break;
      if (llvm::isa<llvm::ConstantInt>(expression->getOperand(0))) {
        result.push_back(builder_.convert(kir::Opcode::IntToPtr, get(expression->getOperand(0))[0],
                                          Type::ptr(kir::Space::Global)));
        return;
      }
      break;
    case llvm::Instruction::BitCast:
      if (!expression->getType()->isPointerTy()) break;
      result = get(expression->getOperand(0));
      return;
    default: break;
  }
  error("this constant expression is not supported in kernels");
  result.push_back(zero(scalar_type(expression->getType(), expression)));
}

}  // namespace spirea::frontend
