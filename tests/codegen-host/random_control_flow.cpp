// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random kernels, with structured control flow that is left over several levels, do on the host what they do
// on the interpreter.
#include <gtest/gtest.h>

#include "ir/text/printer.h"
#include "tests/codegen-host/differential.h"
#include "tests/ir/random_kernel.h"

namespace codegen_host {
namespace {

namespace kir = spirea::kir;
using kir::test::kRandomSlots;

constexpr std::uint32_t kKernels = 400;
constexpr std::uint32_t kInvocations = 4;

struct Values {
  std::int32_t n;
  float x;
};
constexpr Values kValues[] = {{0, 0.0f}, {-7, 2.5f}, {0x40000001, -1e10f}};

std::vector<std::uint8_t> initial_contents() {
  std::vector<std::uint8_t> bytes(std::size_t{4} * kRandomSlots * kInvocations);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 2654435761u >> 13);
  return bytes;
}

class RandomKernels : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Optimize, RandomKernels, ::testing::Values(0u, 2u));

TEST_P(RandomKernels, AgreeWithTheInterpreter) {
  spirea::host::Options options;
  options.optimize = GetParam();
  const std::vector<std::vector<std::uint8_t>> buffers{initial_contents()};
  for (std::uint32_t seed = 0; seed < kKernels; ++seed) {
    const Program program(kir::test::random_kernel(seed), options);
    for (const Values& values : kValues) {
      const Arguments extra = Arguments().value(values.n).value(values.x);
      const auto expected = run_on_interpreter(program.module(), 0, buffers, kInvocations, extra);
      const auto got = run_on_host(program, 0, buffers, kInvocations, extra);
      ASSERT_EQ(got[0].bytes, expected[0].bytes) << "seed " << seed << "\n" << kir::print(program.module());
    }
  }
}

}  // namespace
}  // namespace codegen_host
