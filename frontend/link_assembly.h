// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Module;
}

namespace spirea::frontend {

enum class Linked {
  All,
  Needed,  ///< functions that the module declares, and what they call
};

/// Adds functions that are written in LLVM's assembly, part of the compiler: text that does not parse is
/// fatal.
void link_assembly(llvm::Module&, const char* assembly, Linked);

}  // namespace spirea::frontend
