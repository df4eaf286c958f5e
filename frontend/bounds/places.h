// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In which of a kernel's buffers pointers point, and where in it, as numbers that the kernel computes beside
// the pointers.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallBitVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <string>

namespace spirea::frontend {

/// A buffer that a kernel is given: arguments of its entry.
struct Buffer {
  llvm::Argument* address;
  llvm::Argument* count;  ///< elements, i64
  std::uint64_t element_size;
  std::string name;
};

/// index * scale + constant bytes behind the start of a buffer.
struct Place {
  llvm::Value* size = nullptr;   ///< bytes of the buffer, i64
  llvm::Value* index = nullptr;  ///< i64; null: none
  std::uint64_t scale = 0;
  std::int64_t constant = 0;
  llvm::Value* buffer = nullptr;  ///< its number, i32: constant if there is one, kNoBuffer for other memory
};

/// Places with constants beyond are left alone, so that sums do not overflow.
inline constexpr std::int64_t kMostConstant = std::int64_t{1} << 40;

inline constexpr std::uint32_t kNoBuffer = ~std::uint32_t{0};

class Places {
 public:
  /// Adds to the function what computes the places of these pointers.
  Places(llvm::Function&, llvm::ArrayRef<Buffer>, llvm::ArrayRef<llvm::Value*> pointers);

  /// Null for a pointer that points into no buffer, or into one that is not known.
  const Place* find(const llvm::Value* pointer) const;
  /// The numbers of the buffers that the pointer can point into, and as the last one whether it can be other
  /// memory.
  const llvm::SmallBitVector& buffers(const llvm::Value* pointer) const { return masks_.at(pointer); }
  /// Bytes of a buffer, in the entry block.
  llvm::Value* size(unsigned buffer);

 private:
  void find_buffers(llvm::ArrayRef<llvm::Value*> pointers);
  void visit(llvm::Instruction&);
  void visit(llvm::GEPOperator&, llvm::IRBuilder<>&, const Place& from, Place& to);
  void visit(llvm::PHINode&, Place&);
  void complete(llvm::PHINode&);
  bool has_one_buffer(const llvm::Value* pointer) const;
  Place place_of(const llvm::Value* pointer) const;

  llvm::Function& function_;
  llvm::ArrayRef<Buffer> buffers_;
  llvm::DenseMap<const llvm::Value*, llvm::SmallBitVector> masks_;
  llvm::DenseMap<const llvm::Value*, Place> places_;
  llvm::SmallVector<llvm::Value*, 8> sizes_;
};

/// The bytes from the buffer's start, i64.
llvm::Value* offset(llvm::IRBuilder<>&, const Place&);

}  // namespace spirea::frontend
