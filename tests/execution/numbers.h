// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments for functions of floating-point numbers.
#pragma once

#include <cmath>
#include <cstring>
#include <limits>

#include "tests/execution/harness.h"

namespace execution {

/// How many `numbers` gives.
constexpr std::size_t kCount = 1536;

/// Special values, numbers of any exponent, and numbers about 1 and about 20.
template <class T>
Array<T> numbers(std::uint64_t seed) {
  using Limits = std::numeric_limits<T>;
  const T special[] = {0,
                       -T(0),
                       1,
                       -1,
                       2,
                       -2,
                       T(0.5),
                       T(-0.5),
                       3,
                       -3,
                       T(1.5),
                       T(-1.5),
                       10,
                       100,
                       -100,
                       Limits::infinity(),
                       -Limits::infinity(),
                       Limits::quiet_NaN(),
                       Limits::max(),
                       Limits::lowest(),
                       Limits::min(),
                       -Limits::min(),
                       Limits::denorm_min(),
                       -Limits::denorm_min(),
                       T(3.14159265358979),
                       T(1.57079632679490),
                       T(0.693147180559945),
                       T(1e-5),
                       T(88.5),
                       T(-103.5)};
  Array<T> result;
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::uint64_t bits = next_random(seed);
    T any;
    std::memcpy(&any, reinterpret_cast<const char*>(&bits) + 8 - sizeof(T), sizeof(T));
    const double unit = static_cast<double>(static_cast<std::int64_t>(next_random(seed))) * 0x1p-63;
    result.values.push_back(i % 3 == 0 ? any : static_cast<T>(unit * (i % 3 == 1 ? 2 : 25)));
  }
  // All pairs of the special ones, where the other argument runs through them in the other direction.
  const std::size_t n = std::size(special);
  for (std::size_t i = 0; i < n * n && i < kCount; ++i)
    result.values[i] = seed % 2 == 0 ? special[i / n] : special[i % n];
  return result;
}

/// Pairs of a subnormal number and one of any kind, or of two subnormal numbers: a test takes one of each
/// `position`, 0 and 1.
template <class T>
Array<T> subnormal_numbers(std::uint64_t seed, std::size_t position) {
  constexpr std::size_t kPairs = 600;
  const std::vector<T> others = numbers<T>(seed + 2).values;
  Array<T> result;
  for (std::size_t i = 0; i < kPairs; ++i) {
    const double part = static_cast<double>(next_random(seed) >> 11) * 0x1p-53;
    const T subnormal = static_cast<T>(part * (i % 5 == 0 ? 0x1p-16 : 1)) * std::numeric_limits<T>::min();
    const T any = others[i % 2 == 0 ? i : kCount - 1 - i];
    result.values.push_back(i % 3 == position ? any : next_random(seed) >> 63 != 0 ? -subnormal : subnormal);
  }
  return result;
}

/// With zeros in place of subnormal numbers, for operations that a device may flush.
template <class T>
Array<T> without_subnormals(Array<T> array) {
  for (T& value : array.values)
    if (std::abs(value) < std::numeric_limits<T>::min()) value = 0;
  return array;
}

}  // namespace execution
