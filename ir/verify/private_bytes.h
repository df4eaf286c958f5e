// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "ir/core/diagnostic.h"
#include "ir/core/module.h"

namespace spirea::kir {

/// An error at the largest local object of a kernel whose local objects take more bytes together than the
/// limit of a target, such as "the host".
std::optional<Diagnostic> too_many_private_bytes(const Module&, const Kernel&, std::uint64_t limit,
                                                 std::string_view target);

}  // namespace spirea::kir
