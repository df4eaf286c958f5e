// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/irreducible.h"

#include <algorithm>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/Local.h>

namespace spirea::frontend {
namespace {

using Blocks = std::vector<llvm::BasicBlock*>;
using BlockSet = llvm::DenseSet<llvm::BasicBlock*>;

/// The strongly connected components of a part of the graph that have a cycle (Kosaraju's algorithm, without
/// recursion).
class Components {
 public:
  explicit Components(const Blocks& part) : part_(part.begin(), part.end()) {
    for (llvm::BasicBlock* block : part) finish_order(block);
    for (auto it = order_.rbegin(); it != order_.rend(); ++it) collect(*it);
  }
  std::vector<Blocks> take() { return std::move(found_); }

 private:
  void finish_order(llvm::BasicBlock* root) {
    if (!seen_.insert(root).second) return;
    std::vector<std::pair<llvm::BasicBlock*, llvm::succ_iterator>> stack = {{root, succ_begin(root)}};
    while (!stack.empty()) {
      auto& [block, next] = stack.back();
      if (next == succ_end(block)) {
        order_.push_back(block);
        stack.pop_back();
        continue;
      }
      llvm::BasicBlock* successor = *next++;
      if (part_.contains(successor) && seen_.insert(successor).second)
        stack.emplace_back(successor, succ_begin(successor));
    }
  }

  void collect(llvm::BasicBlock* root) {
    if (!done_.insert(root).second) return;
    Blocks component = {root};
    for (std::size_t i = 0; i < component.size(); ++i)
      for (llvm::BasicBlock* p : llvm::predecessors(component[i]))
        if (part_.contains(p) && done_.insert(p).second) component.push_back(p);
    const bool self = llvm::is_contained(llvm::successors(root), root);
    if (component.size() > 1 || self) found_.push_back(std::move(component));
  }

  BlockSet part_, seen_, done_;
  Blocks order_;
  std::vector<Blocks> found_;
};

class Reducer {
 public:
  explicit Reducer(llvm::Function& function) : function_(function) {}

  bool run() {
    Blocks all;
    for (llvm::BasicBlock& block : function_) all.push_back(&block);
    std::vector<Blocks> work = Components(all).take();
    while (!work.empty()) {
      Blocks cycle = std::move(work.back());
      work.pop_back();
      Blocks entries = find_entries(cycle);
      if (entries.size() > 1) {
        prepare();
        dispatch(entries);
      } else {
        cycle.erase(std::find(cycle.begin(), cycle.end(), entries.at(0)));
      }
      for (Blocks& inner : Components(cycle).take()) work.push_back(std::move(inner));
    }
    return selector_ != nullptr;
  }

 private:
  static Blocks find_entries(const Blocks& cycle) {
    const BlockSet inside(cycle.begin(), cycle.end());
    Blocks entries;
    for (llvm::BasicBlock* block : cycle)
      if (llvm::any_of(llvm::predecessors(block), [&](llvm::BasicBlock* p) { return !inside.contains(p); }))
        entries.push_back(block);
    return entries;
  }

  /// Once: no phis from here on, and a place for the number of the entry.
  void prepare() {
    if (selector_ != nullptr) return;
    llvm::SmallVector<llvm::PHINode*, 16> phis;
    for (llvm::BasicBlock& block : function_)
      for (llvm::PHINode& phi : block.phis()) phis.push_back(&phi);
    for (llvm::PHINode* phi : phis) llvm::DemotePHIToStack(phi);
    llvm::IRBuilder<> builder(&function_.getEntryBlock(), function_.getEntryBlock().begin());
    selector_ = builder.CreateAlloca(builder.getInt32Ty());
  }

  /// Every edge to an entry goes through one new block. The cycle then has a single entry: that block.
  void dispatch(const Blocks& entries) {
    auto& context = function_.getContext();
    auto* hub = llvm::BasicBlock::Create(context, "entries", &function_);
    for (unsigned i = 0; i < entries.size(); ++i) {
      const llvm::SmallVector<llvm::BasicBlock*, 8> sources(llvm::predecessors(entries[i]));
      for (llvm::BasicBlock* source :
           sources) {  // one block an edge: they lie inside or outside of the cycle
        auto* edge = llvm::BasicBlock::Create(context, "entry" + llvm::Twine(i), &function_);
        llvm::IRBuilder<> builder(edge);
        builder.CreateStore(builder.getInt32(i), selector_);
        builder.CreateBr(hub);
        source->getTerminator()->replaceSuccessorWith(entries[i], edge);
      }
    }
    llvm::IRBuilder<> builder(hub);
    auto* choice = builder.CreateSwitch(builder.CreateLoad(builder.getInt32Ty(), selector_), entries[0]);
    for (unsigned i = 1; i < entries.size(); ++i) choice->addCase(builder.getInt32(i), entries[i]);
  }

  llvm::Function& function_;
  llvm::AllocaInst* selector_ = nullptr;
};

}  // namespace

bool make_reducible(llvm::Function& function) { return Reducer(function).run(); }

}  // namespace spirea::frontend
