// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <llvm/IR/DataLayout.h>

#include "frontend/import/importer.h"

namespace spirea::frontend {

using kir::Opcode;
using kir::Type;

namespace {

// The verifier's limits (ir/verify/types.cpp), as errors of the program.
constexpr std::uint64_t kMaxObjectSize = std::uint64_t{1} << 26;
constexpr std::uint64_t kMaxObjectAlign = 4096;

std::uint32_t alignment_at(std::uint64_t align, std::uint64_t offset) {
  return static_cast<std::uint32_t>(llvm::MinAlign(align, offset));
}

/// A run of whole bytes of an integer whose size is no power of two: at most 8, a power of two.
struct Piece {
  unsigned first;
  unsigned bytes;
};

llvm::SmallVector<Piece, 4> pieces(unsigned bytes) {
  llvm::SmallVector<Piece, 4> result;
  for (unsigned first = 0; first < bytes;) {
    const unsigned size = std::min(8u, llvm::bit_floor(bytes - first));
    result.push_back({first, size});
    first += size;
  }
  return result;
}

/// A pointer into `space` cannot be stored in `memory`.
bool outlives(kir::Space memory, kir::Space space) {
  if (memory == kir::Space::Workgroup) return space == kir::Space::Private;
  return memory == kir::Space::Global && space != kir::Space::Global;
}

/// Without what LLVM appended, and empty for the compiler's temporaries.
std::string variable_name(llvm::StringRef name) {
  const llvm::StringRef start = name.take_until([](char c) { return c == '.'; });
  for (const char* made : {"ref", "agg", "coerce", "retval", "tmp", "saved", "indirect"})
    if (start == made) return "";
  return start.str();
}

}  // namespace

bool Importer::places(llvm::Type* type, std::uint64_t at, std::vector<ScalarPlace>& out) {
  const llvm::DataLayout& layout = state_.source.getDataLayout();
  if (auto* record = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout* l = layout.getStructLayout(record);
    for (unsigned i = 0; i < record->getNumElements(); ++i)
      if (!places(record->getElementType(i), at + l->getElementOffset(i), out)) return false;
  } else if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    const std::uint64_t size = layout.getTypeAllocSize(array->getElementType()).getFixedValue();
    for (std::uint64_t i = 0; i < array->getNumElements(); ++i)
      if (!places(array->getElementType(), at + i * size, out)) return false;
  } else if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    const std::uint64_t bits = layout.getTypeSizeInBits(vector->getElementType()).getFixedValue();
    if (bits % 8 != 0) {
      error("vectors of " + std::to_string(bits) + "-bit integers in memory are not supported in kernels");
      return false;
    }
    for (std::uint64_t i = 0; i < vector->getNumElements(); ++i)
      out.push_back({vector->getElementType(), at + i * (bits / 8)});
  } else {
    out.push_back({type, at});
  }
  return true;
}

void Importer::alloca(const llvm::AllocaInst& inst) {
  const auto size = inst.getAllocationSize(state_.source.getDataLayout());
  kir::ObjectAttr attr;
  if (!size || size->isScalable()) {
    error("local arrays whose size is not constant are not supported in kernels");
  } else if (size->getFixedValue() > kMaxObjectSize || inst.getAlign().value() > kMaxObjectAlign) {
    const std::string name = variable_name(inst.getName());
    error((name.empty() ? "a local variable" : "local variable '" + name + "'") + " of " +
          std::to_string(size->getFixedValue()) + " bytes, aligned to " +
          std::to_string(inst.getAlign().value()) + ", is too large");
  } else {
    attr.size = size->getFixedValue();
    attr.align = static_cast<std::uint32_t>(inst.getAlign().value());
  }
  attr.size = std::max<std::uint64_t>(attr.size, 1);
  constants_.set_location(builder_.location());
  kir::Value* object = constants_.object(attr, variable_name(inst.getName()));
  constants_.set_location(0);
  set(&inst, object);
}

