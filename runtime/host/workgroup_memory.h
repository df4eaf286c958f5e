// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace spirea::host {

/// Memory for the workgroup that a thread runs: what its invocations share, and what they keep while they
/// wait at a barrier. Threads keep theirs from launch to launch, unless it is large.
class WorkgroupMemory {
 public:
  /// As spirea_host_grid::workgroup_memory wants it.
  static void* of_this_thread(std::uint64_t bytes);
  /// Called when a kernel has returned. 0, or how many bytes it did not get since the last call.
  static std::uint64_t end_of_call();
};

}  // namespace spirea::host
