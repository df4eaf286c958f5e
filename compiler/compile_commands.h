// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "ir/core/diagnostic.h"

namespace spirea::compiler {

/// The flags that FOLDER/compile_commands.json has for a source file, without compiler, input and output; its
/// relative paths are kept by -working-directory.
kir::Result<std::vector<std::string>> flags_from_compile_commands(const std::string& folder,
                                                                  const std::string& file);

/// Splits a command as a POSIX shell does: blanks, quotes, backslashes.
std::vector<std::string> split_command(const std::string&);

}  // namespace spirea::compiler
