// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/pipeline.h"

#include <filesystem>
#include <limits>
#include <ostream>

#include "compiler/artifact.h"
#include "compiler/compile_commands.h"
#include "compiler/emit.h"
#include "compiler/files.h"
#include "compiler/kernel_names.h"
#include "compiler/outputs.h"
#include "frontend/frontend.h"
#include "ir/pass/runner.h"
#include "ir/text/parser.h"
#include "ir/verify/verify.h"

namespace spirea::compiler {
namespace {

using kir::Diagnostic;
using kir::Result;

/// The failure whose messages were printed already.
std::vector<Diagnostic> printed() { return {}; }

Result<frontend::Options> frontend_options(const Context& context, const std::string& input) {
  const Options& options = context.options;
  if (input != "-" && !std::filesystem::exists(input))
    return Diagnostic::error("no such file or directory: '" + input + "'");
  frontend::Options result;
  result.input = input;
  result.kernel_headers = kernel_headers();
  result.math_library = math_library();
  result.float_mode = options.float_mode;
  result.color = options.color;
  if (!options.build_folder.empty()) {
    auto flags = flags_from_compile_commands(options.build_folder, input);
    if (!flags) return flags.diagnostics();
    result.clang_args = flags.take();
  }
  result.clang_args.insert(result.clang_args.end(), options.clang_args.begin(), options.clang_args.end());
  const std::vector<std::string> depend = dependency_flags(options, input);
  result.clang_args.insert(result.clang_args.end(), depend.begin(), depend.end());
  return result;
}

Result<frontend::Output> run_frontend(Context& context, const frontend::Options& options) {
  StageTimer timer(context.times, "C++ to " + std::string(options.want_kir ? "KIR" : "LLVM IR"));
  frontend::Output output = frontend::compile(options);
  context.err << output.messages << std::flush;
  if (output.errors != 0) return printed();
  return output;
}

Result<std::unique_ptr<kir::Module>> import_file(Context& context, const std::string& input) {
  auto options = frontend_options(context, input);
  if (!options) return options.diagnostics();
  auto output = run_frontend(context, *options);
  if (!output) return output.diagnostics();
  return std::move(output->module);
}

Result<std::unique_ptr<kir::Module>> parse_file(Context& context, const std::string& input) {
  StageTimer timer(context.times, "parse KIR");
  auto text = read_file(input);
  if (!text) return text.diagnostics();
  if (auto written = write_own_dependencies(context.options, input); !written) return written.diagnostics();
  return kir::parse(*text, input);
}

Result<void> run_passes(Context& context, kir::Module& module) {
  StageTimer timer(context.times, "KIR passes");
  const Options& options = context.options;
  const kir::PassRegistry registry = kir::ir_registry();
  auto pipeline = kir::parse_pipeline(options.optimize == 0 ? "" : "optimize", registry);
  if (!pipeline) return pipeline.diagnostics();
  kir::RunOptions run_options;
  run_options.verify_each = options.verify_each;
  run_options.reproducer = options.reproducer;
  if (!options.dump_kir.empty()) {
    auto dump = kir::parse_dump_options(options.dump_kir, registry);
    if (!dump) return dump.diagnostics();
    run_options.dump = dump.take();
    run_options.dump_to = &context.err;
  }
  auto report = kir::run(module, *pipeline, run_options);
  if (!report) return report.diagnostics();
  if (options.time) context.err << kir::time_table(*report);
  return kir::verify(module);
}

}  // namespace

Result<std::string> to_llvm(Context& context, const std::string& input) {
  if (is_kir_file(input))
    return Diagnostic::error("'" + input + "' is kernel IR: it has no LLVM IR before it");
  auto options = frontend_options(context, input);
  if (!options) return options.diagnostics();
  options->want_llvm = true;
  options->want_kir = false;
  auto output = run_frontend(context, *options);
  if (!output) return output.diagnostics();
  return std::move(output->llvm_ir);
}

Result<std::unique_ptr<kir::Module>> to_kir(Context& context, const std::string& input) {
  auto module = is_kir_file(input) ? parse_file(context, input) : import_file(context, input);
  if (!module) return module.diagnostics();
  if (auto valid = kir::verify(**module); !valid) return valid.diagnostics();
  if (auto kept = keep_kernel(**module, context.options.kernel, input); !kept) return kept.diagnostics();
  if (auto done = run_passes(context, **module); !done) return done.diagnostics();
  return module;
}

spirv::Options spirv_options(const Options& from) {
  spirv::Options options;
  options.max_private_bytes = from.max_private_bytes;
  options.optimize = from.optimize != 0;
  options.debug_info = from.debug_info;
  options.native_half = from.native_half;
  options.native_float_add = from.float_atomics == FloatAtomics::Native;
  options.rounds_correctly = from.float_mode == frontend::FloatMode::Strict;
  if (from.verify_each) options.most_validated_blocks = std::numeric_limits<std::size_t>::max();
  return options;
}

Result<spirv::Words> to_spirv(Context& context, const kir::Module& module, const kir::Kernel& kernel) {
  StageTimer timer(context.times, "SPIR-V of " + kernel.manifest.name);
  return spirv::generate(module, kernel, spirv_options(context.options));
}

namespace {

/// What an object has of a kernel.
Result<std::vector<spirv::Words>> to_spirv_modules(Context& context, const kir::Module& module,
                                                   const kir::Kernel& kernel) {
  if (context.options.float_atomics == FloatAtomics::Both) {
    StageTimer timer(context.times, "SPIR-V of " + kernel.manifest.name);
    return spirv::generate_all(module, kernel, spirv_options(context.options));
  }
  auto words = to_spirv(context, module, kernel);
  if (!words) return words.diagnostics();
  return std::vector<spirv::Words>{words.take()};
}

}  // namespace

void remark(Context& context, const kir::Module& module) {
  if (!context.options.memory_remarks || !context.options.targets.vulkan) return;
  for (const auto& kernel : module.kernels)
    report(context.err, spirv::memory_remarks(module, *kernel), context.options.color);
}

Result<std::vector<char>> to_host(Context& context, const kir::Module& module, host::Output output) {
  StageTimer timer(context.times, "host code");
  host::Options options;
  options.optimize = context.options.optimize;
  options.debug_info = context.options.debug_info;
  return host::generate(module, {}, output, options);
}

Result<std::vector<char>> to_object(Context& context, const kir::Module& module) {
  ArtifactContents contents;
  std::vector<Diagnostic> problems;
  for (const auto& kernel : module.kernels) {
    if (!context.options.targets.vulkan) break;
    if (auto modules = to_spirv_modules(context, module, *kernel))
      contents.vulkan.push_back(modules.take());
    else
      problems.insert(problems.end(), modules.diagnostics().begin(), modules.diagnostics().end());
  }
  if (!problems.empty()) return problems;

  const std::vector<std::uint8_t> artifact = write_artifact(module, contents);
  StageTimer timer(context.times, "object");
  host::Options options;
  options.optimize = context.options.optimize;
  options.debug_info = context.options.debug_info;
  return host::generate(module, artifact, host::Output::Object, options, context.options.targets.host);
}

int compile(const Options& options, std::ostream& err) {
  int code = kExitSuccess;
  for (const std::string& input : options.inputs) {
    Context context{options, err};
    const auto done = emit(context, input);
    if (!done) {
      report(err, done.diagnostics(), options.color);
      code = kExitErrors;
    }
    if (options.time) err << time_table(context.times);
  }
  return code;
}

}  // namespace spirea::compiler
