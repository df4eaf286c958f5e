// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any reducible control-flow graph as structured code, without duplicated blocks and without predicate
// variables: after Norman Ramsey, "Beyond Relooper" (ICFP 2022), with two changes. A block's straight code
// comes before the constructs that its branch needs, so that what dominates a use is visible there; and code
// behind a loop is placed behind it, not in it. Free of LLVM, so that it can be tested on graphs alone.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace spirea::structurize {

/// How a block ends. Switch successors: the cases, then the default.
enum class BranchKind { Return, Unreachable, Jump, If, Switch };

struct CfgBlock {
  BranchKind kind = BranchKind::Return;
  std::vector<int> successors;  ///< If: taken when true, then when false
  bool is_empty =
      false;  ///< has neither phis nor code: a return from it may be written at each of its predecessors
};

/// Block 0 is the entry and has no predecessors; every block is reachable.
using Cfg = std::vector<CfgBlock>;

struct Item;
using Sequence = std::vector<std::unique_ptr<Item>>;

enum class ItemKind {
  Code,         ///< the straight code of `block`
  Inline,       ///< falls through the edge (`block`, `successor`) to the code that follows
  If,           ///< the branch of `block`; two bodies
  Switch,       ///< the switch of `block`; a body for each successor, in order (see `arms`)
  Loop,         ///< the loop with header `block`; one body
  Block,        ///< runs its body once; a target for breaks
  Break,        ///< the edge (`block`, `successor`), which leaves `target` for its `after`
  Continue,     ///< the edge (`block`, `successor`), the next iteration of `target`
  Return,       ///< ends the invocation, as block `block` does
  Unreachable,  ///< as block `block` does; -1: behind a construct that is never left
};

struct Item {
  ItemKind kind;
  int block = -1;
  int successor = -1;
  Item* target = nullptr;
  int after = -1;  ///< constructs: the block that a break of this construct continues at; -1: there is none
  std::vector<Sequence> bodies;
  std::vector<std::vector<int>>
      arms;                 ///< Switch: the successor indices that share each body; the last has the default
  bool has_breaks = false;  ///< constructs: some Break has this target
};

enum class Status {
  Done,
  Irreducible,  ///< some loop has several entries
  TooDeep,      ///< constructs would nest more than kMaxDepth deep
};

/// SPIR-V allows 1023 ("Universal Limits"), and recursion over the result is safe.
inline constexpr std::size_t kMaxDepth = 1000;

/// Structured code in `result`, if the status is Done.
Status structurize(const Cfg&, Sequence& result);

}  // namespace spirea::structurize
