// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen-host/emit/invocation.h"

namespace spirea::host {

/// Where a workgroup with barriers runs.
struct PhaseEnvironment {
  InvocationArguments arguments;  ///< without those that differ between invocations
  llvm::Value* objects;           ///< of all invocations
  llvm::Value* states;            ///< an i32 for each invocation
  bool by_part;                   ///< a loop for each part, as far as that does not make too much code of it
};

/// Runs the invocations of one workgroup, from barrier to barrier:
///
///   state = 0
///   while state != kDone
///     for each invocation that is in this state
///       its state = invocation(state, ...)
///     state = that of any invocation that is not done
///
/// Where all are in the same state, as the rule for barriers wants, this is one turn for each part between
/// barriers. Invocations that have returned are passed over. Those that wait at different barriers go on
/// separately: what this gives is undefined, but it ends. By part, each state has a loop of its own with a
/// copy of the function's part in it.
///
/// Appends at the builder's insertion point, once for each kernel.
void emit_phases(llvm::IRBuilder<>&, const Invocation&, const PhaseEnvironment&);

}  // namespace spirea::host
