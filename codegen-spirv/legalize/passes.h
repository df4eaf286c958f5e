// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <span>

#include "ir/pass/pass.h"

namespace spirea::spirv {

/// The passes of legalization, and "spirv-legalize", which runs them all in order, with variants for devices
/// that can more.
std::span<const kir::PassInfo> passes();
std::span<const kir::PipelineInfo> pipelines();

/// The variant for devices that compute with 16-bit floats, that add floats atomically.
std::string_view pipeline_name(bool native_half, bool native_float_add);

}  // namespace spirea::spirv
