// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds: arithmetic may be contracted (a fused multiply-add rounds once instead of twice); division and
// square root of f32 may be off by 2.5 and 3 ULP on Vulkan (its specification, "Precision and Operation of
// SPIR-V Instructions"), where sine and cosine have an absolute error of 2^-11 and exp and log a few ULP.
#include <bit>
#include <cmath>
#include <limits>

#include "tests/execution/harness.h"

using namespace execution;

namespace {

template <class T>
[[spirea::kernel]] void exact(std::span<const T> a, std::span<const T> b, std::span<T> out) {
  const auto i = spirea::global_id().x;
  if (i >= a.size()) return;
  const T x = a[i], y = b[i];
  T* o = &out[i * 12];
  o[0] = x + y;
  o[1] = x - y;
  o[2] = x * y;
  o[3] = std::fabs(x);
  o[4] = -y;
  o[5] = std::floor(x);
  o[6] = std::ceil(x);
  o[7] = std::trunc(y);
  o[8] = std::fmin(x, y);
  o[9] = std::fmax(x, y);
  o[10] = std::copysign(x, y);
  o[11] = std::rint(x);
}

template <class T>
void test_exact() {
  Array<T> a = random_floats<T>(120, 1, -50, 50), b = random_floats<T>(120, 2, -3, 3);
  const T special[] = {0, 1, 2.5, 3.5, -2.5, 0.5, 1e10, -1e-10};
  for (std::size_t i = 0; i < 8; ++i) a.values[i] = special[i];
  run_everywhere<exact<T>>(shape(120), a, b, output<T>(120 * 12));
}

template <class T>
[[spirea::kernel]] void rounded(std::span<const T> a, std::span<const T> b, std::span<T> out) {
  const auto i = spirea::global_id().x;
  if (i >= a.size()) return;
  out[i * 3] = a[i] / b[i];
  out[i * 3 + 1] = std::sqrt(a[i]);
  out[i * 3 + 2] = std::round(a[i] * 8);
}

[[spirea::kernel]] void classify(std::span<const float> in, std::span<std::uint32_t> out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  const float v = in[i];
  const float w = in[(i + 3) % in.size()];
  out[i] = (std::isnan(v) ? 1u : 0u) | (std::isinf(v) ? 2u : 0u) | (std::isfinite(v) ? 4u : 0u) |
           (std::signbit(v) ? 8u : 0u) | (v < w ? 16u : 0u) | (v <= w ? 32u : 0u) | (v == w ? 64u : 0u) |
           (v != w ? 128u : 0u) | (!(v < w) ? 256u : 0u) | (!(v >= w) ? 512u : 0u) | (v > w ? 1024u : 0u);
}

template <class T>
[[spirea::kernel]] void to_integer(std::span<const T> in, std::span<std::int64_t> out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  out[i * 3] = static_cast<std::int32_t>(in[i]);
  out[i * 3 + 1] = static_cast<std::int64_t>(in[i] * T(1000));
  out[i * 3 + 2] = static_cast<std::uint32_t>(std::fabs(in[i]));
}

template <class T>
[[spirea::kernel]] void from_integer(std::span<const std::int64_t> in, std::span<T> out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  out[i * 4] = static_cast<T>(static_cast<std::int8_t>(in[i]));
  out[i * 4 + 1] = static_cast<T>(static_cast<std::uint32_t>(in[i]));
  out[i * 4 + 2] = static_cast<T>(in[i] >> 20);
  out[i * 4 + 3] = static_cast<T>(static_cast<std::int32_t>(in[i]));
}

[[spirea::kernel]] void widths(std::span<const double> in, std::span<float> narrow, std::span<double> wide) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  narrow[i] = static_cast<float>(in[i]);
  wide[i] = static_cast<double>(static_cast<float>(in[i])) * 0.5;
}

[[spirea::kernel]] void bits(std::span<const float> in, std::span<std::uint32_t> out, std::span<float> back) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  out[i] = std::bit_cast<std::uint32_t>(in[i]) ^ 0x80000000u;
  back[i] = std::bit_cast<float>(out[i]);
}

[[spirea::kernel]] void polynomial(std::span<const float> in, std::span<float> out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  float sum = 0;
  for (int k = 8; k > 0; --k) sum = sum * in[i] + 1.0f / static_cast<float>(k);
  out[i] = sum;
}

[[spirea::kernel]] void elementary(std::span<const float> in, std::span<float> out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  out[i * 4] = std::sin(in[i]);
  out[i * 4 + 1] = std::cos(in[i]);
  out[i * 4 + 2] = std::exp(-std::fabs(in[i]));
  out[i * 4 + 3] = std::log(std::fabs(in[i]) + 2.0f);
}

[[spirea::kernel]] void fused(std::span<const double> in, std::span<double> out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  out[i] = std::fma(in[i], in[(i + 1) % in.size()], -in[(i + 2) % in.size()]);
}

}  // namespace

EXECUTION_TEST(float_exact_f32) { test_exact<float>(); }
EXECUTION_TEST(float_exact_f64) { test_exact<double>(); }
EXECUTION_TEST(float_rounded_f32) {
  run_everywhere<rounded<float>>(shape(100), random_floats<float>(100, 4, 0.25, 90),
                                 random_floats<float>(100, 5, 1, 9), output<float>(300, 3));
}
EXECUTION_TEST(float_rounded_f64) {
  run_everywhere<rounded<double>>(shape(100), random_floats<double>(100, 4, 0.25, 90),
                                  random_floats<double>(100, 5, 1, 9), output<double>(300, 1));
}
EXECUTION_TEST(float_classify) {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const auto in = array<float>({0.0f, -0.0f, 1.5f, nan, inf, -inf, -1.5f, 1.5f, nan, 3.0f, -3.0f});
  run_everywhere<classify>(shape(11), in, output<std::uint32_t>(11));
}
EXECUTION_TEST(float_to_integer) {
  run_everywhere<to_integer<float>>(shape(64), random_floats<float>(64, 8, -2000, 2000),
                                    output<std::int64_t>(192));
  run_everywhere<to_integer<double>>(shape(64), random_floats<double>(64, 9, -2e9, 2e9),
                                     output<std::int64_t>(192));
}
EXECUTION_TEST(float_from_integer) {
  run_everywhere<from_integer<float>>(shape(64), random_integers<std::int64_t>(64, 8), output<float>(256));
  run_everywhere<from_integer<double>>(shape(64), random_integers<std::int64_t>(64, 9), output<double>(256));
}
EXECUTION_TEST(float_widths) {
  run_everywhere<widths>(shape(50), random_floats<double>(50, 3, -1e5, 1e5), output<float>(50),
                         output<double>(50));
}
EXECUTION_TEST(float_bits) {
  run_everywhere<bits>(shape(50), random_floats<float>(50, 3, -1e5, 1e5), output<std::uint32_t>(50),
                       output<float>(50));
}
EXECUTION_TEST(float_polynomial) {
  run_everywhere<polynomial>(shape(128), random_floats<float>(128, 6, 0, 1), output<float>(128, 4));
}
EXECUTION_TEST(float_elementary) {
  run_everywhere<elementary>(shape(200), random_floats<float>(200, 7, -3.1, 3.1),
                             output<float>(800, 8, 1.0 / 2048));
}
EXECUTION_TEST(float_fused_f64) {
  run_everywhere<fused>(shape(60), random_floats<double>(60, 12, -1, 1), output<double>(60, 0, 0x1p-52));
}
