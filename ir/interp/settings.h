// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ir/interp/interp.h"

namespace spirea::interp {

/// The options that SPIREA_INTERP_STEPS (a number) and SPIREA_INTERP_RACES (off, on or strict) ask for.
kir::Result<Options> options_from_environment();

}  // namespace spirea::interp
