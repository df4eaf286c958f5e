// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/vulkan/device.h"

#include <algorithm>
#include <tuple>

#include "ir/abi/vulkan.h"
#include "runtime/vulkan/float_controls.h"
#include "runtime/vulkan/requirements.h"

namespace spirea::vulkan {

namespace {

/// Of what a device has, all that generated code may need, as vkCreateDevice takes it.
class EnabledFeatures {
 public:
  explicit EnabledFeatures(const PhysicalDevice& device)
      : subgroup_control_(device.subgroup_control), float_atomics_(device.float_atomics) {
    set_core(device);
    append(features11_);
    append(features12_);
    if (subgroup_control_.subgroupSizeControl || subgroup_control_.computeFullSubgroups) {
      append(subgroup_control_);
      if (device.properties.apiVersion < VK_API_VERSION_1_3)
        extensions_.push_back(VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME);
    }
    if (has_float_atomics(device)) {
      float_atomics_.shaderImageFloat32Atomics = float_atomics_.shaderImageFloat32AtomicAdd = VK_FALSE;
      float_atomics_.sparseImageFloat32Atomics = float_atomics_.sparseImageFloat32AtomicAdd = VK_FALSE;
      append(float_atomics_);
      extensions_.push_back(VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME);
    }
  }
  EnabledFeatures(const EnabledFeatures&) = delete;
  EnabledFeatures& operator=(const EnabledFeatures&) = delete;

  VkDeviceCreateInfo create_info() const {
    VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &features_};
    info.enabledExtensionCount = static_cast<std::uint32_t>(extensions_.size());
    info.ppEnabledExtensionNames = extensions_.data();
    return info;
  }

 private:
  template <class Struct>
  void append(Struct& features) {
    features.pNext = nullptr;
    *end_ = &features;
    end_ = &features.pNext;
  }

  void set_core(const PhysicalDevice& device) {
    features12_.bufferDeviceAddress = VK_TRUE;
    features12_.vulkanMemoryModel = VK_TRUE;
    features12_.shaderInt8 = device.features12.shaderInt8;
    features12_.shaderFloat16 = device.features12.shaderFloat16;
    features12_.storageBuffer8BitAccess = device.features12.storageBuffer8BitAccess;
    features12_.shaderBufferInt64Atomics = device.features12.shaderBufferInt64Atomics;
    features12_.shaderSharedInt64Atomics = device.features12.shaderSharedInt64Atomics;
    features12_.shaderSubgroupExtendedTypes = device.features12.shaderSubgroupExtendedTypes;
    features12_.subgroupBroadcastDynamicId = device.features12.subgroupBroadcastDynamicId;
    features11_.storageBuffer16BitAccess = device.features11.storageBuffer16BitAccess;
    features_.features.shaderInt16 = device.features.shaderInt16;
    features_.features.shaderInt64 = device.features.shaderInt64;
    features_.features.shaderFloat64 = device.features.shaderFloat64;
  }

  VkPhysicalDeviceFeatures2 features_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  VkPhysicalDeviceVulkan11Features features11_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES};
  VkPhysicalDeviceVulkan12Features features12_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  VkPhysicalDeviceSubgroupSizeControlFeatures subgroup_control_;
  VkPhysicalDeviceShaderAtomicFloatFeaturesEXT float_atomics_;
  void** end_ = &features_.pNext;
  std::vector<const char*> extensions_;
};

}  // namespace

VulkanDevice::VulkanDevice(PhysicalDevice physical) : physical_(std::move(physical)) {
  create_device();
  create_queue();
  set_limits();
}

void VulkanDevice::create_device() {
  const float priority = 1;
  VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue.queueFamilyIndex = physical_.queue_family;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  const EnabledFeatures features(physical_);
  VkDeviceCreateInfo info = features.create_info();
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  check(vkCreateDevice(physical_.handle, &info, nullptr, &device_), "creating the Vulkan device");
  volkLoadDeviceTable(&vk_, device_);
  vk_.vkGetDeviceQueue(device_, physical_.queue_family, 0, &queue_);
}

void VulkanDevice::set_limits() {
  const VkPhysicalDeviceLimits& limits = physical_.properties.limits;
  limits_.max_buffer_bytes = largest_buffer(physical_);
  limits_.max_workgroup_invocations = limits.maxComputeWorkGroupInvocations;
  std::copy_n(limits.maxComputeWorkGroupSize, 3, limits_.max_workgroup_size.begin());
  std::copy_n(limits.maxComputeWorkGroupCount, 3, limits_.max_num_workgroups.begin());
  limits_.max_shared_bytes = limits.maxComputeSharedMemorySize;
  limits_.keeps_subnormals_f32 = keeps_subnormals(physical_.properties12, 32);
  limits_.shared_granularity = abi::kDynamicSharedGranularity;
  std::tie(limits_.min_subgroup_size, limits_.max_subgroup_size) = subgroup_sizes_of_choice(physical_);
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
