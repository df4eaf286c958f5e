// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ir/interp/interp.h"

namespace spirea::interp {

/// The options that SPIREA_INTERP_STEPS (a number), SPIREA_INTERP_RACES (off, on or strict),
/// SPIREA_INTERP_SUBGROUP (a power of two up to 64) and SPIREA_INTERP_SUBNORMALS (keep or flush) ask for.
kir::Result<Options> options_from_environment();

}  // namespace spirea::interp
