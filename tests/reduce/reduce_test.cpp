// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edits of every kind on random kernels: whatever the test answers, what is tested is valid and gets smaller,
// and the text form can say it.
#include "compiler/reduce/reduce.h"

#include <gtest/gtest.h>
#include <set>

#include "compiler/reduce/edits.h"
#include "ir/text/parser.h"
#include "ir/text/printer.h"
#include "ir/verify/verify.h"
#include "tests/ir/random_kernel.h"

namespace spirea::reduce {
namespace {

using kir::Module;

TEST(Reduce, everything_goes_if_everything_is_interesting) {
  for (std::uint32_t seed = 1; seed <= 12; ++seed) {
    Options options;
    options.interesting = [](const Module&) -> kir::Result<bool> { return true; };
    auto reduced = reduce(kir::test::random_kernel(seed), options);
    ASSERT_TRUE(static_cast<bool>(reduced));
    EXPECT_EQ(count_ops(**reduced), 1u) << kir::print(**reduced);
    EXPECT_TRUE((*reduced)->kernels[0]->manifest.params.empty());
  }
}

TEST(Reduce, candidates_are_valid_and_smaller_whatever_the_answers) {
  unsigned tests = 0;
  for (std::uint32_t seed = 1; seed <= 16; ++seed) {
    std::string best;
    std::uint64_t best_cost = ~std::uint64_t{0};
    std::set<std::string> tried;
    Options options;
    options.max_tests = 150;
    options.interesting = [&](const Module& module) -> kir::Result<bool> {
      ++tests;
      const std::string text = kir::print(module);
      EXPECT_TRUE(static_cast<bool>(kir::verify(module))) << text;
      EXPECT_LT(cost(module), best_cost);
      EXPECT_TRUE(tried.insert(text).second) << "tried twice:\n" << text;
      auto parsed = kir::parse(text, "candidate.kir");
      EXPECT_TRUE(static_cast<bool>(parsed)) << text;
      if (!parsed) return false;
      EXPECT_EQ(kir::print(**parsed), text);
      // One in eight, by a hash that the seed salts; the input always.
      const bool answer = best.empty() || std::hash<std::string>()(text + std::to_string(seed)) % 8 == 0;
      if (answer) {
        best = text;
        best_cost = cost(module);
      }
      return answer;
    };
    auto reduced = reduce(kir::test::random_kernel(seed), options);
    ASSERT_TRUE(static_cast<bool>(reduced));
    EXPECT_EQ(kir::print(**reduced), best);
  }
  EXPECT_GT(tests, 1000u);
}

// Each edit alone: a strategy that offers many must not depend on others being made with it.
TEST(Reduce, single_edits_keep_modules_valid) {
  std::set<std::string_view> seen;
  for (std::uint32_t seed = 1; seed <= 6; ++seed) {
    for (const Strategy& strategy : strategies()) {
      const std::size_t offered = strategy.collect(*kir::test::random_kernel(seed)).size();
      for (std::size_t i = 0; i < offered; i += 1 + offered / 8) {
        auto module = kir::test::random_kernel(seed);
        strategy.collect(*module)[i]();
        const auto valid = kir::verify(*module);
        if (valid) seen.insert(strategy.name);
      }
    }
  }
  for (const std::string_view name :
       {"end regions early", "keep the first region", "unwrap blocks", "remove ops", "use the first operand",
        "operands to zero", "drop loop arguments", "drop results", "drop the first case", "remove parameters",
        "remove leaves"})
    EXPECT_TRUE(seen.contains(name)) << name;
}

TEST(Reduce, the_input_must_be_interesting) {
  Options options;
  options.interesting = [](const Module&) -> kir::Result<bool> { return false; };
  auto reduced = reduce(kir::test::random_kernel(1), options);
  ASSERT_FALSE(static_cast<bool>(reduced));
  EXPECT_NE(reduced.diagnostics()[0].message.find("does not accept the input"), std::string::npos);
}

TEST(Reduce, an_error_of_the_test_ends_the_search) {
  unsigned tests = 0;
  Options options;
  options.interesting = [&](const Module&) -> kir::Result<bool> {
    if (++tests < 4) return true;
    return kir::Diagnostic::error("cannot start a process");
  };
  auto reduced = reduce(kir::test::random_kernel(1), options);
  ASSERT_FALSE(static_cast<bool>(reduced));
  EXPECT_EQ(reduced.diagnostics()[0].message, "cannot start a process");
  EXPECT_EQ(tests, 4u);
}

}  // namespace
}  // namespace spirea::reduce
