// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control-flow graphs for the structurizer's property tests: enumerated and random ones, and their execution.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "frontend/structurize/structurize.h"

namespace import_test {

using structurize_cfg = spirea::structurize::Cfg;

/// What running a graph or structured code shows: the blocks in order, cut off after a number of steps.
using Trace = std::vector<int>;

/// The successor that `block` takes at its `visit`-th time: the same for the graph and its structured form.
unsigned decide(std::uint64_t seed, int block, unsigned visit, unsigned successors);

/// Walks the graph. Ends at a return, with -1, or an unreachable, with -2.
Trace run_graph(const structurize_cfg&, std::uint64_t seed, unsigned max_steps);

/// Runs structured code. -3 at the end: it fell off the end of a sequence or of a construct without a
/// continuation.
Trace run_structured(const structurize_cfg&, const spirea::structurize::Sequence&, std::uint64_t seed,
                     unsigned max_steps);

/// Number of Code items of each block: 1 for every block of a graph, since nothing is duplicated. Empty
/// returns may stand at several places and have none.
std::vector<int> count_code(const structurize_cfg&, const spirea::structurize::Sequence&);

/// Calls `visit` for each graph of `n` blocks whose blocks have 0, 1 or 2 successors, all blocks reachable,
/// none leading back to the entry.
void enumerate_graphs(int n, const std::function<void(const structurize_cfg&)>& visit);

/// A random graph of `n` blocks, all reachable, with out-degrees up to 4.
structurize_cfg random_graph(int n, std::uint64_t& state);

}  // namespace import_test
