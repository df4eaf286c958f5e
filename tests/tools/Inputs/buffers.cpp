// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <spirea/kernel.hpp>

#include <cstddef>
#include <cstring>

[[spirea::kernel]] void scale(float* data, float factor) {
  const auto i = spirea::global_id().x;
  const float scaled = data[i] * factor;
  data[i] = scaled;
}

[[spirea::kernel]] void clear(void* data, std::size_t bytes) {
  std::memset(data, 0, bytes);
}
