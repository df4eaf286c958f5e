// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ir/core/diagnostic.h"

namespace clang {
class DiagnosticsEngine;
class SourceManager;
}  // namespace clang

namespace spirea::frontend {

/// Reports one of our diagnostics, and its notes, through Clang: with the source line and a caret.
void render(const kir::Diagnostic&, clang::SourceManager&, clang::DiagnosticsEngine&);

}  // namespace spirea::frontend
