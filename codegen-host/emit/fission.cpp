// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen-host/emit/fission.h"

#include <algorithm>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

#include "codegen-host/emit/parts.h"

namespace spirea::host {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Use;
using llvm::Value;

/// Ops that are computed again for one value, at most.
constexpr unsigned kCheapOps = 6;

class Fission {
 public:
  Fission(llvm::Function& function, const std::vector<Cut>& cuts, const FrameParameters& parameters)
      : function_(function),
        entry_(function.getEntryBlock()),
        data_layout_(function.getDataLayout()),
        cuts_(cuts),
        parameters_(parameters) {}

  Frame run() {
    find_live_values();
    replace_branches();
    for (LiveValue& live : live_values_) keep(live);
    for (const LiveValue& live : live_values_) rewrite_uses(live);
    keep_objects();
    return frame_;
  }

 private:
  struct LiveValue {
    Instruction* value;
    llvm::SmallVector<unsigned, 4> cuts;
    bool is_cheap;
    llvm::SmallVector<Value*, 4> resumed = {};  ///< what it is behind each of the cuts
  };

  /// The block in which a use needs the value: at its end, for a phi.
  static BasicBlock* block_of(const Use& use) {
    auto* user = llvm::cast<Instruction>(use.getUser());
    auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
    return phi != nullptr ? phi->getIncomingBlock(use) : user->getParent();
  }

  /// The cuts behind which the value may be used without being computed again.
  llvm::SmallVector<unsigned, 4> cuts_across(Instruction& value) const {
    llvm::SmallPtrSet<BasicBlock*, 16> live_in;
    llvm::SmallVector<BasicBlock*, 16> work;
    const auto visit = [&](BasicBlock* block) {
      if (block != value.getParent() && live_in.insert(block).second) work.push_back(block);
    };
    for (const Use& use : value.uses()) visit(block_of(use));
    while (!work.empty())
      for (BasicBlock* before : llvm::predecessors(work.pop_back_val())) visit(before);
    llvm::SmallVector<unsigned, 4> found;
    for (unsigned i = 0; i < cuts_.size(); ++i)
      if (live_in.contains(cuts_[i].resume)) found.push_back(i);
    return found;
  }

  /// Large ones first: so each array starts at a multiple of its elements' size.
  void find_live_values() {
    for (BasicBlock& block : function_)
      for (Instruction& instruction : block) {
        if (&block == &entry_ || instruction.use_empty()) continue;
        auto cuts = cuts_across(instruction);
        if (!cuts.empty()) live_values_.push_back({&instruction, std::move(cuts), is_cheap(&instruction)});
      }
    std::stable_sort(live_values_.begin(), live_values_.end(), [&](const LiveValue& a, const LiveValue& b) {
      return size_of(a.value) > size_of(b.value);
    });
  }

  std::uint64_t size_of(const Value* value) const {
    return data_layout_.getTypeAllocSize(value->getType()).getFixedValue();
  }

  bool is_cheap(const Value* value) const {
    unsigned ops = 0;
    return is_cheap(value, ops);
  }
  bool is_cheap(const Value* value, unsigned& ops) const {
    if (llvm::isa<llvm::Argument>(value)) return true;
    if (llvm::isa<llvm::Constant>(value)) return !llvm::isa<llvm::UndefValue>(value);
    const auto* op = llvm::cast<Instruction>(value);
    if (op->getParent() == &entry_) return true;
    if (!llvm::isa<llvm::CastInst, llvm::BinaryOperator, llvm::GetElementPtrInst, llvm::CmpInst,
                   llvm::SelectInst>(op) ||
        op->isIntDivRem() || op->getOpcode() == Instruction::FRem || ++ops > kCheapOps)
      return false;
    return std::all_of(op->op_begin(), op->op_end(),
                       [&](const Use& use) { return is_cheap(use.get(), ops); });
  }

  /// A copy of a cheap value and of what it is computed from.
  Value* computed_again(Value* value, llvm::IRBuilder<>& b) const {
    auto* op = llvm::dyn_cast<Instruction>(value);
    if (op == nullptr || op->getParent() == &entry_) return value;
    Instruction* copy = op->clone();
    for (Use& use : copy->operands()) use.set(computed_again(use.get(), b));
    return b.Insert(copy, op->getName());
  }

