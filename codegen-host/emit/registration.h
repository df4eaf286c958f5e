// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <llvm/IR/Module.h>
#include <vector>

namespace spirea::host {

/// The section of an object that holds its artifact.
inline constexpr const char* kArtifactSection = ".spirea";

/// Adds the artifact, in a section of its own, and a constructor that passes it to spirea_register together
/// with the kernels' host functions. A null function registers as "no host code".
void emit_registration(llvm::Module&, const std::vector<std::uint8_t>& artifact,
                       const std::vector<llvm::Function*>& kernels);

}  // namespace spirea::host
