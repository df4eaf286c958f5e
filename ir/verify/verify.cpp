// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/verify/verify.h"

#include <sstream>

#include "ir/text/printer.h"
#include "ir/verify/report.h"

namespace spirea::kir {
namespace {

/// The line of the printed module, and a caret under the op.
std::string excerpt(const std::vector<std::string>& lines, PrintedModule::Place place) {
  if (place.line == 0 || place.line > lines.size()) return "";
  return "\n" + lines[place.line - 1] + "\n" + std::string(place.column - 1, ' ') + "^";
}

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

Result<void> verify(const Module& module) {
  Report report;
  verify_structure(module, report);
  if (report.empty()) verify_types(module, report);
  if (report.empty()) return {};

  const PrintedModule printed = print_with_places(module);
  const std::vector<std::string> lines = split_lines(printed.text);
  std::vector<Diagnostic> diagnostics;
  for (const Violation& violation : report.violations()) {
    const auto it = printed.places.find(violation.op);
    const PrintedModule::Place place = it == printed.places.end() ? PrintedModule::Place{} : it->second;
    Location where;
    if (place.line != 0) where = {"<kir>", place.line, place.column, "", 0};
    Diagnostic d = Diagnostic::error(violation.message + excerpt(lines, place), where);
    if (violation.op != nullptr && violation.op->location != 0)
      d.notes.push_back({Severity::Note, "compiled from here", module.locations[violation.op->location], {}});
    diagnostics.push_back(std::move(d));
  }
  return diagnostics;
}

}  // namespace spirea::kir
