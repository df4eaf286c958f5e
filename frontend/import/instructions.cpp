// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <llvm/IR/Operator.h>

#include "frontend/import/importer.h"

namespace spirea::frontend {

using kir::Opcode;
using kir::Type;

namespace {

/// Gives a null pointer the type of the other operand.
bool is_null(const llvm::Value* value) {
  return llvm::isa<llvm::ConstantPointerNull, llvm::UndefValue>(value);
}

Opcode float_opcode(unsigned opcode) {
  switch (opcode) {
    case llvm::Instruction::FAdd: return Opcode::FAdd;
    case llvm::Instruction::FSub: return Opcode::FSub;
    case llvm::Instruction::FMul: return Opcode::FMul;
    case llvm::Instruction::FDiv: return Opcode::FDiv;
    default: return Opcode::FRem;
  }
}

struct IntegerOp {
  Opcode opcode;
  bool is_signed = false;     ///< of a held odd width: extend operands by their sign first
  bool may_overflow = false;  ///< of a held odd width: mask the result
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

Opcode integer_predicate(llvm::CmpInst::Predicate predicate) {
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
  if (const auto* i = llvm::dyn_cast<llvm::BinaryOperator>(&inst)) return binary(*i);
  if (const auto* i = llvm::dyn_cast<llvm::CmpInst>(&inst)) return compare(*i);
  if (const auto* i = llvm::dyn_cast<llvm::CastInst>(&inst)) return cast(*i);
  if (const auto* i = llvm::dyn_cast<llvm::SelectInst>(&inst)) return select(*i);
  if (const auto* i = llvm::dyn_cast<llvm::AllocaInst>(&inst)) return alloca(*i);
  if (const auto* i = llvm::dyn_cast<llvm::LoadInst>(&inst)) return load(*i);
  if (const auto* i = llvm::dyn_cast<llvm::StoreInst>(&inst)) return store(*i);
  if (const auto* i = llvm::dyn_cast<llvm::GetElementPtrInst>(&inst)) return gep(*i);
  if (const auto* i = llvm::dyn_cast<llvm::CallBase>(&inst)) return call(*i);
  switch (inst.getOpcode()) {
    case llvm::Instruction::FNeg:
    case llvm::Instruction::Freeze: {
      Components result;
      for (kir::Value* part : get(inst.getOperand(0)))
        result.push_back(builder_.unary(
            inst.getOpcode() == llvm::Instruction::FNeg ? Opcode::FNeg : Opcode::Freeze, part, fast(inst)));
      set(&inst, result);
      return;
    }
    case llvm::Instruction::ExtractElement:
    case llvm::Instruction::InsertElement:
    case llvm::Instruction::ShuffleVector: return elements(inst);
    case llvm::Instruction::ExtractValue:
    case llvm::Instruction::InsertValue: return aggregates(inst);
    case llvm::Instruction::AtomicRMW:
    case llvm::Instruction::AtomicCmpXchg:
      return unsupported(inst, "atomic operations are not supported yet");
    case llvm::Instruction::Fence: return unsupported(inst, "memory fences are not supported yet");
    case llvm::Instruction::VAArg:
      return unsupported(inst, "variable arguments are not supported in kernels");
    case llvm::Instruction::LandingPad: return unsupported(inst, "exceptions are not supported in kernels");
    default:
      return unsupported(inst, std::string("'") + inst.getOpcodeName() + "' is not supported in kernels");
  }
}

kir::Value* Importer::integer_binary(unsigned opcode, kir::Value* a, kir::Value* b, unsigned bits) {
  const IntegerOp op = integer_op(opcode);
  if (op.is_signed) {
    a = sign_extended(a, bits);
    if (opcode != llvm::Instruction::AShr) b = sign_extended(b, bits);
  }
  kir::Value* result = builder_.binary(op.opcode, a, b);
  return op.may_overflow ? mask(result, bits) : result;
}

void Importer::binary(const llvm::BinaryOperator& inst) {
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
  if (inst.getOperand(0)->getType()->isPointerTy()) {
    if (is_null(inst.getOperand(1)))
      b[0] = zero(a[0]->type());
    else if (is_null(inst.getOperand(0)))
      a[0] = zero(b[0]->type());
    if (a[0]->type() != b[0]->type())
      return unsupported(inst, "comparing pointers to different kinds of memory is not supported");
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (llvm::isa<llvm::FCmpInst>(inst)) {
      const auto predicate = inst.getPredicate();
      if (predicate == llvm::CmpInst::FCMP_FALSE || predicate == llvm::CmpInst::FCMP_TRUE)
        result.push_back(literal(Type::i1(), predicate == llvm::CmpInst::FCMP_TRUE));
      else
        result.push_back(builder_.compare(float_predicate(predicate), a[i], b[i]));
      continue;
    }
    kir::Value *x = a[i], *y = b[i];
    if (inst.isSigned()) {
      const unsigned bits = inst.getOperand(0)->getType()->getScalarSizeInBits();
      x = sign_extended(x, bits);
      y = sign_extended(y, bits);
    }
    result.push_back(builder_.compare(integer_predicate(inst.getPredicate()), x, y));
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
    kir::Value* x = a[i]->type() == wanted[i] ? a[i] : zero(wanted[i]);
    kir::Value* y = b[i]->type() == wanted[i] ? b[i] : zero(wanted[i]);
    result.push_back(builder_.select(condition[condition.size() == 1 ? 0 : i], x, y));
  }
  set(&inst, result);
}

void Importer::cast(const llvm::CastInst& inst) {
  if (inst.getOpcode() == llvm::Instruction::BitCast) return bitcast(inst);
  const unsigned from_bits = inst.getSrcTy()->getScalarSizeInBits(),
                 to_bits = inst.getDestTy()->getScalarSizeInBits();
  std::vector<Type> wanted;
  types(inst.getType(), &inst, wanted);
  const Components parts = get(inst.getOperand(0));
  Components result;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    kir::Value* value = parts[i];
    const Type to = wanted[i];
    const auto resize = [&](Opcode widen) {  // between the KIR types that hold the two widths
      if (to.bits() > value->type().bits()) return builder_.convert(widen, value, to);
      return to.bits() < value->type().bits() ? builder_.convert(Opcode::Trunc, value, to) : value;
    };
    switch (inst.getOpcode()) {
      case llvm::Instruction::Trunc: value = mask(resize(Opcode::ZExt), to_bits); break;
      case llvm::Instruction::ZExt: value = resize(Opcode::ZExt); break;
      case llvm::Instruction::SExt:
        value = sign_extended(value, from_bits);
        value = mask(resize(Opcode::SExt), to_bits);
        break;
      case llvm::Instruction::FPTrunc: value = builder_.convert(Opcode::FpTrunc, value, to); break;
      case llvm::Instruction::FPExt: value = builder_.convert(Opcode::FpExt, value, to); break;
      case llvm::Instruction::FPToSI:
        value = mask(builder_.convert(Opcode::FpToSi, value, to), to_bits);
        break;
      case llvm::Instruction::FPToUI: value = builder_.convert(Opcode::FpToUi, value, to); break;
      case llvm::Instruction::SIToFP:
        value = builder_.convert(Opcode::SiToFp, sign_extended(value, from_bits), to);
        break;
      case llvm::Instruction::UIToFP: value = builder_.convert(Opcode::UiToFp, value, to); break;
      case llvm::Instruction::PtrToInt:
      case llvm::Instruction::PtrToAddr:
        value = builder_.convert(Opcode::PtrToInt, value, Type::i64());
        if (to != Type::i64()) value = builder_.convert(Opcode::Trunc, value, to);
        break;
      case llvm::Instruction::IntToPtr:
        if (value->type() != Type::i64()) value = builder_.convert(Opcode::ZExt, value, Type::i64());
        value = builder_.convert(Opcode::IntToPtr, value, Type::ptr(kir::Space::Global));
        break;
      default: return unsupported(inst, "this conversion is not supported in kernels");
    }
    result.push_back(value);
  }
  set(&inst, result);
}

/// Between scalars and vectors of the same width: through integers, element by element, little-endian.
void Importer::bitcast(const llvm::CastInst& inst) {
  std::vector<Type> wanted;
  types(inst.getType(), &inst, wanted);
  const Components parts = get(inst.getOperand(0));
  const auto convert = [&](kir::Value* value, Type to) {
    return value->type() == to ? value : builder_.convert(Opcode::Bitcast, value, to);
  };
  Components result;
  if (wanted.size() == parts.size()) {
    for (std::size_t i = 0; i < parts.size(); ++i) result.push_back(convert(parts[i], wanted[i]));
  } else if (wanted.size() < parts.size()) {
    const std::size_t group = parts.size() / wanted.size();
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const Type whole = Type::integer(wanted[i].bits());
      kir::Value* sum = zero(whole);
      for (std::size_t k = 0; k < group; ++k) {
        kir::Value* part = parts[i * group + k];
        const unsigned bits = part->type().bits();
        part = builder_.convert(Opcode::ZExt, convert(part, Type::integer(bits)), whole);
        part = builder_.binary(Opcode::Shl, part, literal(whole, bits * k));
        sum = builder_.binary(Opcode::Or, sum, part);
      }
      result.push_back(convert(sum, wanted[i]));
    }
  } else {
    const std::size_t group = wanted.size() / parts.size();
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const unsigned bits = wanted[i].bits();
      const Type whole = Type::integer(parts[i / group]->type().bits());
      kir::Value* value = convert(parts[i / group], whole);
      value = builder_.binary(Opcode::LShr, value, literal(whole, bits * (i % group)));
      result.push_back(convert(builder_.convert(Opcode::Trunc, value, Type::integer(bits)), wanted[i]));
    }
  }
  for (const Type type : wanted)
    if (type.is_ptr() || parts[0]->type().is_ptr())
      return unsupported(inst, "this conversion is not supported in kernels");
  set(&inst, result);
}

void Importer::elements(const llvm::Instruction& inst) {
  const Components source = get(inst.getOperand(0));
  if (const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&inst)) {
    Components all = source, result;
    all.append(get(inst.getOperand(1)));
    for (const int lane : shuffle->getShuffleMask())
      result.push_back(lane < 0 ? all[0] : all[static_cast<std::size_t>(lane)]);
    set(&inst, result);
    return;
  }
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
        if (fixed->getZExtValue() == i) result[i] = value;
      } else {
        result[i] = builder_.select(is_lane(i), value, result[i]);
      }
    }
    set(&inst, result);
    return;
  }
  if (fixed != nullptr) {
    set(&inst, source[std::min<std::size_t>(fixed->getZExtValue(), source.size() - 1)]);
    return;
  }
  kir::Value* result = source[0];
  for (std::size_t i = 1; i < source.size(); ++i) result = builder_.select(is_lane(i), source[i], result);
  set(&inst, result);
}

namespace {

std::size_t count_scalars(llvm::Type* type) {
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
