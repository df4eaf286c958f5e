// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known to lie inside of a buffer, on the way down a dominator tree.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstrTypes.h>
#include <optional>

#include "frontend/bounds/places.h"

namespace spirea::frontend {

/// Ranges of places that differ in nothing but the constant. What lies between two that are inside of a
/// buffer is inside of it, too: one range for each index is enough.
class KnownPlaces {
 public:
  bool holds(const Place&, std::uint64_t bytes) const;
  void add(const Place&, std::uint64_t bytes);

  /// A state to come back to.
  std::size_t mark() const { return log_.size(); }
  void back_to(std::size_t mark);

 private:
  struct Range {
    std::int64_t first, end;
  };
  using Key = std::pair<std::pair<const llvm::Value*, const llvm::Value*>, std::uint64_t>;
  static Key key(const Place& place) { return {{place.size, place.index}, place.scale}; }

  llvm::DenseMap<Key, Range> ranges_;
  llvm::SmallVector<std::pair<Key, std::optional<Range>>, 32> log_;  ///< what was there before
};

/// Adds what a condition says of the elements of a buffer if it is true, or false: an index is less than
/// their count, or there are so many of them.
void add_condition(KnownPlaces&, Places&, llvm::ArrayRef<Buffer>, llvm::Value* condition, bool is_true);

}  // namespace spirea::frontend
