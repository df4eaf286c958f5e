// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen-spirv/spirv.h"

namespace spirea::spirv {

/// spirv-opt with our pass list: LLVM has optimized the kernel already, so only what selection and
/// legalization leave behind is cleaned up. Nothing that duplicates code, and no loop transformation.
kir::Result<Words> optimize(const Words&, const Options&);

/// Basic blocks of all functions.
std::size_t count_blocks(const Words&);

}  // namespace spirea::spirv
