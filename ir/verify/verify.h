// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The invariants of KIR, all checked by verify():
//
// Structure (structure.cpp)
//   1. Each region ends with a terminator, and has no other.
//   2. Ops have the operand, result and region counts of their row in ops.def, and the attribute it names.
//   3. An operand is defined before its use, in the same region or in one around it.
//   4. break targets an op around it, continue a loop around it; they carry its results or arguments.
//   5. object ops stand directly in a kernel's body.
//   6. Names of kernels and constants are unique; an address_of names a constant that exists.
//   7. A kernel's manifest can be used (abi::find_problem); its body's arguments are the leaves, in number
//   and type.
// Types (types.cpp)
//   8. Types are legal, and as the op's rule says.
//   9. Alignments are powers of two; objects have a size, constants that many bytes.
//  10. Case values are distinct and fit the operand; constants fit their type.
//  11. Stores do not go to constant memory.
#pragma once

#include "ir/core/diagnostic.h"
#include "ir/core/module.h"

namespace spirea::kir {

/// Success, or every violation, each with the printed op and its place in the printed module. Never asserts.
Result<void> verify(const Module&);

}  // namespace spirea::kir
