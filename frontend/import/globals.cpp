// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>

#include "frontend/import/importer.h"

namespace spirea::frontend {
namespace {

void put(std::vector<std::uint8_t>& bytes, std::uint64_t at, const llvm::APInt& value) {
  const unsigned n = (value.getBitWidth() + 7) / 8;
  const llvm::APInt wide = value.zext(n * 8);
  for (unsigned i = 0; i < n; ++i)
    bytes[at + i] = static_cast<std::uint8_t>(wide.extractBitsAsZExtValue(8, i * 8));
}

bool write(const llvm::Constant& c, const llvm::DataLayout& layout, std::uint64_t at,
           std::vector<std::uint8_t>& bytes) {
  if (c.isNullValue() || llvm::isa<llvm::UndefValue>(c)) return true;
  llvm::Type* type = c.getType();
  if (const auto* record = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout* l = layout.getStructLayout(llvm::cast<llvm::StructType>(type));
    for (unsigned i = 0; i < record->getNumElements(); ++i)
      if (!write(*c.getAggregateElement(i), layout, at + l->getElementOffset(i), bytes)) return false;
    return true;
  }
  if (type->isArrayTy() || type->isVectorTy()) {
    const bool array = type->isArrayTy();
    const std::uint64_t n =
        array ? type->getArrayNumElements() : llvm::cast<llvm::FixedVectorType>(type)->getNumElements();
    llvm::Type* element =
        array ? type->getArrayElementType() : llvm::cast<llvm::FixedVectorType>(type)->getElementType();
    const std::uint64_t size = layout.getTypeAllocSize(element).getFixedValue();
    for (unsigned i = 0; i < n; ++i)
      if (!write(*c.getAggregateElement(i), layout, at + i * size, bytes)) return false;
    return true;
  }
  if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(&c))
    put(bytes, at, integer->getValue());
  else if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(&c))
    put(bytes, at, number->getValueAPF().bitcastToAPInt());
  else
    return false;
  return true;
}

}  // namespace

std::optional<std::vector<std::uint8_t>> constant_bytes(const llvm::Constant& c,
                                                        const llvm::DataLayout& layout) {
  std::vector<std::uint8_t> bytes(
      std::max<std::uint64_t>(layout.getTypeAllocSize(c.getType()).getFixedValue(), 1), 0);
  if (!write(c, layout, 0, bytes)) return std::nullopt;
  return bytes;
}

}  // namespace spirea::frontend
