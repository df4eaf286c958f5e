// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

#include "ir/core/diagnostic.h"

namespace spirea::compiler {

/// The whole file; "-" is the standard input.
kir::Result<std::string> read_file(const std::string& path);

/// Writes the file, "-" being the standard output. A regular file is written beside its place and renamed, so
/// that nobody ever sees half of it and a failure leaves what was there.
kir::Result<void> write_file(const std::string& path, std::string_view bytes);

/// The folder that holds spirea/kernel.hpp: `include` beside the tool's `bin`, in a build tree and in an
/// install. Empty if there is none.
std::string kernel_headers();

/// The math library that belongs to the running tool, whether it is there or not.
std::string math_library();

}  // namespace spirea::compiler
