// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host half of harness.h: runs a kernel as plain C++ and on each device, and compares.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>

#include "tests/execution/harness.h"

namespace execution {

/// The devices to test, opened once. Each entry is a selector and the device, or the reason why there is
/// none.
struct TestDevice {
  std::string selector;
  spirea::device* device = nullptr;
  std::string missing;
  std::string failed;  ///< the last test in which it did
  /// A part of the names of the files whose tests it is for: an interpreter with other settings.
  std::string only_for;
};
std::vector<TestDevice>& test_devices();
/// Whether the running test is one for the device.
bool runs_here(const TestDevice&);
bool has(Needs, const spirea::device&);

/// Notes in the test's record how a device did, for the table in docs/cpp-support.md. The number is that of
/// the test's failures before the device's launch.
int failures_so_far();
void record_result(TestDevice&, int failures_before);

/// Distance in units in the last place: 0 for two NaNs and for equal values, the maximum if just one is a
/// NaN.
template <class T>
std::uint64_t ulp_distance(T a, T b) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b) ? 0 : ~std::uint64_t{0};
  constexpr Bits sign = Bits{1} << (sizeof(T) * 8 - 1);
  const auto order = [](T value) {
    const Bits bits = std::bit_cast<Bits>(value);
    return (bits & sign) != 0 ? static_cast<Bits>(sign - (bits & ~sign)) : static_cast<Bits>(sign + bits);
  };
  const Bits x = order(a), y = order(b);
  return x > y ? x - y : y - x;
}

/// How far a sum is off at most that takes subnormal numbers for zero: both operands.
constexpr double kFlushed = 2.0 * std::numeric_limits<float>::min();

/// The bound for a device.
template <class T>
Array<T> bound_on(const spirea::device& device, const Array<T>& array) {
  const bool is_looser =
      std::is_same_v<T, float> && !array.keeps_subnormals && !device.keeps_subnormals_f32();
  return {{}, array.ulp, is_looser ? std::max(array.absolute, kFlushed) : array.absolute};
}

template <class T>
bool matches(const T& got, const T& want, const Array<T>& bound) {
  if constexpr (std::is_floating_point_v<T>) {
    if (ulp_distance(got, want) <= bound.ulp) return true;
    return std::abs(static_cast<double>(got) - static_cast<double>(want)) <= bound.absolute;
  } else {
    return got == want;
  }
}

template <class T>
std::string show(const T& value) {
  if constexpr (std::is_arithmetic_v<T>)
    return std::is_floating_point_v<T> ? ::testing::PrintToString(value) : std::to_string(value);
  else
    return "(object)";
}

template <class T>
void compare(const Array<T>& bound, const std::vector<T>& want, const std::vector<T>& got,
             std::size_t argument, const std::string& device) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (matches(got[i], want[i], bound)) continue;
    if (++wrong <= 5)
      ADD_FAILURE() << device << ": argument " << argument << "[" << i << "] is " << show<T>(got[i])
                    << ", plain C++ gives " << show<T>(want[i]);
  }
  EXPECT_EQ(wrong, 0u) << device << ": argument " << argument << " of " << want.size() << " elements";
}

/// Converts to whatever a kernel takes for a buffer.
template <class T>
struct HostBuffer {
  std::vector<T>* values;
  operator std::span<T>() const { return {values->data(), values->size()}; }
  operator std::span<const T>() const { return {values->data(), values->size()}; }
  template <std::size_t N>
  operator std::span<T, N>() const {
    return std::span<T, N>(values->data(), N);
  }
  template <std::size_t N>
  operator std::span<const T, N>() const {
    return std::span<const T, N>(values->data(), N);
  }
  operator T*() const { return values->data(); }
  operator const T*() const { return values->data(); }
};

template <class A>
struct Argument {  // a value
  explicit Argument(const A& value) : value(value) {}
  A value;
  A host() { return value; }
  A& upload(spirea::device&) { return value; }
  void check(std::size_t, const TestDevice&) {}
};

template <class T>
struct Argument<Array<T>> {  // a buffer
  explicit Argument(const Array<T>& array) : array(array), expected(array.values) {}
  const Array<T>& array;
  std::vector<T> expected;
  std::optional<spirea::buffer<T>> device_copy;

