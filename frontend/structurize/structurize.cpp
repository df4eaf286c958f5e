// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/structurize/structurize.h"

#include <algorithm>

#include "frontend/structurize/graph.h"

namespace spirea::structurize {
namespace {

class Structurizer {
 public:
  Structurizer(const Cfg& cfg, const Graph& graph) : cfg_(cfg), graph_(graph) {
    children_.resize(cfg.size());
    followers_.resize(cfg.size());
    label_.assign(cfg.size(), nullptr);
    loop_item_.assign(cfg.size(), nullptr);
    find_failures();
    for (const int block : graph.rpo) place(block);
  }

  Status run(Sequence& result) {
    emit(0, &result, nullptr, false);
    return too_deep_ ? Status::TooDeep : Status::Done;
  }

 private:
  /// Blocks from which every way ends in one that is unreachable, as behind a check that fails. One with a
  /// loop is not found, and nests.
  void find_failures() {
    fails_.assign(cfg_.size(), 0);
    for (auto it = graph_.rpo.rbegin(); it != graph_.rpo.rend(); ++it) {
      const CfgBlock& block = cfg_[*it];
      const auto fails = [&](int to) { return fails_[to] != 0; };
      fails_[*it] = block.kind == BranchKind::Unreachable ||
                    (!block.successors.empty() && std::ranges::all_of(block.successors, fails));
    }
  }

  /// What follows a check is behind it, not nested in it, so that code with many of them stays flat.
  bool follows_check(int dominator, int block) const {
    const CfgBlock& check = cfg_[dominator];
    return check.kind == BranchKind::If && fails_[block] == 0 &&
           fails_[check.successors[check.successors[0] == block ? 1 : 0]] != 0;
  }

  /// Behind the outermost loop that contains its dominator but not the block itself; else below its
  /// dominator.
  void place(int block) {
    const int dominator = graph_.idom[block];
    if (dominator == -1) return;
    int left = -1;
    for (int l = graph_.loop[dominator]; l != -1; l = graph_.loop_outer[l]) {
      if (graph_.contains(l, block)) break;
      left = l;
    }
    if (left != -1)
      followers_[left].push_back(block);
    else if (graph_.forward_in[block] > 1 || follows_check(dominator, block))
      children_[dominator].push_back(block);
  }

  static Item* add(Sequence& sequence, ItemKind kind, int block = -1) {
    sequence.push_back(std::make_unique<Item>());
    sequence.back()->kind = kind;
    sequence.back()->block = block;
    return sequence.back().get();
  }

  /// Emits the code that `block` dominates, in place, until it ends. `parent` is the construct whose body
  /// this is.
  void emit(int block, Sequence* sequence, Item* parent, bool in_loop) {
    while (block != -1) {
      if (graph_.loop[block] == block && !in_loop) {
        block = construct(block, followers_[block], sequence, parent, ItemKind::Loop);
      } else {
        block = node(block, sequence, parent);
      }
      in_loop = false;
    }
  }

  /// The block's code and branch; returns the block whose code comes next here, or -1.
  int node(int block, Sequence* sequence, Item* parent) {
    add(*sequence, ItemKind::Code, block);
    switch (cfg_[block].kind) {
      case BranchKind::Return: add(*sequence, ItemKind::Return, block); return -1;
      case BranchKind::Unreachable: add(*sequence, ItemKind::Unreachable, block); return -1;
      case BranchKind::Jump: return edge(block, 0, *sequence, parent);
      case BranchKind::If:
        if (cfg_[block].successors[0] == cfg_[block].successors[1]) return edge(block, 0, *sequence, parent);
        return construct(block, children_[block], sequence, parent, ItemKind::If);
      case BranchKind::Switch: return construct(block, children_[block], sequence, parent, ItemKind::Switch);
    }
    return -1;
  }

