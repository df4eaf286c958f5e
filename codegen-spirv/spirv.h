// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ir/core/diagnostic.h"
#include "ir/core/module.h"

namespace spirea::spirv {

enum class Environment : std::uint8_t { Vulkan1_2, Vulkan1_3 };

struct Options {
  Environment environment = Environment::Vulkan1_2;
  bool optimize = true;  ///< spirv-opt, passes chosen by codegen-spirv/optimize.cpp
  bool validate = true;  ///< spirv-val for the environment
  /// Functions of more blocks are not validated: spirv-val walks the chain of dominators for every block of
  /// every construct, which takes minutes for a few thousand blocks.
  std::size_t most_validated_blocks = 1000;
  bool debug_info = false;  ///< line info (OpLine); names are always there
};

using Words = std::vector<std::uint32_t>;

/// The SPIR-V module of one kernel, its only entry point (named Manifest::name). The KIR module is not
/// changed: legalization works on a copy.
kir::Result<Words> generate(const kir::Module&, const kir::Kernel&, const Options&);

/// The module after codegen-spirv/legalize/, as KIR text: what `generate` selects instructions from.
kir::Result<std::string> legalized_text(const kir::Module&, const kir::Kernel&, const Options&);

/// Disassembly as spirv-dis writes it.
std::string disassemble(const Words&);

}  // namespace spirea::spirv
