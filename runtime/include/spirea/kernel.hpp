// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel may use of Spirea. Included by spirea/spirea.hpp; on its own for files that only define
// kernels.
#pragma once

#include <cstdint>

namespace spirea {

/// A position or extent in up to three dimensions.
struct uint3 {
  std::uint32_t x = 0, y = 0, z = 0;
  friend constexpr bool operator==(const uint3&, const uint3&) = default;
};

namespace detail {

/// Names a kernel: typeid(kernel_tag<K>).name() is the key under which the runtime finds its code.
template <auto Kernel>
struct kernel_tag {};

}  // namespace detail
}  // namespace spirea

#ifdef __SPIREA_DEVICE__

// Known to the compiler; `dimension` is 0, 1 or 2.
extern "C" {
__attribute__((const)) std::uint32_t __spirea_global_id(std::uint32_t dimension) noexcept;
__attribute__((const)) std::uint32_t __spirea_local_id(std::uint32_t dimension) noexcept;
__attribute__((const)) std::uint32_t __spirea_workgroup_id(std::uint32_t dimension) noexcept;
__attribute__((const)) std::uint32_t __spirea_num_workgroups(std::uint32_t dimension) noexcept;
__attribute__((const)) std::uint32_t __spirea_workgroup_size(std::uint32_t dimension) noexcept;
__attribute__((const)) std::uint32_t __spirea_global_size(std::uint32_t dimension) noexcept;
void __spirea_for_each_invocation_is_for_host_code();
}

namespace spirea {

/// Position of this invocation in the whole launch: workgroup_id * workgroup_size + local_id.
inline uint3 global_id() { return {__spirea_global_id(0), __spirea_global_id(1), __spirea_global_id(2)}; }
/// Position of this invocation in its workgroup.
inline uint3 local_id() { return {__spirea_local_id(0), __spirea_local_id(1), __spirea_local_id(2)}; }
/// Position of this workgroup in the grid.
inline uint3 workgroup_id() {
  return {__spirea_workgroup_id(0), __spirea_workgroup_id(1), __spirea_workgroup_id(2)};
}
/// Workgroups in the grid.
inline uint3 num_workgroups() {
  return {__spirea_num_workgroups(0), __spirea_num_workgroups(1), __spirea_num_workgroups(2)};
}
/// Invocations in a workgroup.
inline uint3 workgroup_size() {
  return {__spirea_workgroup_size(0), __spirea_workgroup_size(1), __spirea_workgroup_size(2)};
}
/// Invocations in the launch, with those that round it up to whole workgroups: num_workgroups *
/// workgroup_size.
inline uint3 global_size() {
  return {__spirea_global_size(0), __spirea_global_size(1), __spirea_global_size(2)};
}

/// For host code of the same file, see below; in a kernel, the call of an unknown function is an error.
template <class F>
void for_each_invocation(uint3, uint3, F&&) {
  __spirea_for_each_invocation_is_for_host_code();
}

}  // namespace spirea

#else

namespace spirea {
namespace detail {

/// Where this thread's invocation is, while a kernel runs as a plain C++ function.
struct position {
  uint3 local_id, workgroup_id, num_workgroups{1, 1, 1}, workgroup_size{1, 1, 1};
};
inline thread_local position host_position;

}  // namespace detail

inline uint3 local_id() { return detail::host_position.local_id; }
inline uint3 workgroup_id() { return detail::host_position.workgroup_id; }
inline uint3 num_workgroups() { return detail::host_position.num_workgroups; }
inline uint3 workgroup_size() { return detail::host_position.workgroup_size; }
inline uint3 global_id() {
  const detail::position& p = detail::host_position;
  return {p.workgroup_id.x * p.workgroup_size.x + p.local_id.x,
          p.workgroup_id.y * p.workgroup_size.y + p.local_id.y,
          p.workgroup_id.z * p.workgroup_size.z + p.local_id.z};
}
inline uint3 global_size() {
  const detail::position& p = detail::host_position;
  return {p.num_workgroups.x * p.workgroup_size.x, p.num_workgroups.y * p.workgroup_size.y,
          p.num_workgroups.z * p.workgroup_size.z};
}

/// Calls `f()` for each invocation of a grid, one after the other on this thread, with the ids set: a kernel
/// called in it runs as the plain C++ function that it is. For comparison with what a device computes.
template <class F>
void for_each_invocation(uint3 num_workgroups, uint3 workgroup_size, F&& f) {
  const detail::position saved = detail::host_position;
  detail::position& p = detail::host_position;
  p = {{}, {}, num_workgroups, workgroup_size};
  for (p.workgroup_id.z = 0; p.workgroup_id.z < num_workgroups.z; ++p.workgroup_id.z)
    for (p.workgroup_id.y = 0; p.workgroup_id.y < num_workgroups.y; ++p.workgroup_id.y)
      for (p.workgroup_id.x = 0; p.workgroup_id.x < num_workgroups.x; ++p.workgroup_id.x)
        for (p.local_id.z = 0; p.local_id.z < workgroup_size.z; ++p.local_id.z)
          for (p.local_id.y = 0; p.local_id.y < workgroup_size.y; ++p.local_id.y)
            for (p.local_id.x = 0; p.local_id.x < workgroup_size.x; ++p.local_id.x) f();
  detail::host_position = saved;
}

}  // namespace spirea

#endif

namespace spirea {

/// Linear position of this invocation in its workgroup, x fastest.
inline std::uint32_t local_index() {
  const uint3 id = local_id(), size = workgroup_size();
  return (id.z * size.y + id.y) * size.x + id.x;
}

}  // namespace spirea
