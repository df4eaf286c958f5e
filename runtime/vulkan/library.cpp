// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/vulkan/library.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

#include "runtime/include/spirea/spirea.hpp"

namespace spirea::vulkan {
namespace {

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";

enum class Validation : std::uint8_t { Off, On, Fatal };

template <bool IsFatal>
VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                          VkDebugUtilsMessageTypeFlagsEXT,
                                          const VkDebugUtilsMessengerCallbackDataEXT* data, void*) {
  std::fprintf(stderr, "spirea: vulkan validation: %s\n", data->pMessage);
  if (IsFatal) std::abort();
  return VK_FALSE;
}

/// Drivers list devices in any order; index 0 is the best one.
int preference(VkPhysicalDevice device) {
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(device, &properties);
  switch (properties.deviceType) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: return 0;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: return 1;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: return 2;
    case VK_PHYSICAL_DEVICE_TYPE_CPU: return 4;
    default: return 3;
  }
}

Validation validation() {
  const char* value = std::getenv("SPIREA_VULKAN_VALIDATION");
  if (value == nullptr || *value == '\0' || std::strcmp(value, "0") == 0) return Validation::Off;
  return std::strcmp(value, "fatal") == 0 ? Validation::Fatal : Validation::On;
}

/// The loader's entry point; null and a reason if there is no loader.
PFN_vkGetInstanceProcAddr open_loader(std::string& missing) {
  const char* asked = std::getenv("SPIREA_VULKAN_LIBRARY");
  const char* file = asked != nullptr && *asked != '\0' ? asked : "libvulkan.so.1";
  void* handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    missing =
        std::string("the Vulkan library '") + file + "' cannot be loaded (on Debian: install libvulkan1)";
    return nullptr;
  }
  auto function = reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(handle, "vkGetInstanceProcAddr"));
  if (function == nullptr) missing = std::string("'") + file + "' is not a Vulkan library";
  return function;
}

bool has_validation_layer() {
  std::uint32_t n = 0;
  vkEnumerateInstanceLayerProperties(&n, nullptr);
  std::vector<VkLayerProperties> layers(n);
  vkEnumerateInstanceLayerProperties(&n, layers.data());
  for (const VkLayerProperties& layer : layers)
    if (std::strcmp(layer.layerName, kValidationLayer) == 0) return true;
  return false;
}

VkResult create_instance(Validation validation, Library& result) {
  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.pEngineName = "Spirea";
  application.apiVersion = VK_API_VERSION_1_3;
  VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  info.pApplicationInfo = &application;
  VkDebugUtilsMessengerCreateInfoEXT messenger{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
  const char* extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
  const char* layer = kValidationLayer;
  if (validation != Validation::Off) {
    messenger.messageSeverity =
        VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    messenger.messageType =
        VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
    messenger.pfnUserCallback = validation == Validation::Fatal ? on_message<true> : on_message<false>;
    info.pNext = &messenger;
    info.enabledExtensionCount = 1;
    info.ppEnabledExtensionNames = &extension;
    info.enabledLayerCount = 1;
    info.ppEnabledLayerNames = &layer;
  }
  const VkResult status = vkCreateInstance(&info, nullptr, &result.instance);
  if (status != VK_SUCCESS) return status;
  volkLoadInstanceOnly(result.instance);
  if (validation != Validation::Off) {
    VkDebugUtilsMessengerEXT handle;
    vkCreateDebugUtilsMessengerEXT(result.instance, &messenger, nullptr, &handle);
  }
  return VK_SUCCESS;
}

Library open() {
  Library result;
  const PFN_vkGetInstanceProcAddr loader = open_loader(result.missing);
  if (loader == nullptr) return result;
  volkInitializeCustom(loader);
  if (vkEnumerateInstanceVersion == nullptr || volkGetInstanceVersion() < VK_API_VERSION_1_2) {
    result.missing = "the Vulkan library is older than Vulkan 1.2";
    return result;
  }
  const Validation wanted = validation();
  if (wanted != Validation::Off && !has_validation_layer()) {
    result.missing =
        "SPIREA_VULKAN_VALIDATION is set, but the validation layer is not installed (on Debian: "
        "vulkan-validationlayers)";
    return result;
  }
  VkResult status = create_instance(wanted, result);
  std::uint32_t n = 0;
  if (status == VK_SUCCESS) status = vkEnumeratePhysicalDevices(result.instance, &n, nullptr);
  if (status == VK_SUCCESS && n != 0) {
    result.devices.resize(n);
    status = vkEnumeratePhysicalDevices(result.instance, &n, result.devices.data());
    std::ranges::stable_sort(result.devices, {}, preference);
  }
  if (status == VK_ERROR_INCOMPATIBLE_DRIVER || (status == VK_SUCCESS && n == 0))
    result.missing = "no Vulkan driver is installed (on Debian, for the CPU: mesa-vulkan-drivers)";
  else if (status != VK_SUCCESS && status != VK_INCOMPLETE)
    result.missing = std::string("no Vulkan instance can be made: ") + name(status);
  return result;
}

}  // namespace

const Library& library() {
  static const auto* instance =
      new Library(open());  // never destroyed: drivers may be gone before static objects are
  return *instance;
}

std::string name(VkResult result) {
  switch (result) {
#define NAME(value) \
  case value: return #value;
    NAME(VK_SUCCESS)
    NAME(VK_NOT_READY)
    NAME(VK_TIMEOUT)
    NAME(VK_INCOMPLETE)
    NAME(VK_ERROR_OUT_OF_HOST_MEMORY)
    NAME(VK_ERROR_OUT_OF_DEVICE_MEMORY)
    NAME(VK_ERROR_INITIALIZATION_FAILED)
    NAME(VK_ERROR_DEVICE_LOST)
    NAME(VK_ERROR_MEMORY_MAP_FAILED)
    NAME(VK_ERROR_LAYER_NOT_PRESENT)
    NAME(VK_ERROR_EXTENSION_NOT_PRESENT)
    NAME(VK_ERROR_FEATURE_NOT_PRESENT)
    NAME(VK_ERROR_INCOMPATIBLE_DRIVER)
    NAME(VK_ERROR_TOO_MANY_OBJECTS)
    NAME(VK_ERROR_OUT_OF_POOL_MEMORY)
    NAME(VK_ERROR_FRAGMENTATION)
    NAME(VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS)
    NAME(VK_ERROR_FORMAT_NOT_SUPPORTED)
    NAME(VK_ERROR_INVALID_EXTERNAL_HANDLE)
    NAME(VK_ERROR_NOT_PERMITTED_KHR)
    NAME(VK_ERROR_INVALID_SHADER_NV)
    NAME(VK_ERROR_VALIDATION_FAILED_EXT)
    NAME(VK_PIPELINE_COMPILE_REQUIRED)
    NAME(VK_ERROR_UNKNOWN)
#undef NAME
    default: return "VkResult " + std::to_string(static_cast<int>(result));
  }
}

void check(VkResult result, const char* what) {
  if (result != VK_SUCCESS) throw error(std::string(what) + " failed: " + name(result));
}

}  // namespace spirea::vulkan