  /// A construct from which breaks lead to `merges` (in order): itself the target of the first, wrapped in a
  /// Block for each of the others. The code of a merge follows the construct that it is the target of.
  ///
  ///   block @m3 { block @m2 { if @m1 {...} else {...}  m1...  } m2... } m3...
  int construct(int block, const std::vector<int>& merges, Sequence* sequence, Item* parent, ItemKind kind) {
    const std::size_t nesting = std::max<std::size_t>(merges.size(), 1);
    if (too_deep_ || depth_ + nesting > kMaxDepth) {
      too_deep_ = true;
      return -1;
    }
    std::vector<std::pair<Sequence*, Item*>> levels;  // where the code of each merge goes, outermost first
    for (std::size_t i = merges.size(); i-- > 1;) {
      levels.emplace_back(sequence, parent);
      Item* wrapper = add(*sequence, ItemKind::Block);
      wrapper->after = merges[i];
      label_[merges[i]] = wrapper;
      wrapper->bodies.resize(1);
      sequence = &wrapper->bodies[0];
      parent = wrapper;
    }
    Item* item = add(*sequence, kind, block);
    if (!merges.empty()) {
      item->after = merges[0];
      label_[merges[0]] = item;
    }
    depth_ += nesting;
    bodies(*item);
    depth_ -= nesting;
    for (std::size_t i = 0; i < merges.size(); ++i) {
      Item* target = label_[merges[i]];
      label_[merges[i]] = nullptr;
      const bool outermost = i + 1 == merges.size();
      auto [level, level_parent] = i == 0 ? std::pair{sequence, parent} : levels[merges.size() - 1 - i];
      if (!target->has_breaks) {  // every edge to it became a return of its own
        target->after = -1;
        add(*level, ItemKind::Unreachable);
        if (outermost) return -1;
      } else if (outermost) {
        // Tail position: the caller goes on with it, so that a long sequence does not nest.
        return merges[i];
      } else {
        const std::size_t around = nesting - 1 - i;  // wrappers that are still open here
        depth_ += around;
        emit(merges[i], level, level_parent, false);
        depth_ -= around;
      }
    }
    add(*sequence, ItemKind::Unreachable);
    return -1;
  }

  void bodies(Item& item) {
    const CfgBlock& block = cfg_[item.block];
    if (item.kind == ItemKind::Loop) {
      loop_item_[item.block] = &item;
      item.bodies.resize(1);
      emit(item.block, &item.bodies[0], &item, true);
      loop_item_[item.block] = nullptr;
      return;
    }
    if (item.kind == ItemKind::Switch)
      group_arms(item, block);
    else
      item.arms = {{0}, {1}};
    item.bodies.resize(item.arms.size());
    for (std::size_t i = 0; i < item.arms.size(); ++i) {
      const int next = edge(item.block, item.arms[i][0], item.bodies[i], &item);
      if (next != -1) emit(next, &item.bodies[i], &item, false);
    }
  }

  /// Cases with the same destination share a body; the default's comes last.
  static void group_arms(Item& item, const CfgBlock& block) {
    std::vector<std::pair<int, int>> targets;  // (destination, successor index)
    for (std::size_t i = 0; i < block.successors.size(); ++i)
      targets.emplace_back(block.successors[i], static_cast<int>(i));
    std::stable_sort(targets.begin(), targets.end(), [](auto& a, auto& b) { return a.first < b.first; });
    const int default_target = block.successors.back();
    std::vector<int> last;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      auto& arm = targets[i].first == default_target                  ? last
                  : i > 0 && targets[i].first == targets[i - 1].first ? item.arms.back()
                                                                      : item.arms.emplace_back();
      arm.push_back(targets[i].second);
    }
    std::sort(item.arms.begin(), item.arms.end());
    item.arms.push_back(std::move(last));
  }

  /// The edge, at the end of a sequence. Returns the destination if its code is to follow here, else -1.
  int edge(int from, int successor, Sequence& sequence, Item* parent) {
    const int to = cfg_[from].successors[successor];
    Item* loop = loop_item_[to];
    if (loop != nullptr && graph_.is_back_edge(from, to)) {
      exit(sequence, ItemKind::Continue, from, successor, loop);
      return -1;
    }
    Item* target = label_[to];
    const CfgBlock& block = cfg_[to];
    if (block.is_empty && (target == nullptr || target != parent)) {
      if (block.kind == BranchKind::Return || block.kind == BranchKind::Unreachable) {
        add(sequence, block.kind == BranchKind::Return ? ItemKind::Return : ItemKind::Unreachable, to);
        return -1;
      }
    }
    if (target != nullptr) {
      exit(sequence, ItemKind::Break, from, successor, target);
      target->has_breaks = true;
      return -1;
    }
    Item* item = add(sequence, ItemKind::Inline, from);
    item->successor = successor;
    return to;
  }

  static void exit(Sequence& sequence, ItemKind kind, int from, int successor, Item* target) {
    Item* item = add(sequence, kind, from);
    item->successor = successor;
    item->target = target;
  }

  const Cfg& cfg_;
  const Graph& graph_;
  std::vector<std::vector<int>> children_;   // blocks with several predecessors, by dominator, in order
  std::vector<std::vector<int>> followers_;  // blocks behind a loop, by header, in order
  std::vector<char> fails_;                  // by block
  std::vector<Item*> label_;      // the construct that a break to the block leaves, while it is open
  std::vector<Item*> loop_item_;  // the open loop of a header
  std::size_t depth_ = 0;         // constructs around the current place
  bool too_deep_ = false;
};

}  // namespace

Status structurize(const Cfg& cfg, Sequence& result) {
  Graph graph;
  if (!graph.analyze(cfg)) return Status::Irreducible;
  return Structurizer(cfg, graph).run(result);
}

}  // namespace spirea::structurize
