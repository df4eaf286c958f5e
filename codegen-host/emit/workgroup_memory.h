// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory that the runtime gives a kernel for the workgroup that it runs: one block, in which areas follow
// each other. The size of some is known at the launch alone.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <vector>

#include "codegen-host/emit/fission.h"
#include "ir/core/module.h"

namespace spirea::host {

/// What a kernel needs of a workgroup's memory.
struct WorkgroupMemory {
  /// Workgroup objects, by their ops. The last is dynamic memory, if there is any: all ops that name it.
  struct Object {
    std::vector<const kir::Op*> ops;
    std::uint64_t size = 0;  ///< without what the launch adds
    std::uint32_t align = 1;
    bool is_dynamic = false;
  };
  std::vector<Object> objects;
  bool has_frames = false;  ///< of invocations that stop at barriers
  Frame frame;

  bool is_empty() const { return objects.empty() && !has_frames; }
  /// Number of pointers that addresses() returns.
  unsigned num_addresses() const { return static_cast<unsigned>(objects.size()) + (has_frames ? 3 : 0); }
};

/// The objects of a kernel.
WorkgroupMemory workgroup_memory(const kir::Kernel&);

/// Lays out the areas, calls `allocate(i64 bytes)`, and returns the areas' addresses: the objects', then
/// those of the frames' values, the frames' objects and the invocations' states. Where there is no memory,
/// the function returns.
std::vector<llvm::Value*> allocate(llvm::IRBuilder<>&, const WorkgroupMemory&, llvm::Value* allocate,
                                   llvm::Value* dynamic_bytes, llvm::Value* invocations);

}  // namespace spirea::host
