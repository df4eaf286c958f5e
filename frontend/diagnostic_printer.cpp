// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/diagnostic_printer.h"

#include <clang/Sema/SemaDiagnostic.h>

namespace spirea::frontend {
namespace {

struct Text {
  unsigned id;
  llvm::StringLiteral text;
};

/// [[spirea::shared]] makes use of Clang's attribute loader_uninitialized.
constexpr Text kTexts[] = {
    {clang::diag::err_loader_uninitialized_cant_init,
     "a variable in workgroup memory cannot have an initializer: its value is undefined when a workgroup "
     "starts"},
    {clang::diag::err_loader_uninitialized_trivial_ctor,
     "a variable in workgroup memory must have a trivial default constructor: no invocation would call it"},
    {clang::diag::err_loader_uninitialized_extern_decl, "a variable in workgroup memory cannot be 'extern'"},
    {clang::diag::err_loader_uninitialized_redeclaration,
     "a redeclaration cannot put a variable into workgroup memory"},
};

}  // namespace

void DiagnosticPrinter::HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                                         const clang::Diagnostic& diagnostic) {
  for (const Text& row : kTexts) {
    if (row.id != diagnostic.getID()) continue;
    const clang::DiagnosticStorage none{};
    return TextDiagnosticPrinter::HandleDiagnostic(
        level, clang::Diagnostic(diagnostic.getDiags(), diagnostic.getLocation(), row.id, none, row.text));
  }
  TextDiagnosticPrinter::HandleDiagnostic(level, diagnostic);
}

}  // namespace spirea::frontend
