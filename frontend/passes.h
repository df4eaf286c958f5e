// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace spirea::frontend {

/// Our LLVM pass list (docs/llvm-passes.md): from what Clang emits to what the importer takes. `level` is the
/// -O level; at 0 only what the importer needs is done. Functions other than the entries are removed.
void run_passes(llvm::Module&, const std::vector<llvm::Function*>& entries, unsigned level);

}  // namespace spirea::frontend
