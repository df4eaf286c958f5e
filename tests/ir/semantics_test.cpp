// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes keep a kernel's meaning: random kernels leave the same memory on the interpreter before and after.
// The interpreter also says that the kernels compute nothing undefined, and that no pass makes them do so.
#include <cstring>

#include "ir/core/clone.h"
#include "ir/interp/interp.h"
#include "ir/pass/runner.h"
#include "tests/ir/random_kernel.h"
#include "tests/ir/support.h"

namespace spirea::kir::test {
namespace {

constexpr std::uint32_t kInvocations = 4;

struct Arguments {
  std::int32_t n;
  float x;
};

/// The buffer after a launch; empty, and a test failure, if that reports something.
std::vector<std::int32_t> result_of(const Module& module, Arguments arguments) {
  std::vector<std::int32_t> data(kInvocations * kRandomSlots);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::int32_t>(i * 2654435761u);
  const std::uint64_t bytes = data.size() * sizeof data[0];

  interp::Memory memory;
  auto address = memory.allocate(bytes, 16);
  if (!address || !memory.write(*address, data.data(), bytes)) return {};
  struct {
    std::uint64_t address, count;
    Arguments arguments;
  } block{*address, data.size(), arguments};
  const interp::Grid grid{{kInvocations / 2, 1, 1}, {2, 1, 1}};
  const auto launched = interp::launch(memory, module, "k", std::as_bytes(std::span(&block, 1)), grid);
  EXPECT_TRUE(launched) << to_string(launched.diagnostics()) << print(module);
  if (!launched || !memory.read(*address, data.data(), bytes)) return {};
  return data;
}

constexpr Arguments kArguments[] = {{0, 0.0f}, {-7, 2.5f}, {0x40000001, -1e10f}};
constexpr const char* kPipelines[] = {"canonicalize", "cse", "dce", "optimize"};

TEST(Semantics, PassesKeepTheMeaningOfRandomKernels) {
  std::size_t before = 0, after = 0;
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    const auto module = random_kernel(seed);
    const auto valid = verify(*module);
    ASSERT_TRUE(valid) << seed << "\n" << to_string(valid.diagnostics());
    before += print(*module).size();
    std::vector<std::vector<std::int32_t>> expected;
    for (const Arguments& arguments : kArguments) expected.push_back(result_of(*module, arguments));
    for (const char* passes : kPipelines) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", " + passes);
      auto changed = clone(*module);
      const auto report = run(*changed, *parse_pipeline(passes, ir_registry()));
      ASSERT_TRUE(report) << to_string(report.diagnostics());
      for (std::size_t i = 0; i < std::size(kArguments); ++i)
        ASSERT_EQ(result_of(*changed, kArguments[i]), expected[i]) << print(*module) << print(*changed);
      if (std::string_view(passes) == "optimize") after += print(*changed).size();
    }
  }
  EXPECT_LT(after, before) << "the passes must have something to do";
}

TEST(Semantics, RandomKernelsDiffer) {
  const auto a = random_kernel(1), b = random_kernel(2);
  EXPECT_NE(print(*a), print(*b));
  EXPECT_EQ(print(*a), print(*random_kernel(1)));
  EXPECT_NE(result_of(*a, kArguments[0]), result_of(*a, kArguments[1])) << "arguments must matter";
}

TEST(Semantics, OptimizeReachesAFixedPoint) {
  const auto passes = *parse_pipeline("optimize,optimize,optimize", ir_registry());
  unsigned still_changing = 0;
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    auto module = random_kernel(seed);
    const auto report = run(*module, passes);
    ASSERT_TRUE(report) << seed << "\n" << to_string(report.diagnostics());
    still_changing += report->runs.back().changed || report->runs[report->runs.size() - 2].changed;
  }
  EXPECT_LE(still_changing, 5u);
}

}  // namespace
}  // namespace spirea::kir::test
