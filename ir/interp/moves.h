// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

namespace spirea::interp {

struct Move {
  std::uint32_t to, from;
  friend bool operator==(const Move&, const Move&) = default;
};

/// Moves that, one after the other, have the effect of all of these at once. Targets are distinct; `scratch`
/// is none of the slots.
std::vector<Move> in_sequence(std::vector<Move> moves, std::uint32_t scratch);

}  // namespace spirea::interp
