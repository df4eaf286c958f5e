// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Operator.h>

#include "frontend/import/importer.h"

namespace spirea::frontend {

using kir::Opcode;
using kir::Type;

namespace {

/// Offsets in memory of an LLVM type's scalars, in the order of its components.
void scalar_offsets(llvm::Type* type, const llvm::DataLayout& layout, std::uint64_t at,
                    std::vector<std::uint64_t>& out) {
  if (const auto* record = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout* l = layout.getStructLayout(llvm::cast<llvm::StructType>(type));
    for (unsigned i = 0; i < record->getNumElements(); ++i)
      scalar_offsets(record->getElementType(i), layout, at + l->getElementOffset(i), out);
  } else if (type->isArrayTy() || type->isVectorTy()) {
    const bool array = type->isArrayTy();
    llvm::Type* element =
        array ? type->getArrayElementType() : llvm::cast<llvm::FixedVectorType>(type)->getElementType();
    const std::uint64_t n =
        array ? type->getArrayNumElements() : llvm::cast<llvm::FixedVectorType>(type)->getNumElements();
    const std::uint64_t size = array ? layout.getTypeAllocSize(element).getFixedValue()
                                     : layout.getTypeStoreSize(element).getFixedValue();
    for (std::uint64_t i = 0; i < n; ++i) scalar_offsets(element, layout, at + i * size, out);
  } else {
    out.push_back(at);
  }
}

std::uint32_t alignment_at(std::uint64_t align, std::uint64_t offset) {
  return static_cast<std::uint32_t>(llvm::MinAlign(align, offset));
}

}  // namespace

void Importer::alloca(const llvm::AllocaInst& inst) {
  const auto size = inst.getAllocationSize(state_.source.getDataLayout());
  if (!size || size->isScalable())
    return unsupported(inst, "local memory whose size is not constant is not supported");
  kir::ObjectAttr attr;
  attr.size = std::max<std::uint64_t>(size->getFixedValue(), 1);
  attr.align = static_cast<std::uint32_t>(inst.getAlign().value());
  constants_.set_location(builder_.location());
  kir::Value* object = constants_.object(attr, inst.getName().str());
  constants_.set_location(0);
  set(&inst, object);
}

void Importer::load(const llvm::LoadInst& inst) {
  if (inst.isAtomic()) return unsupported(inst, "atomic operations are not supported yet");
  kir::Value* pointer = scalar(inst.getPointerOperand());
  std::vector<Type> wanted;
  types(inst.getType(), nullptr, wanted);
  std::vector<std::uint64_t> offsets;
  scalar_offsets(inst.getType(), state_.source.getDataLayout(), 0, offsets);
  const unsigned bits = inst.getType()->getScalarSizeInBits();
  Components result;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const kir::MemoryAttr attr{alignment_at(inst.getAlign().value(), offsets[i]), inst.isVolatile()};
    // An i1 is a byte in memory.
    const Type stored = wanted[i].is_bool() ? Type::i8() : wanted[i];
    if (inst.getType()->isIntegerTy() && stored.bits() != bits && !wanted[i].is_bool())
      return unsupported(inst, std::to_string(bits) + "-bit integers in memory are not supported yet");
    kir::Value* value = builder_.load(stored, offset(pointer, static_cast<std::int64_t>(offsets[i])), attr);
    if (wanted[i].is_bool()) value = builder_.convert(Opcode::Trunc, value, Type::i1());
    result.push_back(value);
  }
  set(&inst, result);
}

void Importer::store(const llvm::StoreInst& inst) {
  if (inst.isAtomic()) return unsupported(inst, "atomic operations are not supported yet");
  const llvm::Value* operand = inst.getValueOperand();
  kir::Value* pointer = scalar(inst.getPointerOperand());
  if (pointer->type().space() == kir::Space::Constant) return error("this writes to constant data");
  const Components parts = get(operand);
  std::vector<std::uint64_t> offsets;
  scalar_offsets(operand->getType(), state_.source.getDataLayout(), 0, offsets);
  const unsigned bits = operand->getType()->getScalarSizeInBits();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    kir::Value* value = parts[i];
    if (value->type().is_ptr() && value->type().space() != kir::Space::Global)
      return error("a pointer to local or constant data is stored in memory, which is not supported yet");
    if (operand->getType()->isIntegerTy() && value->type().bits() != bits)
      return error(std::to_string(bits) + "-bit integers in memory are not supported yet");
    if (value->type().is_bool()) value = builder_.convert(Opcode::ZExt, value, Type::i8());
    builder_.store(offset(pointer, static_cast<std::int64_t>(offsets[i])), value,
                   {alignment_at(inst.getAlign().value(), offsets[i]), inst.isVolatile()});
  }
}

