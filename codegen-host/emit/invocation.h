// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "codegen-host/emit/fission.h"
#include "codegen-host/emit/workgroup_memory.h"
#include "codegen-host/select/selector.h"

namespace spirea::host {

class DebugInfo;

/// A kernel on its way to LLVM.
struct KernelSource {
  llvm::Module& module;
  const kir::Module& source;
  const kir::Kernel& kernel;
  DebugInfo* debug_info;  ///< null: none
};

/// True if invocations of the kernel wait for each other.
bool has_barriers(const kir::Kernel&);
/// The types of the kernel's leaves.
std::vector<llvm::Type*> leaf_types(const KernelSource&);
/// What the attribute says, else what the launch says.
std::array<llvm::Value*, 3> workgroup_size(llvm::IRBuilder<>&, const kir::Kernel&,
                                           const std::array<llvm::Value*, 3>& from_launch);
/// The address of each op that has one.
llvm::DenseMap<const kir::Op*, llvm::Value*> workgroup_objects(const WorkgroupMemory&,
                                                               llvm::ArrayRef<llvm::Value*> addresses);

/// One invocation of a kernel with barriers as a function, cut at them.
struct Invocation {
  llvm::Function* function = nullptr;
  std::vector<Cut> cuts;
  Frame frame;
};
Invocation emit_invocation(const KernelSource&, const WorkgroupMemory&);

/// The arguments that emit_invocation's function takes, in the order of its parameters.
struct InvocationArguments {
  llvm::Value* state;
  llvm::SmallVector<llvm::Value*, 16> leaves;
  Position position;
  llvm::SmallVector<llvm::Value*, 4> workgroup_objects;
  llvm::Value* values;   ///< of all invocations
  llvm::Value* objects;  ///< of this one
  llvm::Value* index;
  llvm::Value* count;
  std::vector<llvm::Value*> all() const;
};

}  // namespace spirea::host
