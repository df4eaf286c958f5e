// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>
#include <concepts>
#include <numeric>
#include <optional>
#include <tuple>

#include "tests/execution/harness.h"

using u32 = std::uint32_t;

namespace outer {
namespace inner {
[[spirea::kernel]] void in_namespace(std::span<u32> data) {
  const auto i = spirea::global_id().x;
  if (i < data.size()) data[i] += 1;
}
}  // namespace inner
inline namespace v2 {
[[spirea::kernel]] void in_inline_namespace(std::span<u32> data) {
  const auto i = spirea::global_id().x;
  if (i < data.size()) data[i] += 2;
}
}  // namespace v2
}  // namespace outer

extern "C" [[spirea::kernel]] void c_linkage(u32* data, u32 n) {
  const auto i = spirea::global_id().x;
  if (i < n) data[i] += 3;
}

using namespace execution;

namespace {

[[spirea::kernel]] void overloaded(std::span<int> data) {
  const auto i = spirea::global_id().x;
  if (i < data.size()) data[i] += 4;
}
[[spirea::kernel]] void overloaded(std::span<float> data) {
  const auto i = spirea::global_id().x;
  if (i < data.size()) data[i] += 0.5f;
}

template <class T, unsigned Times>
T repeat(T value) {
  if constexpr (Times == 0)
    return value;
  else
    return repeat<T, Times - 1>(static_cast<T>(value * 3 + 1));
}

template <class T, unsigned Times>
[[spirea::kernel]] void templated(std::span<T> data) {
  const auto i = spirea::global_id().x;
  if (i < data.size()) data[i] = repeat<T, Times>(data[i]);
}

template <class F>
[[spirea::kernel]] void for_each(std::span<u32> data, F f) {
  const auto i = spirea::global_id().x;
  if (i < data.size()) f(data[i], i);
}

class Accumulator {
 public:
  explicit Accumulator(u32 start) : sum_(start) {}
  ~Accumulator() { sum_ = 0; }
  Accumulator& add(u32 v) {
    sum_ = sum_ * 31 + v;
    ++count_;
    return *this;
  }
  u32 total() const { return sum_ + count_; }

