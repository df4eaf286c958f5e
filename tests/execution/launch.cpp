// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/execution/harness.h"

using namespace execution;

namespace {

using u32 = std::uint32_t;

// One record for each invocation, at its linear place in the rounded-up grid.
[[spirea::kernel]] void record_ids(std::span<u32> out) {
  const auto g = spirea::global_id(), l = spirea::local_id(), w = spirea::workgroup_id();
  const auto n = spirea::num_workgroups(), s = spirea::workgroup_size(), all = spirea::global_size();
  const u32 at = ((g.z * all.y + g.y) * all.x + g.x) * 6;
  if (at + 6 > out.size()) return;
  out[at] = g.x | g.y << 8 | g.z << 16;
  out[at + 1] = l.x | l.y << 8 | l.z << 16;
  out[at + 2] = w.x | w.y << 8 | w.z << 16;
  out[at + 3] = n.x | n.y << 8 | n.z << 16;
  out[at + 4] = s.x | s.y << 8 | s.z << 16;
  out[at + 5] = spirea::local_index();
}

[[spirea::kernel]] [[spirea::workgroup_size(16, 4)]] void sized(std::span<u32> out, u32 width) {
  const auto g = spirea::global_id();
  if (g.x < width && g.y * width + g.x < out.size())
    out[g.y * width + g.x] =
        spirea::local_id().x + spirea::local_id().y * 100 + spirea::workgroup_size().x * 1000;
}

[[spirea::kernel]] void transpose(std::span<const float> in, std::span<float> out, u32 width, u32 height) {
  const auto [x, y, z] = spirea::global_id();
  if (x < width && y < height) out[x * height + y] = in[y * width + x];
}

[[spirea::kernel]] void no_parameters_but_a_pointer(int* out) {
  if (spirea::global_id().x == 3) *out = 42;
}

}  // namespace

EXECUTION_TEST(ids_1d) { run_everywhere<record_ids>(shape(100, 32), output<u32>(128 * 6)); }
EXECUTION_TEST(ids_1d_odd_workgroup) { run_everywhere<record_ids>(shape(100, 7), output<u32>(105 * 6)); }
EXECUTION_TEST(ids_2d) { run_everywhere<record_ids>(shape2(21, 10, 8, 4), output<u32>(24 * 12 * 6)); }
EXECUTION_TEST(ids_3d) {
  run_everywhere<record_ids>(Shape{{9, 5, 6}, {4, 2, 3}}, output<u32>(12 * 6 * 6 * 6));
}
EXECUTION_TEST(workgroup_size_attribute) {
  run_everywhere<sized>(Shape{{37, 11, 1}, {16, 4, 1}, true}, output<u32>(37 * 11), 37u);
}
EXECUTION_TEST(transpose) {
  run_everywhere<transpose>(shape2(33, 19), random_floats<float>(33 * 19, 1, -1, 1), output<float>(33 * 19),
                            33u, 19u);
}
EXECUTION_TEST(empty_grid) { run_everywhere<record_ids>(shape(0), output<u32>(12)); }
EXECUTION_TEST(empty_buffer) { run_everywhere<record_ids>(shape(10), output<u32>(0)); }
EXECUTION_TEST(single_element) { run_everywhere<no_parameters_but_a_pointer>(shape(5), output<int>(1)); }
EXECUTION_TEST(large_grid) { run_everywhere<record_ids>(shape(100000, 128), output<u32>(6 * 1000)); }
