// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>
#include <memory>
#include <vector>

#include "codegen-host/host.h"

namespace spirea::host {

/// The target machine of this compiler's own platform, for any CPU of it.
kir::Result<std::unique_ptr<llvm::TargetMachine>> create_target_machine(const Options&);

/// LLVM's own pipeline for the optimization level.
void optimize(llvm::Module&, llvm::TargetMachine&, unsigned level);

kir::Result<std::vector<char>> write(llvm::Module&, llvm::TargetMachine&, Output);

}  // namespace spirea::host
