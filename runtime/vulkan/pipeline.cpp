// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstddef>
#include <iterator>

#include "runtime/vulkan/device.h"
#include "runtime/vulkan/push_constants.h"

namespace spirea::vulkan {
namespace {

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
    {22, "shaderInt16", [](const PhysicalDevice& d) { return d.features.shaderInt16 != 0; }},
    {39, "shaderInt8", [](const PhysicalDevice& d) { return d.features12.shaderInt8 != 0; }},
    {4433, "storageBuffer16BitAccess",
     [](const PhysicalDevice& d) { return d.features11.storageBuffer16BitAccess != 0; }},
    {4448, "storageBuffer8BitAccess",
     [](const PhysicalDevice& d) { return d.features12.storageBuffer8BitAccess != 0; }},
};

struct Specialization {
  std::array<std::uint32_t, 3> workgroup_size;
  VkBool32 exits_need_no_phi;
};

VkSpecializationInfo specialization_info(const Specialization& values) {
  static constexpr VkSpecializationMapEntry entries[] = {
      {0, 0, 4},
      {1, 4, 4},
      {2, 8, 4},
      {abi::kExitGuardSpecId, offsetof(Specialization, exits_need_no_phi), 4}};
  return {static_cast<std::uint32_t>(std::size(entries)), entries, sizeof values, &values};
}

bool needs_phis_at_exits(const PhysicalDevice& device) {
  return device.properties12.driverID == VK_DRIVER_ID_MESA_LLVMPIPE;
}

/// llvmpipe's compiler keeps 80 nested conditions, and takes what lies deeper for always true. What follows
/// an early return is one level deeper for it. Some conditions of loops are none for it: a hundred here were
/// still right.
constexpr std::size_t kMostNestedConditions = 110;

/// How deep conditions are nested, each return before the function's end counted as a level. A switch that
/// has nothing but a default is no condition.
std::size_t nesting(const std::vector<std::uint32_t>& words) {
  constexpr std::uint32_t op_selection_merge = 247, op_label = 248, op_return = 253;
  constexpr std::uint32_t plain_switch = 3u << 16 | 251;
  std::vector<std::uint32_t> merges;
  std::size_t returns = 0, deepest = 0;
  for (std::size_t at = 5; at < words.size() && (words[at] >> 16) != 0; at += words[at] >> 16) {
    const std::uint32_t opcode = words[at] & 0xffff;
    if (opcode == op_label) {
      const auto merge = std::ranges::find(merges, words[at + 1]);
      merges.erase(merge, merges.end());  // with what ends here, too
    } else if (opcode == op_selection_merge && at + 3 < words.size() && words[at + 3] != plain_switch) {
      merges.push_back(words[at + 1]);
      deepest = std::max(deepest, merges.size() + returns);
    } else if (opcode == op_return && !merges.empty()) {
      ++returns;
    }
  }
  return deepest;
}

}  // namespace

void VulkanDevice::check_nesting(const std::vector<std::uint32_t>& words) const {
  if (physical_.properties12.driverID != VK_DRIVER_ID_MESA_LLVMPIPE) return;
  const std::size_t depth = nesting(words);
  if (depth > kMostNestedConditions)
    throw error("the kernel nests " + std::to_string(depth) +
                " conditions, early returns among them; this driver " + "gives wrong results beyond " +
                std::to_string(kMostNestedConditions));
}

void VulkanDevice::check_capabilities(const std::vector<std::uint32_t>& words) {
  constexpr std::uint32_t magic = 0x07230203, header_words = 5, op_capability = 2u << 16 | 17;
  if (words.size() < header_words || words[0] != magic)
    throw error("the kernel's code for Vulkan is no SPIR-V");
  for (std::size_t at = header_words; at + 1 < words.size() && words[at] == op_capability; at += 2) {
    const std::uint32_t capability = words[at + 1];
    const auto* row = std::ranges::find(kFeatures, capability, &CapabilityFeature::capability);
    if (row == std::end(kFeatures))
      throw error("the kernel needs SPIR-V's capability " + std::to_string(capability) +
                  ", which this version of the runtime does not know");
    if (!row->has(physical_))
      throw error(std::string("the kernel needs the Vulkan feature ") + row->feature +
                  ", which the device lacks");
  }
}

const VulkanDevice::Pipeline& VulkanDevice::pipeline(const detail::KernelCode& kernel,
                                                     const std::array<std::uint32_t, 3>& workgroup_size) {
  Pipeline& pipeline = pipelines_[{kernel.id(), workgroup_size}];
  if (pipeline.handle != VK_NULL_HANDLE) return pipeline;
  const std::vector<std::uint32_t>& words = kernel.spirv();
  if (words.empty())
    throw error("the kernel was compiled without code for Vulkan (spireac --target=vulkan adds it)");
  check_capabilities(words);
  check_nesting(words);

  VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, push_constant_bytes(kernel.manifest())};
  VkPipelineLayoutCreateInfo layout{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  layout.pushConstantRangeCount = range.size == 0 ? 0 : 1;
  layout.pPushConstantRanges = &range;
  if (pipeline.layout == VK_NULL_HANDLE)
    check(vk_.vkCreatePipelineLayout(device_, &layout, nullptr, &pipeline.layout),
          "creating the pipeline layout");

  VkShaderModuleCreateInfo module_info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  module_info.codeSize = words.size() * 4;
  module_info.pCode = words.data();
  VkShaderModule module;
  check(vk_.vkCreateShaderModule(device_, &module_info, nullptr, &module), "loading the SPIR-V module");

  const Specialization values{workgroup_size, needs_phis_at_exits(physical_) ? VK_FALSE : VK_TRUE};
  const VkSpecializationInfo specialization = specialization_info(values);
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = kernel.manifest().name.c_str();
  info.stage.pSpecializationInfo = &specialization;
  info.layout = pipeline.layout;
  const VkResult status =
      vk_.vkCreateComputePipelines(device_, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline.handle);
  vk_.vkDestroyShaderModule(device_, module, nullptr);
  check(status, "compiling the kernel in the driver");
  return pipeline;
}

}  // namespace spirea::vulkan
