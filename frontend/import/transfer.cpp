// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// memcpy, memmove and memset of constant size, in elements of the type that the memory has: a copy of a float
// array must not make bytes of it.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>

#include "frontend/import/import.h"
#include "frontend/import/importer.h"

namespace spirea::frontend {

using kir::Opcode;
using kir::Type;

namespace {

/// More elements than this are copied in a loop.
constexpr std::uint64_t kMaxStraight = 32;

/// The one scalar type of an aggregate's elements; null if there are several.
llvm::Type* only_scalar(llvm::Type* type) {
  if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) return only_scalar(array->getElementType());
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) return vector->getElementType();
  const auto* record = llvm::dyn_cast<llvm::StructType>(type);
  if (record == nullptr) return type;
  llvm::Type* result = nullptr;
  for (llvm::Type* element : record->elements()) {
    llvm::Type* scalar = only_scalar(element);
    if (scalar == nullptr || (result != nullptr && scalar != result)) return nullptr;
    result = scalar;
  }
  return result;
}

/// The KIR type of the elements of the variable that the address is in; void if it is not known or mixed.
Type element_type(const llvm::Value* address) {
  const llvm::Value* object = llvm::getUnderlyingObject(address, 0);
  llvm::Type* type = nullptr;
  if (const auto* local = llvm::dyn_cast<llvm::AllocaInst>(object))
    type = only_scalar(local->getAllocatedType());
  else if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(object))
    type = only_scalar(global->getValueType());
  if (type == nullptr) return {};
  if (type->isFloatTy()) return Type::f32();
  if (type->isDoubleTy()) return Type::f64();
  if (type->isHalfTy()) return Type::f16();
  for (const unsigned bits : {8u, 16u, 32u, 64u})
    if (type->isIntegerTy(bits)) return Type::integer(bits);
  return {};
}

std::uint64_t alignment(llvm::MaybeAlign align) { return align.valueOrOne().value(); }

/// What memory is copied or filled in.
Type chunk_type(const llvm::MemIntrinsic& inst, std::uint64_t bytes) {
  std::uint64_t align = alignment(inst.getDestAlign());
  Type type = element_type(inst.getRawDest());
  if (const auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&inst)) {
    align = std::min(align, alignment(transfer->getSourceAlign()));
    if (const Type from = element_type(transfer->getRawSource()); type.is_void() || type == Type::i8())
      type = from.is_void() ? type : from;
  }
  if (type.is_void()) {
    align = std::min<std::uint64_t>(align, 8);
    while (bytes % align != 0) align /= 2;
    type = Type::integer(static_cast<unsigned>(align) * 8);
  }
  return bytes % type.bytes() == 0 ? type : Type::i8();
}

}  // namespace

bool imports_directly(const llvm::MemIntrinsic& inst) {
  const auto* length = llvm::dyn_cast<llvm::ConstantInt>(inst.getLength());
  if (length == nullptr) return false;
  const std::uint64_t bytes = length->getZExtValue();
  return bytes == 0 || !llvm::isa<llvm::MemMoveInst>(inst) ||
         bytes / chunk_type(inst, bytes).bytes() <= kMaxStraight;
}

void Importer::transfer(const llvm::MemIntrinsic& inst) {
  if (!imports_directly(inst)) return error("copying memory of a variable size is not supported here");
  const std::uint64_t bytes = llvm::cast<llvm::ConstantInt>(inst.getLength())->getZExtValue();
  if (bytes == 0) return;
  if (scalar(inst.getRawDest())->type().space() == kir::Space::Constant)
    return error("this writes to constant data");
  if (const auto* set = llvm::dyn_cast<llvm::MemSetInst>(&inst))
    fill(*set, bytes);
  else
    copy(llvm::cast<llvm::MemTransferInst>(inst), bytes);
}

/// `do body(i) while (++i < count)`.
template <class Body>
void Importer::repeat(std::uint64_t count, Body&& body) {
  kir::Region& outer = builder_.region();
  kir::Value* first = zero(Type::i32());
  kir::Op* loop = builder_.loop({&first, 1});
  builder_.set_end(loop->region());
  kir::Value* i = loop->region().argument(0);
  body(i);
  kir::Value* next = builder_.binary(Opcode::Add, i, literal(Type::i32(), 1));
  kir::Value* more = builder_.compare(Opcode::ULt, next, literal(Type::i32(), count));
  kir::Op* choice = builder_.if_op(more);
  builder_.set_end(choice->region(0));
  builder_.continue_to(loop, {&next, 1});
  builder_.set_end(choice->region(1));
  builder_.break_to(loop);
  builder_.set_end(loop->region());
  builder_.unreachable();
  builder_.set_end(outer);
}

void Importer::copy(const llvm::MemTransferInst& inst, std::uint64_t bytes) {
  kir::Value *to = scalar(inst.getRawDest()), *from = scalar(inst.getRawSource());
  const Type type = chunk_type(inst, bytes);
  const std::uint64_t size = type.bytes(), count = bytes / size;
  const auto attr = [&](llvm::MaybeAlign align) {
    return kir::MemoryAttr{static_cast<std::uint32_t>(std::min(alignment(align), size)), inst.isVolatile()};
  };
  const kir::MemoryAttr read = attr(inst.getSourceAlign()), write = attr(inst.getDestAlign());
  if (count > kMaxStraight)
    return repeat(count, [&](kir::Value* i) {
      kir::Value* source = builder_.offset(from, i, static_cast<std::int64_t>(size));
      kir::Value* value = builder_.load(type, source, read);
      builder_.store(builder_.offset(to, i, static_cast<std::int64_t>(size)), value, write);
    });
  std::vector<kir::Value*> values;  // all of them before the first store: memmove's ranges may overlap
  for (std::uint64_t i = 0; i < count; ++i)
    values.push_back(builder_.load(type, offset(from, static_cast<std::int64_t>(i * size)), read));
  for (std::uint64_t i = 0; i < count; ++i)
    builder_.store(offset(to, static_cast<std::int64_t>(i * size)), values[i], write);
}

/// The byte repeated through the type.
kir::Value* Importer::splat(kir::Value* byte, Type type) {
  const std::uint64_t ones = ~std::uint64_t{0} / 0xff >> (64 - type.bits());
  if (const auto fixed = kir::literal(byte)) return literal(type, *fixed * ones);
  const Type whole = Type::integer(type.bits());
  kir::Value* value = resize(Opcode::ZExt, byte, whole);
  return reinterpret(builder_.binary(Opcode::Mul, value, literal(whole, ones)), type);
}

void Importer::fill(const llvm::MemSetInst& inst, std::uint64_t bytes) {
  kir::Value* to = scalar(inst.getRawDest());
  const Type type = chunk_type(inst, bytes);
  const std::uint64_t size = type.bytes(), count = bytes / size;
  const kir::MemoryAttr attr{static_cast<std::uint32_t>(std::min(alignment(inst.getDestAlign()), size)),
                             inst.isVolatile()};
  kir::Value* value = splat(scalar(inst.getValue()), type);
  if (count > kMaxStraight)
    return repeat(count, [&](kir::Value* i) {
      builder_.store(builder_.offset(to, i, static_cast<std::int64_t>(size)), value, attr);
    });
  for (std::uint64_t i = 0; i < count; ++i)
    builder_.store(offset(to, static_cast<std::int64_t>(i * size)), value, attr);
}

}  // namespace spirea::frontend
