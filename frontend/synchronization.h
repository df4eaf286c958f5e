// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

namespace llvm {
class Function;
class GlobalVariable;
class Module;
}  // namespace llvm

namespace spirea::frontend {

/// What LLVM must know of memory that invocations share, before any pass runs:
/// - variables in workgroup memory become external ones without an initializer, so that nothing is known of
///   their contents, and what waits for other invocations may change them;
/// - subgroup operations touch no memory that the program sees;
/// - the buffers of a kernel that synchronizes are not `noalias`: other invocations write to them meanwhile;
/// - std::atomic_ref's additions of floats, which libstdc++ does by compare-exchange, are atomic additions.
void prepare_synchronization(llvm::Module&, const std::vector<llvm::Function*>& entries);

/// [[spirea::shared]]
bool is_shared(const llvm::GlobalVariable&);

}  // namespace spirea::frontend
