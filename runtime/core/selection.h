// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/backend.h"

namespace spirea::detail {

/// All candidates, best first: GPUs, then the host, then software drivers of GPU interfaces, then the
/// interpreter, then what cannot be used.
std::vector<Candidate> all_candidates();
/// The candidate that a selector names. Throws error that lists what there is.
Candidate select(std::string_view selector);
/// The default: what SPIREA_DEVICE names, else the best candidate. Falling back to the CPU is said on stderr
/// once, unless SPIREA_QUIET=1.
Candidate select_default();

}  // namespace spirea::detail
