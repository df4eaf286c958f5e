// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel may use of Spirea. Included by spirea/spirea.hpp; on its own for files that only define
// kernels.
#pragma once

#include <cstdint>

#include "spirea/small_float.hpp"
#include "spirea/subgroup.hpp"
#include "spirea/vec.hpp"

namespace spirea {
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
void for_each_invocation(uint3, uint3, F&&, std::size_t = 0) {
  __spirea_for_each_invocation_is_for_host_code();
}

}  // namespace spirea

#else

namespace spirea {
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

/// Calls `f()` for each invocation of a grid on this thread, with the ids set: a kernel called in it runs as
/// the plain C++ function that it is, in subgroups of one invocation. For comparison with what a device
/// computes. Between barriers an invocation runs on alone; `dynamic_shared` is the size in bytes of what
/// spirea::dynamic_shared() returns.
template <class F>
void for_each_invocation(uint3 num_workgroups, uint3 workgroup_size, F&& f, std::size_t dynamic_shared = 0) {
  const detail::position saved = detail::host_position;
  const auto call = [](void* function) { (*static_cast<std::remove_reference_t<F>*>(function))(); };
  detail::invocations all(call, const_cast<void*>(static_cast<const void*>(&f)), dynamic_shared);
  uint3 id{};
  for (id.z = 0; id.z < num_workgroups.z; ++id.z)
    for (id.y = 0; id.y < num_workgroups.y; ++id.y)
      for (id.x = 0; id.x < num_workgroups.x; ++id.x) {
        detail::host_position = {{}, id, num_workgroups, workgroup_size};
        all.run_workgroup();
      }
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

#ifndef __SPIREA_DEVICE__
inline std::uint32_t subgroup_id() { return local_index(); }
inline std::uint32_t num_subgroups() { return workgroup_size().x * workgroup_size().y * workgroup_size().z; }
#endif

}  // namespace spirea
