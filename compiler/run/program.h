// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "compiler/options.h"
#include "ir/abi/manifest.h"
#include "ir/core/diagnostic.h"

namespace spirea::compiler {

/// Compiles a C++ or .kir file, or reads an object made by spireac, links it into this process, where it
/// registers with the runtime, and returns its kernels' manifests.
kir::Result<std::vector<abi::Manifest>> load_program(const Options&, const std::string& file);

}  // namespace spirea::compiler
