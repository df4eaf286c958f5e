// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grids and workgroups: what a launch gets of what was asked for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spirea/spirea.hpp>

#include "tests/runtime/artifacts.h"
#include "tests/runtime/null_backend.h"

namespace runtime_test {
namespace {

using Triple = std::array<std::uint32_t, 3>;
using spirea::grid;
using spirea::groups;
using testing::HasSubstr;

void plain() {}
void sized() {}
void dynamic() {}
void in_subgroups_of_16() {}
void with_memory() {}

class LaunchShape : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto with_attribute = manifest_of<sized>("sized");
    with_attribute.workgroup_size = Triple{16, 4, 1};
    auto with_dynamic = manifest_of<dynamic>("dynamic");
    with_dynamic.uses_dynamic_shared = true;
    auto with_subgroups = manifest_of<in_subgroups_of_16>("in_subgroups_of_16");
    with_subgroups.subgroup_size = 16;
    auto with_shared = manifest_of<with_memory>("with_memory");
    with_shared.shared_bytes = 1000;
    with_shared.uses_dynamic_shared = true;
    register_artifact(ArtifactBuilder()
                          .kernel(manifest_of<plain>("plain"))
                          .kernel(with_attribute)
                          .kernel(with_dynamic)
                          .kernel(with_subgroups)
                          .kernel(with_shared)
                          .build());
  }
  LaunchShape() {
    reset();
    machine = {{}};
  }

  /// Launches; returns the number of workgroups and their size.
  template <auto Kernel = plain>
  std::pair<Triple, Triple> shape(const grid& asked) {
    launches.clear();
    spirea::device device;
    spirea::launch<Kernel>(device, asked);
    if (launches.empty()) return {};
    return {launches.back().num_workgroups, launches.back().workgroup_size};
  }
  template <auto Kernel = plain>
  std::string refusal(const grid& asked) {
    return cause_of([&] { shape<Kernel>(asked); });
  }
};

using Shape = std::pair<Triple, Triple>;

TEST_F(LaunchShape, defaults_by_rank) {
  EXPECT_EQ(shape(grid(64)), (Shape{{1, 1, 1}, {64, 1, 1}}));
  EXPECT_EQ(shape(grid(16, 16)), (Shape{{2, 2, 1}, {8, 8, 1}}));
  EXPECT_EQ(shape(grid(8, 8, 8)), (Shape{{2, 2, 2}, {4, 4, 4}}));
}

TEST_F(LaunchShape, extents_are_rounded_up) {
  EXPECT_EQ(shape(grid(1)), (Shape{{1, 1, 1}, {64, 1, 1}}));
  EXPECT_EQ(shape(grid(65)), (Shape{{2, 1, 1}, {64, 1, 1}}));
  EXPECT_EQ(shape(grid(17, 3)), (Shape{{3, 1, 1}, {8, 8, 1}}));
  EXPECT_EQ(shape(grid(100).workgroup(7)), (Shape{{15, 1, 1}, {7, 1, 1}}));
}

TEST_F(LaunchShape, groups_are_workgroups) {
  EXPECT_EQ(shape(groups(3)), (Shape{{3, 1, 1}, {64, 1, 1}}));
  EXPECT_EQ(shape(groups(3, 2).workgroup(5, 6)), (Shape{{3, 2, 1}, {5, 6, 1}}));
  EXPECT_EQ(shape(groups(3, 2, 4)), (Shape{{3, 2, 4}, {4, 4, 4}}));
}

TEST_F(LaunchShape, the_attribute_decides) {
  EXPECT_EQ(shape<sized>(grid(100, 10)), (Shape{{7, 3, 1}, {16, 4, 1}}));
  EXPECT_EQ(shape<sized>(grid(100, 10).workgroup(16, 4)), (Shape{{7, 3, 1}, {16, 4, 1}}));
  EXPECT_EQ(shape<sized>(groups(2, 2)), (Shape{{2, 2, 1}, {16, 4, 1}}));
  EXPECT_EQ(refusal<sized>(grid(100, 10).workgroup(4, 16)),
            "the launch asks for a workgroup of 4x16x1, the kernel has [[spirea::workgroup_size]] 16x4x1");
}

TEST_F(LaunchShape, empty_grids_launch_nothing) {
  for (const grid& empty :
       {grid(0), grid(0, 5), grid(5, 0), grid(5, 5, 0), grid(groups(0)), grid(groups(1, 1, 0))}) {
    shape(empty);
    EXPECT_TRUE(launches.empty());
  }
  spirea::device device;
  spirea::event event = spirea::launch<plain>(device, grid(0));
  EXPECT_TRUE(event.done());
  event.wait();
  EXPECT_EQ(event.duration().count(), 0);
}

TEST_F(LaunchShape, workgroups_within_the_devices_limits) {
  machine[0].limits.max_workgroup_size = {256, 128, 64};
  machine[0].limits.max_workgroup_invocations = 256;
  EXPECT_EQ(shape(grid(512).workgroup(256)), (Shape{{2, 1, 1}, {256, 1, 1}}));
  EXPECT_EQ(refusal(grid(1).workgroup(257)),
            "a workgroup of 257x1x1 is too large: the device allows 256x128x64");
  EXPECT_EQ(refusal(grid(1, 1, 1).workgroup(1, 1, 65)),
            "a workgroup of 1x1x65 is too large: the device allows 256x128x64");
  EXPECT_EQ(refusal(grid(1, 1).workgroup(32, 16)),
            "a workgroup of 32x16x1 has 512 invocations; the device allows 256");
  EXPECT_EQ(refusal(grid(1).workgroup(8, 0)), "a workgroup has no invocations: 8x0x1");
}

