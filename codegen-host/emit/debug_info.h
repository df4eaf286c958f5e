// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/DIBuilder.h>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

#include "ir/core/module.h"

namespace spirea::host {

/// DWARF for a module: a subprogram for each kernel, line locations with the chain of inlined calls.
class DebugInfo {
 public:
  DebugInfo(llvm::Module&, const kir::Module&);

  /// Describes the kernel; locations from here on are in it.
  llvm::DISubprogram* begin_kernel(const kir::Kernel&);
  /// The same for the function that runs the invocations, where that is not the kernel.
  llvm::DISubprogram* begin_workgroups(const kir::Kernel&);
  /// The location within the current kernel; line 0 where it is unknown.
  llvm::DILocation* location(kir::LocId);
  void finish() { builder_.finalize(); }

 private:
  llvm::DISubprogram* begin(const kir::Kernel&, llvm::DISubprogram*);
  llvm::DIFile* file(const std::string& path);
  llvm::DISubprogram* subprogram(const std::string& file, const std::string& name,
                                 const std::string& linkage_name, unsigned line);
  llvm::DIScope* scope_of(const kir::Location&);

  const kir::LocationTable& table_;
  llvm::LLVMContext& context_;
  llvm::DIBuilder builder_;
  llvm::DICompileUnit* unit_ = nullptr;
  const kir::Kernel* kernel_ = nullptr;
  llvm::DISubprogram* kernel_subprogram_ = nullptr;
  std::map<std::pair<std::string, std::string>, llvm::DISubprogram*> inlined_;  ///< by file and function
  std::unordered_map<kir::LocId, llvm::DILocation*> locations_;                 ///< of the current kernel
};

}  // namespace spirea::host
