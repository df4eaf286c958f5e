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
template <class T>
T subgroup_broadcast_first(T value) noexcept {
  return value;
}
template <class T>
T subgroup_broadcast(T value, std::uint32_t) noexcept {
  return value;
}
template <class T>
T subgroup_shuffle(T value, std::uint32_t) noexcept {
  return value;
}
template <class T>
T subgroup_shuffle_xor(T value, std::uint32_t) noexcept {
  return value;
}
template <class T>
T subgroup_shuffle_up(T value, std::uint32_t) noexcept {
  return value;
}
template <class T>
T subgroup_shuffle_down(T value, std::uint32_t) noexcept {
  return value;
}
template <class T>
T subgroup_rotate(T value, std::uint32_t, std::uint32_t, std::uint32_t) noexcept {
  return value;
}
template <class T>
T quad_broadcast(T value, std::uint32_t) noexcept {
  return value;
}
template <class T>
T quad_swap_horizontal(T value) noexcept {
  return value;
}
template <class T>
T quad_swap_vertical(T value) noexcept {
  return value;
}
template <class T>
T quad_swap_diagonal(T value) noexcept {
  return value;
}

/// A reduction or inclusive scan of one value is the value; an exclusive one is the identity of the
/// operation.
template <class T>
T alone(T value, std::uint32_t kind, T identity) {
  return kind == static_cast<std::uint32_t>(group_kind::exclusive) ? identity : value;
}

template <class T>
T subgroup_add(T value, std::uint32_t kind, std::uint32_t) noexcept {
  return alone(value, kind, static_cast<T>(0));
}
template <class T>
T subgroup_mul(T value, std::uint32_t kind, std::uint32_t) noexcept {
  return alone(value, kind, static_cast<T>(1));
}
template <class T>
T subgroup_smin(T value, std::uint32_t kind, std::uint32_t) noexcept {
  return alone(value, kind, static_cast<T>(T(~T(0)) >> 1));
}
template <class T>
T subgroup_smax(T value, std::uint32_t kind, std::uint32_t) noexcept {
  return alone(value, kind, static_cast<T>(T(1) << (sizeof(T) * 8 - 1)));
}
template <class T>
T subgroup_umin(T value, std::uint32_t kind, std::uint32_t) noexcept {
  return alone(value, kind, static_cast<T>(~T(0)));
}
template <class T>
T subgroup_umax(T value, std::uint32_t kind, std::uint32_t) noexcept {
  return alone(value, kind, static_cast<T>(0));
}
template <class T>
T subgroup_and(T value, std::uint32_t kind, std::uint32_t) noexcept {
  return alone(value, kind, static_cast<T>(~T(0)));
}
template <class T>
T subgroup_or(T value, std::uint32_t kind, std::uint32_t) noexcept {
  return alone(value, kind, static_cast<T>(0));
}
template <class T>
T subgroup_xor(T value, std::uint32_t kind, std::uint32_t) noexcept {
  return alone(value, kind, static_cast<T>(0));
}
template <class T>
T subgroup_fadd(T value, std::uint32_t kind, std::uint32_t) noexcept {
  return alone(value, kind, static_cast<T>(0));
}
template <class T>
T subgroup_fmul(T value, std::uint32_t kind, std::uint32_t) noexcept {
  return alone(value, kind, static_cast<T>(1));
}
template <class T>
T subgroup_fmin(T value, std::uint32_t kind, std::uint32_t) noexcept {
  return alone(value, kind, static_cast<T>(__builtin_huge_val()));
}
template <class T>
T subgroup_fmax(T value, std::uint32_t kind, std::uint32_t) noexcept {
  return alone(value, kind, static_cast<T>(-__builtin_huge_val()));
}

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
template <class T>
T atomic_add(T* object, T value, int order, unsigned) noexcept {
  return __atomic_fetch_add(object, value, order);
}
template <class T>
T atomic_sub(T* object, T value, int order, unsigned) noexcept {
  return __atomic_fetch_sub(object, value, order);
}
template <class T>
T atomic_and(T* object, T value, int order, unsigned) noexcept {
  return __atomic_fetch_and(object, value, order);
}
template <class T>
T atomic_or(T* object, T value, int order, unsigned) noexcept {
  return __atomic_fetch_or(object, value, order);
}
template <class T>
T atomic_xor(T* object, T value, int order, unsigned) noexcept {
  return __atomic_fetch_xor(object, value, order);
}

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
template <class T>
T atomic_smin(T* object, T value, int, unsigned) noexcept {
  return update(
      object, [=](T v) -> T { return std::make_signed_t<T>(v) < std::make_signed_t<T>(value) ? v : value; });
}
template <class T>
T atomic_smax(T* object, T value, int, unsigned) noexcept {
  return update(
      object, [=](T v) -> T { return std::make_signed_t<T>(v) > std::make_signed_t<T>(value) ? v : value; });
}
template <class T>
T atomic_umin(T* object, T value, int, unsigned) noexcept {
  return update(object, [=](T v) -> T { return v < value ? v : value; });
}
template <class T>
T atomic_umax(T* object, T value, int, unsigned) noexcept {
  return update(object, [=](T v) -> T { return v > value ? v : value; });
}
template <class T>
T atomic_fadd(T* object, T value, int, unsigned) noexcept {
  return update(object, [=](T v) -> T { return v + value; });
}
template <class T>
T atomic_fmin(T* object, T value, int, unsigned) noexcept {
  return update(object, [=](T v) -> T { return value != value || v < value ? v : value; });
}
template <class T>
T atomic_fmax(T* object, T value, int, unsigned) noexcept {
  return update(object, [=](T v) -> T { return value != value || v > value ? v : value; });
}

}  // namespace spirea::detail::builtin
