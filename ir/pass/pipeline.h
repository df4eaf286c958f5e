// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/pass/pass.h"

namespace spirea::kir {

using Pipeline = std::vector<const PassInfo*>;

/// The passes of a comma-separated list of names; a pipeline's name stands for its passes. The error names
/// what is unknown, and what is known.
Result<Pipeline> parse_pipeline(std::string_view text, const PassRegistry&);

/// "canonicalize,cse"; parse_pipeline(to_string(p)) is p.
std::string to_string(const Pipeline&);

/// Success if each pass finds what it needs, starting from a module with the given properties.
Result<void> check_order(const Pipeline&, Properties initial = {});

}  // namespace spirea::kir