 private:
  u32 sum_;
  u32 count_ = 0;
};

struct Base {
  u32 seed;
  u32 next() { return seed = seed * 1103515245u + 12345u; }
};
struct Middle : Base {
  u32 below(u32 n) { return next() % n; }
};
struct Derived : Middle {
  u32 twice(u32 n) { return below(n) * 1000 + below(n); }
};

[[spirea::kernel]] void classes(std::span<const u32> in, std::span<u32> out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  Accumulator a(in[i]);
  Derived d{{{in[i]}}};
  for (u32 k = 0; k < 5; ++k) a.add(k * in[i]).add(d.twice(100));
  out[i] = a.total();
}

struct Complex {
  float re, im;
  friend constexpr Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
  friend constexpr Complex operator*(Complex a, Complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
};
constexpr Complex operator""_i(long double v) { return {0, static_cast<float>(v)}; }

[[spirea::kernel]] void operators(std::span<u32> out, u32 width) {  // exact: dyadic rationals of few bits
  const auto i = spirea::global_id().x;
  if (i >= out.size()) return;
  const Complex c =
      Complex{static_cast<float>(i % width) / 16 - 2, static_cast<float>(i / width) / 16 - 1} + 0.0_i;
  Complex z = c;
  u32 n = 0;
  while (n < 3 && z.re * z.re + z.im * z.im <= 4) z = z * z + c, ++n;
  out[i] = n;
}

template <std::integral... T>
constexpr auto sum_of_squares(T... v) {
  return (... + (v * v));
}

constexpr u32 fibonacci(u32 n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
consteval u32 power(u32 base, u32 n) { return n == 0 ? 1 : base * power(base, n - 1); }

[[spirea::kernel]] void modern(std::span<const u32> in, std::span<u32> out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  const auto split = [](u32 v) { return std::tuple{v & 0xff, v >> 8 & 0xff, v >> 16}; };
  const auto [low, mid, high] = split(in[i]);
  const auto maybe = [&](u32 v) -> std::optional<u32> {
    if (v % 3 == 0) return std::nullopt;
    return v / 3;
  };
  constexpr u32 fib = fibonacci(20);
  u32 r = sum_of_squares(low, mid, high) + fib + power(3, 7);
  if (const auto m = maybe(in[i]))
    r ^= *m;
  else
    r += 17;
  for (auto [k, array] = std::pair{0u, std::array<u32, 4>{low, mid, high, r}}; k < 4; ++k)
    r = r * 33 + array[k];
  out[i] = r;
}

[[spirea::kernel]] void algorithms(std::span<const int> sorted, std::span<const int> keys,
                                   std::span<int> out) {
  const auto i = spirea::global_id().x;
  if (i >= keys.size()) return;
  const auto it = std::lower_bound(sorted.begin(), sorted.end(), keys[i]);
  out[i * 3] = static_cast<int>(it - sorted.begin());
  out[i * 3 + 1] = std::accumulate(sorted.begin(), sorted.begin() + i % 20, 0);
  out[i * 3 + 2] =
      static_cast<int>(std::count_if(sorted.begin(), sorted.end(), [&](int v) { return v > keys[i]; }));
}

template <class T>
concept Scalable = requires(T t) {
  t.scale(2u);
};
struct Scaler {
  u32 factor;
  u32 scale(u32 v) const { return v * factor; }
};
template <class T>
u32 apply(const T& t, u32 v) {
  if constexpr (Scalable<T>)
    return t.scale(v);
  else
    return t(v);
}

[[spirea::kernel]] void concepts(std::span<u32> data, Scaler scaler) {
  const auto i = spirea::global_id().x;
  if (i >= data.size()) return;
  data[i] = apply(scaler, data[i]) + apply([&](u32 v) { return v % (scaler.factor + i); }, data[i]);
}

}  // namespace

EXECUTION_TEST(namespaces) {
  run_everywhere<outer::inner::in_namespace>(shape(50), random_integers<u32>(50, 1));
  run_everywhere<outer::in_inline_namespace>(shape(50), random_integers<u32>(50, 1));
}
EXECUTION_TEST(c_linkage) { run_everywhere<c_linkage>(shape(50), random_integers<u32>(50, 1), 50u); }
EXECUTION_TEST(overloads) {
  run_everywhere<static_cast<void (*)(std::span<int>)>(overloaded)>(shape(50),
                                                                    array<int>(std::vector<int>(50, 8)));
  run_everywhere<static_cast<void (*)(std::span<float>)>(overloaded)>(
      shape(50), array<float>(std::vector<float>(50, 8)));
}
EXECUTION_TEST(templates) {
  run_everywhere<templated<u32, 3>>(shape(50), random_integers<u32>(50, 2));
  run_everywhere<templated<std::uint16_t, 5>>(shape(50), random_integers<std::uint16_t>(50, 2));
}
struct MultiplyAdd {
  u32 by;
  void operator()(u32& v, u32 i) const { v = v * by + i; }
};
EXECUTION_TEST(function_objects) {
  run_everywhere<for_each<MultiplyAdd>>(shape(50), random_integers<u32>(50, 3), MultiplyAdd{9});
}
EXECUTION_TEST(lambdas) {
  const u32 by = 5;
  const auto scale = [by](u32& v, u32) { v *= by; };
  const auto exchange = [by](u32& v, u32 i) { v ^= i << by; };
  run_everywhere<for_each<decltype(scale)>>(shape(50), random_integers<u32>(50, 3), scale);
  run_everywhere<for_each<decltype(exchange)>>(shape(50), random_integers<u32>(50, 3), exchange);
}
EXECUTION_TEST(classes) { run_everywhere<classes>(shape(50), random_integers<u32>(50, 4), output<u32>(50)); }
EXECUTION_TEST(operators) { run_everywhere<operators>(shape(48 * 32), output<u32>(48 * 32), 48u); }
EXECUTION_TEST(modern_cpp) {
  run_everywhere<modern>(shape(50), random_integers<u32>(50, 5), output<u32>(50));
}
EXECUTION_TEST(algorithms) {
  Array<int> sorted = random_integers<int>(100, 6);
  for (int& v : sorted.values) v %= 1000;
  std::sort(sorted.values.begin(), sorted.values.end());
  Array<int> keys = random_integers<int>(60, 7);
  for (int& v : keys.values) v %= 1100;
  run_everywhere<algorithms>(shape(60), sorted, keys, output<int>(180));
}
EXECUTION_TEST(concepts) { run_everywhere<concepts>(shape(50), random_integers<u32>(50, 8), Scaler{11}); }
