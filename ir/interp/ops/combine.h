// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "ir/core/atomics.h"

namespace spirea::interp {

/// Two values of a type, as bits, to one; the type's width is given. Bits above the width are arbitrary.
using Combine = std::uint64_t (*)(std::uint64_t, std::uint64_t, unsigned bits);

/// How an atomic update or a subgroup operation combines values (kir::combining_op); null for other ops.
Combine combine_of(kir::Opcode);

}  // namespace spirea::interp
