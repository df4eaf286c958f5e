// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Module.h>

#include "ir/core/module.h"

namespace spirea::host {

class DebugInfo;

/// Adds a kernel's host function (spirea_host_kernel in ir/abi/artifact.h), named host_symbol(), and returns
/// it.
///
/// It takes the argument block apart and calls `<kernel>.workgroups`, which has this shape:
///
///   for each workgroup of [first, last)
///     for each local invocation, z outermost, x innermost
///       the kernel's body; `return` goes to the end of the innermost loop's body
///
/// The loop over workgroups is separate from those over invocations so that a body with barriers can become
/// several local loops, one for each part between barriers, within one workgroup's iteration.
llvm::Function* emit_kernel(llvm::Module&, const kir::Module&, const kir::Kernel&, DebugInfo*);

}  // namespace spirea::host
