// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/interp/support.h"

namespace spirea::interp::test {
namespace {

using testing::HasSubstr;

TEST(Launch, positions_of_a_three_dimensional_grid) {
  KernelText text;
  text.buffer("out");
  std::string ops = R"(
    %gx = global_id x : i32
    %gy = global_id y : i32
    %gz = global_id z : i32
    %sx = global_size x : i32
    %sy = global_size y : i32
    %zy = mul %gz, %sy : i32
    %zyy = add %zy, %gy : i32
    %row = mul %zyy, %sx : i32
    %at = add %row, %gx : i32
)";
  const std::vector<std::string> queries = {"global_id",      "local_id",       "workgroup_id",
                                            "num_workgroups", "workgroup_size", "global_size"};
  int field = 0;
  for (const std::string& query : queries)
    for (const char* dim : {"x", "y", "z"}) {
      const std::string n = std::to_string(field);
      ops += "  %q" + n + " = " + query + " " + dim + " : i32\n  %p" + n +
             " = offset %out, %at scale 72 disp " + std::to_string(4 * field) + " : ptr<global>\n  store %p" +
             n + ", %q" + n + " align 4\n";
      ++field;
    }
  Machine machine(text.with(ops));
  const Dims groups{2, 3, 2}, size{3, 2, 4};
  const std::size_t total = 2 * 3 * 2 * 3 * 2 * 4;
  const u64 out = machine.uninitialized<u32>(total * 18);
  ASSERT_EQ(machine.error(groups, size), "");
  const auto found = machine.read<u32>(out, total * 18);
  std::size_t at = 0;
  for (u32 z = 0; z < 8; ++z)
    for (u32 y = 0; y < 6; ++y)
      for (u32 x = 0; x < 6; ++x, at += 18) {
        const Dims global{x, y, z};
        for (int d = 0; d < 3; ++d) {
          ASSERT_EQ(found[at + d], global[d]);
          ASSERT_EQ(found[at + 3 + d], global[d] % size[d]);
          ASSERT_EQ(found[at + 6 + d], global[d] / size[d]);
          ASSERT_EQ(found[at + 9 + d], groups[d]);
          ASSERT_EQ(found[at + 12 + d], size[d]);
          ASSERT_EQ(found[at + 15 + d], groups[d] * size[d]);
        }
      }
}

TEST(Launch, empty_grid_runs_nothing) {
  KernelText text;
  Machine machine(text.with("  block @b {\n    trap\n  }"));
  EXPECT_EQ(machine.error({0, 1, 1}), "");
  EXPECT_EQ(machine.error({1, 1, 0}), "");
  EXPECT_NE(machine.error({1, 1, 1}), "");
}

TEST(Launch, grids_that_cannot_be) {
  KernelText text;
  Machine machine(text.with(""));
  EXPECT_EQ(machine.error({1, 1, 1}, {1, 0, 1}), "error: the workgroup size is zero\n");
  EXPECT_EQ(machine.error({1, 1u << 31, 1}, {1, 2, 1}),
            "error: the grid has more than 2^32 - 1 invocations in a dimension\n");
  Machine stated(KernelText().workgroup({8, 2, 1}).with(""));
  EXPECT_EQ(stated.error({1, 1, 1}, {8, 2, 1}), "");
  EXPECT_EQ(stated.error({1, 1, 1}, {16, 1, 1}),
            "error: the workgroup size is not the one that kernel 'k' states\n");
}

TEST(Launch, local_objects_have_a_limit) {
  std::string objects;
  for (int i = 0; i < 17; ++i)
    objects += "  %a" + std::to_string(i) + " = object size 67108864 align 4 : ptr<private>\n";
  EXPECT_EQ(Machine(KernelText().with(objects)).error(),
            "error: the local objects of kernel 'k' are larger than 1073741824 bytes\n");
}

TEST(Launch, argument_block_must_hold_the_arguments) {
  KernelText text;
  text.value("n", "i64");
  const auto module = parse_or_throw(text.with(""));
  Memory memory;
  const std::vector<std::byte> block(8);
  EXPECT_TRUE(bool(launch(memory, *module, "k", block, {})));
  const auto result = launch(memory, *module, "k", std::span(block).first(7), {});
  EXPECT_EQ(kir::to_string(result.diagnostics()),
            "error: argument block of kernel 'k' has 7 bytes, expected 8\n");
  EXPECT_EQ(kir::to_string(launch(memory, *module, "other", block, {}).diagnostics()),
            "error: the module has no kernel 'other'\n");
}

TEST(Launch, failed_launch_leaves_the_device_usable) {
  KernelText text;
  text.buffer("b", "read");
  Machine machine(text.with("  %v = load %b align 4 : i32"));
  machine.uninitialized<i32>(0);
  EXPECT_THAT(machine.error(), HasSubstr("buffer 'b' (0 bytes, 0 elements of 'T')"));
  machine.clear_arguments();
  machine.buffer(std::vector<i32>{1});
  EXPECT_EQ(machine.error(), "");
}

}  // namespace
}  // namespace spirea::interp::test
