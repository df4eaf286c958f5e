// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Module;
}

namespace spirea::frontend {

/// Adds the functions of message_code.cpp, by whose calls lower_messages() writes to the buffer.
void define_message_functions(llvm::Module&);

}  // namespace spirea::frontend
