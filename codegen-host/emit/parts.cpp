// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen-host/emit/parts.h"

#include <algorithm>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IntrinsicInst.h>
#include <optional>

namespace spirea::host {
namespace {

using Blocks = llvm::SmallPtrSet<const llvm::BasicBlock*, 16>;

Blocks reachable_from(const llvm::BasicBlock* start) {
  Blocks found;
  llvm::SmallVector<const llvm::BasicBlock*, 16> work{start};
  found.insert(start);
  while (!work.empty())
    for (const llvm::BasicBlock* next : llvm::successors(work.pop_back_val()))
      if (found.insert(next).second) work.push_back(next);
  return found;
}

/// True if the user's result may be the pointer that it uses.
bool passes_on(const llvm::User* user) {
  return llvm::isa<llvm::GetElementPtrInst, llvm::PHINode, llvm::SelectInst, llvm::FreezeInst>(user);
}

bool accesses(const llvm::User* user, const llvm::Value* pointer) {
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) return store->getValueOperand() != pointer;
  return llvm::isa<llvm::LoadInst, llvm::LifetimeIntrinsic, llvm::CallInst>(user);
}

/// The blocks that use the memory; nothing if its address goes where it cannot be followed.
std::optional<Blocks> blocks_that_use(const llvm::AllocaInst& object) {
  Blocks blocks;
  llvm::SmallPtrSet<const llvm::Value*, 16> pointers{&object};
  llvm::SmallVector<const llvm::Value*, 16> work{&object};
  while (!work.empty()) {
    const llvm::Value* pointer = work.pop_back_val();
    for (const llvm::User* user : pointer->users()) {
      if (passes_on(user)) {
        if (pointers.insert(user).second) work.push_back(user);
      } else if (!accesses(user, pointer)) {
        return std::nullopt;
      }
      blocks.insert(llvm::cast<llvm::Instruction>(user)->getParent());
    }
  }
  return blocks;
}

}  // namespace

Parts::Parts(const llvm::Function& function, const std::vector<Cut>& cuts) {
  const auto* states = llvm::cast<llvm::SwitchInst>(function.getEntryBlock().getTerminator());
  blocks_.push_back(reachable_from(states->getDefaultDest()));
  for (const Cut& cut : cuts) blocks_.push_back(reachable_from(cut.resume));
}

std::size_t Parts::num_instructions() const {
  std::size_t count = 0;
  for (const Blocks& part : blocks_)
    for (const llvm::BasicBlock* block : part) count += block->size();
  return count;
}

std::set<std::uint32_t> Parts::next_states(std::size_t part) const {
  std::set<std::uint32_t> states;
  for (const llvm::BasicBlock* block : blocks_[part])
    if (const auto* end = llvm::dyn_cast<llvm::ReturnInst>(block->getTerminator()))
      states.insert(
          static_cast<std::uint32_t>(llvm::cast<llvm::ConstantInt>(end->getReturnValue())->getZExtValue()));
  return states;
}

// The lifetime of an object begins in the first part, that of a slot for one op in the op's block.
bool Parts::share(const llvm::AllocaInst& object) const {
  const auto users = blocks_that_use(object);
  if (!users) return true;
  if (users->size() <= 1) return false;
  return std::any_of(users->begin(), users->end(), [&](const llvm::BasicBlock* block) {
    return std::any_of(blocks_.begin() + 1, blocks_.end(),
                       [&](const Blocks& part) { return part.contains(block); });
  });
}

}  // namespace spirea::host
