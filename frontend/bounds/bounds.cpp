// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An access of s bytes at offset p of a buffer of n lies inside if p < n - (s - 1), without sign and with 0
// for a difference below it: an offset below 0 is a large one.
#include "frontend/bounds/bounds.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "frontend/bounds/accesses.h"
#include "frontend/bounds/known.h"
#include "frontend/bounds/places.h"

namespace spirea::frontend {
namespace {

using llvm::Value;

std::vector<Buffer> buffers_of(const KernelSource& source) {
  std::vector<Buffer> buffers;
  unsigned leaf = 0;
  for (const abi::Param& param : source.manifest.params) {
    if (param.kind == abi::ParamKind::Buffer && param.leaves.size() == 2)
      buffers.push_back(
          {source.entry->getArg(leaf), source.entry->getArg(leaf + 1), param.element_size, param.name});
    leaf += static_cast<unsigned>(param.leaves.size());
  }
  return buffers;
}

/// The place of an access; where it has none, as after some optimizations, that of its pointer, or else its
/// function's.
llvm::DebugLoc place_in_source(const Access& access) {
  const llvm::DebugLoc place = access.inst->getDebugLoc();
  if (!place || place.getLine() != 0) return place;
  if (const auto* pointer = llvm::dyn_cast<llvm::Instruction>(access.pointer))
    if (pointer->getDebugLoc() && pointer->getDebugLoc().getLine() != 0) return pointer->getDebugLoc();
  llvm::DISubprogram* function = place->getScope()->getSubprogram();
  return llvm::DILocation::get(place->getContext(), function->getLine(), 0, function, place->getInlinedAt());
}

class Checks {
 public:
  explicit Checks(const KernelSource& source)
      : function_(*source.entry), buffers_(buffers_of(source)), builder_(function_.getContext()) {}

  void run() {
    const llvm::DominatorTree tree(function_);
    Accesses accesses = find();
    llvm::SmallVector<Value*, 64> pointers;
    for (const auto& [block, list] : accesses)
      for (const Access& access : list) pointers.push_back(access.pointer);
    places_.emplace(function_, buffers_, pointers);
    drop_known(tree, accesses);
    // From the end, so that what is split off a block is short.
    for (auto& [block, list] : accesses)
      for (const Access& access : llvm::reverse(list)) insert(access);
  }

 private:
  using Accesses = llvm::MapVector<llvm::BasicBlock*, llvm::SmallVector<Access, 4>>;

  Accesses find() {
    Accesses accesses;
    llvm::SmallVector<Access, 4> found;
    for (llvm::BasicBlock& block : function_) {
      for (llvm::Instruction& inst : block) find_accesses(inst, found);
      if (!found.empty()) accesses[&block] = std::move(found);
      found.clear();
    }
    return accesses;
  }

  /// Down the dominator tree: accesses to what a check or a condition has found to be inside need none.
  void drop_known(const llvm::DominatorTree& tree, Accesses& accesses) {
    struct Visit {
      const llvm::DomTreeNode* node;
      std::size_t mark;
      llvm::DomTreeNode::const_iterator next;
    };
    llvm::SmallVector<Visit, 32> path;
    const auto enter = [&](const llvm::DomTreeNode* node) {
      path.push_back({node, known_.mark(), node->begin()});
      add_condition_of(*node->getBlock());
      const auto list = accesses.find(node->getBlock());
      if (list != accesses.end())
        llvm::erase_if(list->second, [&](const Access& access) { return !needs_check(access); });
    };
    enter(tree.getRootNode());
    while (!path.empty()) {
      Visit& visit = path.back();
      if (visit.next != visit.node->end()) {
        enter(*visit.next++);
        continue;
      }
      known_.back_to(visit.mark);
      path.pop_back();
    }
  }

  void add_condition_of(llvm::BasicBlock& block) {
    const llvm::BasicBlock* before = block.getSinglePredecessor();
    if (before == nullptr) return;
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(before->getTerminator());
    if (branch == nullptr || !branch->isConditional()) return;
    add_condition(known_, *places_, buffers_, branch->getCondition(), branch->getSuccessor(0) == &block);
  }

  bool needs_check(const Access& access) {
    const Place* place = places_->find(access.pointer);
    if (place == nullptr) return false;
    if (access.length != nullptr || may_be_elsewhere(access)) return true;
    if (known_.holds(*place, access.bytes)) return false;
    if (const auto element = element_of(access, *place))
      known_.add(*element,
                 buffers_[llvm::cast<llvm::ConstantInt>(place->buffer)->getZExtValue()].element_size);
    else
      known_.add(*place, access.bytes);
    return true;
  }

  bool may_be_elsewhere(const Access& access) const {
    return places_->buffers(access.pointer).test(static_cast<unsigned>(buffers_.size()));
  }

  void insert(const Access& access) {
    if (places_->find(access.pointer) == nullptr) return;  // not reached
    const Place& place = *places_->find(access.pointer);
    builder_.SetInsertPoint(access.inst);
    const llvm::DebugLoc where = place_in_source(access);
    builder_.SetCurrentDebugLocation(where);
    Value* fails = is_outside(access, place);
    if (may_be_elsewhere(access))
      fails = builder_.CreateAnd(fails, builder_.CreateICmpNE(place.buffer, builder_.getInt32(kNoBuffer)));
    llvm::MDNode* unlikely = llvm::MDBuilder(function_.getContext()).createUnlikelyBranchWeights();
    llvm::Instruction* end =
        llvm::SplitBlockAndInsertIfThen(fails, access.inst, /*Unreachable=*/true, unlikely);
    end->setDebugLoc(where);
    fail(access, place, end);
  }

