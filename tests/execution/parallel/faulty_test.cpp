// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the kernels of faulty.cpp, and compares what the interpreter says with the lines that are marked
// there.
#include "tests/execution/parallel/faulty.h"

#include <cstdlib>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

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

using testing::AllOf;
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
  const auto [message, number, other, relation] = kernel.expected;
  const std::string who = std::string(relation).ends_with("by")
                              ? std::string(relation) + " " + invocation(other)
                              : invocation(other) + " " + relation;
  // First the error with its calls, then the note of the other place, with its calls.
  const std::size_t note =
      marks.other == 0 && other < 0 ? text.size() : text.find(other < 0 ? "the value is" : who);
  ASSERT_NE(note, std::string::npos) << "no '" << who << "' in " << text;
  const std::size_t split = text.rfind('\n', note);
  EXPECT_THAT(text.substr(0, split), AllOf(HasSubstr(message), HasSubstr(at(marks.fault))));
  EXPECT_THAT(text.substr(split), HasSubstr("in " + invocation(number) + " of kernel"));
  if (marks.other != 0) {
    EXPECT_THAT(text.substr(split), HasSubstr(at(marks.other)));
  }
}

TEST_P(Faulty, runs_clean_when_repaired) { EXPECT_EQ(GetParam().run(true), ""); }

INSTANTIATE_TEST_SUITE_P(Kernels, Faulty, testing::ValuesIn(kernels()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace faulty
