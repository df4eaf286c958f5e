// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/structurize/graph.h"

#include <algorithm>

namespace spirea::structurize {
namespace {

std::vector<int> distinct(std::vector<int> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

}  // namespace

bool Graph::analyze(const Cfg& cfg) {
  order_blocks(cfg);
  std::vector<std::vector<int>> predecessors(cfg.size());
  forward_in.assign(cfg.size(), 0);
  for (const int block : rpo)
    for (const int next : distinct(cfg[block].successors)) {
      predecessors[next].push_back(block);
      if (!is_back_edge(block, next)) ++forward_in[next];
    }
  find_dominators(cfg, predecessors);
  return find_loops(cfg, predecessors);
}

void Graph::order_blocks(const Cfg& cfg) {
  // Successors are visited last to first, so that the first ones come first in the order. No recursion:
  // graphs are deep.
  std::vector<char> seen(cfg.size(), 0);
  std::vector<std::pair<int, int>> stack = {{0, static_cast<int>(cfg[0].successors.size())}};
  seen[0] = 1;
  while (!stack.empty()) {
    auto& [block, left] = stack.back();
    if (left == 0) {
      rpo.push_back(block);
      stack.pop_back();
      continue;
    }
    const int next = cfg[block].successors[--left];
    if (seen[next]) continue;
    seen[next] = 1;
    stack.emplace_back(next, static_cast<int>(cfg[next].successors.size()));
  }
  std::reverse(rpo.begin(), rpo.end());
  order.assign(cfg.size(), -1);
  for (std::size_t i = 0; i < rpo.size(); ++i) order[rpo[i]] = static_cast<int>(i);
}

/// Cooper, Harvey, Kennedy: "A Simple, Fast Dominance Algorithm".
void Graph::find_dominators(const Cfg& cfg, const std::vector<std::vector<int>>& predecessors) {
  idom.assign(cfg.size(), -1);
  idom[0] = 0;
  const auto meet = [&](int a, int b) {
    while (a != b) {
      while (order[a] > order[b]) a = idom[a];
      while (order[b] > order[a]) b = idom[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const int block : rpo) {
      if (block == 0) continue;
      // Late predecessors first: where many blocks of a chain lead here, each meeting is then one step.
      int best = -1;
      for (auto p = predecessors[block].rbegin(); p != predecessors[block].rend(); ++p)
        if (idom[*p] != -1) best = best == -1 ? *p : meet(best, *p);
      if (best == idom[block]) continue;
      idom[block] = best;
      changed = true;
    }
  }
  idom[0] = -1;
  // Enter and leave times of the dominator tree, for dominates() in constant time.
  std::vector<std::vector<int>> children(cfg.size());
  for (const int block : rpo)
    if (idom[block] != -1) children[idom[block]].push_back(block);
  dom_enter_.assign(cfg.size(), 0);
  dom_leave_.assign(cfg.size(), 0);
  int time = 0;
  std::vector<std::pair<int, std::size_t>> stack = {{0, 0}};
  dom_enter_[0] = time++;
  while (!stack.empty()) {
    auto& [block, at] = stack.back();
    if (at == children[block].size()) {
      dom_leave_[block] = time++;
      stack.pop_back();
      continue;
    }
    const int next = children[block][at++];
    dom_enter_[next] = time++;
    stack.emplace_back(next, 0);
  }
}

bool Graph::dominates(int a, int b) const {
  return dom_enter_[a] <= dom_enter_[b] && dom_leave_[b] <= dom_leave_[a];
}

bool Graph::find_loops(const Cfg& cfg, const std::vector<std::vector<int>>& predecessors) {
  loop.assign(cfg.size(), -1);
  loop_outer.assign(cfg.size(), -1);
  loop_depth.assign(cfg.size(), 0);
  // Inner headers come later in the order than outer ones. A block found already in an inner loop stands for
  // that whole loop, which is then entered at its header.
  for (auto it = rpo.rbegin(); it != rpo.rend(); ++it) {
    const int header = *it;
    std::vector<int> work;
    for (const int p : predecessors[header]) {
      if (!is_back_edge(p, header)) continue;
      if (!dominates(header, p)) return false;
      work.push_back(p);
    }
    if (work.empty()) continue;
    while (!work.empty()) {
      int block = work.back();
      work.pop_back();
      int inner = -1;
      for (int l = loop[block]; l != -1 && l != header; l = loop_outer[l]) inner = l;
      if (inner != -1) {
        if (loop_outer[inner] == header) continue;
        loop_outer[inner] = header;
        block = inner;
      } else if (loop[block] == header) {
        continue;
      } else {
        loop[block] = header;
      }
      if (block == header) continue;
      for (const int p : predecessors[block])
        if (inner == -1 || !is_back_edge(p, block)) work.push_back(p);
    }
    if (loop[header] == -1) loop[header] = header;
  }
  for (const int block : rpo)
    if (loop[block] == block)
      loop_depth[block] = loop_outer[block] == -1 ? 1 : loop_depth[loop_outer[block]] + 1;
  return true;
}

bool Graph::contains(int header, int block) const {
  for (int l = loop[block]; l != -1; l = loop_outer[l])
    if (l == header) return true;
  return false;
}

}  // namespace spirea::structurize
