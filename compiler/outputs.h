// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "compiler/options.h"

namespace spirea::compiler {

/// Where the result for an input goes: -o, or the input's name with the stage's suffix in the current folder.
std::string output_path(const Options&, const std::string& input);

/// Clang's flags for the dependency file that the options ask for; none where they do not.
std::vector<std::string> dependency_flags(const Options&, const std::string& input);

/// The same dependency file for an input that Clang does not read: it depends on itself alone.
kir::Result<void> write_own_dependencies(const Options&, const std::string& input);

}  // namespace spirea::compiler
