// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers, and what the invocations of a subgroup tell each other. Included by spirea/kernel.hpp.
//
// A subgroup operation goes over the invocations of the subgroup that execute it together: those of a branch
// that others do not take are among themselves. Subgroups have as many invocations as the device likes; no
// size is known at compile time (SPIR-V specification, OpGroupNonUniform*; Vulkan specification 9.25 "Group
// Operations").
#pragma once

#include <bit>
#include <cstdint>

#include "spirea/detail/representation.hpp"
#include "spirea/small_float.hpp"
#include "spirea/vec.hpp"

namespace spirea {

/// Who takes part, narrowest first.
enum class memory_scope : std::uint8_t { invocation, subgroup, workgroup, device, system };

namespace detail {

/// Over which invocations of a subgroup an operation goes.
enum class group_kind : std::uint32_t { reduce, inclusive, exclusive, clustered };

/// kir::Order
enum class sync_order : unsigned { relaxed, acquire, release, acq_rel, seq_cst };

}  // namespace detail
}  // namespace spirea

#ifdef __SPIREA_DEVICE__
#include "spirea/detail/device.hpp"
#else
#include "spirea/detail/host.hpp"
#include "spirea/detail/invocations.hpp"
#endif

namespace spirea {

#ifdef __SPIREA_DEVICE__

/// Waits for all invocations of the workgroup; what they wrote to memory before is visible to them behind.
/// All of them call it, or none.
inline void workgroup_barrier() {
  __spirea_barrier(static_cast<unsigned>(memory_scope::workgroup),
                   static_cast<unsigned>(detail::sync_order::acq_rel));
}
/// The same for the invocations of the subgroup.
inline void subgroup_barrier() {
  __spirea_barrier(static_cast<unsigned>(memory_scope::subgroup),
                   static_cast<unsigned>(detail::sync_order::acq_rel));
}
/// What this invocation wrote before is visible to those of the scope that see what it writes behind; and the
/// other way round. Waits for nobody. See also std::atomic_thread_fence.
template <memory_scope Scope = memory_scope::device>
inline void memory_fence() {
  __spirea_fence(static_cast<unsigned>(Scope), static_cast<unsigned>(detail::sync_order::acq_rel));
}

/// Workgroup memory as large as the launch asks for with grid(...).dynamic_shared(bytes), aligned for T; each
/// call returns the same address. Its contents are undefined when a workgroup starts.
template <class T>
T* dynamic_shared() {
  return static_cast<T*>(__spirea_dynamic_shared(alignof(T)));
}

/// Invocations in a subgroup.
inline std::uint32_t subgroup_size() { return __spirea_subgroup_size(); }
/// Position of this invocation in its subgroup.
inline std::uint32_t subgroup_lane() { return __spirea_subgroup_lane(); }
/// Position of the subgroup in the workgroup.
inline std::uint32_t subgroup_id() { return __spirea_subgroup_id(); }
/// Subgroups in the workgroup.
inline std::uint32_t num_subgroups() { return __spirea_subgroup_count(); }

/// True in one of the active invocations, the one with the lowest lane.
inline bool subgroup_elect() { return __spirea_subgroup_elect(); }
inline bool subgroup_all(bool condition) { return __spirea_subgroup_all(condition); }
inline bool subgroup_any(bool condition) { return __spirea_subgroup_any(condition); }
/// Bit n is the condition of lane n, 0 for inactive ones. A device whose subgroups have more than 64 lanes
/// refuses kernels that use one.
inline std::uint64_t subgroup_ballot(bool condition) { return __spirea_subgroup_ballot(condition); }

#else

inline void workgroup_barrier() { detail::invocations::wait(); }
inline void subgroup_barrier() {}
template <memory_scope Scope = memory_scope::device>
inline void memory_fence() {
  __atomic_thread_fence(__ATOMIC_ACQ_REL);
}
template <class T>
T* dynamic_shared() {
  return static_cast<T*>(detail::invocations::dynamic_shared());
}
inline std::uint32_t subgroup_size() { return 1; }
inline std::uint32_t subgroup_lane() { return 0; }
std::uint32_t subgroup_id();
std::uint32_t num_subgroups();
inline bool subgroup_elect() { return true; }
inline bool subgroup_all(bool condition) { return condition; }
inline bool subgroup_any(bool condition) { return condition; }
inline std::uint64_t subgroup_ballot(bool condition) { return condition ? 1 : 0; }

#endif

/// True if the value is the same in all active invocations. Floats compare as numbers.
template <class T>
bool subgroup_all_equal(const T& value) {
  bool result = true;
  detail::move_value(value, [&](auto part) {
    result &= detail::builtin::subgroup_all_equal(part);
    return part;
  });
  return result;
}

/// The bits of all lanes of the subgroup, active or not.
inline std::uint64_t subgroup_lanes_mask() { return ~std::uint64_t{0} >> (64 - subgroup_size()); }
/// The bits of the lanes before this one, up to this one, of this one, from this one on, and behind it.
inline std::uint64_t subgroup_lt_mask() { return (std::uint64_t{1} << subgroup_lane()) - 1; }
inline std::uint64_t subgroup_eq_mask() { return std::uint64_t{1} << subgroup_lane(); }
inline std::uint64_t subgroup_le_mask() { return subgroup_lt_mask() | subgroup_eq_mask(); }
inline std::uint64_t subgroup_ge_mask() { return subgroup_lanes_mask() & ~subgroup_lt_mask(); }
inline std::uint64_t subgroup_gt_mask() { return subgroup_lanes_mask() & ~subgroup_le_mask(); }

// What a ballot says, or any other mask of lanes. Bits of lanes that the subgroup has not are ignored.

/// Whether this invocation's bit is set.
inline bool subgroup_inverse_ballot(std::uint64_t ballot) { return ((ballot >> subgroup_lane()) & 1) != 0; }
/// Whether the bit of a lane of the subgroup is set.
inline bool subgroup_ballot_bit_extract(std::uint64_t ballot, std::uint32_t lane) {
  return ((ballot >> (lane & 63)) & 1) != 0;
}
/// How many bits are set: of all lanes, of those up to this one, of those before it.
inline std::uint32_t subgroup_ballot_bit_count(std::uint64_t ballot) {
  return static_cast<std::uint32_t>(std::popcount(ballot & subgroup_lanes_mask()));
}
inline std::uint32_t subgroup_ballot_inclusive_bit_count(std::uint64_t ballot) {
  return static_cast<std::uint32_t>(std::popcount(ballot & subgroup_le_mask()));
}
inline std::uint32_t subgroup_ballot_exclusive_bit_count(std::uint64_t ballot) {
  return static_cast<std::uint32_t>(std::popcount(ballot & subgroup_lt_mask()));
}
/// The lowest and the highest lane whose bit is set; 64 if none is.
inline std::uint32_t subgroup_ballot_find_lsb(std::uint64_t ballot) {
  return static_cast<std::uint32_t>(std::countr_zero(ballot & subgroup_lanes_mask()));
}
inline std::uint32_t subgroup_ballot_find_msb(std::uint64_t ballot) {
  const std::uint64_t lanes = ballot & subgroup_lanes_mask();
  return lanes == 0 ? 64 : static_cast<std::uint32_t>(std::bit_width(lanes)) - 1;
}

// Moves of values of any trivially copyable type. The value of a lane that is not active is undefined.

/// The value of the active invocation with the lowest lane.
template <class T>
T subgroup_broadcast_first(const T& value) {
  return detail::move_value(value, [](auto part) { return detail::builtin::subgroup_broadcast_first(part); });
}
/// The value of a lane that is the same in all active invocations.
template <class T>
T subgroup_broadcast(const T& value, std::uint32_t lane) {
  return detail::move_value(value,
                            [=](auto part) { return detail::builtin::subgroup_broadcast(part, lane); });
}
/// The value of the lane.
template <class T>
T subgroup_shuffle(const T& value, std::uint32_t lane) {
  return detail::move_value(value, [=](auto part) { return detail::builtin::subgroup_shuffle(part, lane); });
}
/// The value of the lane whose number is this one's exclusive or the mask.
template <class T>
T subgroup_shuffle_xor(const T& value, std::uint32_t mask) {
  return detail::move_value(value,
                            [=](auto part) { return detail::builtin::subgroup_shuffle_xor(part, mask); });
}
/// The value of the lane that many below.
template <class T>
T subgroup_shuffle_up(const T& value, std::uint32_t delta) {
  return detail::move_value(value,
                            [=](auto part) { return detail::builtin::subgroup_shuffle_up(part, delta); });
}
/// The value of the lane that many above.
template <class T>
T subgroup_shuffle_down(const T& value, std::uint32_t delta) {
  return detail::move_value(value,
                            [=](auto part) { return detail::builtin::subgroup_shuffle_down(part, delta); });
}
/// The value of the lane that many above, around the end of the subgroup.
template <class T>
T subgroup_rotate(const T& value, std::uint32_t delta) {
  return detail::move_value(value,
                            [=](auto part) { return detail::builtin::subgroup_rotate(part, delta, 0, 0); });
}
/// The same in clusters of `Size` lanes, a power of two that is not larger than the subgroup.
template <std::uint32_t Size, class T>
T subgroup_clustered_rotate(const T& value, std::uint32_t delta) {
  static_assert(Size != 0 && (Size & (Size - 1)) == 0, "the size of a cluster is a power of two");
  return detail::move_value(value, [=](auto part) {
    return detail::builtin::subgroup_rotate(part, delta,
                                            static_cast<std::uint32_t>(detail::group_kind::clustered), Size);
  });
}
/// The value of lane 0 to 3 of the quad, the same in all its invocations.
template <class T>
T quad_broadcast(const T& value, std::uint32_t lane) {
  return detail::move_value(value, [=](auto part) { return detail::builtin::quad_broadcast(part, lane); });
}
/// The value of the quad's lane with bit 0, with bit 1, with both flipped.
template <class T>
T quad_swap_horizontal(const T& value) {
  return detail::move_value(value, [](auto part) { return detail::builtin::quad_swap_horizontal(part); });
}
template <class T>
T quad_swap_vertical(const T& value) {
  return detail::move_value(value, [](auto part) { return detail::builtin::quad_swap_vertical(part); });
}
template <class T>
T quad_swap_diagonal(const T& value) {
  return detail::move_value(value, [](auto part) { return detail::builtin::quad_swap_diagonal(part); });
}
/// Whether the condition holds in all four invocations of the quad, or in any; all of them call it.
inline bool quad_all(bool condition) {
  const bool both = static_cast<bool>(condition & quad_swap_horizontal(condition));
  return static_cast<bool>(both & quad_swap_vertical(both));
}
inline bool quad_any(bool condition) {
  const bool either = static_cast<bool>(condition | quad_swap_horizontal(condition));
  return static_cast<bool>(either | quad_swap_vertical(either));
}

namespace detail {

// Each operation: on integers of either sign, and on floats where it has a meaning.
#define SPIREA_OPERATION(name, signed_op, unsigned_op, float_op)                                \
  struct op_##name {                                                                            \
    template <class T>                                                                          \
    static T apply(T value, group_kind kind, std::uint32_t size) {                              \
      const auto k = static_cast<std::uint32_t>(kind);                                          \
      if constexpr (is_device_float<T>)                                                         \
        return builtin::float_op(value, k, size);                                               \
      else if constexpr (std::is_signed_v<T>)                                                   \
        return static_cast<T>(builtin::signed_op(static_cast<number_of<T>>(value), k, size));   \
      else                                                                                      \
        return static_cast<T>(builtin::unsigned_op(static_cast<number_of<T>>(value), k, size)); \
    }                                                                                           \
  };
SPIREA_OPERATION(add, subgroup_add, subgroup_add, subgroup_fadd)
SPIREA_OPERATION(mul, subgroup_mul, subgroup_mul, subgroup_fmul)
SPIREA_OPERATION(min, subgroup_smin, subgroup_umin, subgroup_fmin)
SPIREA_OPERATION(max, subgroup_smax, subgroup_umax, subgroup_fmax)
#undef SPIREA_OPERATION
#define SPIREA_OPERATION(name)                                                                 \
  struct op_##name {                                                                           \
    template <class T>                                                                         \
    static T apply(T value, group_kind kind, std::uint32_t size) {                             \
      static_assert(std::is_integral_v<T>, "bitwise subgroup operations are for integers");    \
      return static_cast<T>(builtin::subgroup_##name(static_cast<number_of<T>>(value),         \
                                                     static_cast<std::uint32_t>(kind), size)); \
    }                                                                                          \
  };
