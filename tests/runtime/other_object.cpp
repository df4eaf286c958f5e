// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/runtime/other_object.h"

namespace {

// Not the code of the first kernel here is what both objects share.
[[maybe_unused]] [[spirea::kernel]] void only_here(std::span<int> data) {
  if (spirea::global_id().x == 0 && !data.empty()) data[0] = 1;
}

}  // namespace

void scale_by_three(spirea::device& device, spirea::buffer<int>& data) {
  spirea::launch<scale_all<int>>(device, spirea::grid(data.size()), data, 3);
}
