// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter's diagnostics. Each function ends the invocation: it returns null, for a handler to return.
#pragma once

#include <string>

#include "ir/interp/program.h"

namespace spirea::interp {

/// An error at the op of the instruction.
const Instr* fault(const Instr*, Invocation&, std::string message);
/// "`role` depends on ...", with a note where the undefined value comes from.
const Instr* undefined_fault(const Instr*, Invocation&, const Slot&, std::string role);
/// Says why the access of `size` bytes through the pointer is wrong.
const Instr* access_fault(const Instr*, Invocation&, const Slot& pointer, std::uint64_t size, bool is_store);
/// A barrier that not all of `who` reach: invocation `other` has ended, or waits elsewhere.
const Instr* divergence_fault(const Instr*, Invocation&, const std::string& who, std::uint32_t other,
                              const Instr* other_waits);
const Instr* race_fault(const Instr*, Invocation&, const Slot& pointer, std::uint64_t size, bool is_store,
                        const Conflict&);

}  // namespace spirea::interp
