// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Malformed text: any input gives a module or an error. Each .kir file of tests/ir is changed 2,000 times;
// what still parses and verifies goes through every pass, with verification after each.
#include <random>
#include <sstream>

#include "ir/pass/runner.h"
#include "tests/ir/support.h"

namespace spirea::kir::test {
namespace {

std::vector<std::string> tokens(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream stream(text);
  for (std::string token; stream >> token;) result.push_back(token);
  return result;
}

class Mutator {
 public:
  Mutator(const std::string& text, std::uint32_t seed) : text_(text), tokens_(tokens(text)), random_(seed) {}

  std::string next() {
    switch (random_() % 5) {
      case 0: return flip_bytes();
      case 1: return text_.substr(0, below(text_.size()));
      case 2: return remove_line();
      default: return swap_tokens();
    }
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }

  std::string flip_bytes() {
    std::string text = text_;
    for (std::size_t k = below(4) + 1; k > 0; --k)
      text[below(text.size())] =
          static_cast<char>(1u << below(8) ^ static_cast<unsigned char>(text[below(text.size())]));
    return text;
  }

  std::string remove_line() {
    const std::size_t begin = text_.rfind('\n', below(text_.size()));
    if (begin == std::string::npos) return text_;
    const std::size_t end = text_.find('\n', begin + 1);
    return text_.substr(0, begin) + (end == std::string::npos ? "" : text_.substr(end));
  }

  /// Replaces one token by another of the file: types, names, numbers, mnemonics.
  std::string swap_tokens() {
    std::string text = text_;
    for (std::size_t k = below(2) + 1; k > 0; --k) {
      const std::string& from = tokens_[below(tokens_.size())];
      const std::size_t at = text.find(from, below(text.size()));
      if (at != std::string::npos) text.replace(at, from.size(), tokens_[below(tokens_.size())]);
    }
    return text;
  }

  const std::string& text_;
  std::vector<std::string> tokens_;
  std::mt19937 random_;
};

struct Counts {
  unsigned refused = 0;
  unsigned invalid = 0;
  unsigned passed = 0;
};

void try_text(const std::string& text, const Pipeline& passes, Counts& counts) {
  auto module = parse(text, "mutated.kir");
  if (!module) {
    ++counts.refused;
    EXPECT_FALSE(module.diagnostics().empty());
    return;
  }
  const std::string printed = print(**module);
  if (!verify(**module)) {
    ++counts.invalid;
    return;
  }
  auto again = parse(printed, "printed.kir");
  ASSERT_TRUE(again) << to_string(again.diagnostics()) << text;
  EXPECT_EQ(print(**again), printed);
  const auto report = run(**module, passes);
  EXPECT_TRUE(report) << to_string(report.diagnostics()) << text;
  ++counts.passed;
}

TEST(Mutation, AnyTextGivesAModuleOrAnError) {
  auto passes = parse_pipeline("cse,dce,canonicalize,optimize", ir_registry());
  ASSERT_TRUE(passes);
  Counts counts;
  std::uint32_t seed = 0;
  for (const auto& path : kir_files(std::filesystem::path(SPIREA_SOURCE_DIR) / "tests/ir")) {
    SCOPED_TRACE(path.string());
    const std::string text = read_file(path);
    Mutator mutator(text, ++seed);
    for (int i = 0; i < 2000; ++i) {
      try_text(mutator.next(), *passes, counts);
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(counts.refused, 1000u);
  EXPECT_GT(counts.invalid, 100u);
  EXPECT_GT(counts.passed, 1000u);
}

TEST(Mutation, RandomBytes) {
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i) {
    std::string text = "kir 1\n";
    for (unsigned n = random() % 200; n > 0; --n) text += static_cast<char>(random());
    EXPECT_TRUE(parse(text, "random.kir") || !parse_error(text).empty());
  }
}

}  // namespace
}  // namespace spirea::kir::test
