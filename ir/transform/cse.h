// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ir/core/diagnostic.h"
#include "ir/core/module.h"

namespace spirea::kir {

struct CseConfig {};

/// Replaces a pure op by an earlier one that computes the same value and is visible there: same opcode,
/// attribute, type and operands, in either order where the op is commutative. Objects stay: each is memory of
/// its own.
///
/// Needs: a valid module; finds most after canonicalize. Keeps every property.
Result<bool> cse(Module&, const CseConfig&);

}  // namespace spirea::kir
