// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen-spirv/spirv.h"

#include <spirv-tools/libspirv.hpp>

#include "codegen-spirv/legalize/legalize.h"
#include "codegen-spirv/legalize/passes.h"
#include "codegen-spirv/optimize.h"
#include "codegen-spirv/select/selector.h"
#include "ir/core/clone.h"
#include "ir/pass/runner.h"
#include "ir/text/printer.h"
#include "ir/verify/verify.h"

namespace spirea::spirv {
namespace {

kir::Result<std::unique_ptr<kir::Module>> legalize(const kir::Module& module, const kir::Kernel& kernel,
                                                   const Options& options) {
  auto legal = kir::extract(module, kernel);
  if (auto possible = can_generate(*legal, options.max_private_bytes); !possible)
    return possible.diagnostics();
  kir::PassRegistry registry;
  registry.add(passes(), pipelines());
  const auto pipeline =
      kir::parse_pipeline(pipeline_name(options.native_half, options.native_float_add), registry);
  if (!pipeline) return pipeline.diagnostics();
  kir::RunOptions run_options;
  run_options.verify_each = false;  // spirea-opt does; here once, below
  if (auto done = kir::run(*legal, *pipeline, run_options); !done) return done.diagnostics();
  if (auto valid = kir::verify(*legal); !valid) {
    auto diagnostics = valid.diagnostics();
    for (auto& d : diagnostics) d.message = "internal error after legalization: " + d.message;
    return diagnostics;
  }
  return legal;
}

kir::Result<void> validate(const Words& words, Environment environment) {
  spvtools::SpirvTools tools(environment == Environment::Vulkan1_2 ? SPV_ENV_VULKAN_1_2 : SPV_ENV_VULKAN_1_3);
  std::string messages;
  tools.SetMessageConsumer([&](spv_message_level_t, const char*, const spv_position_t&, const char* text) {
    messages += std::string(messages.empty() ? "" : "\n") + text;
  });
  if (tools.Validate(words)) return {};
  return kir::Diagnostic::error("internal error: the SPIR-V module is not valid: " + messages +
                                "; please report it with the kernel's source");
}

/// The op that a device may have an instruction for.
bool adds_floats_atomically(const kir::Kernel& kernel) {
  bool found = false;
  kir::walk(kernel.body, [&](const kir::Op& op) {
    found |= op.is(kir::Opcode::AtomicFAdd) && op.result()->type().bits() >= 32;
  });
  return found;
}

}  // namespace

kir::Result<Words> generate(const kir::Module& module, const kir::Kernel& kernel, const Options& options) {
  auto legal = legalize(module, kernel, options);
  if (!legal) return legal.diagnostics();
  ModuleWriter writer;
  Selector selector(writer, **legal, *(*legal)->kernels[0], options);
  selector.run();
  if (!selector.errors().empty()) return selector.errors();
  auto words = writer.finish(options.environment);
  if (!words) return words.diagnostics();
  const bool checked = options.validate && count_blocks(*words) <= options.most_validated_blocks;
  if (checked)
    if (auto valid = validate(*words, options.environment); !valid) return valid.diagnostics();
  if (!options.optimize) return words;
  auto optimized = optimize(*words, options);
  if (!optimized) return optimized;
  if (checked)
    if (auto valid = validate(*optimized, options.environment); !valid) return valid.diagnostics();
  return optimized;
}

kir::Result<std::vector<Words>> generate_all(const kir::Module& module, const kir::Kernel& kernel,
                                             const Options& options) {
  auto portable = generate(module, kernel, options);
  if (!portable) return portable.diagnostics();
  std::vector<Words> modules;
  if (!options.native_float_add && !options.rounds_correctly && adds_floats_atomically(kernel)) {
    Options native_options = options;
    native_options.native_float_add = true;
    auto native = generate(module, kernel, native_options);
    if (!native) return native.diagnostics();
    if (*native != *portable) modules.push_back(native.take());
  }
  modules.push_back(portable.take());
  return modules;
}

kir::Result<std::string> legalized_text(const kir::Module& module, const kir::Kernel& kernel,
                                        const Options& options) {
  auto legal = legalize(module, kernel, options);
  if (!legal) return legal.diagnostics();
  return kir::print(**legal);
}

std::string disassemble(const Words& words) {
  std::string text;
  spvtools::SpirvTools(SPV_ENV_UNIVERSAL_1_6)
      .Disassemble(words, &text, SPV_BINARY_TO_TEXT_OPTION_INDENT | SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES);
  return text;
}

}  // namespace spirea::spirv
