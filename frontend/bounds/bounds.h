// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "frontend/import/import.h"

namespace spirea::frontend {

/// The function that the checks call when they fail, as read_check() knows it: a constant text, a format of
/// printf, and two numbers of 64 bits.
inline constexpr char kOutsideOfBuffer[] = "__spirea_outside_of_buffer";

/// Puts a check before each access to a buffer that a parameter names: that it lies inside. Needs: a count
/// for each buffer in the manifest, everything inlined. A pointer that comes from memory, or from a number,
/// is not followed.
void check_bounds(const KernelSource&);

}  // namespace spirea::frontend
