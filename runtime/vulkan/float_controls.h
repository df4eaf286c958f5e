// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/vulkan/device.h"

namespace spirea::vulkan {

/// The module with execution modes of SPV_KHR_float_controls for the floating-point types that it has and
/// that the device can treat so: subnormal numbers kept, signed zeros, infinities and NaNs kept, rounding to
/// nearest even. Without them a device may choose. They are added at load, since a module that declares a
/// capability cannot be loaded by a device without it.
std::vector<std::uint32_t> with_float_controls(const VkPhysicalDeviceVulkan12Properties&,
                                               const std::vector<std::uint32_t>& words);

/// Whether arithmetic of this width keeps subnormal numbers, in modules from with_float_controls.
bool keeps_subnormals(const VkPhysicalDeviceVulkan12Properties&, unsigned width);

}  // namespace spirea::vulkan
