// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <unordered_map>
#include <vector>

#include "ir/core/module.h"

namespace spirea::kir {

/// The breaks and continues of each structured op of a kernel, in no particular order. Whoever removes or
/// retargets one keeps this up to date.
class Exits {
 public:
  explicit Exits(const Region& body);

  const std::vector<Op*>& breaks(const Op* target) const { return find(breaks_, target); }
  const std::vector<Op*>& continues(const Op* target) const { return find(continues_, target); }

  /// Forgets the exits at and below the op, which is about to be destroyed.
  void forget(Op& op);
  /// Makes the breaks of `from` breaks of `to`.
  void retarget_breaks(Op* from, Op* to);

 private:
  using Map = std::unordered_map<const Op*, std::vector<Op*>>;
  static const std::vector<Op*>& find(const Map&, const Op*);
  Map& map_of(const Op& exit) { return exit.is(Opcode::Break) ? breaks_ : continues_; }
  void forget_one(Op& op);

  Map breaks_;
  Map continues_;
};

}  // namespace spirea::kir
