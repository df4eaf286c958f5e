// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>

#include "ir/core/module.h"

namespace spirea::kir {

/// A copy of the module.
std::unique_ptr<Module> clone(const Module&);
/// A module with this kernel alone, the same locations, and the constants that it uses.
std::unique_ptr<Module> extract(const Module&, const Kernel&);

}  // namespace spirea::kir
