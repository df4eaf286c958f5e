// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/StringRef.h>

namespace spirea::frontend {

/// Declarations that Clang sees before the file: in place of functions of libstdc++ that recurse, which
/// kernels cannot, ones that do the same in a loop.
llvm::StringRef standard_library_replacements();

}  // namespace spirea::frontend
