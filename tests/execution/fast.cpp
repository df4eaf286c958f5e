// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled with -fp=fast, where functions may be the device's own; and spirea::native, which always is. Their
// bounds are those of Vulkan's specification ("Precision and Operation of SPIR-V Instructions").
#include <cmath>
#include <limits>
#include <spirea/native.hpp>

#include "tests/execution/harness.h"

using namespace execution;

namespace {

[[spirea::kernel]] void waves(std::span<const float> x, std::span<float> out) {
  const auto i = spirea::global_id().x;
  if (i >= x.size()) return;
  out[i * 2] = std::sin(x[i]) * std::cos(x[i]);
  out[i * 2 + 1] = std::cos(x[i]);
}

[[spirea::kernel]] void powers(std::span<const float> x, std::span<float> out) {
  const auto i = spirea::global_id().x;
  if (i >= x.size()) return;
  out[i * 4] = std::exp(x[i]);
  out[i * 4 + 1] = std::exp2(x[i]) + std::log(x[i] + 2.5f);
  out[i * 4 + 2] = x[i] / 7.0f;
  out[i * 4 + 3] = std::sqrt(std::fabs(x[i]));
}

/// Infinities and NaNs are kept.
[[spirea::kernel]] void special(std::span<const float> x, std::span<std::uint32_t> out) {
  const auto i = spirea::global_id().x;
  if (i >= x.size()) return;
  out[i] = (std::isnan(x[i]) ? 1u : 0u) | (std::isinf(x[i]) ? 2u : 0u) | (x[i] != x[i] ? 4u : 0u);
}

[[spirea::kernel]] void native_waves(std::span<const float> x, std::span<float> out) {
  const auto i = spirea::global_id().x;
  if (i >= x.size()) return;
  out[i * 2] = spirea::native::sin(x[i]);
  out[i * 2 + 1] = spirea::native::cos(x[i]);
}

[[spirea::kernel]] void native_others(std::span<const float> x, std::span<float> out) {
  const auto i = spirea::global_id().x;
  if (i >= x.size()) return;
  const float a = std::fabs(x[i]) + 1.5f;
  const float results[] = {
      spirea::native::exp(x[i]),       spirea::native::exp2(x[i]),    spirea::native::exp10(x[i]),
      spirea::native::log(a + 1),      spirea::native::log2(a + 1),   spirea::native::log10(a + 1),
      spirea::native::sqrt(a),         spirea::native::rsqrt(a),      spirea::native::recip(a),
      spirea::native::divide(x[i], a), spirea::native::powr(a, x[i]), spirea::native::tan(x[i] / 3)};
  for (unsigned k = 0; k < 12; ++k) out[i * 12 + k] = results[k];
}

}  // namespace

EXECUTION_TEST(fast_waves) {
  run_everywhere<waves>(shape(200), random_floats<float>(200, 1, -3, 3), output<float>(400, 0, 1e-3));
}
EXECUTION_TEST(fast_powers) {
  run_everywhere<powers>(shape(200), random_floats<float>(200, 2, -2, 2), output<float>(800, 16, 1e-6));
}
EXECUTION_TEST(fast_keeps_infinities) {
  Array<float> x = random_floats<float>(30, 3, -2, 2);
  x.values[3] = std::numeric_limits<float>::infinity();
  x.values[5] = -x.values[3];
  x.values[8] = std::numeric_limits<float>::quiet_NaN();
  run_everywhere<special>(shape(30), x, output<std::uint32_t>(30));
}
EXECUTION_TEST(native_sine_and_cosine) {
  run_everywhere<native_waves>(shape(200), random_floats<float>(200, 4, -3, 3), output<float>(400, 0, 1e-3));
}
EXECUTION_TEST(native_functions) {
  run_everywhere<native_others>(shape(200), random_floats<float>(200, 5, -2, 2),
                                output<float>(2400, 64, 1e-4));
}
