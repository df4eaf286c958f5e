// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <spirea/kernel.hpp>

#include <span>
#include <utility>

[[spirea::kernel]] void choose(std::span<const int> in, std::span<int> out) {
  const auto i = spirea::global_id().x;
  switch (in[i]) {
    case 0: out[i] = 5; break;
    case 1: out[i] = 6; break;
    default: std::unreachable();
  }
}

namespace {

int name_of([[maybe_unused]] int x) {
  if (x < 2) return x + 1;
}

}  // namespace

[[spirea::kernel]] void name(std::span<const int> in, std::span<int> out) {
  const auto i = spirea::global_id().x;
  out[i] = name_of(in[i]);
}
