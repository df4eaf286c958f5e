// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic access by the invocations of one scope. std::atomic_ref works in kernels, too: its scope is the
// device.
#pragma once

#include <atomic>
#include <cstddef>
#include <spirea/kernel.hpp>
#include <type_traits>

namespace spirea {

namespace detail {

/// The operations of atomic_ref that depend on what T is: all take a number, or a float where it is one.
template <class T, memory_scope Scope>
struct atomic_operations {
  using number = number_of<T>;
  static constexpr unsigned scope = static_cast<unsigned>(Scope);
  static number* bits(T* object) { return reinterpret_cast<number*>(object); }

  static T add(T* object, T value, int order) {
    if constexpr (is_device_float<T>)
      return builtin::atomic_fadd(object, value, order, scope);
    else
      return static_cast<T>(builtin::atomic_add(bits(object), static_cast<number>(value), order, scope));
  }
  static T subtract(T* object, T value, int order) {
    if constexpr (is_device_float<T>)
      return builtin::atomic_fadd(object, static_cast<T>(-value), order, scope);
    else
      return static_cast<T>(builtin::atomic_sub(bits(object), static_cast<number>(value), order, scope));
  }
  static T min(T* object, T value, int order) {
    if constexpr (is_device_float<T>)
      return builtin::atomic_fmin(object, value, order, scope);
    else if constexpr (std::is_signed_v<T>)
      return static_cast<T>(builtin::atomic_smin(bits(object), static_cast<number>(value), order, scope));
    else
      return static_cast<T>(builtin::atomic_umin(bits(object), static_cast<number>(value), order, scope));
  }
  static T max(T* object, T value, int order) {
    if constexpr (is_device_float<T>)
      return builtin::atomic_fmax(object, value, order, scope);
    else if constexpr (std::is_signed_v<T>)
      return static_cast<T>(builtin::atomic_smax(bits(object), static_cast<number>(value), order, scope));
    else
      return static_cast<T>(builtin::atomic_umax(bits(object), static_cast<number>(value), order, scope));
  }
};

}  // namespace detail

/// As std::atomic_ref (C++20 [atomics.ref.generic]), for accesses that only the invocations of `Scope` make:
/// those of a subgroup, workgroup or device. T is trivially copyable and has 1, 2, 4 or 8 bytes; the object
/// is aligned to its size. Integers and floats have add, sub, min and max, integers the bitwise operations,
/// too.
template <class T, memory_scope Scope = memory_scope::device>
class atomic_ref {
  static_assert(std::is_trivially_copyable_v<T>, "spirea::atomic_ref: the type must be trivially copyable");
  static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8,
                "spirea::atomic_ref: the type must have 1, 2, 4 or 8 bytes");
  using number = detail::number_of<T>;
  using operations = detail::atomic_operations<T, Scope>;
  static constexpr unsigned scope = static_cast<unsigned>(Scope);
  static constexpr bool is_integer = std::is_integral_v<T> && !std::is_same_v<T, bool>;
  static constexpr bool is_number = is_integer || detail::is_device_float<T>;

 public:
  using value_type = T;
  static constexpr bool is_always_lock_free = true;
  static constexpr std::size_t required_alignment = sizeof(T);

  explicit atomic_ref(T& object) : object_(&object) {}
  atomic_ref(const atomic_ref&) = default;
  atomic_ref& operator=(const atomic_ref&) = delete;

  bool is_lock_free() const { return true; }
  T load(std::memory_order order = std::memory_order_seq_cst) const {
    return detail::from_number<T>(detail::builtin::atomic_load(bits(), static_cast<int>(order), scope));
  }
  void store(T value, std::memory_order order = std::memory_order_seq_cst) const {
    detail::builtin::atomic_store(bits(), detail::to_number(value), static_cast<int>(order), scope);
  }
  T exchange(T value, std::memory_order order = std::memory_order_seq_cst) const {
    return detail::from_number<T>(
        detail::builtin::atomic_exchange(bits(), detail::to_number(value), static_cast<int>(order), scope));
  }
  bool compare_exchange_strong(T& expected, T desired,
                               std::memory_order order = std::memory_order_seq_cst) const {
    const number wanted = detail::to_number(expected);
    const number before = detail::builtin::atomic_compare_exchange(bits(), wanted, detail::to_number(desired),
                                                                   static_cast<int>(order), scope);
    if (before == wanted) return true;
    expected = detail::from_number<T>(before);
    return false;
  }
  bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                               std::memory_order failure) const {
    return compare_exchange_strong(expected, desired,
                                   failure == std::memory_order_seq_cst ? failure : success);
  }
  bool compare_exchange_weak(T& expected, T desired,
                             std::memory_order order = std::memory_order_seq_cst) const {
    return compare_exchange_strong(expected, desired, order);
  }
  bool compare_exchange_weak(T& expected, T desired, std::memory_order success,
                             std::memory_order failure) const {
    return compare_exchange_strong(expected, desired, success, failure);
  }

  /// These return the value before.
  T fetch_add(T value, std::memory_order order = std::memory_order_seq_cst) const requires(is_number) {
    return operations::add(object_, value, static_cast<int>(order));
  }
  T fetch_sub(T value, std::memory_order order = std::memory_order_seq_cst) const requires(is_number) {
    return operations::subtract(object_, value, static_cast<int>(order));
  }
  /// Of floats, the other value where one is a NaN, as std::fmin.
  T fetch_min(T value, std::memory_order order = std::memory_order_seq_cst) const requires(is_number) {
    return operations::min(object_, value, static_cast<int>(order));
  }
  T fetch_max(T value, std::memory_order order = std::memory_order_seq_cst) const requires(is_number) {
    return operations::max(object_, value, static_cast<int>(order));
  }
  T fetch_and(T value, std::memory_order order = std::memory_order_seq_cst) const requires(is_integer) {
    return static_cast<T>(
        detail::builtin::atomic_and(bits(), static_cast<number>(value), static_cast<int>(order), scope));
  }
  T fetch_or(T value, std::memory_order order = std::memory_order_seq_cst) const requires(is_integer) {
    return static_cast<T>(
        detail::builtin::atomic_or(bits(), static_cast<number>(value), static_cast<int>(order), scope));
  }
  T fetch_xor(T value, std::memory_order order = std::memory_order_seq_cst) const requires(is_integer) {
    return static_cast<T>(
        detail::builtin::atomic_xor(bits(), static_cast<number>(value), static_cast<int>(order), scope));
  }

  /// These return the value behind.
  T operator=(T value) const {
    store(value);
    return value;
  }
  operator T() const { return load(); }
  T operator+=(T value) const requires(is_number) { return static_cast<T>(fetch_add(value) + value); }
  T operator-=(T value) const requires(is_number) { return static_cast<T>(fetch_sub(value) - value); }
  T operator&=(T value) const requires(is_integer) { return static_cast<T>(fetch_and(value) & value); }
  T operator|=(T value) const requires(is_integer) { return static_cast<T>(fetch_or(value) | value); }
  T operator^=(T value) const requires(is_integer) { return static_cast<T>(fetch_xor(value) ^ value); }
  T operator++() const requires(is_integer) { return static_cast<T>(fetch_add(1) + 1); }
  T operator--() const requires(is_integer) { return static_cast<T>(fetch_sub(1) - 1); }
  T operator++(int) const requires(is_integer) { return fetch_add(1); }
  T operator--(int) const requires(is_integer) { return fetch_sub(1); }

 private:
  number* bits() const { return reinterpret_cast<number*>(object_); }
  T* object_;
};

}  // namespace spirea
