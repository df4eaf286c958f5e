// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ir/abi/manifest.h"
#include "ir/abi/vulkan.h"

namespace spirea::vulkan {

inline bool in_push_constants(const abi::Manifest& manifest) {
  return manifest.block_size() <= abi::kMaxPushConstantBytes;
}
inline std::uint32_t push_constant_bytes(const abi::Manifest& manifest) {
  return in_push_constants(manifest) ? manifest.block_size() : 8;
}

}  // namespace spirea::vulkan