  HostBuffer<T> host() { return {&expected}; }
  spirea::buffer<T>& upload(spirea::device& device) {
    device_copy.emplace(device, array.values);
    return *device_copy;
  }
  void check(std::size_t index, const TestDevice& entry) {
    compare(bound_on(*entry.device, array), expected, device_copy->to_vector(), index, entry.selector);
    device_copy.reset();
  }
};

/// Calls `f(entry)` for each device that is there and has what the test needs; what it throws is a failure. A
/// skip names those that are not there.
template <class F>
void on_each_entry(F&& f, Needs needs = Needs::nothing) {
  std::string missing;
  for (TestDevice& entry : test_devices()) {
    if (!runs_here(entry)) continue;
    if (entry.device == nullptr) {
      missing += entry.selector + ": " + entry.missing + "\n";
      continue;
    }
    if (!has(needs, *entry.device)) continue;
    const int failures = failures_so_far();
    try {
      f(entry);
    } catch (const std::exception& e) {
      ADD_FAILURE() << entry.selector << ": " << e.what();
    }
    record_result(entry, failures);
  }
  if (!missing.empty()) GTEST_SKIP() << "not run on " << missing;
}

/// Runs the kernel as plain C++ for the expected contents of every array, then on each device that has what
/// it needs.
template <auto Kernel, class... Args>
void run_where(Needs needs, const Shape& shape, Args&&... args) {
  std::tuple<Argument<std::remove_cvref_t<Args>>...> arguments{args...};
  const auto groups = [](std::uint32_t n, std::uint32_t w) { return (n + w - 1) / w; };
  const spirea::uint3 num_workgroups{groups(shape.size.x, shape.workgroup.x),
                                     groups(shape.size.y, shape.workgroup.y),
                                     groups(shape.size.z, shape.workgroup.z)};
  std::apply(
      [&](auto&... argument) {
        spirea::for_each_invocation(
            num_workgroups, shape.workgroup, [&] { Kernel(argument.host()...); }, shape.dynamic_shared);
      },
      arguments);

  on_each_entry(
      [&](TestDevice& entry) {
        spirea::grid grid(shape.size.x, shape.size.y, shape.size.z);
        grid = grid.dynamic_shared(shape.dynamic_shared);
        if (!shape.attribute) grid = grid.workgroup(shape.workgroup.x, shape.workgroup.y, shape.workgroup.z);
        std::apply(
            [&](auto&... argument) {
              spirea::launch<Kernel>(*entry.device, grid, argument.upload(*entry.device)...).wait();
              std::size_t index = 0;
              (argument.check(index++, entry), ...);
            },
            arguments);
      },
      needs);
}

template <auto Kernel, class... Args>
void run_everywhere(const Shape& shape, Args&&... args) {
  run_where<Kernel>(Needs::nothing, shape, std::forward<Args>(args)...);
}

/// Calls `f(device)` for each device, for tests of several launches.
template <class F>
void on_every_device(F&& f) {
  on_each_entry([&](TestDevice& entry) {
    const ::testing::ScopedTrace trace(__FILE__, __LINE__, entry.selector);
    f(*entry.device);
  });
}

/// The error is the device's refusal of what the kernel demands; the interpreter refuses nothing.
inline void expect_refused(spirea::device& device, const spirea::error& error, const std::string& demand) {
  EXPECT_NE(device.backend(), spirea::backend_kind::interp) << error.what();
  EXPECT_NE(std::string(error.what()).find(demand), std::string::npos) << error.what();
}

/// Equal, or with a difference of at most `bound` times the wanted value (at least 1).
template <class T>
void expect_near(const std::vector<T>& got, const std::vector<T>& want, double bound = 0) {
  ASSERT_EQ(got.size(), want.size());
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    const double difference = std::abs(static_cast<double>(got[i]) - static_cast<double>(want[i]));
    if (got[i] == want[i] ||
        (bound != 0 && difference <= bound * std::max(1.0, std::abs(static_cast<double>(want[i])))))
      continue;
    if (++wrong <= 5) ADD_FAILURE() << "[" << i << "] is " << show<T>(got[i]) << ", not " << show<T>(want[i]);
  }
  EXPECT_EQ(wrong, 0u) << "of " << want.size();
}

}  // namespace execution
