// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <llvm/IR/Operator.h>

#include "frontend/import/importer.h"

namespace spirea::frontend {

using kir::Opcode;
using kir::Type;

namespace {

Opcode float_opcode(unsigned opcode) {
  switch (opcode) {
    case llvm::Instruction::FAdd: return Opcode::FAdd;
    case llvm::Instruction::FSub: return Opcode::FSub;
    case llvm::Instruction::FMul: return Opcode::FMul;
    case llvm::Instruction::FDiv: return Opcode::FDiv;
    default: return Opcode::FRem;
  }
}

Opcode float_predicate(llvm::CmpInst::Predicate predicate) {
  switch (predicate) {
    case llvm::CmpInst::FCMP_OEQ: return Opcode::FOEq;
    case llvm::CmpInst::FCMP_ONE: return Opcode::FONe;
    case llvm::CmpInst::FCMP_OLT: return Opcode::FOLt;
    case llvm::CmpInst::FCMP_OLE: return Opcode::FOLe;
    case llvm::CmpInst::FCMP_OGT: return Opcode::FOGt;
    case llvm::CmpInst::FCMP_OGE: return Opcode::FOGe;
    case llvm::CmpInst::FCMP_ORD: return Opcode::FOrd;
    case llvm::CmpInst::FCMP_UNO: return Opcode::FUno;
    case llvm::CmpInst::FCMP_UEQ: return Opcode::FUEq;
    case llvm::CmpInst::FCMP_UNE: return Opcode::FUNe;
    case llvm::CmpInst::FCMP_ULT: return Opcode::FULt;
    case llvm::CmpInst::FCMP_ULE: return Opcode::FULe;
    case llvm::CmpInst::FCMP_UGT: return Opcode::FUGt;
    default: return Opcode::FUGe;
  }
}

/// Vectors whose components the importer does not keep: of pointers, of more than one component an element,
/// of unknown length.
bool is_strange_vector(const llvm::Type* type) {
  if (llvm::isa<llvm::ScalableVectorType>(type)) return true;
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector != nullptr && (vector->getElementType()->isPointerTy() || vector->getScalarSizeInBits() > 64);
}

}  // namespace

kir::FastAttr Importer::fast(const llvm::Instruction& inst) {
  kir::FastAttr attr;
  const auto* op = llvm::dyn_cast<llvm::FPMathOperator>(&inst);
  if (op == nullptr) return attr;
  const auto add = [&](bool set, kir::FastAttr::Flag flag) {
    if (set) attr.flags |= flag;
  };
  add(op->hasAllowContract(), kir::FastAttr::Contract);
  add(op->hasAllowReassoc(), kir::FastAttr::Reassoc);
  add(op->hasNoNaNs(), kir::FastAttr::NoNan);
  add(op->hasNoInfs(), kir::FastAttr::NoInf);
  add(op->hasNoSignedZeros(), kir::FastAttr::NoSignedZero);
  add(op->hasAllowReciprocal(), kir::FastAttr::Reciprocal);
  add(op->hasApproxFunc(), kir::FastAttr::Approx);
  return attr;
}

void Importer::instruction(const llvm::Instruction& inst) {
  if (is_strange_vector(inst.getType()) ||
      llvm::any_of(inst.operand_values(), [](auto* v) { return is_strange_vector(v->getType()); }))
    return unsupported(inst, "vectors of this element type are not supported in kernels");
  if (const auto* i = llvm::dyn_cast<llvm::BinaryOperator>(&inst)) return binary(*i);
  if (const auto* i = llvm::dyn_cast<llvm::CmpInst>(&inst)) return compare(*i);
  if (const auto* i = llvm::dyn_cast<llvm::CastInst>(&inst)) return cast(*i);
  if (const auto* i = llvm::dyn_cast<llvm::SelectInst>(&inst)) return select(*i);
  if (const auto* i = llvm::dyn_cast<llvm::AllocaInst>(&inst)) return alloca(*i);
  if (const auto* i = llvm::dyn_cast<llvm::LoadInst>(&inst)) return load(*i);
  if (const auto* i = llvm::dyn_cast<llvm::StoreInst>(&inst)) return store(*i);
  if (const auto* i = llvm::dyn_cast<llvm::GetElementPtrInst>(&inst)) return gep(*i);
  if (const auto* i = llvm::dyn_cast<llvm::CallBase>(&inst)) return call(*i);
  if (const auto* i = llvm::dyn_cast<llvm::ShuffleVectorInst>(&inst)) return shuffle(*i);
  switch (inst.getOpcode()) {
    case llvm::Instruction::FNeg:
    case llvm::Instruction::Freeze: {
      const bool negate = inst.getOpcode() == llvm::Instruction::FNeg;
      Components result;
      for (kir::Value* part : get(inst.getOperand(0)))
        result.push_back(negate ? builder_.unary(Opcode::FNeg, part, fast(inst))
                                : builder_.unary(Opcode::Freeze, part));
      set(&inst, result);
      return;
    }
    case llvm::Instruction::ExtractElement:
    case llvm::Instruction::InsertElement: return elements(inst);
    case llvm::Instruction::ExtractValue:
    case llvm::Instruction::InsertValue: return aggregates(inst);
    case llvm::Instruction::AtomicRMW: return atomic_update(llvm::cast<llvm::AtomicRMWInst>(inst));
    case llvm::Instruction::AtomicCmpXchg: return atomic_exchange(llvm::cast<llvm::AtomicCmpXchgInst>(inst));
    case llvm::Instruction::Fence: return fence(llvm::cast<llvm::FenceInst>(inst));
    case llvm::Instruction::VAArg:
      return unsupported(inst, "variable arguments are not supported in kernels");
    case llvm::Instruction::LandingPad: return unsupported(inst, "exceptions are not supported in kernels");
    default:
      return unsupported(inst, std::string("'") + inst.getOpcodeName() + "' is not supported in kernels");
  }
}

void Importer::binary(const llvm::BinaryOperator& inst) {
  if (is_wide(inst.getType())) {
    wide_binary(inst);
    return;
  }
  const Components a = get(inst.getOperand(0)), b = get(inst.getOperand(1));
  Components result;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (inst.getType()->isFPOrFPVectorTy())
      result.push_back(builder_.binary(float_opcode(inst.getOpcode()), a[i], b[i], fast(inst)));
    else
      result.push_back(integer_binary(inst.getOpcode(), a[i], b[i], inst.getType()->getScalarSizeInBits()));
  }
  set(&inst, result);
}

