// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace spirea::spirv {

/// Argument blocks up to this size are push constants; every Vulkan device has that many bytes. Larger ones
/// lie in a buffer whose 8-byte address is the push constant. The runtime's vulkan/ follows the same rule.
inline constexpr std::uint32_t kMaxPushConstantBytes = 128;

}  // namespace spirea::spirv
