// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random kernels through every pass: the module stays valid and keeps its text form; tests/interp and the
// execution tests say that it keeps its meaning.
#include "ir/core/clone.h"
#include "ir/pass/runner.h"
#include "tests/ir/random_kernel.h"
#include "tests/ir/support.h"

namespace spirea::kir::test {
namespace {

TEST(RandomKernels, StayValidUnderEveryPass) {
  auto passes = parse_pipeline("cse,dce,optimize,optimize", ir_registry());
  ASSERT_TRUE(passes);
  std::size_t before = 0, after = 0;
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    auto module = random_kernel(seed);
    const auto valid = verify(*module);
    ASSERT_TRUE(valid) << seed << "\n" << to_string(valid.diagnostics());
    const std::string text = print(*module);
    before += text.size();
    auto again = parse_or_fail(text);
    ASSERT_NE(again, nullptr) << seed;
    ASSERT_EQ(print(*again), text) << seed;
    const auto report = run(*again, *passes);
    ASSERT_TRUE(report) << seed << "\n" << to_string(report.diagnostics());
    after += print(*again).size();
  }
  EXPECT_LT(after, before) << "the passes must have something to do";
}

TEST(RandomKernels, OptimizeReachesAFixedPoint) {
  auto passes = parse_pipeline("optimize,optimize,optimize", ir_registry());
  ASSERT_TRUE(passes);
  unsigned still_changing = 0;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    auto module = random_kernel(seed);
    const auto report = run(*module, *passes);
    ASSERT_TRUE(report) << seed << "\n" << to_string(report.diagnostics());
    still_changing += report->runs.back().changed || report->runs[report->runs.size() - 2].changed;
  }
  EXPECT_LT(still_changing, 10u);
}

}  // namespace
}  // namespace spirea::kir::test
