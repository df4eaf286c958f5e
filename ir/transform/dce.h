// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ir/core/diagnostic.h"
#include "ir/core/module.h"

namespace spirea::kir {

struct DceConfig {};

/// Removes what no store, exit from a kernel or volatile access depends on: pure ops and loads; if, switch
/// and block ops without effect; results of structured ops; loop arguments, also those that only compute
/// their own next value. A loop stays even if it has no effect, since it may not end.
///
/// Needs: a valid module. After: Property::NoDeadOps.
Result<bool> dce(Module&, const DceConfig&);

}  // namespace spirea::kir
