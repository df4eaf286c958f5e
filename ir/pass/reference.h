// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "ir/pass/pass.h"

namespace spirea::kir {

/// docs/reference/ops.md: the op table as Markdown.
std::string ops_reference();
/// docs/reference/passes.md: passes, pipelines and properties of the registry as Markdown.
std::string passes_reference(const PassRegistry&);

}  // namespace spirea::kir
