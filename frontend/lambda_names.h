// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace clang {
class FunctionDecl;
}

namespace spirea::frontend {

/// How a host compiler counts the closure types of a function.
enum class LambdaCount {
  BySignature,  ///< each signature from the start: the Itanium C++ ABI, GCC from version 13 on
  All,          ///< one count for all: GCC up to version 12
};

/// Clang gives closure types of internal linkage no number and mangles them by a name of its own ("$_0").
/// Other compilers number them within their function ("UlvE_", "UlvE0_"): gives the closure types among the
/// template arguments of the function those numbers, so that its mangled name is the one that the host
/// compiler knows. True if there are any.
bool number_lambdas(clang::FunctionDecl*, LambdaCount);

}  // namespace spirea::frontend
