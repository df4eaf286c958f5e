// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the largest error of each function of <cmath> on each device, in units in the last place of the
// exact result, and prints the table of docs/math.md.
//
//   math_accuracy [log2 of the samples, default 24] [devices, default host,vulkan] [one function]
#include "benchmarks/math_accuracy/functions.h"

#ifndef __SPIREA_DEVICE__

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#endif

namespace accuracy {

#ifndef __SPIREA_DEVICE__

template <class T>
using Wide = std::conditional_t<sizeof(T) == 4, double, long double>;

std::uint64_t next_random(std::uint64_t& state) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

/// Any bits, subnormals and NaNs among them; numbers about 1; numbers up to 30; one of each kind after the
/// other.
template <class T>
T sample(std::uint64_t& state, std::size_t i) {
  const std::uint64_t bits = next_random(state);
  T any;
  std::memcpy(&any, reinterpret_cast<const char*>(&bits) + 8 - sizeof(T), sizeof(T));
  const double unit = static_cast<double>(static_cast<std::int64_t>(bits)) * 0x1p-63;
  return i % 3 == 0 ? any : static_cast<T>(unit * (i % 3 == 1 ? 2 : 30));
}

/// |got - want| in units in the last place of `want`; infinite where one is a NaN, or infinite, and the other
/// not.
template <class T>
double error(T got, Wide<T> want) {
  using W = Wide<T>;
  using Limits = std::numeric_limits<T>;
  if (std::isnan(got) || std::isnan(want)) return std::isnan(got) == std::isnan(want) ? 0 : HUGE_VAL;
  const W largest = Limits::max();
  if (std::isinf(want)) return static_cast<W>(got) == want ? 0 : HUGE_VAL;
  W value = got;
  if (std::isinf(got)) value = std::copysign(std::ldexp(W(1), Limits::max_exponent), static_cast<W>(got));
  if (std::isinf(got) && std::fabs(want) > largest)
    return std::signbit(got) == std::signbit(want) ? 0 : HUGE_VAL;
  int exponent = Limits::min_exponent;
  if (want != 0) {
    std::frexp(want, &exponent);
    exponent = std::clamp(exponent, Limits::min_exponent, Limits::max_exponent);
  }
  return static_cast<double>(std::fabs(value - want) / std::ldexp(W(1), exponent - Limits::digits));
}

template <class T>
bool is_subnormal(T x) {
  return x != 0 && std::fabs(x) < std::numeric_limits<T>::min();
}

/// What the result of a function counts for on a device that takes subnormal numbers for zero in arithmetic:
/// a subnormal result may be zero, but subnormal arguments count, other than in operations.
template <class F, class T>
double flushed_error(T x, T y, T got, Wide<T> want) {
  if (F::is_operation && (is_subnormal(x) || is_subnormal(y))) return 0;
  if (got == 0 && std::fabs(want) < std::numeric_limits<T>::min()) return 0;
  return error(got, want);
}

template <class F>
void in_parallel(std::size_t n, F f) {
  const std::size_t threads = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> workers;
  for (std::size_t t = 0; t < threads; ++t)
    workers.emplace_back([=] { f(t * n / threads, (t + 1) * n / threads, t); });
  for (std::thread& worker : workers) worker.join();
}

struct Devices {
  std::vector<std::string> names;
  std::vector<spirea::device> open;
  std::string only;  ///< this function, if not empty
};

template <class F, class T>
void measure(Devices& devices, std::size_t n) {
  if (!devices.only.empty() && devices.only != F::text) return;
  std::uint64_t state = 88172645463325252u;
  std::vector<T> x(n), y(n), out(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = sample<T>(state, i);
    y[i] = sample<T>(state, i / 3);
  }
  std::vector<Wide<T>> want(n);
  in_parallel(n, [&](std::size_t first, std::size_t last, std::size_t) {
    for (std::size_t i = first; i < last; ++i)
      want[i] = F::call(static_cast<Wide<T>>(x[i]), static_cast<Wide<T>>(y[i]));
  });
  std::printf("| `%s` | %s |", F::text, sizeof(T) == 4 ? "f32" : "f64");
  std::string worst_inputs;
  for (std::size_t d = 0; d < devices.open.size(); ++d) {
    spirea::device& device = devices.open[d];
    spirea::buffer<T> bx(device, x), by(device, y), result(device, n);
    spirea::launch<apply<F, T>>(device, spirea::grid(n), bx, by, result).wait();
    result.read(out);
    const bool flushes = sizeof(T) == 4 && !device.keeps_subnormals_f32();
    std::vector<std::pair<double, std::size_t>> worst(std::max(1u, std::thread::hardware_concurrency()));
    in_parallel(n, [&](std::size_t first, std::size_t last, std::size_t t) {
      for (std::size_t i = first; i < last; ++i) {
        const double e = flushes ? flushed_error<F>(x[i], y[i], out[i], want[i]) : error(out[i], want[i]);
        worst[t] = std::max(worst[t], {e, i});
      }
    });
    const auto [most, at] = *std::max_element(worst.begin(), worst.end());
    std::printf(" %.2f |", most);
    char text[200];
    std::snprintf(text, sizeof text, "  %s %s(%a, %a) = %a, not %La;", devices.names[d].c_str(), F::text,
                  static_cast<double>(x[at]), static_cast<double>(y[at]), static_cast<double>(out[at]),
                  static_cast<long double>(want[at]));
    if (most > 4) worst_inputs += text;
  }
  std::printf("\n");
  std::fflush(stdout);
  if (!worst_inputs.empty()) std::fprintf(stderr, "%s\n", worst_inputs.c_str());
}

#endif

}  // namespace accuracy

#ifdef __SPIREA_DEVICE__
#define MEASURE(name)                                                                                        \
  template void accuracy::apply<accuracy::name##_function, float>(std::span<const float>,                    \
                                                                  std::span<const float>, std::span<float>); \
  template void accuracy::apply<accuracy::name##_function, double>(                                          \
      std::span<const double>, std::span<const double>, std::span<double>);
UNARY_FUNCTIONS(MEASURE)
BINARY_FUNCTIONS(MEASURE)
#else
int main(int argc, char** argv) {
  using namespace accuracy;
  const std::size_t n = std::size_t{1} << (argc > 1 ? std::atoi(argv[1]) : 24);
  std::istringstream list(argc > 2 ? argv[2] : "host,vulkan");
  Devices devices;
  for (std::string name; std::getline(list, name, ',');) {
    devices.names.push_back(name);
    devices.open.emplace_back(name);
  }
  if (argc > 3) devices.only = argv[3];
  std::printf("| function | type |");
  for (spirea::device& device : devices.open) std::printf(" %s |", device.name().c_str());
  std::printf("\n| --- | --- |");
  for (std::size_t i = 0; i < devices.open.size(); ++i) std::printf(" --- |");
  std::printf("\n");
#define MEASURE(name)                          \
  measure<name##_function, float>(devices, n); \
  measure<name##_function, double>(devices, n);
  UNARY_FUNCTIONS(MEASURE)
  BINARY_FUNCTIONS(MEASURE)
  return 0;
}
#endif
