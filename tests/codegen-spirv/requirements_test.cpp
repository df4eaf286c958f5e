// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel needs and a device lacks is found before the driver sees the kernel.
#include "runtime/vulkan/requirements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codegen-spirv/spirv.h"
#include "ir/text/parser.h"
#include "tests/codegen-spirv/parallel.h"

namespace spirea::spirv::test {
namespace {

std::vector<std::uint32_t> compiled(const std::string& ops, const Options& options = {}) {
  const auto module = kir::parse(ParallelKernel{.ops = ops, .manifest = "shared 128"}.text(), "k.kir");
  EXPECT_TRUE(module) << to_string(module.diagnostics());
  auto words = generate(**module, *(*module)->kernels[0], options);
  EXPECT_TRUE(words) << to_string(words.diagnostics());
  return words.take();
}

/// A device that has everything these kernels need.
vulkan::PhysicalDevice full_device() {
  vulkan::PhysicalDevice d;
  d.features.shaderInt64 = d.features.shaderInt16 = VK_TRUE;
  d.features12.shaderInt8 = d.features12.storageBuffer8BitAccess = d.features12.shaderBufferInt64Atomics =
      d.features12.shaderSharedInt64Atomics = VK_TRUE;
  d.properties11.subgroupSize = 32;
  d.properties11.subgroupSupportedStages = VK_SHADER_STAGE_COMPUTE_BIT;
  d.properties11.subgroupSupportedOperations = 0xff;
  return d;
}

const std::string kTile =
    "  %tile = object size 128 align 8 element i64 : ptr<workgroup>\n  %one = const 1 : i64\n";
const std::string kIn64 = "  %a = atomic_add %in, %one align 8 scope device order relaxed : i64\n";
const std::string kTile64 = "  %b = atomic_add %tile, %one align 8 scope device order relaxed : i64\n";
const std::string kPlain =
    "  store %tile, %one align 8\n  %x = load %tile align 8 : i64\n  store %out, %x align 8\n";

TEST(Requirements, WideAtomicsOfEachMemory) {
  const auto global = compiled(kTile + kIn64 + kPlain), shared = compiled(kTile + kTile64);
  auto device = full_device();
  EXPECT_EQ(vulkan::find_unmet_requirement(device, global), "");
  EXPECT_EQ(vulkan::find_unmet_requirement(device, shared), "");
  device.features12.shaderSharedInt64Atomics = VK_FALSE;
  EXPECT_EQ(vulkan::find_unmet_requirement(device, global), "");
  EXPECT_EQ(vulkan::find_unmet_requirement(device, shared),
            "the kernel needs the Vulkan feature shaderSharedInt64Atomics, which the device lacks");
  device.features12.shaderBufferInt64Atomics = VK_FALSE;
  EXPECT_EQ(vulkan::find_unmet_requirement(device, global),
            "the kernel needs the Vulkan feature shaderBufferInt64Atomics, which the device lacks");
}

TEST(Requirements, HalvesOfTheDevice) {
  const std::string ops =
      "  %a = load %in align 2 : f16\n  %b = fadd %a, %a : f16\n  store %out, %b align 2\n";
  Options native;
  native.native_half = true;
  auto device = full_device();
  device.features11.storageBuffer16BitAccess = VK_TRUE;
  EXPECT_EQ(vulkan::find_unmet_requirement(device, compiled(ops)), "") << "computed in float by default";
  EXPECT_EQ(vulkan::find_unmet_requirement(device, compiled(ops, native)),
            "the kernel needs the Vulkan feature shaderFloat16, which the device lacks");
  device.features12.shaderFloat16 = VK_TRUE;
  EXPECT_EQ(vulkan::find_unmet_requirement(device, compiled(ops, native)), "");
}

TEST(Requirements, SubgroupOperations) {
  struct Case {
    const char* op;
    std::uint32_t operation;
    const char* name;
  };
  constexpr Case cases[] = {
      {"subgroup_size", VK_SUBGROUP_FEATURE_BASIC_BIT, "basic"},
      {"subgroup_all_equal %id", VK_SUBGROUP_FEATURE_VOTE_BIT, "vote"},
      {"subgroup_broadcast_first %id", VK_SUBGROUP_FEATURE_BALLOT_BIT, "ballot"},
      {"subgroup_add %id reduce", VK_SUBGROUP_FEATURE_ARITHMETIC_BIT, "arithmetic"},
      {"subgroup_shuffle_xor %id, %c1", VK_SUBGROUP_FEATURE_SHUFFLE_BIT, "shuffle"},
      {"subgroup_shuffle_up %id, %c1", VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT, "shuffle relative"},
      {"quad_swap_vertical %id", VK_SUBGROUP_FEATURE_QUAD_BIT, "quad"},
      {"subgroup_add %id clustered 4", VK_SUBGROUP_FEATURE_SHUFFLE_BIT, "shuffle"},
      {"subgroup_rotate %id, %c1 reduce", VK_SUBGROUP_FEATURE_SHUFFLE_BIT, "shuffle"},
  };
  for (const Case& c : cases) {
    const bool is_vote = std::string(c.op).starts_with("subgroup_all_equal");
    const std::string op = std::string(c.op) + (is_vote ? " : i1" : " : i32");
    SCOPED_TRACE(op);
    const auto words = compiled("  %r = " + op + "\n" + output("%r", is_vote ? "i1" : "i32", 0));
    auto device = full_device();
    // Clusters are not needed, which NVIDIA has and Mesa's CPU driver has not.
    device.properties11.subgroupSupportedOperations &= ~std::uint32_t{VK_SUBGROUP_FEATURE_CLUSTERED_BIT};
    EXPECT_EQ(vulkan::find_unmet_requirement(device, words), "") << c.op;
    device.properties11.subgroupSupportedOperations &= ~c.operation;
    EXPECT_THAT(vulkan::find_unmet_requirement(device, words),
                testing::HasSubstr("subgroup operations (" + std::string(c.name) + ")"))
        << c.op;
  }
}

TEST(Requirements, BallotsOfLargeSubgroups) {
  const auto words =
      compiled("  %y = const 1 : i1\n  %r = subgroup_ballot %y : i64\n" + output("%r", "i64", 0));
  auto device = full_device();
  device.properties11.subgroupSize = 64;
  EXPECT_EQ(vulkan::find_unmet_requirement(device, words), "");
  device.properties11.subgroupSize = 128;
  EXPECT_THAT(vulkan::find_unmet_requirement(device, words),
              testing::HasSubstr("subgroups have 128 invocations"));
}

TEST(Requirements, DemandedSubgroupSize) {
  const auto words = compiled("  %r = subgroup_size : i32\n" + output("%r", "i32", 0));
  auto device = full_device();
  abi::Manifest manifest;
  const auto choose = [&](std::array<std::uint32_t, 3> size) {
    return vulkan::choose_subgroup(device, manifest, words, size);
  };
  EXPECT_EQ(choose({64, 1, 1}).required_size, 0u);
  EXPECT_FALSE(choose({64, 1, 1}).are_full) << "the device cannot promise it";
  manifest.subgroup_size = 32;
  EXPECT_EQ(choose({64, 1, 1}).required_size, 0u) << "the device has no other";
  manifest.subgroup_size = 16;
  device.subgroup_control.subgroupSizeControl = device.subgroup_control.computeFullSubgroups = VK_TRUE;
  device.subgroup_sizes.minSubgroupSize = 16;
  device.subgroup_sizes.maxSubgroupSize = 32;
  device.subgroup_sizes.maxComputeWorkgroupSubgroups = 8;
  device.subgroup_sizes.requiredSubgroupSizeStages = VK_SHADER_STAGE_COMPUTE_BIT;
  EXPECT_EQ(choose({48, 1, 1}).required_size, 16u);
  EXPECT_TRUE(choose({48, 1, 1}).are_full);
  EXPECT_FALSE(choose({40, 1, 1}).are_full);
  EXPECT_THROW(choose({256, 1, 1}), error) << "more than 8 subgroups";
}

TEST(Requirements, SubgroupSizesOfChoice) {
  using Sizes = std::pair<std::uint32_t, std::uint32_t>;
  auto device = full_device();
  device.subgroup_sizes.minSubgroupSize = 16;
  device.subgroup_sizes.maxSubgroupSize = 64;
  EXPECT_EQ(vulkan::subgroup_sizes_of_choice(device), Sizes(32, 32)) << "it has no control";
  device.subgroup_control.subgroupSizeControl = VK_TRUE;
  EXPECT_EQ(vulkan::subgroup_sizes_of_choice(device), Sizes(32, 32)) << "not in compute shaders";
  device.subgroup_sizes.requiredSubgroupSizeStages = VK_SHADER_STAGE_COMPUTE_BIT;
  EXPECT_EQ(vulkan::subgroup_sizes_of_choice(device), Sizes(16, 64));
}

}  // namespace
}  // namespace spirea::spirv::test