/// An i1 is a byte in memory; integers of other odd widths are as many bytes as they need, with zero upper
/// bits.
Components Importer::load(const ScalarPlace& place, const llvm::Value* source, kir::Value* pointer,
                          std::uint64_t align, bool is_volatile) {
  const auto read = [&](Type type, std::uint64_t at) {
    const kir::MemoryAttr attr{alignment_at(align, at), is_volatile};
    return builder_.load(type, offset(pointer, static_cast<std::int64_t>(at)), attr);
  };
  if (is_wide(place.type)) {
    auto& context = place.type->getContext();
    const unsigned bits = place.type->getIntegerBitWidth();
    const ScalarPlace high{llvm::IntegerType::get(context, bits - 64), place.offset + 8};
    kir::Value* low = read(Type::i64(), place.offset);
    kir::Value* rest = load(high, source, pointer, align, is_volatile)[0];
    return {low, resize(Opcode::ZExt, rest, Type::i64())};
  }
  const Type type = scalar_type(place.type, source);
  if (type.is_bool()) return {builder_.convert(Opcode::Trunc, read(Type::i8(), place.offset), type)};
  const unsigned bits = place.type->isIntegerTy() ? place.type->getIntegerBitWidth() : type.bits();
  const unsigned bytes = (bits + 7) / 8;
  if (bytes * 8 == type.bits()) return {mask(read(type, place.offset), bits)};
  kir::Value* result = nullptr;
  for (const Piece& piece : pieces(bytes)) {
    kir::Value* part = read(Type::integer(piece.bytes * 8), place.offset + piece.first);
    part = resize(Opcode::ZExt, part, type);
    if (piece.first != 0) part = builder_.binary(Opcode::Shl, part, literal(type, piece.first * 8));
    result = result == nullptr ? part : builder_.binary(Opcode::Or, result, part);
  }
  return {mask(result, bits)};
}

void Importer::store(const ScalarPlace& place, const Components& value, kir::Value* pointer,
                     std::uint64_t align, bool is_volatile) {
  const auto write = [&](kir::Value* part, std::uint64_t at) {
    const kir::MemoryAttr attr{alignment_at(align, at), is_volatile};
    kir::Value* to = offset(pointer, static_cast<std::int64_t>(at));
    builder_.store(to, part, attr);
  };
  if (is_wide(place.type)) {
    auto& context = place.type->getContext();
    const unsigned bits = place.type->getIntegerBitWidth() - 64;
    write(value[0], place.offset);
    kir::Value* high = resize(Opcode::ZExt, value[1], Type::integer(held_bits(bits)));
    return store({llvm::IntegerType::get(context, bits), place.offset + 8}, {high}, pointer, align,
                 is_volatile);
  }
  kir::Value* part = value[0];
  if (part->type().is_bool()) part = builder_.convert(Opcode::ZExt, part, Type::i8());
  const unsigned bits = place.type->isIntegerTy() ? place.type->getIntegerBitWidth() : part->type().bits();
  const unsigned bytes = (bits + 7) / 8;
  if (bytes * 8 == part->type().bits()) return write(part, place.offset);
  for (const Piece& piece : pieces(bytes)) {
    kir::Value* shifted = part;
    if (piece.first != 0)
      shifted = builder_.binary(Opcode::LShr, part, literal(part->type(), piece.first * 8));
    write(resize(Opcode::ZExt, shifted, Type::integer(piece.bytes * 8)), place.offset + piece.first);
  }
}

void Importer::load(const llvm::LoadInst& inst) {
  if (inst.isAtomic()) return atomic_load(inst);
  kir::Value* pointer = scalar(inst.getPointerOperand());
  std::vector<ScalarPlace> scalars;
  Components result;
  if (!places(inst.getType(), 0, scalars)) scalars.clear();
  for (const ScalarPlace& place : scalars)
    result.append(load(place, &inst, pointer, inst.getAlign().value(), inst.isVolatile()));
  set(&inst, result);
}

void Importer::store(const llvm::StoreInst& inst) {
  if (inst.isAtomic()) return atomic_store(inst);
  kir::Value* pointer = scalar(inst.getPointerOperand());
  if (pointer->type().space() == kir::Space::Constant) return error("this writes to constant data");
  const Components parts = get(inst.getValueOperand());
  for (const kir::Value* part : parts)
    if (part->type().is_ptr() && !is_null(part) && outlives(pointer->type().space(), part->type().space()))
      return error(pointer->type().space() == kir::Space::Workgroup
                       ? "the address of local data is stored in workgroup memory, where it means nothing to "
                         "other invocations"
                       : "the address of local, workgroup or constant data is stored in a buffer, where it "
                         "outlives its memory");
  std::vector<ScalarPlace> scalars;
  if (!places(inst.getValueOperand()->getType(), 0, scalars)) return;
  std::size_t at = 0;
  for (const ScalarPlace& place : scalars) {
    Components value = {parts[at++]};
    if (is_wide(place.type)) value.push_back(parts[at++]);
    store(place, value, pointer, inst.getAlign().value(), inst.isVolatile());
  }
}

}  // namespace spirea::frontend
