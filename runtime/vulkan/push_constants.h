// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ir/abi/manifest.h"

namespace spirea::vulkan {

/// Argument blocks up to this size are push constants; larger ones lie in a buffer whose address is the push
/// constant. codegen-spirv/argument_block.h has the same rule.
inline constexpr std::uint32_t kMaxPushConstantBytes = 128;

inline bool in_push_constants(const abi::Manifest& manifest) {
  return manifest.block_size() <= kMaxPushConstantBytes;
}
inline std::uint32_t push_constant_bytes(const abi::Manifest& manifest) {
  return in_push_constants(manifest) ? manifest.block_size() : 8;
}

}  // namespace spirea::vulkan
