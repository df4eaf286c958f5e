// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a module's capabilities ask of the device.
#include "runtime/vulkan/requirements.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "runtime/vulkan/words.h"

namespace spirea::vulkan {
namespace {

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
    {6033, "shaderBufferFloat32AtomicAdd or shaderSharedFloat32AtomicAdd",
     [](const PhysicalDevice& d) {
       return (d.float_atomics.shaderBufferFloat32AtomicAdd | d.float_atomics.shaderSharedFloat32AtomicAdd) !=
              0;
     }},
    {6034, "shaderBufferFloat64AtomicAdd or shaderSharedFloat64AtomicAdd",
     [](const PhysicalDevice& d) {
       return (d.float_atomics.shaderBufferFloat64AtomicAdd | d.float_atomics.shaderSharedFloat64AtomicAdd) !=
              0;
     }},
};

template <class F>
void for_each_capability(const Words& words, F&& visit) {
  constexpr std::uint32_t op_capability = 17;
  for_each_instruction(words, [&](const Instruction& instruction) {
    if (instruction.opcode() == op_capability) visit(instruction[1]);
  });
}

bool has_capability(const Words& words, std::uint32_t first, std::uint32_t last) {
  bool found = false;
  for_each_capability(words, [&](std::uint32_t c) { found |= c >= first && c <= last; });
  return found;
}

/// What an atomic instruction does that capabilities do not tell: their features differ by memory.
struct AtomicUse {
  bool is_float;
  std::uint32_t width;
  bool in_workgroup_memory, adds_floats;
  friend auto operator<=>(const AtomicUse&, const AtomicUse&) = default;
};

struct AtomicFeature {
  AtomicUse use;
  const char* feature;
  bool (*has)(const PhysicalDevice&);
};
#define FLOAT_ATOMICS(width, shared, adds, name)                                                          \
  {                                                                                                       \
    {true, width, shared, adds}, #name, [](const PhysicalDevice& d) { return d.float_atomics.name != 0; } \
  }
constexpr AtomicFeature kAtomicFeatures[] = {
    {{false, 64, true, false},
     "shaderSharedInt64Atomics",
     [](const PhysicalDevice& d) { return d.features12.shaderSharedInt64Atomics != 0; }},
    FLOAT_ATOMICS(32, false, false, shaderBufferFloat32Atomics),
    FLOAT_ATOMICS(32, false, true, shaderBufferFloat32AtomicAdd),
    FLOAT_ATOMICS(32, true, false, shaderSharedFloat32Atomics),
    FLOAT_ATOMICS(32, true, true, shaderSharedFloat32AtomicAdd),
    FLOAT_ATOMICS(64, false, false, shaderBufferFloat64Atomics),
    FLOAT_ATOMICS(64, false, true, shaderBufferFloat64AtomicAdd),
    FLOAT_ATOMICS(64, true, false, shaderSharedFloat64Atomics),
    FLOAT_ATOMICS(64, true, true, shaderSharedFloat64AtomicAdd),
};
#undef FLOAT_ATOMICS

/// Collects a module's atomic instructions.
class AtomicUses {
 public:
  explicit AtomicUses(const Words& words) {
    for_each_instruction(words, [&](const Instruction& i) { look(i); });
  }
  bool contain(const AtomicUse& use) const { return uses_.contains(use); }

 private:
  struct Number {
    bool is_float;
    std::uint32_t width;
  };

  void look(const Instruction& i) {
    constexpr std::uint32_t op_type_int = 21, op_type_float = 22, op_type_pointer = 32, op_variable = 59,
                            op_access_chain = 65, op_convert_u_to_ptr = 120;
    switch (i.opcode()) {
      case op_type_int:
      case op_type_float: numbers_[i[1]] = {i.opcode() == op_type_float, i[2]}; break;
      case op_type_pointer: pointer_types_[i[1]] = {i[2], i[3]}; break;
      case op_variable:
      case op_access_chain:
      case op_convert_u_to_ptr:
        if (const auto type = pointer_types_.find(i[1]); type != pointer_types_.end())
          pointers_[i[2]] = type->second;
        break;
      default: look_at_atomic(i);
    }
  }

