// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>

#include "ir/core/module.h"

namespace spirea::kir::test {

/// Elements that one invocation of a random kernel owns in the buffer.
inline constexpr std::uint32_t kRandomSlots = 64;

/// A module with one kernel `k(buffer<i32> p, i32 n, f32 x)`, the same for the same seed. Invocation g reads
/// and writes elements g * kRandomSlots and up only. It mixes values of all types with if, loop, switch and
/// block, leaves them by breaks and continues of any depth, always ends, and computes nothing that is poison,
/// undefined, or a NaN whose bits are seen. What it computes depends on the order of what it executes.
/// Floats can be left out, for devices that round or flush them in ways of their own.
std::unique_ptr<Module> random_kernel(std::uint32_t seed, bool with_floats = true);

}  // namespace spirea::kir::test
