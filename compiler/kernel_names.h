// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "ir/core/diagnostic.h"
#include "ir/core/module.h"

namespace spirea::compiler {

/// The kernel that a user means: by symbol, by its C++ name ("blur", "image::blur", "scale<float>") or with
/// its parameters. The error lists the kernels there are.
kir::Result<const kir::Kernel*> find_kernel(const kir::Module&, const std::string& name,
                                            const std::string& file);

/// Removes all other kernels; does nothing for an empty name.
kir::Result<void> keep_kernel(kir::Module&, const std::string& name, const std::string& file);

/// True if `name` is the symbol, or the C++ name with or without its parameters and namespaces.
bool names_kernel(const abi::Manifest&, const std::string& name);

}  // namespace spirea::compiler
