// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ir/core/module.h"

namespace spirea::host {

/// True if what the kernel reads or writes through this body argument, a buffer's address, is changed through
/// no other pointer, and by no other thread: the promise that LLVM's noalias needs. It rests on the launch's
/// overlap check.
bool is_noalias(const kir::Kernel&, const kir::Value* argument);

}  // namespace spirea::host
