// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen-spirv/optimize.h"

#include <spirv-tools/optimizer.hpp>

namespace spirea::spirv {

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
