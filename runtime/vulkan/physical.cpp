// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "runtime/vulkan/device.h"
#include "runtime/vulkan/float_controls.h"

namespace spirea::vulkan {
namespace {

using detail::Candidate;

/// A compute queue family, with timestamps if there is one.
bool choose_queue_family(PhysicalDevice& device) {
  std::uint32_t n = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(device.handle, &n, nullptr);
  std::vector<VkQueueFamilyProperties> families(n);
  vkGetPhysicalDeviceQueueFamilyProperties(device.handle, &n, families.data());
  bool found = false;
  for (std::uint32_t i = 0; i < n; ++i) {
    if ((families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) == 0) continue;
    if (found && families[i].timestampValidBits <= device.timestamp_bits) continue;
    device.queue_family = i;
    device.timestamp_bits = families[i].timestampValidBits;
    found = true;
  }
  return found;
}

std::string missing_features(const PhysicalDevice& d) {
  const std::pair<VkBool32, const char*> needed[] = {
      {d.features12.bufferDeviceAddress, "bufferDeviceAddress"},
      {d.features12.vulkanMemoryModel, "vulkanMemoryModel"},
      {d.features.shaderInt64, "shaderInt64"},
  };
  std::string result;
  for (const auto& [has, name] : needed)
    if (!has) result += (result.empty() ? "" : ", ") + std::string(name);
  return result;
}

bool has_extension(VkPhysicalDevice device, const char* name) {
  std::uint32_t n = 0;
  vkEnumerateDeviceExtensionProperties(device, nullptr, &n, nullptr);
  std::vector<VkExtensionProperties> extensions(n);
  vkEnumerateDeviceExtensionProperties(device, nullptr, &n, extensions.data());
  return std::ranges::any_of(
      extensions, [&](const VkExtensionProperties& e) { return std::string_view(e.extensionName) == name; });
}

std::string version(std::uint32_t v) {
  return std::to_string(VK_API_VERSION_MAJOR(v)) + "." + std::to_string(VK_API_VERSION_MINOR(v)) + "." +
         std::to_string(VK_API_VERSION_PATCH(v));
}

std::string extent(const std::uint32_t (&v)[3]) {
  return std::to_string(v[0]) + "x" + std::to_string(v[1]) + "x" + std::to_string(v[2]);
}

void describe_subgroup_sizes(PhysicalDevice& d) {
  d.subgroup_control.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES;
  VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &d.subgroup_control, {}};
  vkGetPhysicalDeviceFeatures2(d.handle, &features);
  d.subgroup_sizes.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES;
  VkPhysicalDeviceProperties2 properties{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &d.subgroup_sizes, {}};
  vkGetPhysicalDeviceProperties2(d.handle, &properties);
}

/// SPIREA_VULKAN_FLOAT_ATOMICS=0 makes every device one without them, so that what kernels do there can be
/// tested and measured on a device that has them.
void describe_float_atomics(PhysicalDevice& d) {
  const char* variable = std::getenv("SPIREA_VULKAN_FLOAT_ATOMICS");
  const std::string_view wanted = variable == nullptr ? "" : variable;
  if (!wanted.empty() && wanted != "0" && wanted != "1")
    d.missing = "SPIREA_VULKAN_FLOAT_ATOMICS is '" + std::string(wanted) + "', and may be 0 or 1";
  if (wanted == "0" || !has_extension(d.handle, VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME)) return;
  d.float_atomics.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT;
  VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &d.float_atomics, {}};
  vkGetPhysicalDeviceFeatures2(d.handle, &features);
}

/// The names of those that the device has.
std::string list_of(std::initializer_list<std::pair<VkBool32, const char*>> items, const char* separator) {
  std::string result;
  for (const auto& [has, name] : items)
    if (has != 0) result += (result.empty() ? "" : separator) + std::string(name);
  return result;
}

