// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "ir/abi/manifest.h"

namespace clang {
class ASTContext;
class DiagnosticsEngine;
class FunctionDecl;
class Sema;
}  // namespace clang

namespace spirea::frontend {

/// A kernel found in a translation unit, with its manifest (block offsets not assigned; `name` is set by the
/// caller).
struct KernelDecl {
  clang::FunctionDecl* function;
  abi::Manifest manifest;
};

/// All defined kernels of the translation unit, instantiations of templates included, in order of
/// declaration. Reports kernels whose parameters cannot be passed; those are left out.
std::vector<KernelDecl> find_kernels(clang::ASTContext&, clang::DiagnosticsEngine&);

}  // namespace spirea::frontend
