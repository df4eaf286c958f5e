// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/SmallVector.h>

namespace llvm {
class Function;
class Value;
}  // namespace llvm

namespace spirea::frontend {

/// The pointers whose addresses, as numbers, are stored or become pointers again. Comparisons are fine, and
/// so are numbers that no longer depend on where memory is: differences of two addresses, however each of
/// them was computed.
llvm::SmallVector<const llvm::Value*, 4> escaping_addresses(const llvm::Function&);

}  // namespace spirea::frontend
