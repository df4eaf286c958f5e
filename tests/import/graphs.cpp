// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/import/graphs.h"

#include <algorithm>
#include <map>

namespace import_test {

using namespace spirea::structurize;

namespace {

std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9;
  x ^= x >> 27;
  x *= 0x94d049bb133111eb;
  return x ^ x >> 31;
}

BranchKind kind_for(std::size_t successors) {
  switch (successors) {
    case 0: return BranchKind::Return;
    case 1: return BranchKind::Jump;
    case 2: return BranchKind::If;
    default: return BranchKind::Switch;
  }
}

bool all_reachable(const Cfg& cfg) {
  std::vector<char> seen(cfg.size(), 0);
  std::vector<int> work = {0};
  seen[0] = 1;
  while (!work.empty()) {
    const int block = work.back();
    work.pop_back();
    for (const int next : cfg[block].successors) {
      if (next == 0) return false;
      if (seen[next]) continue;
      seen[next] = 1;
      work.push_back(next);
    }
  }
  return std::find(seen.begin(), seen.end(), 0) == seen.end();
}

/// Executes items; an exit unwinds to its target.
class Machine {
 public:
  Machine(const Cfg& cfg, std::uint64_t seed, unsigned max_steps)
      : cfg_(cfg), seed_(seed), max_steps_(max_steps) {}

  Trace run(const Sequence& items) {
    if (sequence(items) == Outcome::Fell) trace_.push_back(-3);
    return std::move(trace_);
  }

 private:
  enum class Outcome { Fell, Exited, Stopped };

  Outcome sequence(const Sequence& items) {
    for (const auto& each : items) {
      const Outcome outcome = item(*each);
      if (outcome != Outcome::Fell) return outcome;
    }
    return Outcome::Fell;
  }

  Outcome stop(int mark) {
    trace_.push_back(mark);
    return Outcome::Stopped;
  }

  Outcome item(const Item& item) {
    switch (item.kind) {
      case ItemKind::Code:
        if (trace_.size() >= max_steps_) return Outcome::Stopped;
        trace_.push_back(item.block);
        last_ = item.block;
        return Outcome::Fell;
      case ItemKind::Inline: return Outcome::Fell;
      case ItemKind::Break:
      case ItemKind::Continue:
        target_ = item.target;
        continues_ = item.kind == ItemKind::Continue;
        return Outcome::Exited;
      case ItemKind::Return:
        if (item.block != last_) trace_.push_back(item.block);  // an empty return, reached without its code
        return stop(-1);
      case ItemKind::Unreachable:
        if (item.block == -1) return stop(-3);
        if (item.block != last_) trace_.push_back(item.block);
        return stop(-2);
      case ItemKind::If:
      case ItemKind::Switch: return construct(item, item.bodies[arm(item)]);
      case ItemKind::Block: return construct(item, item.bodies[0]);
      case ItemKind::Loop: return loop(item);
    }
    return stop(-3);
  }

  std::size_t arm(const Item& item) {
    const auto n = static_cast<unsigned>(cfg_[item.block].successors.size());
    const int successor = static_cast<int>(decide(seed_, item.block, visits_[item.block]++, n));
    for (std::size_t i = 0; i < item.arms.size(); ++i)
      if (std::find(item.arms[i].begin(), item.arms[i].end(), successor) != item.arms[i].end()) return i;
    return 0;
  }

  Outcome construct(const Item& item, const Sequence& body) {
    const Outcome outcome = sequence(body);
    if (outcome == Outcome::Fell) return stop(-3);
    if (outcome == Outcome::Exited && target_ == &item && !continues_) return Outcome::Fell;
    return outcome;
  }

  Outcome loop(const Item& item) {
    for (;;) {
      const Outcome outcome = sequence(item.bodies[0]);
      if (outcome == Outcome::Fell) return stop(-3);
      if (outcome != Outcome::Exited || target_ != &item) return outcome;
      if (!continues_) return Outcome::Fell;
    }
  }

  const Cfg& cfg_;
  std::uint64_t seed_;
  unsigned max_steps_;
  Trace trace_;
  std::map<int, unsigned> visits_;
  const Item* target_ = nullptr;
  bool continues_ = false;
  int last_ = -1;
};

void count(const Sequence& items, std::vector<int>& counts) {
  for (const auto& item : items) {
    if (item->kind == ItemKind::Code) ++counts[item->block];
    for (const Sequence& body : item->bodies) count(body, counts);
  }
}

}  // namespace

