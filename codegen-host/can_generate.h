// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "ir/core/diagnostic.h"
#include "ir/core/module.h"

namespace spirea::host {

/// Bytes of private memory that an invocation may have: they live on the stack of whatever thread runs it.
inline constexpr std::uint64_t kMaxPrivateBytes = 1u << 20;

/// Success if the host can run the module's kernels, else an error at each place that it cannot.
kir::Result<void> can_generate(const kir::Module&);

}  // namespace spirea::host
