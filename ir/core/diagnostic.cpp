// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/core/diagnostic.h"

namespace spirea::kir {
namespace {

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::Error: return "error";
    case Severity::Warning: return "warning";
    case Severity::Note: return "note";
    case Severity::Remark: return "remark";
  }
  return "error";
}

void append(std::string& out, const Diagnostic& diagnostic) {
  if (!diagnostic.place.file.empty()) {
    out += diagnostic.place.file;
    if (diagnostic.place.line != 0) out += ":" + std::to_string(diagnostic.place.line);
    if (diagnostic.place.column != 0) out += ":" + std::to_string(diagnostic.place.column);
    out += ": ";
  }
  out += to_string(diagnostic.severity);
  out += ": " + diagnostic.message + "\n";
  for (const Diagnostic& note : diagnostic.notes) append(out, note);
}

}  // namespace

Diagnostic Diagnostic::error_at(const LocationTable& table, LocId id, std::string message) {
  Diagnostic result = error(std::move(message), table[id]);
  for (LocId call = table[id].inlined_at; call != 0; call = table[call].inlined_at)
    result.notes.push_back({Severity::Note, "called from '" + table[call].function + "'", table[call], {}});
  return result;
}

std::string to_string(const Diagnostic& diagnostic) {
  std::string out;
  append(out, diagnostic);
  return out;
}

std::string to_string(const std::vector<Diagnostic>& diagnostics) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics) append(out, diagnostic);
  return out;
}

}  // namespace spirea::kir
