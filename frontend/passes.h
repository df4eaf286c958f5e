// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "frontend/import/import.h"

namespace spirea::frontend {

/// Our LLVM pass list (docs/llvm-passes.md): from what Clang emits to what the importer takes, with what the
/// kernels print and check in their manifests. `level` is the -O level; at 0 only what the importer needs is
/// done. Functions other than the entries are removed.
void run_passes(llvm::Module&, std::vector<KernelSource>&, unsigned level, const Program&);

}  // namespace spirea::frontend
