// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled with -fp=strict: every operation is that of IEEE 754, subnormal numbers included, and functions of
// <cmath> have the same bits on all devices.
#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <vector>

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

/// Quotients and roots keep subnormal numbers on every device.
template <class T>
[[spirea::kernel]] void quotients(std::span<const T> x, std::span<const T> y, std::span<T> out) {
  const auto i = spirea::global_id().x;
  if (i >= x.size()) return;
  out[i * 2] = x[i] / y[i];
  out[i * 2 + 1] = std::sqrt(x[i]);
}

template <class T>
constexpr Needs kSubnormals = sizeof(T) == 4 ? Needs::subnormals_f32 : Needs::nothing;

template <class T>
void test_arithmetic() {
  run_everywhere<arithmetic<T>>(shape(kCount), without_subnormals(numbers<T>(2)),
                                without_subnormals(numbers<T>(3)), output<T>(6 * kCount));
  run_where<arithmetic<T>>(kSubnormals<T>, shape(kCount), numbers<T>(2), numbers<T>(3),
                           output<T>(6 * kCount));
}

template <class T>
void test_quotients_of(const Array<T>& x, const Array<T>& y) {
  Array<T> result = output<T>(2 * x.values.size());
  result.keeps_subnormals = true;
  run_everywhere<quotients<T>>(shape(static_cast<std::uint32_t>(x.values.size())), x, y, result);
}

template <class T>
void test_quotients() {
  test_quotients_of(numbers<T>(2), numbers<T>(3));
  test_quotients_of(subnormal_numbers<T>(4, 0), subnormal_numbers<T>(5, 1));
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
  run_where<subnormals<T>>(kSubnormals<T>, shape(400), random_floats<T>(400, 7, -1, 1), output<T>(1600));
}

// Distributions divide, and multiply and add: their numbers are those of the host in this mode.
template <class Engine, class Real>
std::uint32_t real_numbers(std::uint32_t x) {
  Engine engine(x % 1000 + 1);
  std::uniform_real_distribution<Real> unit, wide(Real(-3), Real(1e6));
  std::bernoulli_distribution coin(0.3);
  std::uint32_t hash = 0;
  for (std::uint32_t k = 0; k < 3; ++k) {
    const Real a = unit(engine), b = wide(engine);
    hash = mix(hash, static_cast<std::uint32_t>(a * Real(1 << 23)));
    hash = mix(hash, static_cast<std::uint32_t>(static_cast<int>(b)) + (coin(engine) ? 1 : 0));
  }
  return hash;
}
std::uint32_t distributions_of_reals(std::uint32_t x) {
  return real_numbers<std::minstd_rand, float>(x) + real_numbers<std::minstd_rand, double>(x + 1);
}
std::uint32_t distributions_of_reals_by_twister(std::uint32_t x) {
  return real_numbers<std::mt19937, float>(x) + real_numbers<std::mt19937_64, double>(x + 1);
}

/// Through log and sqrt, which devices do not give to the bit.
[[spirea::kernel]] void distributions_by_logarithms(std::span<float> out) {
  const auto i = spirea::global_id().x;
  if (i >= out.size() / 4) return;
  std::minstd_rand engine(i + 1);
  std::normal_distribution<float> normal(2.0f, 3.0f);
  std::exponential_distribution<float> waiting(0.5f);
  for (std::uint32_t k = 0; k < 3; ++k) out[i * 4 + k] = normal(engine);
  out[i * 4 + 3] = waiting(engine);
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

/// All NaNs are alike; where a device may flush subnormal numbers, all of these and the zeros.
template <class T>
std::vector<std::uint64_t> bits_of(const std::vector<T>& values, bool with_subnormals) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  std::vector<std::uint64_t> result;
  for (const T value : values) {
    const bool is_flushed = !with_subnormals && std::abs(value) < std::numeric_limits<T>::min();
    result.push_back(std::isnan(value) ? ~0ull : is_flushed ? 0 : std::bit_cast<Bits>(value));
  }
  return result;
}

/// All devices against the first, bit by bit.
template <class T>
void test_functions() {
  const std::vector<T> x = numbers<T>(2).values, y = numbers<T>(3).values;
  std::vector<T> want;
  on_every_device([&](spirea::device& device) {
    const spirea::buffer<T> a(device, x), b(device, y);
    spirea::buffer<T> out(device, x.size() * kFunctions);
    spirea::launch<functions<T>>(device, spirea::grid(x.size()), a, b, out).wait();
    const std::vector<T> got = out.to_vector();
    if (want.empty()) want = got;
    const bool with_subnormals = sizeof(T) == 8 || device.keeps_subnormals_f32();
    expect_near(bits_of(got, with_subnormals), bits_of(want, with_subnormals));
  });
}

}  // namespace

EXECUTION_TEST(strict_arithmetic_f32) { test_arithmetic<float>(); }
EXECUTION_TEST(strict_arithmetic_f64) { test_arithmetic<double>(); }
EXECUTION_TEST(strict_quotients_f32) { test_quotients<float>(); }
EXECUTION_TEST(strict_quotients_f64) { test_quotients<double>(); }
EXECUTION_TEST(strict_subnormals_f32) { test_subnormals<float>(); }
EXECUTION_TEST(strict_subnormals_f64) { test_subnormals<double>(); }
EXECUTION_TEST(distributions_of_reals) { run_map<distributions_of_reals>(); }
EXECUTION_TEST(distributions_of_reals_by_twister) { run_map<distributions_of_reals_by_twister>(); }
EXECUTION_TEST(distributions_by_logarithms) {
  run_everywhere<distributions_by_logarithms>(shape(50), output<float>(200, 16, 1e-5));
}

EXECUTION_TEST(strict_functions_f32) { test_functions<float>(); }
EXECUTION_TEST(strict_functions_f64) { test_functions<double>(); }
