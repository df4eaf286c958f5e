// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/bounds/known.h"

#include <llvm/IR/PatternMatch.h>

namespace spirea::frontend {
namespace {

using llvm::CmpInst;
using llvm::Value;
using namespace llvm::PatternMatch;

bool is_small(const Place& place, std::uint64_t bytes) {
  return place.constant > -kMostConstant && place.constant < kMostConstant &&
         bytes < static_cast<std::uint64_t>(kMostConstant);
}

/// `a` is less than `b`, without sign.
void add_less(KnownPlaces& known, Places& places, llvm::ArrayRef<Buffer> buffers, Value* a, Value* b) {
  for (unsigned i = 0; i < buffers.size(); ++i) {
    if (buffers[i].count != b) continue;
    Place place{places.size(i), a, buffers[i].element_size, 0, nullptr};
    std::uint64_t elements = 1;
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(a)) {
      place = {places.size(i), nullptr, 0, 0, nullptr};
      if (constant->getValue().ugt(0xffffffff)) return;
      elements = constant->getZExtValue() + 1;
    }
    known.add(place, elements * buffers[i].element_size);
  }
}

/// The condition that a number other than 0 stands for, as __builtin_expect has them; null if there is none.
Value* as_condition(Value* number) {
  for (Value* next = nullptr; !number->getType()->isIntegerTy(1); number = next)
    if (!match(number, m_Intrinsic<llvm::Intrinsic::expect>(m_Value(next))) &&
        !match(number, m_ZExt(m_Value(next))))
      return nullptr;
  return number;
}

void add_comparison(KnownPlaces& known, Places& places, llvm::ArrayRef<Buffer> buffers,
                    CmpInst::Predicate predicate, Value* a, Value* b) {
  if (!a->getType()->isIntegerTy(64)) return;
  if (predicate == CmpInst::ICMP_NE && match(b, m_Zero())) return add_less(known, places, buffers, b, a);
  if (predicate == CmpInst::ICMP_ULT) add_less(known, places, buffers, a, b);
  if (predicate == CmpInst::ICMP_UGT) add_less(known, places, buffers, b, a);
}

}  // namespace

bool KnownPlaces::holds(const Place& place, std::uint64_t bytes) const {
  const auto range = ranges_.find(key(place));
  if (range == ranges_.end() || !is_small(place, bytes)) return false;
  return range->second.first <= place.constant &&
         place.constant + static_cast<std::int64_t>(bytes) <= range->second.end;
}

void KnownPlaces::add(const Place& place, std::uint64_t bytes) {
  if (!is_small(place, bytes) || holds(place, bytes)) return;
  const Range added{place.constant, place.constant + static_cast<std::int64_t>(bytes)};
  const auto [range, is_new] = ranges_.try_emplace(key(place), added);
  log_.emplace_back(key(place), is_new ? std::nullopt : std::optional(range->second));
  range->second = {std::min(range->second.first, added.first), std::max(range->second.end, added.end)};
}

void KnownPlaces::back_to(std::size_t mark) {
  while (log_.size() > mark) {
    const auto& [key, before] = log_.back();
    if (before)
      ranges_[key] = *before;
    else
      ranges_.erase(key);
    log_.pop_back();
  }
}

void add_condition(KnownPlaces& known, Places& places, llvm::ArrayRef<Buffer> buffers, Value* condition,
                   bool is_true) {
  llvm::SmallVector<std::pair<Value*, bool>, 4> work = {{condition, is_true}};
  while (!work.empty()) {
    const auto [next, holds] = work.pop_back_val();
    Value *a = nullptr, *b = nullptr;
    if (holds ? match(next, m_LogicalAnd(m_Value(a), m_Value(b)))
              : match(next, m_LogicalOr(m_Value(a), m_Value(b)))) {
      work.append({{a, holds}, {b, holds}});
      continue;
    }
    const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(next);
    if (compare == nullptr) continue;
    Value* number = compare->getOperand(0);
    Value* inner = number->getType()->isIntegerTy() ? as_condition(number) : nullptr;
    if (inner != nullptr && compare->isEquality() && match(compare->getOperand(1), m_Zero()))
      work.emplace_back(inner, holds == (compare->getPredicate() == CmpInst::ICMP_NE));
    else
      add_comparison(known, places, buffers, holds ? compare->getPredicate() : compare->getInversePredicate(),
                     number, compare->getOperand(1));
  }
}

}  // namespace spirea::frontend
