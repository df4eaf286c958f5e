// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions whose errors are measured. As plain C++ they compute in a wider type, which is the reference.
#pragma once

#include <cmath>
#include <span>
#include <spirea/spirea.hpp>
#include <string_view>
#include <type_traits>

// clang-format off
#define UNARY_FUNCTIONS(X) \
  X(sin) X(cos) X(tan) X(asin) X(acos) X(atan) X(sinh) X(cosh) X(tanh) X(asinh) X(acosh) X(atanh) \
  X(exp) X(exp2) X(expm1) X(log) X(log2) X(log10) X(log1p) X(cbrt) X(erf) X(erfc) X(tgamma) \
  X(lgamma) X(logb) X(sqrt)
#define BINARY_FUNCTIONS(X) X(pow) X(atan2) X(hypot) X(fmod) X(remainder) X(quotient)
// clang-format on

namespace accuracy {

template <class T>
T quotient(T x, T y) {
  return x / y;
}

/// What is no function of the library, but the device's own arithmetic.
constexpr bool is_operation(std::string_view name) { return name == "sqrt" || name == "quotient"; }

#define DEFINE(name)                                                   \
  struct name##_function {                                             \
    static constexpr const char* text = #name;                         \
    static constexpr bool is_operation = accuracy::is_operation(text); \
    template <class T>                                                 \
    static T call(T x, T) {                                            \
      using namespace std;                                             \
      return name(x);                                                  \
    }                                                                  \
  };
UNARY_FUNCTIONS(DEFINE)
#undef DEFINE
#define DEFINE(name)                                                   \
  struct name##_function {                                             \
    static constexpr const char* text = #name;                         \
    static constexpr bool is_operation = accuracy::is_operation(text); \
    template <class T>                                                 \
    static T call(T x, T y) {                                          \
      using namespace std;                                             \
      return name(x, y);                                               \
    }                                                                  \
  };
BINARY_FUNCTIONS(DEFINE)
#undef DEFINE

template <class F, class T>
[[spirea::kernel]] void apply(std::span<const T> x, std::span<const T> y, std::span<T> out) {
  const auto i = spirea::global_id().x;
  if (i < out.size()) out[i] = F::call(x[i], y[i]);
}

}  // namespace accuracy
