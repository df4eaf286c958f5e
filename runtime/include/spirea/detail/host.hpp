// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands for the built-in functions of detail/device.hpp where a kernel runs as the plain C++ function
// that it is: a subgroup has one invocation.
#pragma once

#include <cstdint>

#include "spirea/detail/representation.hpp"

namespace spirea::detail::builtin {

template <class T>
bool subgroup_all_equal(T) noexcept {
  return true;
}

// What moves values between invocations: the value itself, wherever it is to come from.
#define SPIREA_MOVE(name)             \
  template <class T, class... From>   \
  T name(T value, From...) noexcept { \
    return value;                     \
  }
SPIREA_MOVE(subgroup_broadcast_first)
SPIREA_MOVE(subgroup_broadcast)
SPIREA_MOVE(subgroup_shuffle)
SPIREA_MOVE(subgroup_shuffle_xor)
SPIREA_MOVE(subgroup_shuffle_up)
SPIREA_MOVE(subgroup_shuffle_down)
SPIREA_MOVE(subgroup_rotate)
SPIREA_MOVE(quad_broadcast)
SPIREA_MOVE(quad_swap_horizontal)
SPIREA_MOVE(quad_swap_vertical)
SPIREA_MOVE(quad_swap_diagonal)
#undef SPIREA_MOVE

/// A reduction or inclusive scan of one value is the value; an exclusive one is the identity of the
/// operation.
template <class T>
T alone(T value, std::uint32_t kind, T identity) {
  return kind == static_cast<std::uint32_t>(group_kind::exclusive) ? identity : value;
}

#define SPIREA_GROUP(name, identity)                                       \
  template <class T>                                                       \
  T subgroup_##name(T value, std::uint32_t kind, std::uint32_t) noexcept { \
    return alone(value, kind, static_cast<T>(identity));                   \
  }
SPIREA_GROUP(add, 0)
SPIREA_GROUP(mul, 1)
SPIREA_GROUP(smin, T(~T(0)) >> 1)
SPIREA_GROUP(smax, T(1) << (sizeof(T) * 8 - 1))
SPIREA_GROUP(umin, ~T(0))
SPIREA_GROUP(umax, 0)
SPIREA_GROUP(and, ~T(0))
SPIREA_GROUP(or, 0)
SPIREA_GROUP(xor, 0)
SPIREA_GROUP(fadd, 0)
SPIREA_GROUP(fmul, 1)
SPIREA_GROUP(fmin, __builtin_huge_val())
SPIREA_GROUP(fmax, -__builtin_huge_val())
#undef SPIREA_GROUP

template <class T>
T atomic_load(T* object, int order, unsigned) noexcept {
  return __atomic_load_n(object, order);
}
template <class T>
void atomic_store(T* object, T value, int order, unsigned) noexcept {
  __atomic_store_n(object, value, order);
}
template <class T>
T atomic_compare_exchange(T* object, T expected, T desired, int, unsigned) noexcept {
  __atomic_compare_exchange_n(object, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return expected;
}
template <class T>
T atomic_exchange(T* object, T value, int order, unsigned) noexcept {
  return __atomic_exchange_n(object, value, order);
}
#define SPIREA_ATOMIC(name)                                           \
  template <class T>                                                  \
  T atomic_##name(T* object, T value, int order, unsigned) noexcept { \
    return __atomic_fetch_##name(object, value, order);               \
  }
SPIREA_ATOMIC(add)
SPIREA_ATOMIC(sub)
SPIREA_ATOMIC(and)
SPIREA_ATOMIC(or)
SPIREA_ATOMIC(xor)
#undef SPIREA_ATOMIC

/// What has no instruction of its own: `f` of the value before.
template <class T, class F>
T update(T* object, F&& f) {
  number_of<T>* bits = reinterpret_cast<number_of<T>*>(object);
  number_of<T> before = __atomic_load_n(bits, __ATOMIC_SEQ_CST);
  while (!__atomic_compare_exchange_n(bits, &before, to_number<T>(f(from_number<T>(before))), true,
                                      __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
  }
  return from_number<T>(before);
}
#define SPIREA_ATOMIC(name, updated)                            \
  template <class T>                                            \
  T atomic_##name(T* object, T value, int, unsigned) noexcept { \
    return update(object, [=](T v) -> T { return updated; });   \
  }
SPIREA_ATOMIC(smin, std::make_signed_t<T>(v) < std::make_signed_t<T>(value) ? v : value)
SPIREA_ATOMIC(smax, std::make_signed_t<T>(v) > std::make_signed_t<T>(value) ? v : value)
SPIREA_ATOMIC(umin, v < value ? v : value)
SPIREA_ATOMIC(umax, v > value ? v : value)
SPIREA_ATOMIC(fadd, v + value)
SPIREA_ATOMIC(fmin, value != value || v < value ? v : value)
SPIREA_ATOMIC(fmax, value != value || v > value ? v : value)
#undef SPIREA_ATOMIC

}  // namespace spirea::detail::builtin
