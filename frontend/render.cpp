// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/render.h"

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/FileManager.h>
#include <clang/Basic/SourceManager.h>

namespace spirea::frontend {
namespace {

clang::DiagnosticsEngine::Level level(kir::Severity severity) {
  switch (severity) {
    case kir::Severity::Error: return clang::DiagnosticsEngine::Error;
    case kir::Severity::Warning: return clang::DiagnosticsEngine::Warning;
    case kir::Severity::Note: return clang::DiagnosticsEngine::Note;
    case kir::Severity::Remark: return clang::DiagnosticsEngine::Remark;
  }
  return clang::DiagnosticsEngine::Error;
}

clang::SourceLocation locate(const kir::Location& place, clang::SourceManager& sources) {
  if (place.file.empty() || place.line == 0) return {};
  const auto file = sources.getFileManager().getOptionalFileRef(place.file);
  if (!file) return {};
  return sources.translateFileLineCol(&file->getFileEntry(), place.line, std::max(place.column, 1u));
}

}  // namespace

void render(const kir::Diagnostic& diagnostic, clang::SourceManager& sources,
            clang::DiagnosticsEngine& engine) {
  const unsigned custom = engine.getCustomDiagID(level(diagnostic.severity), "%0");
  engine.Report(locate(diagnostic.place, sources), custom) << diagnostic.message;
  for (const kir::Diagnostic& note : diagnostic.notes) render(note, sources, engine);
}

}  // namespace spirea::frontend
