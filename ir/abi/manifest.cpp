// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/abi/manifest.h"

namespace spirea::abi {

std::uint32_t Manifest::block_size() const {
  std::uint32_t end = 0;
  for (const Param& param : params)
    for (const Leaf& leaf : param.leaves) {
      const std::uint32_t leaf_end = leaf.block_offset + block_bytes(leaf.scalar);
      if (leaf_end > end) end = leaf_end;
    }
  return (end + 7) / 8 * 8;
}

void assign_block_offsets(Manifest& manifest) {
  std::uint32_t offset = 0;
  for (Param& param : manifest.params)
    for (Leaf& leaf : param.leaves) {
      const std::uint32_t bytes = block_bytes(leaf.scalar);
      offset = (offset + bytes - 1) / bytes * bytes;
      leaf.block_offset = offset;
      offset += bytes;
    }
}

}  // namespace spirea::abi
