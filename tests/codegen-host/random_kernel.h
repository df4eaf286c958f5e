// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>

#include "ir/core/module.h"

namespace codegen_host {

/// A kernel with random structured control flow: nested ifs, loops, switches and blocks that give results and are left over
/// several levels. Parameters: buffer `in` (a value for each invocation), buffer `trace` (a hash of the path taken, for each
/// invocation), buffer `fuel` (loop iterations left, for each invocation: at 0 it returns). Elements are i32.
std::unique_ptr<spirea::kir::Module> random_kernel(std::uint64_t seed);

}  // namespace codegen_host