SPIREA_OPERATION(and)
SPIREA_OPERATION(or)
SPIREA_OPERATION(xor)
#undef SPIREA_OPERATION

/// Of an integer or a float; others below.
template <class T>
struct combine {
  template <class Operation>
  static T apply(T value, group_kind kind, std::uint32_t size) {
    static_assert(is_device_float<T> || (std::is_integral_v<T> && !std::is_same_v<T, bool> && sizeof(T) <= 8),
                  "subgroup operations are for integers and floats");
    return Operation::apply(value, kind, size);
  }
};
/// Each component on its own.
template <class T, std::size_t N>
struct combine<vec<T, N>> {
  template <class Operation>
  static vec<T, N> apply(const vec<T, N>& value, group_kind kind, std::uint32_t size) {
    return each([=](T part) { return combine<T>::template apply<Operation>(part, kind, size); }, value);
  }
};
/// The logical operations, on 0 and 1.
template <>
struct combine<bool> {
  template <class Operation>
  static bool apply(bool value, group_kind kind, std::uint32_t size) {
    static_assert(std::is_same_v<Operation, op_and> || std::is_same_v<Operation, op_or> ||
                      std::is_same_v<Operation, op_xor>,
                  "subgroup operations on bool are and, or and xor");
    return Operation::apply(static_cast<std::uint32_t>(value), kind, size) != 0;
  }
};
/// In float, which all devices combine, and rounded once.
template <class T>
struct combine_in_float {
  template <class Operation>
  static T apply(T value, group_kind kind, std::uint32_t size) {
    return T(Operation::apply(static_cast<float>(value), kind, size));
  }
};
template <>
struct combine<half> : combine_in_float<half> {};
template <>
struct combine<bfloat16> : combine_in_float<bfloat16> {};

}  // namespace detail

