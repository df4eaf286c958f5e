// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "twice.h"

#include <span>

namespace {

[[spirea::kernel]] void twice(std::span<int> values) {
  const auto i = spirea::global_id().x;
  if (i < values.size()) values[i] *= 2;
}

}  // namespace

void launch_twice(spirea::device& device, spirea::buffer<int>& values) {
  spirea::launch<twice>(device, spirea::grid(values.size()), values);
}
