// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Module.h>

#include "ir/core/module.h"

namespace spirea::host {

class DebugInfo;

/// Adds a kernel's host function (spirea_host_kernel in ir/abi/artifact.h), named host_symbol(), and returns
/// it.
///
/// It takes the argument block apart, asks the runtime for the workgroup's memory, if it needs any, and calls
/// `<kernel>.workgroups`, which has this shape:
///
///   for each workgroup of [first, last)
///     for each local invocation, z outermost, x innermost
///       the kernel's body; `return` goes to the end of the innermost loop's body
///
/// In a kernel with barriers the body is a function of its own (emit/invocation.h), cut at the barriers
/// (emit/fission.h); the workgroup runs in phases (emit/phases.h), `by_part` with a loop for each part.
llvm::Function* emit_kernel(llvm::Module&, const kir::Module&, const kir::Kernel&, DebugInfo*, bool by_part);

}  // namespace spirea::host
