// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "codegen-spirv/grammar/encoder.h"
#include "codegen-spirv/spirv.h"

namespace spirea::spirv {

/// What the head of a module declares.
struct Declarations {
  std::vector<spv::Capability> capabilities;  ///< in order of their numbers
  std::vector<std::string> extensions;        ///< that these need, sorted
};

/// The fewest capabilities that meet the requirements; the first alternative that the environment knows where
/// there is a choice and none is declared already. An error names a requirement that the environment cannot
/// meet, with its alternatives.
kir::Result<Declarations> deduce_declarations(const Requirements&, Environment);

}  // namespace spirea::spirv
