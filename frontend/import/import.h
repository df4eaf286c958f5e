// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <string>
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
/// and with the LLVM type of the leaf's scalar; what is beyond them is not used. Block offsets are not
/// assigned yet.
struct KernelSource {
  llvm::Function* entry;
  abi::Manifest manifest;
};

/// What diagnostics say of the program beyond its LLVM IR. This one knows nothing.
class Program {
 public:
  virtual ~Program() = default;
  virtual bool is_in_system_header(const std::string& /*file*/) const { return false; }
  /// Class::function if the call there is one of a virtual function, else empty.
  virtual std::string virtual_function_called_at(const kir::Location&) const { return ""; }
  /// Notes: where a function or variable is declared, and how to make its definition known.
  virtual std::vector<kir::Diagnostic> where_declared(const std::string& /*symbol*/) const { return {}; }
  /// A constant whose value is not one at compile time.
  virtual bool is_initialized_at_run_time(const std::string& /*symbol*/) const { return false; }
};

/// The place, or where it is in a header of the system or of Spirea, the user's one from which it is called.
kir::LocId users_place(const kir::LocationTable&, kir::LocId, const Program&);

/// KIR for the kernels. Needs: everything inlined, loops in LCSSA form, reducible control flow. What KIR
/// cannot say is reported at the C++ line that does it, with the chain of calls from the kernel as notes, all
/// of it in one run.
kir::Result<std::unique_ptr<kir::Module>> import_module(llvm::Module&, const std::vector<KernelSource>&,
                                                        const Program&);

/// Whether the importer has code for this memcpy, memmove or memset: its size is constant. Others must have
/// become loops before.
bool imports_directly(const llvm::MemIntrinsic&);

}  // namespace spirea::frontend