std::string subgroup_operations(const PhysicalDevice& d) {
  const VkSubgroupFeatureFlags has = d.properties11.subgroupSupportedOperations;
  if ((d.properties11.subgroupSupportedStages & VK_SHADER_STAGE_COMPUTE_BIT) == 0) return "none";
  return list_of({{has & VK_SUBGROUP_FEATURE_BASIC_BIT, "basic"},
                  {has & VK_SUBGROUP_FEATURE_VOTE_BIT, "vote"},
                  {has & VK_SUBGROUP_FEATURE_ARITHMETIC_BIT, "arithmetic"},
                  {has & VK_SUBGROUP_FEATURE_BALLOT_BIT, "ballot"},
                  {has & VK_SUBGROUP_FEATURE_SHUFFLE_BIT, "shuffle"},
                  {has & VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT, "shuffle relative"},
                  {has & VK_SUBGROUP_FEATURE_QUAD_BIT, "quad"}},
                 ", ");
}

std::string subgroup_sizes(const PhysicalDevice& d) {
  const std::string usual = std::to_string(d.properties11.subgroupSize);
  const auto& range = d.subgroup_sizes;
  if (!d.subgroup_control.subgroupSizeControl || range.minSubgroupSize == range.maxSubgroupSize) return usual;
  return usual + " (" + std::to_string(range.minSubgroupSize) + " to " +
         std::to_string(range.maxSubgroupSize) + ")";
}

void add_properties(const PhysicalDevice& d, device_info& info) {
  const VkPhysicalDeviceLimits& limits = d.properties.limits;
  const auto add = [&](const char* name, std::string value) {
    info.properties.emplace_back(name, std::move(value));
  };
  constexpr const char* types[] = {"other", "integrated GPU", "discrete GPU", "virtual GPU", "CPU"};
  add("type", d.properties.deviceType <= 4 ? types[d.properties.deviceType] : "other");
  add("Vulkan version", version(d.properties.apiVersion));
  add("driver", std::string(d.properties12.driverName) + " " + d.properties12.driverInfo);
  std::uint64_t heap = 0;
  for (std::uint32_t i = 0; i < d.memory.memoryHeapCount; ++i)
    if (d.memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) heap += d.memory.memoryHeaps[i].size;
  add("device memory (MiB)", std::to_string(heap >> 20));
  add("largest buffer (MiB)", std::to_string(largest_buffer(d) >> 20));
  add("workgroup invocations", std::to_string(limits.maxComputeWorkGroupInvocations));
  add("workgroup size", extent(limits.maxComputeWorkGroupSize));
  add("workgroups", extent(limits.maxComputeWorkGroupCount));
  add("workgroup memory (bytes)", std::to_string(limits.maxComputeSharedMemorySize));
  add("push constants (bytes)", std::to_string(limits.maxPushConstantsSize));
  add("subgroup size", subgroup_sizes(d));
  add("subgroup operations", subgroup_operations(d));
  add("atomics", list_of({{VK_TRUE, "32-bit"},
                          {d.features12.shaderBufferInt64Atomics, "64-bit in buffers"},
                          {d.features12.shaderSharedInt64Atomics, "64-bit in workgroup memory"},
                          {d.float_atomics.shaderBufferFloat32AtomicAdd, "float add in buffers"},
                          {d.float_atomics.shaderSharedFloat32AtomicAdd, "float add in workgroup memory"},
                          {d.float_atomics.shaderBufferFloat64AtomicAdd, "double add in buffers"},
                          {d.float_atomics.shaderSharedFloat64AtomicAdd, "double add in workgroup memory"}},
                         ", "));
  add("types", list_of({{d.features12.shaderInt8, "int8"},
                        {d.features.shaderInt16, "int16"},
                        {d.features.shaderInt64, "int64"},
                        {d.features12.shaderFloat16, "float16"},
                        {d.features.shaderFloat64, "float64"},
                        {d.features12.storageBuffer8BitAccess, "8-bit storage"},
                        {d.features11.storageBuffer16BitAccess, "16-bit storage"}},
                       " "));
  add("subnormal numbers",
      list_of({{d.features12.shaderFloat16 && keeps_subnormals(d.properties12, 16), "float16"},
               {keeps_subnormals(d.properties12, 32), "float32"},
               {d.features.shaderFloat64 && keeps_subnormals(d.properties12, 64), "float64"}},
              " "));
}

}  // namespace

