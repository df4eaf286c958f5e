// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <string_view>

#include "frontend/frontend.h"

namespace frontend_test {

/// Compiles a file of this repository, or any path.
inline spirea::frontend::Output compile_file(const std::string& path, std::vector<std::string> flags = {}) {
  spirea::frontend::Options options;
  options.input = path;
  options.clang_args = std::move(flags);
  options.clang_args.push_back("-I" SPIREA_SOURCE_DIR);
  options.kernel_headers = SPIREA_SOURCE_DIR "/runtime/include";
  options.math_library = SPIREA_MATH_LIBRARY;
  return spirea::frontend::compile(options);
}

/// Compiles text, behind `#include <spirea/kernel.hpp>` on its first line.
inline spirea::frontend::Output compile(const std::string& text, std::vector<std::string> flags = {}) {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  std::string name = std::string(test->test_suite_name()) + "." + test->name();
  for (char& c : name)
    if (c == '/') c = '_';
  const std::string path = ::testing::TempDir() + name + ".cpp";
  std::ofstream(path) << "#include <spirea/kernel.hpp>\n" << text;
  return compile_file(path, std::move(flags));
}

}  // namespace frontend_test
