// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/core/location.h"

namespace spirea::kir {

LocId LocationTable::add(const Location& location) {
  const auto [it, added] = ids_.try_emplace(location, static_cast<LocId>(entries_.size() + 1));
  if (added) entries_.push_back(location);
  return it->second;
}

const Location& LocationTable::operator[](LocId id) const {
  static const Location unknown;
  return id == 0 || id > entries_.size() ? unknown : entries_[id - 1];
}

}  // namespace spirea::kir
