// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "frontend/import/import.h"

namespace llvm {
class CallBase;
}

namespace spirea::frontend {

/// Tells the optimizer what printf and the functions that report failed checks do, before it runs.
void prepare_messages(llvm::Module&);

/// Replaces the calls of such functions, and traps, by code that writes to the message buffer
/// (ir/abi/messages.h): the entry's last argument, which no parameter has. If there are any, the manifest
/// gets the messages and a last parameter. Calls with a mistake are left for the importer, which reports
/// them.
void lower_messages(KernelSource&, const Program&);

/// What is wrong with a call that lower_messages() has left; empty if that is none of its functions.
std::string message_problem(const llvm::CallBase&);

}  // namespace spirea::frontend
