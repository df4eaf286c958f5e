// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ir/core/diagnostic.h"
#include "ir/core/module.h"

namespace spirea::kir {

struct CanonicalizeConfig {
  unsigned max_rounds = 64;  ///< over a kernel; each round is linear, and most kernels need two or three
};

/// Brings ops into the form that later passes look for:
///   values        constants are folded and stand second in commutative ops; identities are applied
///   offsets       constant indices are displacement; two offsets of which one is constant are one
///   control flow  an if or switch on a constant is its region; a block that is left at its end only is
///   inlined; what
///                 follows an op that nothing leaves is removed; results and loop arguments that are always
///                 the same value are that value; an if that only chooses values is selects
/// Operands that lose their last use stay behind: dce removes them.
///
/// Needs: a valid module. After: Property::Canonical, Property::Reachable.
Result<bool> canonicalize(Module&, const CanonicalizeConfig&);

}  // namespace spirea::kir