void Importer::compare(const llvm::CmpInst& inst) {
  Components a = get(inst.getOperand(0)), b = get(inst.getOperand(1)), result;
  const auto predicate = inst.getPredicate();
  const unsigned bits = inst.getOperand(0)->getType()->getScalarSizeInBits();
  if (is_wide(inst.getOperand(0)->getType())) return set(&inst, wide_compare(predicate, a, b, bits));
  if (inst.getOperand(0)->getType()->isPointerTy()) {
    if (is_null(b[0]))
      b[0] = zero(a[0]->type());
    else if (is_null(a[0]))
      a[0] = zero(b[0]->type());
    if (a[0]->type() != b[0]->type()) {
      a[0] = coerce(a[0], Type::ptr(kir::Space::Generic));
      b[0] = coerce(b[0], Type::ptr(kir::Space::Generic));
    }
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (llvm::isa<llvm::ICmpInst>(inst))
      result.push_back(integer_compare(predicate, a[i], b[i], bits));
    else if (predicate == llvm::CmpInst::FCMP_FALSE || predicate == llvm::CmpInst::FCMP_TRUE)
      result.push_back(literal(Type::i1(), predicate == llvm::CmpInst::FCMP_TRUE));
    else
      result.push_back(builder_.compare(float_predicate(predicate), a[i], b[i]));
  }
  set(&inst, result);
}

