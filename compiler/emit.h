// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "compiler/pipeline.h"

namespace spirea::compiler {

/// Compiles an input to the stage that the options ask for and writes it.
kir::Result<kir::Success> emit(Context&, const std::string& input);

}  // namespace spirea::compiler
