// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen-host/emit/workgroup_memory.h"

#include <algorithm>

namespace spirea::host {
namespace {

/// Areas of a block, one behind the other, at offsets that are known at run time.
class Layout {
 public:
  explicit Layout(llvm::IRBuilder<>& b) : b_(b), end_(b.getInt64(0)) {}

  void add(llvm::Value* bytes, std::uint64_t align) {
    llvm::Value* rounded = b_.CreateAdd(end_, b_.getInt64(align - 1));
    offsets_.push_back(b_.CreateAnd(rounded, b_.getInt64(~(align - 1))));
    end_ = b_.CreateAdd(offsets_.back(), bytes);
  }
  llvm::Value* bytes() const { return end_; }
  std::vector<llvm::Value*> addresses(llvm::Value* block) const {
    std::vector<llvm::Value*> all;
    for (llvm::Value* offset : offsets_) all.push_back(b_.CreatePtrAdd(block, offset));
    return all;
  }

 private:
  llvm::IRBuilder<>& b_;
  llvm::Value* end_;
  std::vector<llvm::Value*> offsets_;
};

/// Areas that other threads write do not share a cache line with this one's: blocks are whole pages. Within
/// one, this is for vectors.
constexpr std::uint64_t kFrameAlign = 64;

/// Leaves the function if the block is null; the builder goes on behind.
void return_without(llvm::IRBuilder<>& b, llvm::Value* block) {
  llvm::Function* function = b.GetInsertBlock()->getParent();
  llvm::BasicBlock* none = llvm::BasicBlock::Create(b.getContext(), "no_memory", function);
  llvm::BasicBlock* behind = llvm::BasicBlock::Create(b.getContext(), "memory", function);
  b.CreateCondBr(b.CreateIsNull(block), none, behind);
  b.SetInsertPoint(none);
  b.CreateRetVoid();
  b.SetInsertPoint(behind);
}

}  // namespace

WorkgroupMemory workgroup_memory(const kir::Kernel& kernel) {
  WorkgroupMemory memory;
  WorkgroupMemory::Object dynamic;
  dynamic.is_dynamic = true;
  for (const kir::Op& op : kernel.body) {
    if (op.is(kir::Opcode::DynamicShared)) {
      dynamic.ops.push_back(&op);
      dynamic.align = std::max(dynamic.align, op.as<kir::MemoryAttr>().align);
    } else if (op.is(kir::Opcode::Object) && op.result()->type().space() == kir::Space::Workgroup) {
      const auto& object = op.as<kir::ObjectAttr>();
      memory.objects.push_back({{&op}, object.size, object.align, false});
    }
  }
  if (!dynamic.ops.empty()) memory.objects.push_back(std::move(dynamic));
  return memory;
}

std::vector<llvm::Value*> allocate(llvm::IRBuilder<>& b, const WorkgroupMemory& memory, llvm::Value* allocate,
                                   llvm::Value* dynamic_bytes, llvm::Value* invocations) {
  Layout layout(b);
  for (const auto& object : memory.objects)
    layout.add(object.is_dynamic ? dynamic_bytes : b.getInt64(object.size), object.align);
  if (memory.has_frames) {
    const Frame& frame = memory.frame;
    layout.add(b.CreateMul(invocations, b.getInt64(frame.value_bytes)), kFrameAlign);
    layout.add(b.CreateMul(invocations, b.getInt64(frame.object_bytes)), frame.object_align);
    layout.add(b.CreateMul(invocations, b.getInt64(sizeof(std::uint32_t))), kFrameAlign);
  }
  auto* type = llvm::FunctionType::get(b.getPtrTy(), {b.getInt64Ty()}, false);
  llvm::Value* block = b.CreateCall(type, allocate, {layout.bytes()});
  return_without(b, block);
  return layout.addresses(block);
}

}  // namespace spirea::host