// subgroup_add and its like: over all active invocations; inclusive: over those up to this one; exclusive:
// over those before it, the operation's identity in the first; clustered: over those of this one's cluster of
// Size lanes, a power of two that is not larger than the subgroup. Floats are combined in any order; min and
// max ignore NaNs.
#define SPIREA_OPERATION(name)                                                                             \
  template <class T>                                                                                       \
  T subgroup_##name(T value) {                                                                             \
    return detail::combine<T>::template apply<detail::op_##name>(value, detail::group_kind::reduce, 0);    \
  }                                                                                                        \
  template <class T>                                                                                       \
  T subgroup_inclusive_##name(T value) {                                                                   \
    return detail::combine<T>::template apply<detail::op_##name>(value, detail::group_kind::inclusive, 0); \
  }                                                                                                        \
  template <class T>                                                                                       \
  T subgroup_exclusive_##name(T value) {                                                                   \
    return detail::combine<T>::template apply<detail::op_##name>(value, detail::group_kind::exclusive, 0); \
  }                                                                                                        \
  template <std::uint32_t Size, class T>                                                                   \
  T subgroup_clustered_##name(T value) {                                                                   \
    static_assert(Size != 0 && (Size & (Size - 1)) == 0, "the size of a cluster is a power of two");       \
    return detail::combine<T>::template apply<detail::op_##name>(value, detail::group_kind::clustered,     \
                                                                 Size);                                    \
  }
SPIREA_OPERATION(add)
SPIREA_OPERATION(mul)
SPIREA_OPERATION(min)
SPIREA_OPERATION(max)
SPIREA_OPERATION(and)
SPIREA_OPERATION(or)
SPIREA_OPERATION(xor)
#undef SPIREA_OPERATION

}  // namespace spirea