TEST_F(LaunchShape, a_product_beyond_32_bits_is_seen) {
  machine[0].limits.max_workgroup_size = {~0u, ~0u, ~0u};
  EXPECT_THAT(refusal(grid(1, 1, 1).workgroup(1u << 16, 1u << 16, 1)),
              HasSubstr("has 4294967296 invocations"));
}

TEST_F(LaunchShape, grids_within_the_devices_limits) {
  machine[0].limits.max_num_workgroups = {100, 50, 10};
  machine[0].limits.max_workgroup_size = {64, 64, 64};
  EXPECT_EQ(shape(grid(6400)), (Shape{{100, 1, 1}, {64, 1, 1}}));
  EXPECT_EQ(
      refusal(grid(6401)),
      "the grid needs 101 workgroups in dimension 0; the device allows 100: use larger workgroups or more "
      "dimensions");
  EXPECT_THAT(refusal(grid(1, 1, 41)), HasSubstr("11 workgroups in dimension 2; the device allows 10"));
  EXPECT_THAT(refusal(groups(101)), HasSubstr("101 workgroups"));
}

TEST_F(LaunchShape, a_default_workgroup_grows_for_a_large_grid) {
  machine[0].limits.max_num_workgroups = {100, 100, 100};
  EXPECT_EQ(shape(grid(6401)), (Shape{{51, 1, 1}, {128, 1, 1}}));
  EXPECT_EQ(shape(grid(102400)), (Shape{{100, 1, 1}, {1024, 1, 1}}));
  EXPECT_THAT(refusal(grid(102401)), HasSubstr("101 workgroups"));
  EXPECT_THAT(refusal(grid(6401).workgroup(64)), HasSubstr("101 workgroups"));  // what is asked for stands
}

TEST_F(LaunchShape, dynamic_workgroup_memory_is_given_to_kernels_that_use_it) {
  EXPECT_EQ(shape<dynamic>(grid(64).dynamic_shared(4)), (Shape{{1, 1, 1}, {64, 1, 1}}));
  EXPECT_EQ(refusal<dynamic>(grid(64)),
            "the kernel uses dynamic workgroup memory, and the launch gives none: add .dynamic_shared(bytes) "
            "to its grid");
  EXPECT_EQ(refusal(grid(64).dynamic_shared(4)),
            "the launch asks for 4 bytes of dynamic workgroup memory, which the kernel does not use");
}

TEST_F(LaunchShape, workgroup_memory_within_the_devices_limit) {
  const Shape one{{1, 1, 1}, {64, 1, 1}};
  machine[0].limits.max_shared_bytes = 1020;
  EXPECT_EQ(shape<with_memory>(grid(64).dynamic_shared(20)), one);
  EXPECT_EQ(refusal<with_memory>(grid(64).dynamic_shared(21)),
            "the kernel needs 1000 bytes of workgroup memory and the launch 21 more; the device has 1020");
  EXPECT_THAT(refusal<with_memory>(grid(64).dynamic_shared(~std::size_t{0})), HasSubstr("1020"));
}

/// A device that gives 16 bytes at a time has no room for 17 where there are 31.
TEST_F(LaunchShape, workgroup_memory_in_multiples_of_the_devices_granularity) {
  machine[0].limits.max_shared_bytes = 1031;
  machine[0].limits.shared_granularity = 16;
  EXPECT_EQ(shape<with_memory>(grid(64).dynamic_shared(16)), (Shape{{1, 1, 1}, {64, 1, 1}}));
  EXPECT_EQ(refusal<with_memory>(grid(64).dynamic_shared(17)),
            "the kernel needs 1000 bytes of workgroup memory and the launch 17 more; the device has 1031");
}

TEST_F(LaunchShape, demanded_subgroups_that_the_device_has) {
  EXPECT_EQ(refusal<in_subgroups_of_16>(grid(64)),
            "the kernel has [[spirea::subgroup_size(16)]]; subgroups of the device have 1 invocation");
  machine[0].limits.min_subgroup_size = machine[0].limits.max_subgroup_size = 32;
  EXPECT_EQ(refusal<in_subgroups_of_16>(grid(64)),
            "the kernel has [[spirea::subgroup_size(16)]]; subgroups of the device have 32 invocations");
  machine[0].limits.max_subgroup_size = 64;
  EXPECT_EQ(
      refusal<in_subgroups_of_16>(grid(64)),
      "the kernel has [[spirea::subgroup_size(16)]]; subgroups of the device have 32 to 64 invocations");
  machine[0].limits.min_subgroup_size = 8;
  EXPECT_EQ(shape<in_subgroups_of_16>(grid(64)), (Shape{{1, 1, 1}, {64, 1, 1}}));
}

TEST_F(LaunchShape, ids_have_32_bits) {
  machine[0].limits.max_num_workgroups = {~0u, ~0u, ~0u};
  EXPECT_EQ(cause_of([] { grid(std::size_t{1} << 32); }),
            "the grid has more than 2^32 - 1 invocations in one dimension");
  EXPECT_EQ(refusal(groups(1u << 26)), "the grid has more than 2^32 - 1 invocations in one dimension");
  EXPECT_EQ(refusal(grid(0xffffffff)), "the grid has more than 2^32 - 1 invocations in one dimension");
  EXPECT_EQ(shape(grid(0xffffffc0)), (Shape{{0x3ffffff, 1, 1}, {64, 1, 1}}));
}

}  // namespace
}  // namespace runtime_test
