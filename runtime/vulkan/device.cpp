// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/vulkan/device.h"

#include <algorithm>

#include "runtime/vulkan/float_controls.h"

namespace spirea::vulkan {

VulkanDevice::VulkanDevice(PhysicalDevice physical) : physical_(std::move(physical)) {
  const float priority = 1;
  VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue.queueFamilyIndex = physical_.queue_family;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;

  // Of what the device has, all that generated code may need.
  VkPhysicalDeviceVulkan12Features features12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  features12.bufferDeviceAddress = VK_TRUE;
  features12.vulkanMemoryModel = VK_TRUE;
  features12.shaderInt8 = physical_.features12.shaderInt8;
  features12.shaderFloat16 = physical_.features12.shaderFloat16;
  features12.storageBuffer8BitAccess = physical_.features12.storageBuffer8BitAccess;
  features12.shaderBufferInt64Atomics = physical_.features12.shaderBufferInt64Atomics;
  features12.shaderSharedInt64Atomics = physical_.features12.shaderSharedInt64Atomics;
  features12.shaderSubgroupExtendedTypes = physical_.features12.shaderSubgroupExtendedTypes;
  features12.subgroupBroadcastDynamicId = physical_.features12.subgroupBroadcastDynamicId;
  VkPhysicalDeviceVulkan11Features features11{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
                                              &features12};
  features11.storageBuffer16BitAccess = physical_.features11.storageBuffer16BitAccess;
  VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &features11, {}};
  features.features.shaderInt16 = physical_.features.shaderInt16;
  features.features.shaderInt64 = physical_.features.shaderInt64;
  features.features.shaderFloat64 = physical_.features.shaderFloat64;

  VkPhysicalDeviceSubgroupSizeControlFeatures subgroup_control = physical_.subgroup_control;
  const char* extension = VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME;
  const bool has_control = subgroup_control.subgroupSizeControl || subgroup_control.computeFullSubgroups;
  if (has_control) features12.pNext = &subgroup_control;

  VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &features};
  if (has_control && physical_.properties.apiVersion < VK_API_VERSION_1_3) {
    info.enabledExtensionCount = 1;
    info.ppEnabledExtensionNames = &extension;
  }
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  check(vkCreateDevice(physical_.handle, &info, nullptr, &device_), "creating the Vulkan device");
  volkLoadDeviceTable(&vk_, device_);
  vk_.vkGetDeviceQueue(device_, physical_.queue_family, 0, &queue_);
  create_queue();

  const VkPhysicalDeviceLimits& limits = physical_.properties.limits;
  limits_.max_buffer_bytes = largest_buffer(physical_);
  limits_.max_workgroup_invocations = limits.maxComputeWorkGroupInvocations;
  std::copy_n(limits.maxComputeWorkGroupSize, 3, limits_.max_workgroup_size.begin());
  std::copy_n(limits.maxComputeWorkGroupCount, 3, limits_.max_num_workgroups.begin());
  limits_.max_shared_bytes = limits.maxComputeSharedMemorySize;
  limits_.keeps_subnormals_f32 = keeps_subnormals(physical_.properties12, 32);
}

VulkanDevice::~VulkanDevice() {
  vk_.vkDeviceWaitIdle(device_);
  for (Submission& submission : submissions_) {
    vk_.vkDestroyFence(device_, submission.fence, nullptr);
    destroy(submission.arguments);
  }
  for (auto& [key, pipeline] : pipelines_) {
    vk_.vkDestroyPipeline(device_, pipeline.handle, nullptr);
    vk_.vkDestroyPipelineLayout(device_, pipeline.layout, nullptr);
  }
  for (auto& [address, buffer] : buffers_) destroy(buffer);
  destroy(staging_);
  vk_.vkDestroyQueryPool(device_, queries_, nullptr);
  vk_.vkDestroyCommandPool(device_, pool_, nullptr);
  vk_.vkDestroyDevice(device_, nullptr);
}

}  // namespace spirea::vulkan
