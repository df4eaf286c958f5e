// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace llvm {
class Module;
}

namespace spirea::frontend {

/// Gives the functions of <math.h> that the module calls, by name or as LLVM's intrinsics, the math library's
/// bodies (frontend/math/): accurate to 4 ULP, and the same on every back end. Calls that may be approximated
/// (LLVM's flag afn) stay for the back end's own instruction. Returns what is wrong with the library, or "".
std::string link_math_library(llvm::Module&, const std::string& path);

}  // namespace spirea::frontend
