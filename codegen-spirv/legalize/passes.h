// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <span>

#include "ir/pass/pass.h"

namespace spirea::spirv {

/// The passes of legalization, and "spirv-legalize", which runs them all in order.
std::span<const kir::PassInfo> passes();
std::span<const kir::PipelineInfo> pipelines();

}  // namespace spirea::spirv
