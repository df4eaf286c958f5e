// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <factor.h>

#include <cstdio>
#include <span>
#include <vector>

#include "kernels/twice.h"

[[spirea::kernel]] void multiply(std::span<int> values) {
  const auto i = spirea::global_id().x;
  if (i < values.size()) values[i] *= factor();
}

int main() {
  spirea::device device;
  spirea::buffer<int> values(device, std::vector<int>{1, 2, 3});
  spirea::launch<multiply>(device, spirea::grid(values.size()), values);
  launch_twice(device, values);
  for (const int value : values.to_vector()) std::printf("%d ", value);
  std::printf("%s\n", GREETING);
}
