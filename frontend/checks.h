// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that report a failed check: assert's, the standard library's, those of Clang's sanitizers, traps,
// and our own for buffers (bounds/bounds.h).
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <optional>
#include <string>

namespace llvm {
class CallBase;
class Value;
}  // namespace llvm

namespace spirea::frontend {

/// An integer that the check has looked at: its bits, as the low ones of an operand of the call.
struct CheckedValue {
  llvm::Value* operand;
  unsigned bits;
  bool is_signed;
};

/// What the check says: a format of printf with a %lld or %llu for each value.
struct FailedCheck {
  std::string format;
  llvm::SmallVector<CheckedValue, 2> values;
};

/// Nothing for any other call.
std::optional<FailedCheck> read_check(const llvm::CallBase&);

}  // namespace spirea::frontend
