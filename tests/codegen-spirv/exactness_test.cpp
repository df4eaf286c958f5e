// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the runtime measures of a device's rounding: the kernel is valid, and each kind of arithmetic that is
// not exact shows in its rows.
#include "runtime/vulkan/exactness.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <spirv-tools/libspirv.hpp>

#include "codegen-spirv/spirv.h"
#include "ir/text/parser.h"
#include "runtime/vulkan/device.h"
#include "tests/codegen-spirv/parallel.h"

namespace spirea::spirv::test {
namespace {

using vulkan::kExactnessColumns;

TEST(Exactness, KernelsAreValid) {
  for (const unsigned width : {32u, 64u}) {
    spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_2);
    std::string messages;
    tools.SetMessageConsumer(
        [&](spv_message_level_t, const char*, const spv_position_t&, const char* text) { messages += text; });
    EXPECT_TRUE(tools.Validate(vulkan::exactness_module(width))) << width << ": " << messages;
  }
}

/// The rows with the results of a device.
template <class T, class Fused, class Quotient, class Root>
vulkan::ExactResults results(Fused fused, Quotient quotient, Root root) {
  std::vector<T> rows = vulkan::exactness_rows<T>();
  EXPECT_EQ(rows.size() % (kExactnessColumns * vulkan::kExactnessWorkgroup), 0u);
  for (std::size_t i = 0; i < rows.size(); i += kExactnessColumns) {
    rows[i + 3] = fused(rows[i], rows[i + 1], rows[i + 2]);
    rows[i + 4] = quotient(rows[i], rows[i + 1]);
    rows[i + 5] = root(rows[i]);
  }
  return vulkan::compare_exactness(rows);
}

template <class T>
T flushed(T x) {
  return std::abs(x) < std::numeric_limits<T>::min() ? std::copysign(T(0), x) : x;
}

template <class T>
void test_results() {
  const auto fused = [](T x, T y, T z) { return std::fma(x, y, z); };
  const auto quotient = [](T x, T y) { return x / y; };
  const auto root = [](T x) { return std::sqrt(x); };
  const auto exact = results<T>(fused, quotient, root);
  EXPECT_TRUE(exact.fused && exact.quotients && exact.roots);

  const auto twice = results<T>([](T x, T y, T z) { return x * y + z; }, quotient, root);
  EXPECT_TRUE(!twice.fused && twice.quotients && twice.roots);
  const auto by_reciprocal = results<T>(
      fused, [](T x, T y) { return x * (1 / y); }, root);
  EXPECT_TRUE(by_reciprocal.fused && !by_reciprocal.quotients && by_reciprocal.roots);
  const auto by_powers = results<T>(fused, quotient, [](T x) { return x == 0 ? x : x * (1 / std::sqrt(x)); });
  EXPECT_TRUE(by_powers.fused && by_powers.quotients && !by_powers.roots);

  // On a device that flushes subnormal numbers everywhere, fused products are as exact as sums.
  const auto flushes = results<T>(
      [&](T x, T y, T z) { return flushed(fused(flushed(x), flushed(y), flushed(z))); },
      [&](T x, T y) { return flushed(flushed(x) / flushed(y)); }, [&](T x) { return root(flushed(x)); });
  EXPECT_TRUE(flushes.fused && !flushes.quotients && !flushes.roots);
}

TEST(Exactness, RowsShowWhatIsNotExact) {
  test_results<float>();
  test_results<double>();
}

/// A quotient that has 2^-10 of a last place more than the exact one is rounded wrongly in a row, as is a
/// root.
TEST(Exactness, RowsAreNearTheMiddles) {
  const auto fused = [](float x, float y, float z) { return std::fma(x, y, z); };
  const auto above = results<float>(
      fused, [](float x, float y) { return static_cast<float>(double(x) / double(y) * (1 + 0x1p-34)); },
      [](float x) { return static_cast<float>(std::sqrt(double(x)) * (1 + 0x1p-32)); });
  EXPECT_FALSE(above.quotients);
  EXPECT_FALSE(above.roots);
}

/// Mesa's CPU driver has the processor's quotients and roots.
TEST(Exactness, OfTheDevice) {
  for (const detail::Candidate& candidate : vulkan::enumerate()) {
    if (!candidate.open || candidate.info.name.find("llvmpipe") == std::string::npos) continue;
    const auto device = candidate.open();
    auto* opened = dynamic_cast<vulkan::VulkanDevice*>(device.get());
    ASSERT_NE(opened, nullptr);
    const vulkan::Exactness& exact = opened->exactness();
    EXPECT_TRUE(exact.divide_f32 && exact.divide_f64);
    EXPECT_TRUE(exact.sqrt_f32 && exact.sqrt_f64);
  }
}

TEST(Exactness, AsksWhereAKernelHasTheConstants) {
  const std::string ops =
      "  %a = load %in align 4 : f32\n  %b = fdiv %a, %a : f32\n  store %out, %b align 4\n";
  const auto module = kir::parse(ParallelKernel{.ops = ops, .manifest = ""}.text(), "k.kir");
  ASSERT_TRUE(module) << to_string(module.diagnostics());
  for (const bool strict : {false, true}) {
    Options options;
    options.rounds_correctly = strict;
    const auto words = generate(**module, *(*module)->kernels[0], options);
    ASSERT_TRUE(words) << to_string(words.diagnostics());
    EXPECT_EQ(vulkan::asks_for_exactness(*words), strict);
  }
}

}  // namespace
}  // namespace spirea::spirv::test