unsigned decide(std::uint64_t seed, int block, unsigned visit, unsigned successors) {
  return static_cast<unsigned>(mix(seed * 1000003 + static_cast<std::uint64_t>(block) * 8191 + visit) %
                               successors);
}

namespace {

Trace walk(const Cfg& cfg, std::uint64_t seed, unsigned max_steps) {
  Trace trace;
  std::map<int, unsigned> visits;
  for (int block = 0;;) {
    if (trace.size() >= max_steps) return trace;
    trace.push_back(block);
    const auto n = static_cast<unsigned>(cfg[block].successors.size());
    if (n == 0) {
      trace.push_back(cfg[block].kind == BranchKind::Return ? -1 : -2);
      return trace;
    }
    // A branch whose successors are all the same decides nothing, and structured code has no branch for it.
    const bool same = std::all_of(cfg[block].successors.begin(), cfg[block].successors.end(),
                                  [&](int s) { return s == cfg[block].successors[0]; });
    block = cfg[block].successors[n == 1 || (same && n == 2) ? 0 : decide(seed, block, visits[block]++, n)];
  }
}

Trace cut(Trace trace, unsigned max_steps) {
  if (trace.size() > max_steps) trace.resize(max_steps);
  return trace;
}

}  // namespace

Trace run_graph(const Cfg& cfg, std::uint64_t seed, unsigned max_steps) {
  return cut(walk(cfg, seed, max_steps), max_steps);
}

Trace run_structured(const Cfg& cfg, const Sequence& items, std::uint64_t seed, unsigned max_steps) {
  return cut(Machine(cfg, seed, max_steps).run(items), max_steps);
}

std::vector<int> count_code(const Cfg& cfg, const Sequence& items) {
  std::vector<int> counts(cfg.size(), 0);
  count(items, counts);
  return counts;
}

void enumerate_graphs(int n, const std::function<void(const Cfg&)>& visit) {
  // Each block: nothing, one of n successors, or one of n * n pairs.
  const int choices = 1 + n + n * n;
  long total = 1;
  for (int i = 0; i < n; ++i) total *= choices;
  for (long code = 0; code < total; ++code) {
    Cfg cfg(static_cast<std::size_t>(n));
    long rest = code;
    for (CfgBlock& block : cfg) {
      int choice = static_cast<int>(rest % choices);
      rest /= choices;
      if (choice > n) {
        choice -= n + 1;
        block.successors = {choice / n, choice % n};
      } else if (choice > 0) {
        block.successors = {choice - 1};
      }
      block.kind = kind_for(block.successors.size());
    }
    if (all_reachable(cfg)) visit(cfg);
  }
}

Cfg random_graph(int n, std::uint64_t& state) {
  const auto next = [&](unsigned limit) {
    state = state * 6364136223846793005 + 1442695040888963407;
    return static_cast<unsigned>(mix(state) % limit);
  };
  for (;;) {
    Cfg cfg(static_cast<std::size_t>(n));
    const bool forward = next(3) != 0;  // mostly forward edges: more of these graphs are reducible
    for (int b = 0; b < n; ++b) {
      CfgBlock& block = cfg[static_cast<std::size_t>(b)];
      constexpr unsigned degrees[] = {0, 1, 1, 1, 2, 2, 2, 2, 3, 4};
      unsigned degree = degrees[next(10)];
      if (b == 0 && degree == 0) degree = 1;
      for (unsigned k = 0; k < degree; ++k) {
        const bool ahead = forward && b + 1 < n && next(5) != 0;
        const int target = ahead
                               ? b + 1 + static_cast<int>(next(static_cast<unsigned>(std::min(n - b - 1, 4))))
                               : 1 + static_cast<int>(next(static_cast<unsigned>(n - 1)));
        block.successors.push_back(target);
      }
      block.kind = kind_for(degree);
      if (degree == 0 && next(4) == 0) block.kind = BranchKind::Unreachable;
      if (degree == 0) block.is_empty = next(2) == 0;
    }
    if (all_reachable(cfg)) return cfg;
  }
}

}  // namespace import_test
