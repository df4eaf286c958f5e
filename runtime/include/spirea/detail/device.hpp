// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The built-in functions of the device compile that take values of several types: name.type, e.g.
// __spirea_subgroup_add.i32. frontend/import/intrinsics.def has the names.
#pragma once

#include <cstdint>

namespace spirea::detail::builtin {

// clang-format off
#define SPIREA_LABEL(name, type) __asm__("__spirea_" #name "." #type)

// f(T value, ...): floats and integers
#define SPIREA_MOVES(T, type)                                                                        \
  bool subgroup_all_equal(T) noexcept SPIREA_LABEL(subgroup_all_equal, type);                        \
  T subgroup_broadcast_first(T) noexcept SPIREA_LABEL(subgroup_broadcast_first, type);               \
  T subgroup_broadcast(T, std::uint32_t) noexcept SPIREA_LABEL(subgroup_broadcast, type);            \
  T subgroup_shuffle(T, std::uint32_t) noexcept SPIREA_LABEL(subgroup_shuffle, type);                \
  T subgroup_shuffle_xor(T, std::uint32_t) noexcept SPIREA_LABEL(subgroup_shuffle_xor, type);        \
  T subgroup_shuffle_up(T, std::uint32_t) noexcept SPIREA_LABEL(subgroup_shuffle_up, type);          \
  T subgroup_shuffle_down(T, std::uint32_t) noexcept SPIREA_LABEL(subgroup_shuffle_down, type);      \
  T subgroup_rotate(T, std::uint32_t, std::uint32_t kind, std::uint32_t size) noexcept SPIREA_LABEL( \
      subgroup_rotate, type);                                                                        \
  T quad_broadcast(T, std::uint32_t) noexcept SPIREA_LABEL(quad_broadcast, type);                    \
  T quad_swap_horizontal(T) noexcept SPIREA_LABEL(quad_swap_horizontal, type);                       \
  T quad_swap_vertical(T) noexcept SPIREA_LABEL(quad_swap_vertical, type);                           \
  T quad_swap_diagonal(T) noexcept SPIREA_LABEL(quad_swap_diagonal, type);

// f(T value, kind, cluster size), kind as in group_kind
#define SPIREA_GROUP(T, type, name) \
  T subgroup_##name(T, std::uint32_t kind, std::uint32_t size) noexcept SPIREA_LABEL(subgroup_##name, type);
// f(T* object, T value, memory order, scope)
#define SPIREA_ATOMIC(T, type, name) \
  T atomic_##name(T*, T, int order, unsigned scope) noexcept SPIREA_LABEL(atomic_##name, type);

#define SPIREA_INTEGER(T, type)                                                                          \
  SPIREA_MOVES(T, type)                                                                                  \
  SPIREA_GROUP(T, type, add)                                                                             \
  SPIREA_GROUP(T, type, mul)                                                                             \
  SPIREA_GROUP(T, type, smin)                                                                            \
  SPIREA_GROUP(T, type, smax) SPIREA_GROUP(T, type, umin) SPIREA_GROUP(T, type, umax)                    \
      SPIREA_GROUP(T, type, and) SPIREA_GROUP(T, type, or) SPIREA_GROUP(T, type, xor) T                  \
      atomic_load(T*, int order, unsigned scope) noexcept SPIREA_LABEL(atomic_load, type);               \
  void atomic_store(T*, T, int order, unsigned scope) noexcept SPIREA_LABEL(atomic_store, type);         \
  T atomic_compare_exchange(T*, T expected, T desired, int order, unsigned scope) noexcept SPIREA_LABEL( \
      atomic_compare_exchange, type);                                                                    \
  SPIREA_ATOMIC(T, type, exchange)                                                                       \
  SPIREA_ATOMIC(T, type, add)                                                                            \
  SPIREA_ATOMIC(T, type, sub)                                                                            \
  SPIREA_ATOMIC(T, type, and) SPIREA_ATOMIC(T, type, or) SPIREA_ATOMIC(T, type, xor)                     \
      SPIREA_ATOMIC(T, type, smin) SPIREA_ATOMIC(T, type, smax) SPIREA_ATOMIC(T, type, umin)             \
          SPIREA_ATOMIC(T, type, umax)

#define SPIREA_FLOAT(T, type)                                                           \
  SPIREA_MOVES(T, type)                                                                 \
  SPIREA_GROUP(T, type, fadd)                                                           \
  SPIREA_GROUP(T, type, fmul)                                                           \
  SPIREA_GROUP(T, type, fmin)                                                           \
  SPIREA_GROUP(T, type, fmax) SPIREA_ATOMIC(T, type, fadd) SPIREA_ATOMIC(T, type, fmin) \
      SPIREA_ATOMIC(T, type, fmax)

SPIREA_INTEGER(std::uint8_t, i8)
SPIREA_INTEGER(std::uint16_t, i16)
SPIREA_INTEGER(std::uint32_t, i32)
SPIREA_INTEGER(std::uint64_t, i64)
SPIREA_FLOAT(_Float16, f16)
SPIREA_FLOAT(float, f32)
SPIREA_FLOAT(double, f64)

#undef SPIREA_FLOAT
#undef SPIREA_INTEGER
#undef SPIREA_ATOMIC
#undef SPIREA_GROUP
#undef SPIREA_MOVES
#undef SPIREA_LABEL
// clang-format on

}  // namespace spirea::detail::builtin

extern "C" {
void __spirea_barrier(unsigned scope, unsigned order) noexcept;
void __spirea_fence(unsigned scope, unsigned order) noexcept;
__attribute__((const)) void* __spirea_dynamic_shared(unsigned align) noexcept;
__attribute__((const)) std::uint32_t __spirea_subgroup_size() noexcept;
__attribute__((const)) std::uint32_t __spirea_subgroup_lane() noexcept;
__attribute__((const)) std::uint32_t __spirea_subgroup_id() noexcept;
__attribute__((const)) std::uint32_t __spirea_subgroup_count() noexcept;
bool __spirea_subgroup_elect() noexcept;
bool __spirea_subgroup_all(bool) noexcept;
bool __spirea_subgroup_any(bool) noexcept;
std::uint64_t __spirea_subgroup_ballot(bool) noexcept;
}
