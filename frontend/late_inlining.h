// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>

namespace llvm {
class Function;
}

namespace spirea::frontend {

/// Inlines the calls that are left in an optimized kernel, optimizing in between: those that were through a
/// pointer (a vtable's) until the optimizer found their function, and recursive ones, whose depth may be a
/// constant. A kernel that still has calls of recursive functions after some levels is left with the first of
/// them, at which the error belongs.
void inline_late_calls(llvm::Function& entry, llvm::function_ref<void(llvm::Function&)> optimize);

}  // namespace spirea::frontend
