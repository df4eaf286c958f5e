// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "ir/text/parser.h"
#include "ir/text/printer.h"
#include "ir/verify/verify.h"

namespace spirea::kir::test {

/// A module with one kernel of this body, whose parameters are %p, %p_size (a buffer of i32), %n (i32) and %x
/// (f32). The body begins in line 8, plus the lines of the module level.
inline std::string kernel_text(const std::string& body, const std::string& module_level = "") {
  constexpr const char* header = R"kir(
kernel @k key "k" display "k()" file "k.cpp" line 1 {
  param buffer "p" type "std::span<int>" size 16 align 8 element "int" 4 4 access readwrite leaves (%p: ptr at 0 from 0, %p_size: i64 at 8 from 8)
  param value "n" type "int" size 4 align 4 leaves (%n: i32 at 16 from 0)
  param value "x" type "float" size 4 align 4 leaves (%x: f32 at 20 from 0)
body {
)kir";
  return "kir 1\n" + module_level + header + body + "\n}\n}\n";
}

/// The module of the text; a test failure and null if it does not parse.
inline std::unique_ptr<Module> parse_or_fail(const std::string& text) {
  auto module = parse(text, "test.kir");
  if (module) return module.take();
  ADD_FAILURE() << to_string(module.diagnostics()) << text;
  return nullptr;
}

/// The error of parsing, `line:column: message`; empty if there is none.
inline std::string parse_error(const std::string& text) {
  auto module = parse(text, "test.kir");
  if (module) return "";
  const Diagnostic& d = module.diagnostics()[0];
  return std::to_string(d.place.line) + ":" + std::to_string(d.place.column) + ": " + d.message;
}

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// Every .kir file below a folder of the source tree, sorted; build folders and hidden ones are left out.
inline std::vector<std::filesystem::path> kir_files(const std::filesystem::path& below) {
  std::vector<std::filesystem::path> files;
  std::filesystem::recursive_directory_iterator it(below), end;
  for (; it != end; ++it) {
    const std::string name = it->path().filename().string();
    if (it->is_directory() && (name.starts_with("build") || name.starts_with(".")))
      it.disable_recursion_pending();
    if (it->is_regular_file() && it->path().extension() == ".kir") files.push_back(it->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace spirea::kir::test
