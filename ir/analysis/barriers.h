// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <vector>

#include "ir/core/diagnostic.h"
#include "ir/core/module.h"

namespace spirea::kir {

/// Workgroup barriers that not all invocations of the workgroup reach together, those aside that have failed
/// a check: an error where that is certain, because the condition can be computed for each invocation; a
/// warning where the condition may differ, since it follows from the invocation's position or from an atomic
/// access. What depends on memory alone is left to the interpreter, which sees it happen. `users_place` gives
/// for a place in a library the one that it is called from.
std::vector<Diagnostic> check_barriers(const Module&, const std::function<LocId(LocId)>& users_place);

}  // namespace spirea::kir
