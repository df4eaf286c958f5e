// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "frontend/kernels.h"

namespace clang::CodeGen {
class CodeGenModule;
}
namespace llvm {
class Function;
}

namespace spirea::frontend {

/// Makes `void spirea.entry.<name>(leaves...)`, which rebuilds the C++ parameters from their leaves and calls
/// the kernel as the host's calling convention wants it. After inlining and SROA nothing of that remains.
/// Null, with a reason in `error`, for a convention that is not known.
llvm::Function* make_entry(clang::CodeGen::CodeGenModule&, const KernelDecl&, llvm::Function* kernel,
                           std::string& error);

}  // namespace spirea::frontend
