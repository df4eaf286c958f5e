// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What spirea-reduce tries: edits that make a module smaller, whatever they do to its meaning.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "ir/core/module.h"

namespace spirea::reduce {

/// One change of a module.
using Edit = std::function<void()>;

/// A kind of edit. `collect` lists those that a module offers, always in the same order. Any of them may be
/// made together if they are made from the last to the first: an edit destroys no op before its own.
struct Strategy {
  std::string_view name;  ///< as the progress shows it: "remove ops"
  std::vector<Edit> (*collect)(kir::Module&);
};

/// All of them, those that remove most first.
std::span<const Strategy> strategies();

// By family.
std::span<const Strategy> region_strategies();     ///< regions.cpp: control flow
std::span<const Strategy> value_strategies();      ///< values.cpp: ops, operands, arguments, results
std::span<const Strategy> interface_strategies();  ///< interface.cpp: kernels, parameters, constants, names
std::span<const Strategy> detail_strategies();     ///< details.cpp: attributes

/// How much there is to read. Every accepted edit makes it less, so that reduction ends.
std::uint64_t cost(const kir::Module&);
/// Ops in all kernels, constants and terminators included.
std::size_t count_ops(const kir::Module&);

/// An edit for each op of the module that `make` accepts, given as an Edit (empty: none).
template <class F>
std::vector<Edit> for_each_op(kir::Module& module, F&& make) {
  std::vector<Edit> edits;
  for (const auto& kernel : module.kernels)
    kir::walk(kernel->body, [&](kir::Op& op) {
      if (Edit edit = make(op)) edits.push_back(std::move(edit));
    });
  return edits;
}

/// A constant of zero bits before the op.
kir::Value* zero_before(kir::Op* op, kir::Type);
/// Destroys the op and what is in it; its results become zero.
void erase_op(kir::Op* op);
/// Destroys the ops from this one to the end of its region.
void erase_from(kir::Op* first);

}  // namespace spirea::reduce
