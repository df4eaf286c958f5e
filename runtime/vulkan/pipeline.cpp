// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstddef>
#include <iterator>

#include "runtime/vulkan/device.h"
#include "runtime/vulkan/float_controls.h"
#include "runtime/vulkan/llvmpipe.h"
#include "runtime/vulkan/push_constants.h"
#include "runtime/vulkan/requirements.h"
#include "runtime/vulkan/spirv_kernel.h"
#include "runtime/vulkan/words.h"

namespace spirea::vulkan {
namespace {

struct Specialization {
  std::array<std::uint32_t, 3> workgroup_size;
  VkBool32 exits_need_no_phi;
  std::uint32_t dynamic_shared;
  Exactness exact;
};

VkSpecializationInfo specialization_info(const Specialization& values) {
  static constexpr VkSpecializationMapEntry entries[] = {
      {0, 0, 4},
      {1, 4, 4},
      {2, 8, 4},
      {abi::kExitGuardSpecId, offsetof(Specialization, exits_need_no_phi), 4},
      {abi::kDynamicSharedSpecId, offsetof(Specialization, dynamic_shared), 4},
      {abi::kFusedF32SpecId, offsetof(Specialization, exact.fused_f32), 4},
      {abi::kFusedF64SpecId, offsetof(Specialization, exact.fused_f64), 4},
      {abi::kExactDivideF32SpecId, offsetof(Specialization, exact.divide_f32), 4},
      {abi::kExactDivideF64SpecId, offsetof(Specialization, exact.divide_f64), 4},
      {abi::kExactSqrtF32SpecId, offsetof(Specialization, exact.sqrt_f32), 4},
      {abi::kExactSqrtF64SpecId, offsetof(Specialization, exact.sqrt_f64), 4}};
  return {static_cast<std::uint32_t>(std::size(entries)), entries, sizeof values, &values};
}

/// Of a kernel of the runtime's own: one parameter, the address of a buffer.
abi::Manifest own_manifest() {
  abi::Manifest manifest;
  manifest.name = manifest.display = "main";
  manifest.params.push_back({.name = "rows", .leaves = {{abi::Scalar::Ptr, 0, 0}}});
  abi::assign_block_offsets(manifest);
  return manifest;
}

/// llvmpipe's compiler keeps 80 nested conditions and as many loops, and takes what lies deeper for always
/// true. The compiler takes such kernels apart (codegen-spirv/legalize/nesting.h): what is deeper has come
/// from elsewhere.
constexpr std::size_t kMostNested = 80;

/// How deep conditions, or loops, are nested. A switch that has nothing but a default is no condition.
std::size_t nesting(const Words& words) {
  constexpr std::uint32_t op_loop_merge = 246, op_selection_merge = 247, op_label = 248;
  constexpr std::uint32_t plain_switch = 3u << 16 | 251;
  std::vector<std::uint32_t> merges[2];  // of conditions, of loops
  std::size_t deepest = 0;
  for_each_instruction(words, [&](const Instruction& instruction) {
    const std::uint32_t opcode = instruction.opcode(), id = instruction[1];
    if (opcode == op_label)
      for (auto& open : merges)
        open.erase(std::ranges::find(open, id), open.end());  // with what ends here, too
    const bool is_loop = opcode == op_loop_merge;
    const bool is_condition = opcode == op_selection_merge && instruction.end() < words.size() &&
                              words[instruction.end()] != plain_switch;
    if (!is_loop && !is_condition) return;
    auto& open = merges[is_loop ? 1 : 0];
    open.push_back(id);
    deepest = std::max(deepest, open.size());
  });
  return deepest;
}

/// Specialization constant kDynamicSharedSpecId, for a launch whose memory has been checked.
std::uint32_t rounded_dynamic_bytes(const detail::LaunchParameters& launch) {
  constexpr std::uint32_t granule = abi::kDynamicSharedGranularity;
  return std::max((launch.dynamic_shared + granule - 1) / granule * granule, granule);
}

}  // namespace

void VulkanDevice::check_nesting(const std::vector<std::uint32_t>& words) const {
  if (!is_llvmpipe(physical_.properties12)) return;
  const std::size_t depth = nesting(words);
  if (depth > kMostNested)
    throw error("the kernel nests " + std::to_string(depth) +
                " conditions or loops; this driver gives wrong results beyond " +
                std::to_string(kMostNested));
}

template <class T>
ExactResults VulkanDevice::measure_exactness() {
  constexpr std::uint64_t last_id = ~std::uint64_t{0};  // registered kernels count from the other end
  const SpirvKernel kernel(last_id - sizeof(T), own_manifest(), {exactness_module(8 * sizeof(T))});
  std::vector<T> rows = exactness_rows<T>();
  const std::uint64_t bytes = rows.size() * sizeof(T), address = allocate(bytes, 16);
  try {
    write(address, rows.data(), bytes);
    const auto rows_per_group = kExactnessColumns * kExactnessWorkgroup;
    launch({.kernel = &kernel,
            .argument_block = std::as_bytes(std::span(&address, 1)),
            .num_workgroups = {static_cast<std::uint32_t>(rows.size() / rows_per_group), 1, 1},
            .workgroup_size = {kExactnessWorkgroup, 1, 1}})
        ->wait();
    read(address, rows.data(), bytes);
  } catch (...) {
    release(address);
    throw;
  }
  release(address);
  return compare_exactness(rows);
}

Exactness VulkanDevice::measure_exactness() {
  const ExactResults f32 = measure_exactness<float>();
  ExactResults f64{false, false, false};
  if (physical_.features.shaderFloat64) f64 = measure_exactness<double>();
  return {f32.fused, f64.fused, f32.quotients, f64.quotients, f32.roots, f64.roots};
}

const Exactness& VulkanDevice::exactness() {
  if (exactness_) return *exactness_;
  try {
    exactness_ = measure_exactness();
  } catch (const error&) {
    exactness_ = Exactness{};  // then kernels compute in integers
  }
  return *exactness_;
}

const VulkanDevice::Pipeline& VulkanDevice::pipeline(const detail::LaunchParameters& launch) {
  Pipeline& pipeline =
      pipelines_[{launch.kernel->id(), launch.workgroup_size, rounded_dynamic_bytes(launch)}];
  if (pipeline.handle != VK_NULL_HANDLE) return pipeline;
  const Words& words = choose_module(physical_, launch.kernel->spirv());
  check_nesting(words);
  if (pipeline.layout == VK_NULL_HANDLE) create_layout(launch.kernel->manifest(), pipeline);
  create_pipeline(launch, words, pipeline);
  return pipeline;
}

void VulkanDevice::create_layout(const abi::Manifest& manifest, Pipeline& pipeline) {
  VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, push_constant_bytes(manifest)};
  VkPipelineLayoutCreateInfo layout{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  layout.pushConstantRangeCount = range.size == 0 ? 0 : 1;
  layout.pPushConstantRanges = &range;
  check(vk_.vkCreatePipelineLayout(device_, &layout, nullptr, &pipeline.layout),
        "creating the pipeline layout");
}

void VulkanDevice::create_pipeline(const detail::LaunchParameters& launch, const Words& chosen,
                                   Pipeline& pipeline) {
  const bool is_mesa = is_llvmpipe(physical_.properties12);
  const Words words =
      with_float_controls(physical_.properties12, is_mesa ? adapt_to_llvmpipe(chosen) : chosen);
  const SubgroupChoice subgroup =
      choose_subgroup(physical_, launch.kernel->manifest(), words, launch.workgroup_size);
  VkShaderModuleCreateInfo module_info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  module_info.codeSize = words.size() * 4;
  module_info.pCode = words.data();
  VkShaderModule module;
  check(vk_.vkCreateShaderModule(device_, &module_info, nullptr, &module), "loading the SPIR-V module");

  const Specialization values{launch.workgroup_size, is_mesa ? VK_FALSE : VK_TRUE,
                              rounded_dynamic_bytes(launch),
                              asks_for_exactness(words) ? exactness() : Exactness{}};
  const VkSpecializationInfo specialization = specialization_info(values);
  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo required{
      VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO};
  required.requiredSubgroupSize = subgroup.required_size;
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  if (subgroup.required_size != 0) info.stage.pNext = &required;
  if (subgroup.are_full) info.stage.flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = launch.kernel->manifest().name.c_str();
  info.stage.pSpecializationInfo = &specialization;
  info.layout = pipeline.layout;
  const VkResult status =
      vk_.vkCreateComputePipelines(device_, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline.handle);
  vk_.vkDestroyShaderModule(device_, module, nullptr);
  check(status, "compiling the kernel in the driver");
}

}  // namespace spirea::vulkan
