// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the kernels of faulty.cpp, and compares what the interpreter says with the lines that are marked there.
#include <cstdlib>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

#include "tests/execution/parallel/faulty.h"

namespace faulty {

spirea::device& interpreter() {
  static spirea::device& device = *[] {
    ::setenv("SPIREA_INTERP_SUBGROUP", std::to_string(kSubgroup).c_str(), 1);
    auto* opened = new spirea::device("interp");  // lives until the process ends
    ::unsetenv("SPIREA_INTERP_SUBGROUP");
    return opened;
  }();
  return device;
}

namespace {

using testing::HasSubstr;

/// The lines of a kernel that are marked, 0 for none: comments `// fault`, `// other` and `// fault other`.
struct Marks {
  int fault = 0, other = 0;
};

Marks marks_of(const std::string& kernel) {
  std::ifstream source(FAULTY_SOURCE);
  Marks marks;
  bool inside = false;
  int number = 0;
  for (std::string line; std::getline(source, line);) {
    ++number;
    if (line.starts_with('}')) inside = false;
    if (line.find(" " + kernel + "(") != std::string::npos) inside = true;
    const auto comment = line.find("  // ");
    if (!inside || comment == std::string::npos) continue;
    std::istringstream words(line.substr(comment + 5));
    for (std::string word; words >> word;) {
      if (word == "fault") marks.fault = number;
      if (word == "other") marks.other = number;
    }
  }
  return marks;
}

std::string at(int line) { return "faulty.cpp:" + std::to_string(line) + ":"; }
std::string invocation(int i) { return "invocation (" + std::to_string(i) + ", 0, 0)"; }

class Faulty : public testing::TestWithParam<Kernel> {};

TEST_P(Faulty, is_reported_at_its_line_with_its_invocations) {
  const Kernel& kernel = GetParam();
  const Marks marks = marks_of(kernel.name);
  ASSERT_NE(marks.fault, 0);
  const std::string text = kernel.run(false);
  // The error is the first to have a line; the notes follow it.
  const std::string error = text.substr(0, text.find("note: "));
  EXPECT_THAT(error, HasSubstr(kernel.expected.message)) << text;
  EXPECT_THAT(error, HasSubstr(at(marks.fault))) << text;
  EXPECT_THAT(text, HasSubstr("in " + invocation(kernel.expected.invocation) + " of kernel"));
  if (kernel.expected.other < 0) return;
  const std::string relation = kernel.expected.relation, other = invocation(kernel.expected.other);
  EXPECT_THAT(text, HasSubstr(relation.ends_with("by") ? relation + " " + other : other + " " + relation));
  if (marks.other != 0) {
    EXPECT_THAT(text.substr(error.size()), HasSubstr(at(marks.other))) << text;
  }
}

TEST_P(Faulty, runs_clean_when_repaired) { EXPECT_EQ(GetParam().run(true), ""); }

INSTANTIATE_TEST_SUITE_P(Kernels, Faulty, testing::ValuesIn(kernels()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace faulty
