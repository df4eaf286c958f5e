// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Time of parser, verifier, printer and passes: near linear in the number of ops and in the depth of nesting.
// Ratios of two sizes in one run, so that the machine's speed does not matter, and sizes far apart: linear
// time on a busy machine, whose caches the larger kernel does not find to itself, is far below the bound,
// quadratic time far above.
#include <ctime>

#include "ir/pass/runner.h"
#include "tests/ir/support.h"

namespace spirea::kir::test {
namespace {

/// `ops` ops in one region, each using earlier ones.
std::string flat_kernel(unsigned ops) {
  std::string body = "  %0 = add %n, %n : i32\n";
  for (unsigned i = 1; i < ops; ++i)
    body += i % 8 == 0 ? "  store %p, %" + std::to_string(i - 1) + " align 4\n  %" + std::to_string(i) +
                             " = add %n, %n : i32\n"
                       : "  %" + std::to_string(i) + " = mul %" + std::to_string(i - 1) + ", %" +
                             std::to_string(i / 2) + " : i32\n";
  return kernel_text(body + "  return");
}

/// Loops in ifs in loops, `levels` deep, each breaking to the outermost, with ops at each level.
std::string nested_kernel(unsigned levels) {
  std::string body, end;
  for (unsigned i = 0; i < levels; ++i) {
    const std::string l = std::to_string(i);
    body += "loop @l" + l + " (%i" + l + " = %n : i32) {\n%a" + l + " = add %i" + l + ", %n : i32\n%c" + l +
            " = slt %a" + l + ", %n : i1\nif %c" + l + " @j" + l + " {\n";
    end = "break @j" + l + "\n} else {\nstore %p, %a" + l + " align 4\nbreak @l0\n}\ncontinue @l" + l +
          "(%a" + l + ")\n}\n" + end;
  }
  return kernel_text(body + end + "return");
}

/// Processor time of everything that spirea-opt does.
double seconds(const std::string& text) {
  const std::clock_t start = std::clock();
  auto module = parse_or_fail(text);
  if (module == nullptr) return 0;
  EXPECT_TRUE(verify(*module));
  const auto report = run(*module, *parse_pipeline("optimize", ir_registry()));
  EXPECT_TRUE(report) << to_string(report.diagnostics());
  EXPECT_FALSE(print(*module).empty());
  module.reset();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

struct Times {
  double small = 1e9, large = 1e9;
};

/// The least times of both kernels, measured in turns. What else the machine does disturbs single ones, so it
/// is repeated, up to ten times, while their ratio is above `bound`: quadratic time stays there.
Times least_times(const std::string& small, const std::string& large, double bound) {
  Times least;
  for (int turn = 0; turn < 10 && (turn < 2 || least.large > bound * least.small); ++turn) {
    least.small = std::min(least.small, seconds(small));
    least.large = std::min(least.large, seconds(large));
  }
  return least;
}

constexpr unsigned kFactor = 32;          // between the sizes
constexpr double kBound = kFactor * 12.;  // quadratic time: kFactor * 32

TEST(Scale, LinearInTheNumberOfOps) {
  const Times times = least_times(flat_kernel(1'250), flat_kernel(1'250 * kFactor), kBound);
  RecordProperty("ms_for_40000_ops", std::to_string(times.large * 1e3));
  EXPECT_LT(times.large / times.small, kBound) << times.small << " s, " << times.large << " s";
}

TEST(Scale, NearLinearInTheDepthOfNesting) {
  const Times times = least_times(nested_kernel(8), nested_kernel(8 * kFactor), kBound);
  RecordProperty("ms_for_256_levels", std::to_string(times.large * 1e3));
  EXPECT_LT(times.large / times.small, kBound) << times.small << " s, " << times.large << " s";
}

}  // namespace
}  // namespace spirea::kir::test
