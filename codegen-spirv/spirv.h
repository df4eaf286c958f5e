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

inline constexpr std::uint64_t kMaxPrivateBytes = 512 << 10;

struct Options {
  Environment environment = Environment::Vulkan1_2;
  bool optimize = true;  ///< spirv-opt, passes chosen by codegen-spirv/optimize.cpp
  bool validate = true;  ///< spirv-val for the environment
  /// Functions of more blocks are not validated: spirv-val walks the chain of dominators for every block of
  /// every construct, which takes minutes for a few thousand blocks.
  std::size_t most_validated_blocks = 1000;
  /// Bytes of local objects that an invocation may have. Vulkan states no limit, and drivers fail without a
  /// word: NVIDIA's has 512 KiB of local memory for an invocation.
  std::uint64_t max_private_bytes = kMaxPrivateBytes;
  /// Division and square root are those of IEEE 754 where the device's are not; else within what Vulkan
  /// states, 2.5 and 3 ULP for f32.
  bool rounds_correctly = false;
  /// 16-bit floats by the device's own instructions, which needs shaderFloat16; otherwise in 32-bit ones.
  bool native_half = false;
  /// Additions to floats in memory by the device's own instruction where they can be, which needs
  /// VK_EXT_shader_atomic_float; otherwise as a loop around a compare-exchange.
  bool native_float_add = false;
  bool debug_info = false;  ///< line info (OpLine); names are always there
};

using Words = std::vector<std::uint32_t>;

/// The SPIR-V module of one kernel, its only entry point (named Manifest::name). The KIR module is not
/// changed: legalization works on a copy.
kir::Result<Words> generate(const kir::Module&, const kir::Kernel&, const Options&);

/// The kernel's modules for an artifact, in order of preference: one with the device's own additions to
/// floats in memory where the kernel has any, and the one for all devices, the last.
kir::Result<std::vector<Words>> generate_all(const kir::Module&, const kir::Kernel&, const Options&);

/// The module after codegen-spirv/legalize/, as KIR text: what `generate` selects instructions from.
kir::Result<std::string> legalized_text(const kir::Module&, const kir::Kernel&, const Options&);

/// A remark for each local object of the kernel: how it is kept, and why no better.
std::vector<kir::Diagnostic> memory_remarks(const kir::Module&, const kir::Kernel&);

/// Disassembly as spirv-dis writes it.
std::string disassemble(const Words&);

}  // namespace spirea::spirv
