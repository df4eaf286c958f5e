// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen-host/emit/loops.h"

namespace spirea::host {
namespace {

llvm::BasicBlock* new_block(llvm::IRBuilder<>& b, const llvm::Twine& name) {
  return llvm::BasicBlock::Create(b.getContext(), name, b.GetInsertBlock()->getParent());
}

}  // namespace

llvm::Value* CountedLoop::open(llvm::IRBuilder<>& b, llvm::Value* bound, const llvm::Twine& name) {
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(bound);
      constant != nullptr && constant->isOne())
    return b.getInt32(0);
  llvm::BasicBlock* before = b.GetInsertBlock();
  header_ = new_block(b, name);
  llvm::BasicBlock* body = new_block(b, name + ".body");
  exit_ = new_block(b, name + ".end");
  b.CreateBr(header_);
  b.SetInsertPoint(header_);
  index_ = b.CreatePHI(b.getInt32Ty(), 2, name);
  index_->addIncoming(b.getInt32(0), before);
  b.CreateCondBr(b.CreateICmpULT(index_, bound), body, exit_);
  b.SetInsertPoint(body);
  return index_;
}

void CountedLoop::close(llvm::IRBuilder<>& b) {
  if (index_ == nullptr) return;
  llvm::Value* next = b.CreateNUWAdd(index_, b.getInt32(1));
  index_->addIncoming(next, b.GetInsertBlock());
  b.CreateBr(header_);
  exit_->moveAfter(b.GetInsertBlock());
  b.SetInsertPoint(exit_);
}

std::array<llvm::Value*, 3> WorkgroupLoop::open(llvm::IRBuilder<>& b, llvm::Value* first, llvm::Value* last,
                                                const std::array<llvm::Value*, 3>& num_workgroups) {
  last_ = last;
  num_workgroups_ = num_workgroups;
  llvm::BasicBlock* start = new_block(b, "start");
  header_ = new_block(b, "workgroup");
  exit_ = new_block(b, "exit");
  b.CreateCondBr(b.CreateICmpULT(first, last), start, exit_);

  b.SetInsertPoint(start);  // not before the test: the divisors of an empty grid are 0
  llvm::Value* x = b.CreateZExt(num_workgroups[0], b.getInt64Ty());
  llvm::Value* y = b.CreateZExt(num_workgroups[1], b.getInt64Ty());
  llvm::Value* row = b.CreateUDiv(first, x);
  const std::array<llvm::Value*, 3> initial{b.CreateURem(first, x), b.CreateURem(row, y),
                                            b.CreateUDiv(row, y)};
  std::array<llvm::Value*, 3> narrow{};
  for (unsigned i = 0; i < 3; ++i) narrow[i] = b.CreateTrunc(initial[i], b.getInt32Ty());
  b.CreateBr(header_);

  b.SetInsertPoint(header_);
  constexpr const char* names[] = {"workgroup_x", "workgroup_y", "workgroup_z"};
  for (unsigned i = 0; i < 3; ++i) {
    position_[i] = b.CreatePHI(b.getInt32Ty(), 2, names[i]);
    position_[i]->addIncoming(narrow[i], start);
  }
  linear_ = b.CreatePHI(b.getInt64Ty(), 2, "workgroup");
  linear_->addIncoming(first, start);
  return {position_[0], position_[1], position_[2]};
}

void WorkgroupLoop::close(llvm::IRBuilder<>& b) {
  llvm::Value* one = b.getInt32(1);
  llvm::Value* zero = b.getInt32(0);
  llvm::BasicBlock* latch = b.GetInsertBlock();
  llvm::Value* next_x = b.CreateAdd(position_[0], one);
  llvm::Value* row_ends = b.CreateICmpEQ(next_x, num_workgroups_[0]);
  llvm::Value* next_y = b.CreateAdd(position_[1], b.CreateZExt(row_ends, b.getInt32Ty()));
  llvm::Value* plane_ends = b.CreateICmpEQ(next_y, num_workgroups_[1]);
  position_[0]->addIncoming(b.CreateSelect(row_ends, zero, next_x), latch);
  position_[1]->addIncoming(b.CreateSelect(plane_ends, zero, next_y), latch);
  position_[2]->addIncoming(b.CreateAdd(position_[2], b.CreateZExt(plane_ends, b.getInt32Ty())), latch);
  llvm::Value* next = b.CreateNUWAdd(linear_, b.getInt64(1));
  linear_->addIncoming(next, latch);
  b.CreateCondBr(b.CreateICmpULT(next, last_), header_, exit_);
  exit_->moveAfter(latch);
  b.SetInsertPoint(exit_);
}

}  // namespace spirea::host
