// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen-spirv/optimize.h"

#include <spirv-tools/optimizer.hpp>
#include <spirv/unified1/spirv.hpp11>

namespace spirea::spirv {
namespace {

/// Global redundancy elimination copies all that it knows at each block, which takes the square of their
/// number. Beyond this many, what kir::cse has found, and the local one, must do.
constexpr std::size_t kMostBlocksOfGlobalElimination = 1000;

}  // namespace

std::size_t count_blocks(const Words& words) {
  constexpr std::size_t kHeader = 5;
  std::size_t blocks = 0;
  for (std::size_t at = kHeader; at < words.size(); at += words[at] >> 16)
    if ((words[at] & 0xffff) == static_cast<std::uint32_t>(spv::Op::OpLabel)) ++blocks;
  return blocks;
}

kir::Result<Words> optimize(const Words& words, const Options& options) {
  spvtools::Optimizer optimizer(options.environment == Environment::Vulkan1_2 ? SPV_ENV_VULKAN_1_2
                                                                              : SPV_ENV_VULKAN_1_3);
  std::string messages;
  optimizer.SetMessageConsumer(
      [&](spv_message_level_t level, const char*, const spv_position_t&, const char* text) {
        if (level <= SPV_MSG_ERROR) messages += std::string(messages.empty() ? "" : "\n") + text;
      });
  // Conversions of constants and arithmetic on them, left by address computation.
  optimizer.RegisterPass(spvtools::CreateSimplificationPass());
  // The same built-in load, index conversion or address several times.
  optimizer.RegisterPass(spvtools::CreateLocalRedundancyEliminationPass());
  if (count_blocks(words) <= kMostBlocksOfGlobalElimination)
    optimizer.RegisterPass(spvtools::CreateRedundancyEliminationPass());
  // What nobody uses any more.
  optimizer.RegisterPass(spvtools::CreateAggressiveDCEPass(/*preserve_interface=*/false));
  optimizer.RegisterPass(spvtools::CreateCompactIdsPass());
  spvtools::OptimizerOptions settings;
  settings.set_run_validator(false);
  Words result;
  if (optimizer.Run(words.data(), words.size(), &result, settings)) return result;
  return kir::Diagnostic::error("internal error: spirv-opt failed: " + messages);
}

}  // namespace spirea::spirv
