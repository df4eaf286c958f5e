// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "runtime/vulkan/volk.h"

namespace spirea::vulkan {

/// The Vulkan loader and an instance, made at first use and kept until the process ends.
struct Library {
  VkInstance instance = VK_NULL_HANDLE;
  std::vector<VkPhysicalDevice> devices;
  std::string missing;  ///< why there is no instance; empty if there is one
};

/// Loads libvulkan.so.1, or what SPIREA_VULKAN_LIBRARY names. SPIREA_VULKAN_VALIDATION=1 turns the validation
/// layer on: its messages go to stderr. With SPIREA_VULKAN_VALIDATION=fatal the first one ends the process,
/// so that no test passes in spite of it.
const Library& library();

/// "VK_ERROR_OUT_OF_DEVICE_MEMORY"
std::string name(VkResult);

/// Throws error("<what> failed: <name>") unless the result is success.
void check(VkResult, const char* what);

}  // namespace spirea::vulkan
