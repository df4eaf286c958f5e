// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels with a branch that never prints, or a check that never fails, where SPIREA_BENCHMARK_MESSAGE says
// so (0 none, 1 printf, 2 assert).
#include <spirea/kernel.hpp>
#undef NDEBUG
#include <cassert>
#include <cmath>
#include <cstdio>
#include <span>

namespace {

void look_at([[maybe_unused]] float value, [[maybe_unused]] unsigned i) {
#if SPIREA_BENCHMARK_MESSAGE == 1
  if (value < -1e30f) std::printf("element %u is %g\n", i, value);
#elif SPIREA_BENCHMARK_MESSAGE == 2
  assert(!(value < -1e30f));
#endif
}

}  // namespace

/// Bound by memory.
[[spirea::kernel]] void scale(std::span<const float> in, std::span<float> out, float factor) {
  const auto i = spirea::global_id().x;
  if (i >= out.size()) return;
  const float value = in[i] * factor;
  look_at(value, i);
  out[i] = value;
}

/// Bound by arithmetic.
[[spirea::kernel]] void iterate(std::span<const float> in, std::span<float> out, float factor) {
  const auto i = spirea::global_id().x;
  if (i >= out.size()) return;
  float value = in[i];
  for (int k = 0; k < 256; ++k) value = value * factor + 0.25f;
  look_at(value, i);
  out[i] = value;
}

/// Bound by arithmetic, with a look in each iteration.
[[spirea::kernel]] void iterate_and_look(std::span<const float> in, std::span<float> out, float factor) {
  const auto i = spirea::global_id().x;
  if (i >= out.size()) return;
  float value = in[i];
  for (int k = 0; k < 256; ++k) {
    value = value * factor + 0.25f;
    look_at(value, i);
  }
  out[i] = value;
}
