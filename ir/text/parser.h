// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <string_view>

#include "ir/core/diagnostic.h"
#include "ir/core/module.h"

namespace spirea::kir {

/// The module that the text describes (ir/README.md), or the first error with its place in the text. Any
/// input is safe; the result is well-formed as a data structure, but verify() says whether it is a valid
/// module.
Result<std::unique_ptr<Module>> parse(std::string_view text, std::string_view file_name);

/// Regions may be nested this deep in the text; deeper nesting is an error.
inline constexpr unsigned kMaxParseDepth = 1000;

}  // namespace spirea::kir
