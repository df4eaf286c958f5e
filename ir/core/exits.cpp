// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/core/exits.h"

#include <algorithm>

namespace spirea::kir {

Exits::Exits(const Region& body) {
  walk(body, [&](Op& op) {
    if (std::holds_alternative<TargetAttr>(op.attr)) map_of(op)[op.target()].push_back(&op);
  });
}

const std::vector<Op*>& Exits::find(const Map& map, const Op* target) {
  static const std::vector<Op*> none;
  const auto it = map.find(target);
  return it == map.end() ? none : it->second;
}

void Exits::forget(Op& op) {
  forget_one(op);
  for (const auto& region : op.regions()) walk(*region, [&](Op& inner) { forget_one(inner); });
}

void Exits::forget_one(Op& op) {
  if (!std::holds_alternative<TargetAttr>(op.attr)) return;
  auto& list = map_of(op)[op.target()];
  const auto it = std::find(list.begin(), list.end(), &op);
  if (it == list.end()) return;
  *it = list.back();
  list.pop_back();
}

void Exits::retarget_breaks(Op* from, Op* to) {
  std::vector<Op*> moved = std::move(breaks_[from]);
  breaks_.erase(from);
  for (Op* exit : moved) exit->as<TargetAttr>().op = to;
  auto& list = breaks_[to];
  list.insert(list.end(), moved.begin(), moved.end());
}

}  // namespace spirea::kir
