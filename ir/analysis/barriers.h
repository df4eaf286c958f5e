// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "ir/core/diagnostic.h"
#include "ir/core/module.h"

namespace spirea::kir {

/// Workgroup barriers that not all invocations of the workgroup reach together, those aside that have failed
/// a check: an error where that is certain, because the condition can be computed for each invocation; a
/// warning where the condition follows from the invocation's position. What depends on memory alone is left
/// to the interpreter, which sees it happen.
std::vector<Diagnostic> check_barriers(const Module&);

}  // namespace spirea::kir
