// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/report.h"

#include <cstdio>
#include <fstream>
#include <ostream>

namespace spirea::compiler {
namespace {

using kir::Diagnostic;
using kir::Severity;

struct Style {
  const char* name;
  const char* color;
};

Style style_of(Severity severity) {
  switch (severity) {
    case Severity::Error: return {"error", "\033[0;1;31m"};
    case Severity::Warning: return {"warning", "\033[0;1;35m"};
    case Severity::Note: return {"note", "\033[0;1;36m"};
    case Severity::Remark: return {"remark", "\033[0;1;34m"};
  }
  return {"error", ""};
}

/// The source line with a caret below; nothing where the file cannot be read.
void print_snippet(std::ostream& out, const kir::Location& place) {
  std::ifstream file(place.file);
  std::string line;
  for (std::uint32_t i = 0; i < place.line; ++i)
    if (!std::getline(file, line)) return;
  char gutter[32];
  std::snprintf(gutter, sizeof gutter, "%5u | ", place.line);
  out << gutter << line << '\n';
  if (place.column == 0 || place.column > line.size() + 1) return;
  std::string indent = line.substr(0, place.column - 1);
  for (char& c : indent)
    if (c != '\t') c = ' ';
  out << "      | " << indent << "^\n";
}

void print(std::ostream& out, const Diagnostic& diagnostic, bool color) {
  const kir::Location& place = diagnostic.place;
  const Style style = style_of(diagnostic.severity);
  const auto paint = [&](const char* code) { return color ? code : ""; };
  out << paint("\033[1m");
  if (!place.file.empty()) {
    out << place.file << ':' << place.line << ':';
    if (place.column != 0) out << place.column << ':';
    out << ' ';
  }
  out << paint(style.color) << style.name << ": " << paint("\033[0m\033[1m") << diagnostic.message
      << paint("\033[0m") << '\n';
  if (place.line != 0) print_snippet(out, place);
  for (const Diagnostic& note : diagnostic.notes) print(out, note, color);
}

}  // namespace

void report(std::ostream& out, const std::vector<Diagnostic>& diagnostics, bool color) {
  for (const Diagnostic& diagnostic : diagnostics) print(out, diagnostic, color);
  out.flush();
}

std::string time_table(const std::vector<StageTime>& times) {
  std::string table = "      ms  stage\n";
  std::chrono::nanoseconds total{};
  const auto add = [&](const std::string& stage, std::chrono::nanoseconds time) {
    char ms[32];
    std::snprintf(ms, sizeof ms, "%8.2f  ", static_cast<double>(time.count()) / 1e6);
    table += ms + stage + '\n';
  };
  for (const StageTime& entry : times) {
    add(entry.stage, entry.time);
    total += entry.time;
  }
  add("total", total);
  return table;
}

}  // namespace spirea::compiler