  void look_at_atomic(const Instruction& i) {
    constexpr std::uint32_t store = 228, float_add = 6035, workgroup = 4;
    const std::uint32_t opcode = i.opcode();
    if (!is_atomic(opcode)) return;
    const auto pointer = pointers_.find(i[opcode == store ? 1 : 3]);
    const bool is_known = pointer != pointers_.end();
    const bool in_workgroup_memory = is_known && pointer->second.storage == workgroup;
    const auto type = numbers_.find(opcode == store && is_known ? pointer->second.pointee : i[1]);
    if (type == numbers_.end()) return;
    uses_.insert({type->second.is_float, type->second.width, in_workgroup_memory, opcode == float_add});
  }

  struct PointerType {
    std::uint32_t storage, pointee;
  };
  std::map<std::uint32_t, Number> numbers_;
  std::map<std::uint32_t, PointerType> pointer_types_, pointers_;
  std::set<AtomicUse> uses_;
};

std::string lacks(const char* feature) {
  return std::string("the kernel needs the Vulkan feature ") + feature + ", which the device lacks";
}

}  // namespace

std::string find_unmet_requirement(const PhysicalDevice& device, const Words& words) {
  constexpr std::uint32_t most_ballot_lanes = 64;
  if (words.size() < kHeaderWords || words[0] != kSpirvMagic)
    return "the kernel's code for Vulkan is no SPIR-V";
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
  const AtomicUses atomics(words);
  for (const AtomicFeature& row : kAtomicFeatures)
    if (atomics.contain(row.use) && !row.has(device)) return lacks(row.feature);
  if (has_capability(words, kBallot, kBallot) && device.properties11.subgroupSize > most_ballot_lanes)
    return "the kernel uses a ballot, which has 64 bits, and the device's subgroups have " +
           std::to_string(device.properties11.subgroupSize) + " invocations";
  return {};
}

const Words& choose_module(const PhysicalDevice& device, const detail::SpirvModules& modules) {
  if (modules.empty())
    throw error("the kernel was compiled without code for Vulkan (spireac --target=vulkan adds it)");
  std::string problem;
  for (const Words& words : modules)
    if (problem = find_unmet_requirement(device, words); problem.empty()) return words;
  throw error(problem);
}

std::pair<std::uint32_t, std::uint32_t> subgroup_sizes_of_choice(const PhysicalDevice& device) {
  const std::uint32_t usual = device.properties11.subgroupSize;
  const auto& range = device.subgroup_sizes;
  const bool has_control = device.subgroup_control.subgroupSizeControl != 0 &&
                           (range.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0;
  if (!has_control) return {usual, usual};
  return {range.minSubgroupSize, range.maxSubgroupSize};
}

SubgroupChoice choose_subgroup(const PhysicalDevice& device, const abi::Manifest& manifest,
                               const Words& words, const std::array<std::uint32_t, 3>& workgroup_size) {
  SubgroupChoice choice;
  std::uint32_t size = device.properties11.subgroupSize;
  if (const auto demanded = manifest.subgroup_size; demanded && *demanded != size) {
    const std::uint64_t most = device.subgroup_sizes.maxComputeWorkgroupSubgroups;
    const std::uint64_t invocations =
        std::uint64_t{workgroup_size[0]} * workgroup_size[1] * workgroup_size[2];
    if (invocations > std::uint64_t{*demanded} * most)
      throw error("a workgroup of " + std::to_string(invocations) +
                  " invocations has too many subgroups of " + std::to_string(*demanded) +
                  "; the device allows " + std::to_string(most));
    choice.required_size = size = *demanded;
  }
  choice.are_full = device.subgroup_control.computeFullSubgroups != 0 && workgroup_size[0] % size == 0 &&
                    has_capability(words, kGroupNonUniform, kQuad);
  return choice;
}

}  // namespace spirea::vulkan
