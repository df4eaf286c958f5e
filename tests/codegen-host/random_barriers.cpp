// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers anywhere in random kernels. Their invocations have nothing to say to each other, so that they must
// compute what they do without barriers: in every control flow, with values of all types and local objects
// that live across, and also where only some invocations come to a barrier, or to another one.
#include <gtest/gtest.h>
#include <random>

#include "ir/text/printer.h"
#include "ir/verify/verify.h"
#include "tests/codegen-host/differential.h"
#include "tests/ir/random_kernel.h"

namespace codegen_host {
namespace {

namespace kir = spirea::kir;

constexpr std::uint32_t kKernels = 6;
constexpr std::uint32_t kWorkgroup = 6;
constexpr std::uint32_t kGroups = 2;

std::vector<std::uint8_t> initial_contents(std::uint32_t invocations) {
  std::vector<std::uint8_t> bytes(std::size_t{4} * kir::test::kRandomSlots * invocations);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 2654435761u >> 13);
  return bytes;
}

/// Before one op in `distance`, on average.
void insert_barriers(kir::Kernel& kernel, std::uint32_t seed, std::uint32_t distance) {
  std::mt19937 random(seed);
  std::vector<kir::Op*> ops;
  kir::walk(kernel.body, [&](kir::Op& op) { ops.push_back(&op); });
  for (kir::Op* op : ops)
    if (random() % distance == 0)
      op->parent()->insert(op, kir::Op::create(kir::Opcode::Barrier, {}, {}, kir::SyncAttr{}));
}

class RandomBarriers : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Optimize, RandomBarriers, ::testing::Values(0u, 2u));

TEST_P(RandomBarriers, ChangeNothing) {
  spirea::host::Options options;
  options.optimize = GetParam();
  const std::vector<std::vector<std::uint8_t>> buffers{initial_contents(kWorkgroup * kGroups)};
  const Shape shape({kGroups, 1, 1}, {kWorkgroup, 1, 1});
  const Arguments values = Arguments().value(std::int32_t{-7}).value(2.5f);
  for (std::uint32_t seed = 0; seed < kKernels; ++seed) {
    const auto expected = run_on_interpreter(*kir::test::random_kernel(seed), 0, buffers, shape, values);
    auto module = kir::test::random_kernel(seed);
    insert_barriers(*module->kernels[0], seed, 12 + seed % 20);
    const auto valid = kir::verify(*module);
    ASSERT_TRUE(valid) << kir::to_string(valid.diagnostics());
    const Program program(std::move(module), options);
    const auto got = run_on_host(program, 0, buffers, shape, values);
    ASSERT_EQ(got[0].bytes, expected[0].bytes) << "seed " << seed << "\n" << kir::print(program.module());
  }
}

}  // namespace
}  // namespace codegen_host
