// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "frontend/structurize/structurize.h"

namespace spirea::structurize {

/// What the structurizer must know of a graph.
struct Graph {
  std::vector<int> rpo;         ///< blocks in reverse postorder
  std::vector<int> order;       ///< position of each block in rpo
  std::vector<int> idom;        ///< immediate dominator; -1 for the entry
  std::vector<int> loop;        ///< header of the innermost loop that contains the block; -1: none
  std::vector<int> loop_outer;  ///< for headers: header of the loop around; -1: none
  std::vector<int> loop_depth;  ///< for headers: 1 for outermost loops
  std::vector<int> forward_in;  ///< edges into the block that are not back edges, from different blocks

  /// False for irreducible graphs.
  bool analyze(const Cfg&);
  bool dominates(int a, int b) const;
  /// The loop with this header contains the block.
  bool contains(int header, int block) const;
  bool is_back_edge(int from, int to) const { return order[to] <= order[from]; }

 private:
  void order_blocks(const Cfg&);
  void find_dominators(const Cfg&, const std::vector<std::vector<int>>& predecessors);
  bool find_loops(const Cfg&, const std::vector<std::vector<int>>& predecessors);

  std::vector<int> dom_enter_, dom_leave_;
};

}  // namespace spirea::structurize