  void replace_branches() {
    Instruction* start = entry_.getTerminator();
    llvm::IRBuilder<> b(start);
    llvm::SwitchInst* states =
        b.CreateSwitch(parameters_.state, start->getSuccessor(0), static_cast<unsigned>(cuts_.size()));
    start->eraseFromParent();
    for (std::uint32_t i = 0; i < cuts_.size(); ++i) {
      states->addCase(b.getInt32(i + 1), cuts_[i].resume);
      cuts_[i].suspend->getTerminator()->eraseFromParent();
      b.SetInsertPoint(cuts_[i].suspend);
      b.CreateRet(b.getInt32(i + 1));
    }
  }

  Value* address(llvm::IRBuilder<>& b, std::uint64_t offset, std::uint64_t size) const {
    Value* array = b.CreatePtrAdd(parameters_.values, b.CreateMul(parameters_.count, b.getInt64(offset)));
    return b.CreatePtrAdd(array, b.CreateMul(parameters_.index, b.getInt64(size)));
  }

  /// Gives the value a definition in each resume, and the frame its value in each suspend. These definitions
  /// are made of the original ones, before any use is rewritten.
  void keep(LiveValue& live) {
    const std::uint64_t size = size_of(live.value), offset = frame_.value_bytes;
    if (!live.is_cheap) frame_.value_bytes += size;
    for (const unsigned i : live.cuts) {
      llvm::IRBuilder<> b(cuts_[i].resume->getTerminator());
      if (live.is_cheap) {
        live.resumed.push_back(computed_again(live.value, b));
        continue;
      }
      llvm::Type* type = live.value->getType();
      live.resumed.push_back(b.CreateLoad(type, address(b, offset, size), live.value->getName()));
      b.SetInsertPoint(cuts_[i].suspend->getTerminator());
      b.CreateStore(live.value, address(b, offset, size));
    }
  }

  void rewrite_uses(const LiveValue& live) const {
    BasicBlock* definition = live.value->getParent();
    llvm::SmallVector<Use*, 8> uses;
    for (Use& use : live.value->uses())
      if (block_of(use) != definition) uses.push_back(&use);
    llvm::SSAUpdater values;
    values.Initialize(live.value->getType(), live.value->getName());
    values.AddAvailableValue(definition, live.value);
    for (std::size_t i = 0; i < live.cuts.size(); ++i)
      values.AddAvailableValue(cuts_[live.cuts[i]].resume, live.resumed[i]);
    for (Use* use : uses) values.RewriteUse(*use);
  }

  void keep_objects() {
    const Parts parts(function_, cuts_);
    llvm::SmallVector<llvm::AllocaInst*, 8> kept;
    for (Instruction& instruction : entry_)
      if (auto* object = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
          object != nullptr && parts.share(*object))
        kept.push_back(object);
    for (llvm::AllocaInst* object : kept) keep(*object);
    const std::uint64_t align = frame_.object_align;
    frame_.object_bytes = (frame_.object_bytes + align - 1) / align * align;
  }

  void keep(llvm::AllocaInst& object) {
    const std::uint64_t align = object.getAlign().value();
    const std::uint64_t offset = (frame_.object_bytes + align - 1) / align * align;
    frame_.object_bytes = offset + object.getAllocationSize(data_layout_)->getFixedValue();
    frame_.object_align = std::max(frame_.object_align, align);
    for (llvm::User* user : llvm::make_early_inc_range(object.users()))
      if (auto* marker = llvm::dyn_cast<llvm::LifetimeIntrinsic>(user)) marker->eraseFromParent();
    llvm::IRBuilder<> b(&object);
    Value* address = b.CreatePtrAdd(parameters_.objects, b.getInt64(offset));
    address->takeName(&object);
    object.replaceAllUsesWith(address);
    object.eraseFromParent();
  }

  llvm::Function& function_;
  BasicBlock& entry_;
  const llvm::DataLayout& data_layout_;
  const std::vector<Cut>& cuts_;
  const FrameParameters& parameters_;
  std::vector<LiveValue> live_values_;
  Frame frame_;
};

}  // namespace

Frame cut_at_barriers(llvm::Function& function, const std::vector<Cut>& cuts,
                      const FrameParameters& parameters) {
  return Fission(function, cuts, parameters).run();
}

}  // namespace spirea::host
