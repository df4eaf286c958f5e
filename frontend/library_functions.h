// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Module;
}

namespace spirea::frontend {

/// Gives the functions of the C library that work on bytes (memcmp, strlen, ...) bodies, where the module
/// calls them: they are what the standard library's comparisons, searches and string views come down to.
void define_library_functions(llvm::Module&);

}  // namespace spirea::frontend
