// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/interp/moves.h"

#include <algorithm>
#include <unordered_map>

namespace spirea::interp {

std::vector<Move> in_sequence(std::vector<Move> moves, std::uint32_t scratch) {
  std::erase_if(moves, [](const Move& move) { return move.to == move.from; });
  std::unordered_map<std::uint32_t, unsigned> readers;  // of a slot, among the moves that are left
  for (const Move& move : moves) ++readers[move.from];
  std::unordered_map<std::uint32_t, std::size_t> writer;
  for (std::size_t i = 0; i < moves.size(); ++i) writer[moves[i].to] = i;

  std::vector<Move> result;
  std::vector<bool> done(moves.size());
  // A move can be made once nobody reads its target; then its source may become free in turn.
  const auto make = [&](std::size_t i) {
    for (;;) {
      done[i] = true;
      result.push_back(moves[i]);
      if (--readers[moves[i].from] != 0) return;
      const auto next = writer.find(moves[i].from);
      if (next == writer.end() || done[next->second]) return;
      i = next->second;
    }
  };
  for (std::size_t i = 0; i < moves.size(); ++i)
    if (!done[i] && readers[moves[i].to] == 0) make(i);
  // What is left are cycles: one slot of each waits in the scratch slot.
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (done[i]) continue;
    const std::uint32_t saved = moves[i].to;
    result.push_back({scratch, saved});
    for (std::size_t k = 0; k < moves.size(); ++k)
      if (!done[k] && moves[k].from == saved) {
        moves[k].from = scratch;
        --readers[saved];
        ++readers[scratch];
      }
    make(i);
  }
  return result;
}

}  // namespace spirea::interp
