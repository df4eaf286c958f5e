// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ir/core/module.h"

namespace spirea::kir {

/// The part of canonicalize that changes control flow: one pass over the kernel, inner ops first. True if it
/// changed something.
bool canonicalize_control(Kernel&);

}  // namespace spirea::kir
