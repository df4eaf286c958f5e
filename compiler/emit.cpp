// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/emit.h"

#include <filesystem>
#include <ostream>
#include <string_view>

#include "compiler/files.h"
#include "compiler/outputs.h"
#include "ir/text/printer.h"

namespace spirea::compiler {
namespace {

namespace fs = std::filesystem;
using kir::Diagnostic;
using kir::Result;

std::string bytes_of(const spirv::Words& words) {
  return {reinterpret_cast<const char*>(words.data()), words.size() * sizeof(words[0])};
}

/// A stage's form of one kernel.
Result<std::string> kernel_text(Context& context, const kir::Module& module, const kir::Kernel& kernel) {
  if (context.options.stage == Stage::SpirvKir)
    return spirv::legalized_text(module, kernel, spirv_options(context.options));
  auto words = to_spirv(context, module, kernel);
  if (!words) return words.diagnostics();
  return context.options.stage == Stage::Spirv ? bytes_of(*words) : spirv::disassemble(*words);
}

Result<void> write_each(Context& context, const kir::Module& module, const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) return Diagnostic::error("cannot make folder '" + folder.string() + "': " + failed.message());
  const std::string suffix(info(context.options.stage).suffix);
  for (const auto& kernel : module.kernels) {
    auto text = kernel_text(context, module, *kernel);
    if (!text) return text.diagnostics();
    if (auto done = write_file((folder / (kernel->manifest.name + suffix)).string(), *text); !done)
      return done;
  }
  return {};
}

/// Stages that have one module for each kernel: text goes to one file, words to one file a kernel.
Result<void> emit_kernels(Context& context, const kir::Module& module, const std::string& input) {
  const Options& options = context.options;
  const std::string output = output_path(options, input);
  if (module.kernels.empty()) return Diagnostic::error("no kernels in '" + input + "'");
  if (output.ends_with('/') || fs::is_directory(output)) return write_each(context, module, output);
  if (module.kernels.size() > 1 && options.stage == Stage::Spirv) {
    Diagnostic error =
        Diagnostic::error("'" + input +
                          "' has several kernels, and SPIR-V takes a file for each; choose one with "
                          "--kernel=NAME, or write all with -o FOLDER/");
    for (const auto& kernel : module.kernels)
      error.notes.push_back({kir::Severity::Note, "kernel '" + kernel->manifest.name + "'", {}, {}});
    return error;
  }
  std::string all;
  for (const auto& kernel : module.kernels) {
    auto text = kernel_text(context, module, *kernel);
    if (!text) return text.diagnostics();
    all += *text;
  }
  return write_file(output, all);
}

Result<void> write_bytes(const Result<std::vector<char>>& bytes, const std::string& output) {
  if (!bytes) return bytes.diagnostics();
  return write_file(output, std::string_view(bytes->data(), bytes->size()));
}

void warn_without_kernels(Context& context, const kir::Module& module, const std::string& input) {
  if (!module.kernels.empty()) return;
  Diagnostic warning = Diagnostic::error("no kernels in '" + input + "'");
  warning.severity = kir::Severity::Warning;
  report(context.err, {warning}, context.options.color);
}

Result<void> emit_module(Context& context, const kir::Module& module, const std::string& input) {
  const std::string output = output_path(context.options, input);
  switch (context.options.stage) {
    case Stage::Llvm:
    case Stage::Kir: return write_file(output, kir::print(module));
    case Stage::SpirvKir:
    case Stage::Spirv:
    case Stage::SpirvAsm: return emit_kernels(context, module, input);
    case Stage::HostLlvm: return write_bytes(to_host(context, module, host::Output::LlvmText), output);
    case Stage::HostAsm: return write_bytes(to_host(context, module, host::Output::Assembly), output);
    case Stage::Object:
      warn_without_kernels(context, module, input);
      return write_bytes(to_object(context, module), output);
  }
  return {};
}

}  // namespace

Result<kir::Success> emit(Context& context, const std::string& input) {
  Result<void> done;
  if (context.options.stage == Stage::Llvm) {
    auto text = to_llvm(context, input);
    if (!text) return text.diagnostics();
    done = write_file(output_path(context.options, input), *text);
  } else {
    auto module = to_kir(context, input);
    if (!module) return module.diagnostics();
    remark(context, **module);
    done = emit_module(context, **module, input);
  }
  if (!done) return done.diagnostics();
  return kir::Success{};
}

}  // namespace spirea::compiler