PhysicalDevice describe(VkPhysicalDevice handle) {
  PhysicalDevice d;
  d.handle = handle;
  vkGetPhysicalDeviceProperties(handle, &d.properties);
  vkGetPhysicalDeviceMemoryProperties(handle, &d.memory);
  if (d.properties.apiVersion < VK_API_VERSION_1_2) {
    d.missing = "it has Vulkan " + version(d.properties.apiVersion) + ", and 1.2 is needed";
    return d;
  }
  d.properties11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES;
  d.properties12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES;
  d.properties11.pNext = &d.properties12;
  VkPhysicalDeviceVulkan13Properties properties13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES};
  const bool has_1_3 = d.properties.apiVersion >= VK_API_VERSION_1_3;
  if (has_1_3) d.properties12.pNext = &properties13;
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &d.properties11, {}};
  vkGetPhysicalDeviceProperties2(handle, &properties);
  if (has_1_3) d.max_buffer_size = properties13.maxBufferSize;
  d.properties12.pNext = nullptr;
  if (has_1_3 || has_extension(handle, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME))
    describe_subgroup_sizes(d);
  describe_float_atomics(d);
  d.has_memory_budget = has_extension(handle, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
  d.features11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
  d.features12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  d.features11.pNext = &d.features12;
  VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &d.features11, {}};
  vkGetPhysicalDeviceFeatures2(handle, &features);
  d.features = features.features;
  d.properties11.pNext = nullptr;
  d.features11.pNext = nullptr;
  const std::string lacks = missing_features(d);
  if (!d.missing.empty()) return d;
  if (!lacks.empty())
    d.missing = "it lacks the Vulkan features " + lacks;
  else if (!choose_queue_family(d))
    d.missing = "it has no compute queue";
  return d;
}

bool has_float_atomics(const PhysicalDevice& d) {
  const auto& has = d.float_atomics;
  return (has.shaderBufferFloat32AtomicAdd | has.shaderSharedFloat32AtomicAdd |
          has.shaderBufferFloat64AtomicAdd | has.shaderSharedFloat64AtomicAdd) != 0;
}

std::uint64_t largest_buffer(const PhysicalDevice& d) {
  std::uint64_t heap = 0;
  for (std::uint32_t i = 0; i < d.memory.memoryHeapCount; ++i)
    heap = std::max<std::uint64_t>(heap, d.memory.memoryHeaps[i].size);
  return std::min({heap, d.properties11.maxMemoryAllocationSize, d.max_buffer_size});
}

std::optional<std::uint64_t> free_memory(const PhysicalDevice& d, std::uint32_t memory_type) {
  if (!d.has_memory_budget) return std::nullopt;
  VkPhysicalDeviceMemoryBudgetPropertiesEXT budget{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
  VkPhysicalDeviceMemoryProperties2 memory{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2, &budget, {}};
  vkGetPhysicalDeviceMemoryProperties2(d.handle, &memory);
  const std::uint32_t heap = d.memory.memoryTypes[memory_type].heapIndex;
  return budget.heapBudget[heap] > budget.heapUsage[heap] ? budget.heapBudget[heap] - budget.heapUsage[heap]
                                                          : 0;
}

std::vector<Candidate> enumerate() {
  const Library& lib = library();
  std::vector<Candidate> result;
  if (!lib.missing.empty()) {
    Candidate none;
    none.info.backend = backend_kind::vulkan;
    none.info.name = "Vulkan";
    none.info.reason = lib.missing;
    result.push_back(std::move(none));
    return result;
  }
  for (unsigned i = 0; i < lib.devices.size(); ++i) {
    const PhysicalDevice d = describe(lib.devices[i]);
    Candidate candidate;
    device_info& info = candidate.info;
    info.backend = backend_kind::vulkan;
    info.index = i;
    info.name = d.properties.deviceName;
    info.is_usable = d.missing.empty();
    info.is_software = d.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    info.reason = d.missing;
    add_properties(d, info);
    if (info.is_usable) candidate.open = [d] { return std::make_unique<VulkanDevice>(d); };
    result.push_back(std::move(candidate));
  }
  return result;
}

}  // namespace spirea::vulkan
