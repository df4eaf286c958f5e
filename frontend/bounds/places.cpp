// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/bounds/places.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <utility>

#include "frontend/pointer_sources.h"

namespace spirea::frontend {
namespace {

using llvm::Instruction;
using llvm::Value;

/// What an instruction's result points to the same memory as; none for one that starts a new chain.
llvm::SmallVector<Value*, 4> sources(const Instruction& inst) {
  if (!inst.getType()->isPointerTy()) return {};
  const auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(&inst);
  if (extract == nullptr) return pointer_sources(inst);
  Value* part = llvm::FindInsertedValue(extract->getOperand(0), extract->getIndices());
  if (part == nullptr || part == extract) return {};
  return {part};
}

bool is_mask(const Instruction& inst) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&inst);
  return call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::ptrmask;
}

Value* product(llvm::IRBuilder<>& b, Value* index, std::uint64_t scale) {
  if (scale == 1) return index;
  if (llvm::isPowerOf2_64(scale)) return b.CreateShl(index, llvm::Log2_64(scale));
  return b.CreateMul(index, b.getInt64(scale));
}

std::int64_t sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

/// Adds index * scale. A single term stays one, so that places with the same index compare.
void add_term(llvm::IRBuilder<>& b, Place& place, Value* index, std::uint64_t scale) {
  if (place.index == nullptr) {
    place.index = index;
    place.scale = scale;
    return;
  }
  place.index = b.CreateAdd(product(b, place.index, place.scale), product(b, index, scale));
  place.scale = 1;
}

}  // namespace

Value* offset(llvm::IRBuilder<>& b, const Place& place) {
  Value* constant = b.getInt64(static_cast<std::uint64_t>(place.constant));
  if (place.index == nullptr) return constant;
  Value* variable = product(b, place.index, place.scale);
  return place.constant == 0 ? variable : b.CreateAdd(variable, constant);
}

Places::Places(llvm::Function& function, llvm::ArrayRef<Buffer> buffers, llvm::ArrayRef<Value*> pointers)
    : function_(function), buffers_(buffers), sizes_(buffers.size()) {
  find_buffers(pointers);
  for (unsigned i = 0; i < buffers_.size(); ++i) {
    if (!masks_.contains(buffers_[i].address)) continue;
    llvm::IRBuilder<> b(function_.getContext());
    places_[buffers_[i].address] = {size(i), nullptr, 0, 0, b.getInt32(i)};
  }
  const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function_);
  llvm::SmallVector<llvm::PHINode*, 16> phis;
  for (llvm::BasicBlock* block : order)
    for (Instruction& inst : llvm::make_early_inc_range(*block)) {
      const auto mask = masks_.find(&inst);
      const int first = mask == masks_.end() ? -1 : mask->second.find_first();
      if (first < 0 || first == static_cast<int>(buffers_.size())) continue;
      visit(inst);
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&inst)) phis.push_back(phi);
    }
  for (llvm::PHINode* phi : phis) complete(*phi);
}

/// From the pointers back to all that they come from, then forth again: a mask has few bits to gain.
void Places::find_buffers(llvm::ArrayRef<Value*> pointers) {
  const auto unknown = static_cast<unsigned>(buffers_.size());
  llvm::DenseMap<const Value*, unsigned> numbers;
  for (unsigned i = 0; i < buffers_.size(); ++i) numbers[buffers_[i].address] = i;
  llvm::DenseMap<const Value*, llvm::SmallVector<const Value*, 2>> results;
  llvm::SmallVector<Value*, 32> work(pointers.begin(), pointers.end());
  llvm::SmallVector<const Value*, 32> changed;
  while (!work.empty()) {
    Value* value = work.pop_back_val();
    const auto [mask, is_new] = masks_.try_emplace(value, unknown + 1);
    if (!is_new) continue;
    auto* inst = llvm::dyn_cast<Instruction>(value);
    const auto from = inst == nullptr ? llvm::SmallVector<Value*, 4>() : sources(*inst);
    for (Value* source : from) results[source].push_back(value);
    work.append(from.begin(), from.end());
    if (!from.empty()) continue;
    const auto number = numbers.find(value);
    mask->second.set(number == numbers.end() ? unknown : number->second);
    changed.push_back(value);
  }
  while (!changed.empty()) {
    const Value* value = changed.pop_back_val();
    const llvm::SmallBitVector mask = masks_[value];
    for (const Value* result : results[value]) {
      llvm::SmallBitVector& of_result = masks_[result];
      if (!mask.test(of_result)) continue;  // it has all of them
      of_result |= mask;
      changed.push_back(result);
    }
  }
}