  Value* is_outside(const Access& access, const Place& place) {
    if (access.length == nullptr) {
      if (const auto element = element_of(access, place)) return is_element_outside(*element);
      return builder_.CreateICmpUGE(offset(builder_, place), limit(place.size, access.bytes));
    }
    Value* length = builder_.CreateZExt(access.length, builder_.getInt64Ty());
    Value* is_long = builder_.CreateICmpUGT(length, place.size);
    Value* is_far = builder_.CreateICmpUGT(offset(builder_, place), builder_.CreateSub(place.size, length));
    return builder_.CreateAnd(builder_.CreateICmpNE(length, builder_.getInt64(0)),
                              builder_.CreateOr(is_long, is_far));
  }

  /// The start of the one element of a buffer in which the access lies, as most do; nothing for others.
  std::optional<Place> element_of(const Access& access, const Place& place) const {
    const auto* number = llvm::dyn_cast<llvm::ConstantInt>(place.buffer);
    if (number == nullptr || place.constant > kMostConstant || place.constant < -kMostConstant)
      return std::nullopt;
    const std::uint64_t size = buffers_[number->getZExtValue()].element_size;
    if (place.index != nullptr && place.scale != size) return std::nullopt;
    Place start = place;
    start.constant = place.constant - (place.constant % static_cast<std::int64_t>(size));
    if (start.constant > place.constant) start.constant -= static_cast<std::int64_t>(size);
    const auto first = static_cast<std::uint64_t>(place.constant - start.constant);
    return first + access.bytes <= size ? std::optional(start) : std::nullopt;
  }

  /// Elements are compared by their index.
  Value* is_element_outside(const Place& start) {
    const Buffer& buffer = buffers_[llvm::cast<llvm::ConstantInt>(start.buffer)->getZExtValue()];
    const std::int64_t first = start.constant / static_cast<std::int64_t>(buffer.element_size);
    Value* index = builder_.getInt64(static_cast<std::uint64_t>(first));
    if (start.index != nullptr) index = first == 0 ? start.index : builder_.CreateAdd(start.index, index);
    return builder_.CreateICmpUGE(index, buffer.count);
  }

  /// Where accesses of so many bytes may no longer start: behind the buffer's size, which all can use.
  Value* limit(Value* size, std::uint64_t bytes) {
    Value*& limit = limits_[{size, bytes}];
    if (limit != nullptr || bytes == 1) return bytes == 1 ? size : limit;
    llvm::IRBuilder<> b(function_.getContext());
    auto* inst = llvm::dyn_cast<llvm::Instruction>(size);
    b.SetInsertPoint(inst == nullptr ? function_.getEntryBlock().getFirstInsertionPt()
                                     : *inst->getInsertionPointAfterDef());
    return limit = b.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, size, b.getInt64(bytes - 1));
  }

  /// Says which buffer, where there are several: each has a text of its own.
  void fail(const Access& access, const Place& place, llvm::Instruction* end) {
    llvm::SmallBitVector buffers = places_->buffers(access.pointer);
    buffers.reset(static_cast<unsigned>(buffers_.size()));
    if (buffers.count() == 1) return call(access, place, static_cast<unsigned>(buffers.find_first()), end);
    llvm::SwitchInst* choice = nullptr;
    for (const unsigned number : buffers.set_bits()) {
      auto* block = llvm::BasicBlock::Create(function_.getContext(), "", &function_);
      auto* unreachable = new llvm::UnreachableInst(function_.getContext(), block);
      unreachable->setDebugLoc(end->getDebugLoc());
      builder_.SetInsertPoint(end);
      if (choice == nullptr)
        choice = builder_.CreateSwitch(place.buffer, block);
      else
        choice->addCase(builder_.getInt32(number), block);
      call(access, place, number, unreachable);
    }
    end->eraseFromParent();
  }

  void call(const Access& access, const Place& place, unsigned number, llvm::Instruction* end) {
    builder_.SetInsertPoint(end);
    Value* at = offset(builder_, place);
    Value* text = builder_.CreateGlobalString(text_of(access, buffers_[number].name));
    llvm::SmallVector<Value*, 3> arguments = {text, at, place.size};
    if (access.length != nullptr)
      arguments = {text, builder_.CreateZExt(access.length, builder_.getInt64Ty()), at};
    llvm::CallInst* call = builder_.CreateCall(reporter(), arguments);
    call->setDoesNotReturn();
    call->addFnAttr(llvm::Attribute::NoMerge);
  }

  static std::string text_of(const Access& access, const std::string& buffer) {
    const bool is_fixed = access.length == nullptr;
    const std::string count = is_fixed ? std::to_string(access.bytes) : "%llu";
    return access.what.str() + " of " + count + (count == "1" ? " byte" : " bytes") +
           " at byte %lld is out of bounds for '" + buffer + "'" + (is_fixed ? " of %llu bytes" : "");
  }

  llvm::FunctionCallee reporter() {
    llvm::Type* i64 = builder_.getInt64Ty();
    auto* type = llvm::FunctionType::get(builder_.getVoidTy(), {builder_.getPtrTy(), i64, i64}, false);
    return function_.getParent()->getOrInsertFunction(kOutsideOfBuffer, type);
  }

  llvm::Function& function_;
  const std::vector<Buffer> buffers_;
  llvm::IRBuilder<> builder_;
  std::optional<Places> places_;
  KnownPlaces known_;
  llvm::DenseMap<std::pair<Value*, std::uint64_t>, Value*> limits_;
};

}  // namespace

void check_bounds(const KernelSource& source) { Checks(source).run(); }

}  // namespace spirea::frontend
