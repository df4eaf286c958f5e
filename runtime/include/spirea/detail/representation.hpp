// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How subgroup operations and atomics see a value: as one of the scalars that the compiler has built-in
// functions for, or as words.
#pragma once

#include <cstdint>
#include <type_traits>

namespace spirea::detail {

template <std::size_t Size>
struct number_of_size;
template <>
struct number_of_size<1> {
  using type = std::uint8_t;
};
template <>
struct number_of_size<2> {
  using type = std::uint16_t;
};
template <>
struct number_of_size<4> {
  using type = std::uint32_t;
};
template <>
struct number_of_size<8> {
  using type = std::uint64_t;
};

/// The unsigned integer with the bits of a T of 1, 2, 4 or 8 bytes.
template <class T>
using number_of = typename number_of_size<sizeof(T)>::type;

/// Binary floating-point types that devices compute with; see also half.hpp.
template <class T>
inline constexpr bool is_device_float = std::is_same_v<T, float> || std::is_same_v<T, double>;

#ifdef __FLT16_MANT_DIG__
template <>
inline constexpr bool is_device_float<_Float16> = true;
#endif

template <class T>
inline constexpr bool is_device_integer = (std::is_integral_v<T> || std::is_enum_v<T>)&&sizeof(T) <= 8;

/// The scalar that stands for a T: itself for a float, an unsigned integer for other integers.
template <class T>
using scalar_of = std::conditional_t<is_device_float<T>, T, number_of<T>>;

template <class T>
constexpr number_of<T> to_number(const T& value) {
  return __builtin_bit_cast(number_of<T>, value);
}
template <class T>
constexpr T from_number(number_of<T> bits) {
  return __builtin_bit_cast(T, bits);
}

/// The words of any trivially copyable value, the last one filled up with zeros.
template <class T>
struct words {
  static constexpr std::size_t count = (sizeof(T) + 3) / 4;
  std::uint32_t word[count] = {};
};

/// Applies `f`, which moves scalars between invocations, to a value of any trivially copyable type.
template <class T, class F>
T move_value(const T& value, F&& f) {
  static_assert(std::is_trivially_copyable_v<T>,
                "values that invocations exchange must be trivially copyable");
  if constexpr (is_device_float<T>) {
    return f(value);
  } else if constexpr (is_device_integer<T>) {
    return static_cast<T>(f(static_cast<number_of<T>>(value)));
  } else {
    words<T> all;
    __builtin_memcpy(all.word, &value, sizeof(T));
    for (std::size_t i = 0; i < words<T>::count; ++i) all.word[i] = f(all.word[i]);
    T result;
    __builtin_memcpy(&result, all.word, sizeof(T));
    return result;
  }
}

}  // namespace spirea::detail
