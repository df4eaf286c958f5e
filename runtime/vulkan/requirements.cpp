// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a module's capabilities ask of the device.
#include "runtime/vulkan/requirements.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace spirea::vulkan {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr std::size_t kHeaderWords = 5;
constexpr std::uint32_t kInt64Atomics = 12, kGroupNonUniform = 61, kBallot = 64, kQuad = 68;

template <VkSubgroupFeatureFlagBits Operations>
bool has_subgroup(const PhysicalDevice& d) {
  return (d.properties11.subgroupSupportedStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0 &&
         (d.properties11.subgroupSupportedOperations & Operations) != 0;
}

/// Numbers of capabilities in SPIR-V, and the Vulkan feature that each needs. Those that every device has for
/// which `describe` finds nothing missing need no question.
struct CapabilityFeature {
  std::uint32_t capability;
  const char* feature;
  bool (*has)(const PhysicalDevice&);
};
constexpr bool always(const PhysicalDevice&) { return true; }
constexpr CapabilityFeature kFeatures[] = {
    {1, "compute shaders", always},
    {5345, "vulkanMemoryModel", always},
    {5347, "bufferDeviceAddress", always},
    {9, "shaderFloat16", [](const PhysicalDevice& d) { return d.features12.shaderFloat16 != 0; }},
    {10, "shaderFloat64", [](const PhysicalDevice& d) { return d.features.shaderFloat64 != 0; }},
    {11, "shaderInt64", [](const PhysicalDevice& d) { return d.features.shaderInt64 != 0; }},
    {kInt64Atomics, "shaderBufferInt64Atomics",
     [](const PhysicalDevice& d) { return d.features12.shaderBufferInt64Atomics != 0; }},
    {22, "shaderInt16", [](const PhysicalDevice& d) { return d.features.shaderInt16 != 0; }},
    {39, "shaderInt8", [](const PhysicalDevice& d) { return d.features12.shaderInt8 != 0; }},
    {4433, "storageBuffer16BitAccess",
     [](const PhysicalDevice& d) { return d.features11.storageBuffer16BitAccess != 0; }},
    {4448, "storageBuffer8BitAccess",
     [](const PhysicalDevice& d) { return d.features12.storageBuffer8BitAccess != 0; }},
    {kGroupNonUniform, "subgroup operations (basic)", has_subgroup<VK_SUBGROUP_FEATURE_BASIC_BIT>},
    {62, "subgroup operations (vote)", has_subgroup<VK_SUBGROUP_FEATURE_VOTE_BIT>},
    {63, "subgroup operations (arithmetic)", has_subgroup<VK_SUBGROUP_FEATURE_ARITHMETIC_BIT>},
    {kBallot, "subgroup operations (ballot)", has_subgroup<VK_SUBGROUP_FEATURE_BALLOT_BIT>},
    {65, "subgroup operations (shuffle)", has_subgroup<VK_SUBGROUP_FEATURE_SHUFFLE_BIT>},
    {66, "subgroup operations (shuffle relative)", has_subgroup<VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT>},
    {kQuad, "subgroup operations (quad)", has_subgroup<VK_SUBGROUP_FEATURE_QUAD_BIT>},
};

template <class F>
void for_each_capability(const Words& words, F&& visit) {
  constexpr std::uint32_t op_capability = 2u << 16 | 17;
  for (std::size_t at = kHeaderWords; at + 1 < words.size() && words[at] == op_capability; at += 2)
    visit(words[at + 1]);
}

bool has_capability(const Words& words, std::uint32_t first, std::uint32_t last) {
  bool found = false;
  for_each_capability(words, [&](std::uint32_t c) { found |= c >= first && c <= last; });
  return found;
}

/// An atomic instruction on a 64-bit integer in workgroup memory. Pointers there come from access chains.
bool has_64_bit_atomics_in_workgroup_memory(const Words& words) {
  constexpr std::uint32_t op_type_int = 21, op_type_pointer = 32, op_access_chain = 65, op_atomic_load = 227,
                          op_atomic_store = 228, op_atomic_xor = 242, workgroup = 4;
  std::set<std::uint32_t> integers, pointer_types, pointers;
  for (std::size_t at = kHeaderWords; at < words.size() && (words[at] >> 16) != 0; at += words[at] >> 16) {
    const std::uint32_t opcode = words[at] & 0xffff;
    const auto operand = [&](std::size_t i) { return at + i < words.size() ? words[at + i] : 0; };
    if (opcode == op_type_int && operand(2) == 64) integers.insert(operand(1));
    if (opcode == op_type_pointer && operand(2) == workgroup && integers.contains(operand(3)))
      pointer_types.insert(operand(1));
    if (opcode == op_access_chain && pointer_types.contains(operand(1))) pointers.insert(operand(2));
    if (opcode >= op_atomic_load && opcode <= op_atomic_xor &&
        pointers.contains(operand(opcode == op_atomic_store ? 1 : 3)))
      return true;
  }
  return false;
}

std::string lacks(const char* feature) {
  return std::string("the kernel needs the Vulkan feature ") + feature + ", which the device lacks";
}

}  // namespace

