// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <llvm/IR/IRBuilder.h>

namespace spirea::host {

/// for (i32 index = 0; index < bound; ++index). open() leaves the builder in the body; close() is called at
/// the body's end, and leaves the builder after the loop. A bound of constant 1 makes no loop.
class CountedLoop {
 public:
  llvm::Value* open(llvm::IRBuilder<>&, llvm::Value* bound, const llvm::Twine& name);
  void close(llvm::IRBuilder<>&);

 private:
  llvm::BasicBlock* exit_ = nullptr;
  llvm::BasicBlock* header_ = nullptr;
  llvm::PHINode* index_ = nullptr;
};

/// Runs over workgroups [first, last) of the grid in linear order, x fastest, and keeps their position.
class WorkgroupLoop {
 public:
  /// The position of the current workgroup, valid until close().
  std::array<llvm::Value*, 3> open(llvm::IRBuilder<>&, llvm::Value* first, llvm::Value* last,
                                   const std::array<llvm::Value*, 3>& num_workgroups);
  void close(llvm::IRBuilder<>&);

 private:
  llvm::Value* last_ = nullptr;
  std::array<llvm::Value*, 3> num_workgroups_{};
  llvm::BasicBlock* exit_ = nullptr;
  llvm::BasicBlock* header_ = nullptr;
  llvm::PHINode* linear_ = nullptr;
  std::array<llvm::PHINode*, 3> position_{};
};

}  // namespace spirea::host
