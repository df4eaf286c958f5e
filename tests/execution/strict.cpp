// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled with -fp=strict: every operation is that of IEEE 754, subnormal numbers included, and functions of
// <cmath> have the same bits on all devices.
#include <algorithm>
#include <bit>
#include <cmath>

#include "tests/execution/numbers.h"

using namespace execution;

namespace {

template <class T>
[[spirea::kernel]] void arithmetic(std::span<const T> x, std::span<const T> y, std::span<T> out) {
  const auto i = spirea::global_id().x;
  if (i >= x.size()) return;
  const T a = x[i], b = y[i];
  T* o = &out[i * 6];
  o[0] = a / b;
  o[1] = std::sqrt(a);
  o[2] = a * b + a;  // two roundings
  o[3] = a / T(3) + T(1) / b;
  o[4] = a - b * b;
  o[5] = T(1) / std::sqrt(b);
}

template <class T>
void test_arithmetic() {
  run_everywhere<arithmetic<T>>(shape(kCount), numbers<T>(2), numbers<T>(3), output<T>(6 * kCount));
}

/// Subnormal results of ordinary numbers, and ordinary results of subnormal ones.
template <class T>
[[spirea::kernel]] void subnormals(std::span<const T> x, std::span<T> out) {
  const auto i = spirea::global_id().x;
  if (i >= x.size()) return;
  const T smallest = std::numeric_limits<T>::min();
  out[i * 4] = x[i] * smallest;
  out[i * 4 + 1] = x[i] * smallest / smallest;
  out[i * 4 + 2] = smallest / (x[i] + T(2)) + smallest * x[i];
  out[i * 4 + 3] = std::sqrt(smallest * std::fabs(x[i]));
}

template <class T>
void test_subnormals() {
  run_everywhere<subnormals<T>>(shape(400), random_floats<T>(400, 7, -1, 1), output<T>(1600));
}

constexpr std::size_t kFunctions = 10;

template <class T>
[[spirea::kernel]] void functions(std::span<const T> x, std::span<const T> y, std::span<T> out) {
  const auto i = spirea::global_id().x;
  if (i >= x.size()) return;
  const T a = x[i], b = y[i];
  const T results[kFunctions] = {std::sin(a),  std::exp(a),   std::log(a),  std::pow(a, b),
                                 std::tanh(a), std::erfc(a),  std::cbrt(a), std::atan2(a, b),
                                 std::asin(a), std::lgamma(a)};
  for (std::size_t k = 0; k < kFunctions; ++k) out[i * kFunctions + k] = results[k];
}

#ifndef __SPIREA_DEVICE__

/// All devices against the first, bit by bit; but NaNs are alike.
template <class T>
void test_functions() {
  const std::vector<T> x = numbers<T>(2).values, y = numbers<T>(3).values;
  std::vector<T> want;
  on_each_entry([&](TestDevice& entry) {
    const spirea::buffer<T> a(*entry.device, x), b(*entry.device, y);
    spirea::buffer<T> out(*entry.device, x.size() * kFunctions);
    spirea::launch<functions<T>>(*entry.device, spirea::grid(x.size()), a, b, out).wait();
    const std::vector<T> got = out.to_vector();
    if (want.empty()) want = got;
    compare(Array<T>{}, want, got, 0, entry.selector);
  });
}

#endif

}  // namespace

EXECUTION_TEST(strict_arithmetic_f32) { test_arithmetic<float>(); }
EXECUTION_TEST(strict_arithmetic_f64) { test_arithmetic<double>(); }
EXECUTION_TEST(strict_subnormals_f32) { test_subnormals<float>(); }
EXECUTION_TEST(strict_subnormals_f64) { test_subnormals<double>(); }
EXECUTION_TEST(strict_functions_f32) { test_functions<float>(); }
EXECUTION_TEST(strict_functions_f64) { test_functions<double>(); }
