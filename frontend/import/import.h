// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <vector>

#include "ir/core/diagnostic.h"
#include "ir/core/module.h"

namespace llvm {
class Function;
class MemIntrinsic;
class Module;
}  // namespace llvm

namespace spirea::frontend {

/// A kernel in LLVM IR: a void function whose arguments are the leaves of the manifest's parameters, in order
/// and with the LLVM type of the leaf's scalar. Block offsets are not assigned yet.
struct KernelSource {
  llvm::Function* entry;
  abi::Manifest manifest;
};

/// KIR for the kernels. Needs: everything inlined, loops in LCSSA form, reducible control flow. What KIR
/// cannot say is reported at the C++ line that does it, with the chain of calls from the kernel as notes, all
/// of it in one run.
kir::Result<std::unique_ptr<kir::Module>> import_module(llvm::Module&, const std::vector<KernelSource>&);

/// Whether the importer has code for this memcpy, memmove or memset: its size is constant. Others must have
/// become loops before.
bool imports_directly(const llvm::MemIntrinsic&);

}  // namespace spirea::frontend