bool Places::has_one_buffer(const Value* pointer) const { return masks_.at(pointer).count() == 1; }

Value* Places::size(unsigned buffer) {
  Value*& size = sizes_[buffer];
  if (size != nullptr) return size;
  llvm::BasicBlock& entry = function_.getEntryBlock();
  llvm::IRBuilder<> b(&entry, entry.getFirstInsertionPt());
  return size = product(b, buffers_[buffer].count, buffers_[buffer].element_size);
}

const Place* Places::find(const Value* pointer) const {
  const auto known = places_.find(pointer);
  return known == places_.end() ? nullptr : &known->second;
}

Place Places::place_of(const Value* pointer) const {
  if (const Place* place = find(pointer)) return *place;
  llvm::IRBuilder<> b(function_.getContext());
  return {b.getInt64(0), nullptr, 0, 0, b.getInt32(kNoBuffer)};
}

void Places::visit(Instruction& inst) {
  const auto from = sources(inst);
  Place place = place_of(from[0]);
  llvm::IRBuilder<> b(&inst);
  if (auto* gep = llvm::dyn_cast<llvm::GEPOperator>(&inst)) {
    visit(*gep, b, place_of(from[0]), place);
  } else if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&inst)) {
    visit(*phi, place);
  } else if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&inst)) {
    const Place a = place_of(from[0]), c = place_of(from[1]);
    const auto either = [&](Value* x, Value* y) {
      return x == y ? x : b.CreateSelect(select->getCondition(), x, y);
    };
    place = {either(a.size, c.size), either(offset(b, a), offset(b, c)), 1, 0, either(a.buffer, c.buffer)};
  } else if (is_mask(inst)) {
    b.SetInsertPoint(*inst.getInsertionPointAfterDef());
    b.SetCurrentDebugLocation(inst.getDebugLoc());
    Value* back = b.CreateSub(b.CreatePtrToInt(&inst, b.getInt64Ty()),
                              b.CreatePtrToInt(inst.getOperand(0), b.getInt64Ty()));
    add_term(b, place, back, 1);
  }
  places_[&inst] = place;
}

void Places::visit(llvm::GEPOperator& gep, llvm::IRBuilder<>& b, const Place& from, Place& to) {
  llvm::SmallMapVector<Value*, llvm::APInt, 4> variables;
  llvm::APInt constant(64, 0);
  if (!gep.collectOffset(function_.getDataLayout(), 64, variables, constant)) return;
  to = from;
  to.constant = sum(to.constant, constant.getSExtValue());
  for (const auto& [index, scale] : variables)
    add_term(b, to, b.CreateSExtOrTrunc(index, b.getInt64Ty()), scale.getZExtValue());
}

/// The phis that go beside one of pointers; what comes in is added when all places are known.
void Places::visit(llvm::PHINode& phi, Place& place) {
  llvm::IRBuilder<> b(&phi);
  const auto beside = [&](llvm::Type* type) { return b.CreatePHI(type, phi.getNumIncomingValues()); };
  place = {nullptr, beside(b.getInt64Ty()), 1, 0, nullptr};
  if (has_one_buffer(&phi)) {
    const auto buffer = static_cast<unsigned>(masks_.at(&phi).find_first());
    place.size = size(buffer);
    place.buffer = b.getInt32(buffer);
  } else {
    place.size = beside(b.getInt64Ty());
    place.buffer = beside(b.getInt32Ty());
  }
}

void Places::complete(llvm::PHINode& phi) {
  const Place& place = places_.at(&phi);
  const auto add = [](Value* to, Value* value, llvm::BasicBlock* block) {
    if (auto* result = llvm::dyn_cast<llvm::PHINode>(to)) result->addIncoming(value, block);
  };
  const bool has_one = has_one_buffer(&phi);
  llvm::SmallDenseMap<llvm::BasicBlock*, Value*, 8> offsets;  // a block may come in several times
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    llvm::BasicBlock* block = phi.getIncomingBlock(i);
    const Place from = place_of(phi.getIncomingValue(i));
    Value*& at = offsets[block];
    llvm::IRBuilder<> b(block->getTerminator());
    if (at == nullptr) at = offset(b, from);
    add(place.index, at, block);
    if (has_one) continue;
    add(place.size, from.size, block);
    add(place.buffer, from.buffer, block);
  }
}

}  // namespace spirea::frontend
