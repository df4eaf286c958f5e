// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/vulkan/library.h"

namespace spirea::vulkan {

bool is_llvmpipe(const VkPhysicalDeviceVulkan12Properties&);

/// The module as Mesa's CPU driver can take it (see the source); the same where nothing needs a change.
std::vector<std::uint32_t> adapt_to_llvmpipe(const std::vector<std::uint32_t>& words);

}  // namespace spirea::vulkan
