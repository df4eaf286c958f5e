// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace clang {
class FunctionDecl;
}

namespace spirea::frontend {

/// Clang gives closure types of internal linkage no number and mangles them by a name of its own ("$_0").
/// Other compilers number them within their function ("UlvE_", "UlvE0_"): gives the closure types among the
/// template arguments of the function those numbers, so that its mangled name is the one that the host
/// compiler knows.
void number_lambdas(clang::FunctionDecl*);

}  // namespace spirea::frontend