kir::Value* Importer::offset(kir::Value* base, std::int64_t bytes) {
  return bytes == 0 ? base : builder_.offset(base, zero(Type::i32()), 1, bytes);
}

/// An index as a signed i32 or i64.
kir::Value* Importer::index(const llvm::Value* value) {
  const auto is_i32 = [](const llvm::Value* v) { return v->getType()->isIntegerTy(32); };
  if (const auto* extend = llvm::dyn_cast<llvm::CastInst>(value);
      extend != nullptr && is_i32(extend->getOperand(0))) {
    if (llvm::isa<llvm::SExtInst>(extend)) return scalar(extend->getOperand(0));
    const auto* zext = llvm::dyn_cast<llvm::ZExtInst>(extend);
    if (zext != nullptr && zext->hasNonNeg()) return scalar(extend->getOperand(0));
  }
  kir::Value* result = scalar(value);
  const unsigned bits = value->getType()->getIntegerBitWidth();
  if (bits == 32 || bits == 64) return result;
  result = sign_extended(result, bits);
  return result->type().bits() == 64 ? result : builder_.convert(Opcode::SExt, result, Type::i64());
}

kir::Value* Importer::gep(const llvm::GEPOperator& inst, kir::Value* base) {
  const llvm::DataLayout& layout = state_.source.getDataLayout();
  std::int64_t displacement = 0;
  llvm::SmallVector<std::pair<const llvm::Value*, std::int64_t>, 2> terms;
  for (auto it = llvm::gep_type_begin(inst), end = llvm::gep_type_end(inst); it != end; ++it) {
    const llvm::Value* operand = it.getOperand();
    if (llvm::StructType* record = it.getStructTypeOrNull()) {
      const auto field = llvm::cast<llvm::ConstantInt>(operand)->getZExtValue();
      displacement += static_cast<std::int64_t>(
          layout.getStructLayout(record)->getElementOffset(static_cast<unsigned>(field)));
      continue;
    }
    const auto stride = static_cast<std::int64_t>(it.getSequentialElementStride(layout).getFixedValue());
    if (const auto* fixed = llvm::dyn_cast<llvm::ConstantInt>(operand))
      displacement += fixed->getSExtValue() * stride;
    else
      terms.emplace_back(operand, stride);
  }
  if (terms.empty()) return offset(base, displacement);
  for (std::size_t i = 0; i < terms.size(); ++i)
    base = builder_.offset(base, index(terms[i].first), terms[i].second,
                           i + 1 == terms.size() ? displacement : 0);
  return base;
}

void Importer::gep(const llvm::GetElementPtrInst& inst) {
  if (inst.getType()->isVectorTy())
    return unsupported(inst, "vectors of pointers are not supported in kernels");
  set(&inst, gep(llvm::cast<llvm::GEPOperator>(inst), scalar(inst.getPointerOperand())));
}

kir::Value* Importer::address_of(const llvm::GlobalVariable& global) {
  kir::Value*& address = globals_[&global];
  if (address != nullptr) return address;
  std::string& name = state_.constants[&global];
  if (name.empty()) {
    if (global.isThreadLocal())
      error("thread-local variable '" + global.getName().str() + "' cannot be used in a kernel");
    else if (!global.isConstant())
      error("variable '" + global.getName().str() +
            "' cannot be used in a kernel: it is not constant, and lives in the host's memory");
    const llvm::DataLayout& layout = state_.source.getDataLayout();
    auto constant = std::make_unique<kir::ConstantObject>();
    name = "c" + std::to_string(state_.module.constants.size()) + "." +
           (global.hasName() ? global.getName().str() : std::string("data"));
    constant->name = name;
    constant->attr.size =
        std::max<std::uint64_t>(layout.getTypeAllocSize(global.getValueType()).getFixedValue(), 1);
    constant->attr.align = static_cast<std::uint32_t>(global.getAlign().valueOrOne().value());
    constant->bytes.assign(constant->attr.size, 0);
    if (global.isConstant() && !global.hasInitializer())
      error("constant '" + global.getName().str() + "' has no initializer in this translation unit");
    else if (global.hasInitializer()) {
      auto bytes = constant_bytes(*global.getInitializer(), layout);
      if (!bytes)
        error("constant data that holds addresses is not supported yet");
      else
        constant->bytes = std::move(*bytes);
    }
    state_.module.constants.push_back(std::move(constant));
  }
  address = constants_.address_of(kir::Space::Constant, name);
  return address;
}

}  // namespace spirea::frontend
