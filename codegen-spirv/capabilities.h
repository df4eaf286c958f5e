// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "codegen-spirv/grammar/encoder.h"
#include "codegen-spirv/spirv.h"

namespace spirea::spirv {

/// The smallest list of capabilities, in order of their numbers, that meets the requirements; the first
/// alternative that the environment knows where there is a choice and none is declared already. An error
/// names a requirement that the environment cannot meet, with its alternatives.
kir::Result<std::vector<spv::Capability>> deduce_capabilities(const Requirements&, Environment);

}  // namespace spirea::spirv
