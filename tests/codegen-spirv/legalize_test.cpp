// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Legalization keeps the meaning: random kernels compute the same on the interpreter before and after. And
// every module passes spirv-val, with and without spirv-opt.
#include <cstdlib>
#include <gtest/gtest.h>

#include "codegen-spirv/legalize/passes.h"
#include "codegen-spirv/spirv.h"
#include "ir/interp/interp.h"
#include "ir/pass/runner.h"
#include "ir/text/parser.h"
#include "ir/text/printer.h"
#include "tests/ir/random_kernel.h"

namespace spirea::spirv::test {
namespace {

using kir::test::kRandomSlots;

struct Block {
  std::uint64_t address, count;
  std::int32_t n;
  float x;
};

std::vector<std::int32_t> result_of(const kir::Module& module, std::int32_t n, float x) {
  std::vector<std::int32_t> data(2 * kRandomSlots);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::int32_t>(i * 2654435761u);
  const std::uint64_t bytes = data.size() * 4;
  interp::Memory memory;
  const auto address = memory.allocate(bytes, 16);
  if (!address || !memory.write(*address, data.data(), bytes)) return {};
  const Block block{*address, data.size(), n, x};
  const auto done =
      interp::launch(memory, module, "k", std::as_bytes(std::span(&block, 1)), {{1, 1, 1}, {2, 1, 1}});
  EXPECT_TRUE(done) << to_string(done.diagnostics());
  if (!done || !memory.read(*address, data.data(), bytes)) return {};
  return data;
}

TEST(Legalize, KeepsTheMeaningOfRandomKernels) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto module = kir::test::random_kernel(seed);
    const auto text = legalized_text(*module, *module->kernels[0], {});
    ASSERT_TRUE(text) << to_string(text.diagnostics());
    auto legal = kir::parse(*text, "legal.kir");
    ASSERT_TRUE(legal) << to_string(legal.diagnostics());
    for (const auto& [n, x] : {std::pair{0, 0.0f}, std::pair{-7, 2.5f}})
      ASSERT_EQ(result_of(**legal, n, x), result_of(*module, n, x)) << print(*module) << *text;
  }
}

/// `%r = OP` on f16 for numbers from `from` on, before or after legalization for devices with 16-bit floats.
std::vector<std::uint16_t> half_results(const std::string& op, bool legalized) {
  const std::string text = R"KIR(kir 1

kernel @k key "k" display "k()" file "k.cpp" line 1 {
  param buffer "p" type "half*" size 8 align 8 element "half" 2 2 access readwrite leaves (%p: ptr at 0 from 0)
body {
  %id = global_id x : i32
  %at = offset %p, %id scale 2 disp 0 : ptr<global>
  %x = load %at align 2 : f16
  %y = const 0x4200 : f16
  %r = )KIR" + op +
                           R"KIR( : f16
  store %at, %r align 2
  return
}
}
)KIR";
  auto module = kir::parse(text, "k.kir");
  EXPECT_TRUE(module) << to_string(module.diagnostics());
  Options options;
  options.native_half = true;
  const auto words = generate(**module, *(*module)->kernels[0], options);
  EXPECT_TRUE(words) << to_string(words.diagnostics());
  const auto legal = legalized_text(**module, *(*module)->kernels[0], options);
  EXPECT_TRUE(legal) << to_string(legal.diagnostics());
  if (legalized && legal) module = kir::parse(*legal, "legal.kir");
  EXPECT_TRUE(module) << to_string(module.diagnostics());
  // 0.5, 1.5, 2.5, 3.5, 0.25, 2, 0.0009766, 7.5, all exact
  std::vector<std::uint16_t> data = {0x3800, 0x3e00, 0x4100, 0x4300, 0x3400, 0x4000, 0x1400, 0x4780};
  interp::Memory memory;
  const auto address = memory.allocate(data.size() * 2, 16);
  if (!address || !memory.write(*address, data.data(), data.size() * 2)) return {};
  const auto done = interp::launch(memory, **module, "k", std::as_bytes(std::span(&*address, 1)),
                                   {{static_cast<std::uint32_t>(data.size()), 1, 1}, {1, 1, 1}});
  EXPECT_TRUE(done) << to_string(done.diagnostics());
  EXPECT_TRUE(memory.read(*address, data.data(), data.size() * 2));
  return data;
}

/// What SPIR-V has no instruction for is composed in f32, and rounded once: the last place may differ.
TEST(Legalize, ComposesFunctionsOfNativeHalf) {
  for (const std::string op :
       {"round %x", "exp10 %x", "expm1 %x", "log10 %x", "log1p %x", "cbrt %x", "hypot %x, %y"}) {
    const auto want = half_results(op, false), got = half_results(op, true);
    ASSERT_EQ(got.size(), want.size()) << op;
    for (std::size_t i = 0; i < got.size(); ++i)
      EXPECT_LE(std::abs(int{got[i]} - int{want[i]}), op == "round %x" ? 0 : 1) << op << " of element " << i;
  }
}

kir::PassRegistry registry() {
  kir::PassRegistry result = kir::ir_registry();
  result.add(passes(), pipelines());
  return result;
}

TEST(Legalize, PipelinesAreInOrder) {
  for (const bool native_half : {false, true})
    for (const bool native_add : {false, true}) {
      const std::string_view name = pipeline_name(native_half, native_add);
      const auto pipeline = kir::parse_pipeline(name, registry());
      ASSERT_TRUE(pipeline) << name;
      EXPECT_TRUE(kir::check_order(*pipeline)) << name;
      const std::size_t left_out = native_half ? 2 : 1;  // of the two for atomics one
      EXPECT_EQ(pipeline->size() + left_out, passes().size()) << "every other pass is in " << name;
    }
}

/// The runner verifies after each pass, and that a pass says so when it changes something.
TEST(Legalize, PassesAreHonest) {
  const auto pipeline = kir::parse_pipeline("spirv-legalize,spirv-legalize", registry());
  ASSERT_TRUE(pipeline);
  for (std::uint32_t seed = 2000; seed < 2100; ++seed) {
    const auto module = kir::test::random_kernel(seed);
    const auto report = kir::run(*module, *pipeline);
    ASSERT_TRUE(report) << seed << to_string(report.diagnostics());
    // Selectors of exits that turn out to be known are simplified by a second run of the first pass alone.
    for (std::size_t i = pipeline->size() / 2 + 1; i < report->runs.size(); ++i)
      EXPECT_FALSE(report->runs[i].changed) << report->runs[i].pass->name << " again, seed " << seed;
  }
}

TEST(Legalize, RandomKernelsAreValidSpirv) {
  for (std::uint32_t seed = 1000; seed < 1100; ++seed)
    for (const bool optimize : {false, true}) {
      const auto module = kir::test::random_kernel(seed);
      Options options;
      options.optimize = optimize;
      const auto words = generate(*module, *module->kernels[0], options);
      ASSERT_TRUE(words) << seed << to_string(words.diagnostics());
      const auto again = generate(*module, *module->kernels[0], options);
      ASSERT_TRUE(again && *again == *words) << "the same input must give the same words";
    }
}

}  // namespace
}  // namespace spirea::spirv::test
