// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <spirea/spirea.hpp>

#include <cassert>
#include <cstdio>
#include <span>

[[spirea::kernel]] void hello(std::span<const int> in) {
  const auto i = spirea::global_id().x;
  std::printf("hello from %u: %d%%\n", i, in[i]);
}

[[spirea::kernel]] void careful(std::span<const int> in, std::span<int> out) {
  const auto i = spirea::global_id().x;
  assert(in[i] != 3);
  out[i] = in[i] + 1;
}

[[spirea::kernel]] void careless(std::span<const int> in, std::span<int> out) {
  const auto i = spirea::global_id().x;
  out[i] = in[i] + 1;
}

[[spirea::kernel]] void indexed(std::span<const int> in, std::span<int> out) {
  const auto i = spirea::global_id().x;
  int table[8];
  for (int k = 0; k < 8; ++k) table[k] = in[i] + k;
  out[i] = table[in[i]];
}

#ifndef __SPIREA_DEVICE__
int main() {
  spirea::device device;
  const spirea::buffer<int> in(device, {50});
  spirea::launch<hello>(device, spirea::grid(1).workgroup(1), in);
}
#endif
