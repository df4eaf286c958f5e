// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "frontend/import/import.h"

namespace spirea::frontend {

struct PassOptions {
  unsigned level;              ///< of -O; at 0 only what the importer needs is done
  bool checks_bounds = false;  ///< of buffers, each of which then has a count in its manifest
};

/// Our LLVM pass list (docs/llvm-passes.md): from what Clang emits to what the importer takes, with what the
/// kernels print and check in their manifests. Functions other than the entries are removed.
void run_passes(llvm::Module&, std::vector<KernelSource>&, const PassOptions&, const Program&);

}  // namespace spirea::frontend
