// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Execution tests: a kernel, its inputs, and the same function run as plain C++ by the host compiler for the
// expected results. Every device in SPIREA_TEST_DEVICES (default "interp,host,vulkan") must give them:
// integers to the bit, floats within the bound that the argument states.
//
// A device compile sees declarations alone, so that it parses neither GoogleTest nor the comparison.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <spirea/spirea.hpp>
#include <utility>
#include <vector>

namespace execution {

/// A buffer argument: its contents before the launch, and how far results may be off.
template <class T>
struct Array {
  std::vector<T> values;
  std::uint64_t ulp = 0;  ///< units in the last place, for floats
  double absolute = 0;    ///< or this difference, whichever is larger
  /// Subnormal results come on every device; else one that flushes them may give a zero (f32).
  bool keeps_subnormals = false;
};

/// Invocations of the launch and the workgroup; `attribute`: the kernel states the workgroup itself.
struct Shape {
  spirea::uint3 size{1, 1, 1};
  spirea::uint3 workgroup{64, 1, 1};
  bool attribute = false;
  std::size_t dynamic_shared = 0;
};

inline Shape shape(std::uint32_t x, std::uint32_t workgroup = 64) { return {{x, 1, 1}, {workgroup, 1, 1}}; }
inline Shape shape2(std::uint32_t x, std::uint32_t y, std::uint32_t wx = 8, std::uint32_t wy = 4) {
  return {{x, y, 1}, {wx, wy, 1}};
}

/// What a test demands of a device that runs it.
enum class Needs : std::uint8_t { nothing, subnormals_f32 };

/// Deterministic inputs: xorshift with the full range of the type (floats: -scale to scale).
std::uint64_t next_random(std::uint64_t& state);

template <class T>
Array<T> random_integers(std::size_t n, std::uint64_t seed) {
  Array<T> result;
  for (std::size_t i = 0; i < n; ++i) result.values.push_back(static_cast<T>(next_random(seed) >> 5));
  return result;
}

template <class T>
Array<T> random_floats(std::size_t n, std::uint64_t seed, double low, double high) {
  Array<T> result;
  for (std::size_t i = 0; i < n; ++i)
    result.values.push_back(static_cast<T>(low + (high - low) * static_cast<double>(next_random(seed) >> 11) /
                                                     9007199254740992.0));
  return result;
}

/// An output: poisoned with a pattern that no test computes.
template <class T>
Array<T> output(std::size_t n, std::uint64_t ulp = 0, double absolute = 0) {
  return {std::vector<T>(n, static_cast<T>(77)), ulp, absolute};
}

template <class T>
Array<T> array(std::vector<T> values) {
  return {std::move(values)};
}

/// One step of a hash: folds many results of a kernel into one, in which each of them and their order show.
constexpr std::uint32_t mix(std::uint32_t hash, std::uint32_t value) {
  hash = (hash ^ value) * 0x9e3779b1u;
  return hash ^ hash >> 15;
}

/// The kernel of tests that need no more than a function of one element.
template <auto F, class In, class Out>
[[spirea::kernel]] void map_elements(std::span<const In> in, std::span<Out> out) {
  const auto i = spirea::global_id().x;
  if (i < in.size()) out[i] = F(in[i]);
}

/// Integers at which arithmetic turns, then random ones.
template <class T>
Array<T> interesting_integers(std::size_t n, std::uint64_t seed) {
  Array<T> result = random_integers<T>(n, seed);
  constexpr T kHigh = static_cast<T>(~std::uint64_t{0} >> (64 - 8 * sizeof(T) + 1));
  const T first[] = {0,
                     1,
                     2,
                     3,
                     7,
                     8,
                     15,
                     16,
                     31,
                     100,
                     kHigh,
                     static_cast<T>(kHigh - 1),
                     static_cast<T>(~kHigh),
                     static_cast<T>(~T{0})};
  for (std::size_t i = 0; i < std::size(first) && i < n; ++i) result.values[i] = first[i];
  return result;
}

}  // namespace execution

#ifdef __SPIREA_DEVICE__

namespace execution {
template <auto Kernel, class... Args>
void run_everywhere(const Shape&, Args&&...) {}
template <auto Kernel, class... Args>
void run_where(Needs, const Shape&, Args&&...) {}
spirea::device& some_device();  // declared alone: host code is compiled for its kernels, and never emitted
template <class F>
void on_every_device(F&& f) {
  f(some_device());
}
template <class T>
void expect_near(const std::vector<T>&, const std::vector<T>&, double = 0) {}
inline void expect_refused(spirea::device&, const spirea::error&, const std::string&) {}
}  // namespace execution

#define EXECUTION_TEST(name) [[maybe_unused]] static void execution_test_##name()

#else

#include "tests/execution/run.h"

// The body is a function of the same name in both compiles, since the names of lambdas in it depend on that.
#define EXECUTION_TEST(name)                         \
  static void execution_test_##name();               \
  TEST(Execution, name) { execution_test_##name(); } \
  static void execution_test_##name()

#endif

namespace execution {

template <auto F, class Out, class In>
void run_map_of(Out (*)(In), std::uint64_t ulp) {
  constexpr std::size_t kCount = 96;
  run_everywhere<map_elements<F, In, Out>>(shape(kCount), interesting_integers<In>(kCount, 11),
                                           output<Out>(kCount, ulp));
}

/// Runs a function of one integer for integers from everywhere in its range.
template <auto F>
void run_map(std::uint64_t ulp = 0) {
  run_map_of<F>(F, ulp);
}

}  // namespace execution
