// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <spirea/kernel.hpp>

extern "C" [[spirea::kernel]] void division(const float* x, const float* y, float* out) {
  const auto i = spirea::global_id().x;
  out[i] = x[i] * y[i] + x[i] / y[i];
}