void Importer::select(const llvm::SelectInst& inst) {
  const Components condition = get(inst.getCondition());
  const Components a = get(inst.getTrueValue()), b = get(inst.getFalseValue());
  std::vector<Type> wanted;
  types(inst.getType(), &inst, wanted);
  Components result;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    kir::Value* x = coerce(a[i], wanted[i]);
    kir::Value* y = coerce(b[i], wanted[i]);
    result.push_back(builder_.select(condition[condition.size() == 1 ? 0 : i], x, y));
  }
  set(&inst, result);
}

void Importer::shuffle(const llvm::ShuffleVectorInst& inst) {
  Components all = get(inst.getOperand(0)), result;
  all.append(get(inst.getOperand(1)));
  for (const int lane : inst.getShuffleMask())
    result.push_back(lane < 0 ? constants_.undef(all[0]->type()) : all[static_cast<std::size_t>(lane)]);
  set(&inst, result);
}

void Importer::elements(const llvm::Instruction& inst) {
  const Components source = get(inst.getOperand(0));
  const bool insert = llvm::isa<llvm::InsertElementInst>(inst);
  const llvm::Value* lane = inst.getOperand(insert ? 2 : 1);
  kir::Value* index = scalar(lane);
  const auto is_lane = [&](std::size_t i) {
    return builder_.compare(Opcode::IEq, index, literal(index->type(), i));
  };
  const auto* fixed = llvm::dyn_cast<llvm::ConstantInt>(lane);
  if (insert) {
    Components result = source;
    kir::Value* value = scalar(inst.getOperand(1));
    for (std::size_t i = 0; i < result.size(); ++i) {
      if (fixed != nullptr) {
        if (fixed->getValue() == i) result[i] = value;
      } else {
        result[i] = builder_.select(is_lane(i), value, result[i]);
      }
    }
    set(&inst, result);
    return;
  }
  if (fixed != nullptr) {  // beyond the end is poison
    set(&inst, source[fixed->getLimitedValue(source.size() - 1)]);
    return;
  }
  kir::Value* result = source[0];
  for (std::size_t i = 1; i < source.size(); ++i) result = builder_.select(is_lane(i), source[i], result);
  set(&inst, result);
}

namespace {

std::size_t count_scalars(llvm::Type* type) {
  if (type->isIntegerTy() && type->getIntegerBitWidth() > 64) return 2;
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    return vector->getNumElements() * count_scalars(vector->getElementType());
  if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type))
    return array->getNumElements() * count_scalars(array->getElementType());
  if (const auto* record = llvm::dyn_cast<llvm::StructType>(type)) {
    std::size_t n = 0;
    for (llvm::Type* element : record->elements()) n += count_scalars(element);
    return n;
  }
  return 1;
}

/// Position of the first scalar, and number of scalars, of the part that the indices name.
std::pair<std::size_t, std::size_t> find_part(llvm::Type* type, llvm::ArrayRef<unsigned> indices) {
  std::size_t first = 0;
  for (const unsigned index : indices) {
    for (unsigned i = 0; i < index; ++i) {
      auto* record = llvm::dyn_cast<llvm::StructType>(type);
      first += count_scalars(record != nullptr ? record->getElementType(i) : type->getArrayElementType());
    }
    auto* record = llvm::dyn_cast<llvm::StructType>(type);
    type = record != nullptr ? record->getElementType(index) : type->getArrayElementType();
  }
  return {first, count_scalars(type)};
}

}  // namespace

void Importer::aggregates(const llvm::Instruction& inst) {
  Components parts = get(inst.getOperand(0));
  if (const auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(&inst)) {
    const auto [first, count] = find_part(extract->getAggregateOperand()->getType(), extract->getIndices());
    set(&inst, Components(parts.begin() + first, parts.begin() + first + count));
    return;
  }
  const auto& insert = llvm::cast<llvm::InsertValueInst>(inst);
  const auto [first, count] = find_part(insert.getAggregateOperand()->getType(), insert.getIndices());
  const Components value = get(insert.getInsertedValueOperand());
  std::copy(value.begin(), value.end(), parts.begin() + first);
  set(&inst, parts);
}

}  // namespace spirea::frontend
