// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/merge_hubs.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <vector>

namespace spirea::frontend {
namespace {

using Blocks = std::vector<llvm::BasicBlock*>;

/// As many nested constructs are still good code: a hub costs a switch, and a loop if its destinations lead
/// to one another.
constexpr std::size_t kMaxMerges = 12;

/// For each branch, in reverse postorder: the blocks that it dominates directly, in its own loop, and that
/// several paths lead to.
llvm::MapVector<llvm::BasicBlock*, Blocks> find_merges(llvm::Function& function,
                                                       const llvm::DominatorTree& tree,
                                                       const llvm::LoopInfo& loops) {
  llvm::MapVector<llvm::BasicBlock*, Blocks> merges;
  for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function)) {
    if (block->isEntryBlock() || loops.isLoopHeader(block) || block->getUniquePredecessor() != nullptr)
      continue;
    llvm::BasicBlock* dominator = tree.getNode(block)->getIDom()->getBlock();
    if (loops.getLoopFor(dominator) == loops.getLoopFor(block)) merges[dominator].push_back(block);
  }
  return merges;
}

/// A barrier behind a hub would be reached by invocations of the other destinations at another time.
bool has_convergent_calls(llvm::BasicBlock* dominator, const llvm::DominatorTree& tree) {
  llvm::SmallVector<llvm::BasicBlock*, 32> region;
  tree.getDescendants(dominator, region);
  for (const llvm::BasicBlock* block : region)
    for (const llvm::Instruction& inst : *block)
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&inst); call != nullptr && call->isConvergent())
        return true;
  return false;
}

class Hub {
 public:
  explicit Hub(const Blocks& destinations)
      : destinations_(destinations),
        block_(llvm::BasicBlock::Create(destinations[0]->getContext(), "hub", destinations[0]->getParent(),
                                        destinations[0])) {}

  void insert() {
    llvm::IRBuilder<> builder(block_);
    selector_ = builder.CreatePHI(builder.getInt32Ty(), 0, "destination");
    for (std::size_t i = 0; i < destinations_.size(); ++i) redirect(static_cast<unsigned>(i));
    fill_slots();
    for (llvm::BasicBlock* destination : destinations_) replace_phis(*destination);
    builder.SetInsertPoint(block_);
    auto* choice =
        builder.CreateSwitch(selector_, destinations_[0], static_cast<unsigned>(destinations_.size() - 1));
    for (unsigned i = 1; i < destinations_.size(); ++i)
      choice->addCase(builder.getInt32(i), destinations_[i]);
  }

 private:
  struct Edge {
    llvm::BasicBlock* block = nullptr;                         // jumps to the hub
    llvm::SmallDenseMap<llvm::PHINode*, llvm::Value*> values;  // of the hub's phis
  };

  /// One block for each way to the destination; it holds what the destination's phis get on that way.
  void redirect(unsigned number) {
    llvm::BasicBlock* destination = destinations_[number];
    const std::vector<llvm::PHINode*> slots = slots_of(*destination);
    const llvm::SmallSetVector<llvm::BasicBlock*, 8> sources(llvm::pred_begin(destination),
                                                             llvm::pred_end(destination));
    for (llvm::BasicBlock* source : sources) {
      auto* block = llvm::BasicBlock::Create(block_->getContext(), "to.hub", block_->getParent(), block_);
      llvm::IRBuilder<> builder(block);
      builder.SetCurrentDebugLocation(source->getTerminator()->getDebugLoc());
      builder.CreateBr(block_);
      selector_->addIncoming(builder.getInt32(number), block);
      Edge edge;
      edge.block = block;
      std::size_t at = 0;
      for (llvm::PHINode& phi : destination->phis())
        edge.values[slots[at++]] = phi.getIncomingValueForBlock(source);
      edges_.push_back(std::move(edge));
      source->getTerminator()->replaceSuccessorWith(destination, block);
    }
  }

  /// The hub's phis for those of a destination: destinations share them, as only one of them is next.
  std::vector<llvm::PHINode*> slots_of(llvm::BasicBlock& destination) {
    std::vector<llvm::PHINode*> result;
    llvm::DenseMap<llvm::Type*, std::size_t> used;
    for (llvm::PHINode& phi : destination.phis()) {
      auto& of_type = slots_[phi.getType()];
      const std::size_t at = used[phi.getType()]++;
      if (at == of_type.size())
        of_type.push_back(llvm::PHINode::Create(phi.getType(), 0, "carried", selector_->getIterator()));
      result.push_back(of_type[at]);
    }
    return result;
  }

  void replace_phis(llvm::BasicBlock& destination) {
    const std::vector<llvm::PHINode*> slots = slots_of(destination);
    std::vector<llvm::PHINode*> phis;
    for (llvm::PHINode& phi : destination.phis()) phis.push_back(&phi);
    for (std::size_t i = 0; i < phis.size(); ++i) {
      phis[i]->replaceAllUsesWith(slots[i]);  // in the hub's phis too: a destination may lead to another
      phis[i]->eraseFromParent();
    }
  }

  void fill_slots() {
    for (auto& [type, of_type] : slots_)
      for (llvm::PHINode* slot : of_type)
        for (const Edge& edge : edges_) {
          llvm::Value* value = edge.values.lookup(slot);
          slot->addIncoming(value != nullptr ? value : llvm::PoisonValue::get(type), edge.block);
        }
  }

  const Blocks& destinations_;
  llvm::BasicBlock* block_;
  llvm::PHINode* selector_ = nullptr;
  llvm::MapVector<llvm::Type*, std::vector<llvm::PHINode*>> slots_;
  std::vector<Edge> edges_;
};

}  // namespace

bool insert_merge_hubs(llvm::Function& function, const llvm::DominatorTree& tree,
                       const llvm::LoopInfo& loops) {
  // All is found before anything changes. What a hub replaces are edges between blocks below one branch, so
  // that what was found of other branches stays true.
  std::vector<Blocks> chosen;
  for (auto& [dominator, merges] : find_merges(function, tree, loops)) {
    merges.pop_back();  // where all ways meet, as a rule; else one construct more
    if (merges.size() > kMaxMerges && !has_convergent_calls(dominator, tree))
      chosen.push_back(std::move(merges));
  }
  for (const Blocks& destinations : chosen) Hub(destinations).insert();
  return !chosen.empty();
}

}  // namespace spirea::frontend