std::string find_unmet_requirement(const PhysicalDevice& device, const Words& words) {
  constexpr std::uint32_t magic = 0x07230203, most_ballot_lanes = 64;
  if (words.size() < kHeaderWords || words[0] != magic) return "the kernel's code for Vulkan is no SPIR-V";
  std::string problem;
  for_each_capability(words, [&](std::uint32_t capability) {
    if (!problem.empty()) return;
    const auto* row = std::ranges::find(kFeatures, capability, &CapabilityFeature::capability);
    if (row == std::end(kFeatures))
      problem = "the kernel needs SPIR-V's capability " + std::to_string(capability) +
                ", which this version of the runtime does not know";
    else if (!row->has(device))
      problem = lacks(row->feature);
  });
  if (!problem.empty()) return problem;
  if (has_capability(words, kInt64Atomics, kInt64Atomics) && !device.features12.shaderSharedInt64Atomics &&
      has_64_bit_atomics_in_workgroup_memory(words))
    return lacks("shaderSharedInt64Atomics");
  if (has_capability(words, kBallot, kBallot) && device.properties11.subgroupSize > most_ballot_lanes)
    return "the kernel uses a ballot, which has 64 bits, and the device's subgroups have " +
           std::to_string(device.properties11.subgroupSize) + " invocations";
  return {};
}

SubgroupChoice choose_subgroup(const PhysicalDevice& device, const abi::Manifest& manifest,
                               const Words& words, const std::array<std::uint32_t, 3>& workgroup_size) {
  SubgroupChoice choice;
  std::uint32_t size = device.properties11.subgroupSize;
  if (const auto demanded = manifest.subgroup_size; demanded && *demanded != size) {
    const auto& range = device.subgroup_sizes;
    const bool has_control = device.subgroup_control.subgroupSizeControl != 0 &&
                             (range.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0;
    if (!has_control || *demanded < range.minSubgroupSize || *demanded > range.maxSubgroupSize)
      throw error("the kernel has [[spirea::subgroup_size(" + std::to_string(*demanded) +
                  ")]]; subgroups of the device have " +
                  (has_control ? std::to_string(range.minSubgroupSize) + " to " +
                                     std::to_string(range.maxSubgroupSize)
                               : std::to_string(size)) +
                  " invocations");
    const std::uint64_t invocations =
        std::uint64_t{workgroup_size[0]} * workgroup_size[1] * workgroup_size[2];
    if (invocations > std::uint64_t{*demanded} * range.maxComputeWorkgroupSubgroups)
      throw error("a workgroup of " + std::to_string(invocations) +
                  " invocations has too many subgroups of " + std::to_string(*demanded) +
                  "; the device allows " + std::to_string(range.maxComputeWorkgroupSubgroups));
    choice.required_size = size = *demanded;
  }
  choice.are_full = device.subgroup_control.computeFullSubgroups != 0 && workgroup_size[0] % size == 0 &&
                    has_capability(words, kGroupNonUniform, kQuad);
  return choice;
}

}  // namespace spirea::vulkan
