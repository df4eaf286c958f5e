// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

#include "ir/core/module.h"

namespace spirea::compiler {

/// What goes into an artifact beside the kernels' manifests.
struct ArtifactContents {
  /// SPIR-V modules for Vulkan of each kernel of the module, in its order; empty: none. Those of a kernel are
  /// in order of preference.
  std::vector<std::vector<std::vector<std::uint32_t>>> vulkan;
};

/// The artifact of a module (ir/abi/artifact.h), with its KIR. The same input gives the same bytes.
std::vector<std::uint8_t> write_artifact(const kir::Module&, const ArtifactContents&);

}  // namespace spirea::compiler
