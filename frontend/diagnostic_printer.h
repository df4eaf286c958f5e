// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/Frontend/TextDiagnosticPrinter.h>

namespace spirea::frontend {

/// Prints Clang's diagnostics, those about an attribute that stands for one of Spirea's in Spirea's terms.
class DiagnosticPrinter : public clang::TextDiagnosticPrinter {
 public:
  using TextDiagnosticPrinter::TextDiagnosticPrinter;
  void HandleDiagnostic(clang::DiagnosticsEngine::Level, const clang::Diagnostic&) override;
};

}  // namespace spirea::frontend
