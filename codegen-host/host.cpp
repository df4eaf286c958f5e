// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// KIR to native code: can_generate, select (into LLVM IR), optimize, write.
#include "codegen-host/host.h"

#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <optional>

#include "codegen-host/can_generate.h"
#include "codegen-host/emit/debug_info.h"
#include "codegen-host/emit/kernel.h"
#include "codegen-host/emit/registration.h"
#include "codegen-host/target.h"

namespace spirea::host {
namespace {

/// Kernels' host functions, in the module's order; null without code.
std::vector<llvm::Function*> emit_kernels(llvm::Module& module, const kir::Module& source,
                                          const Options& options, bool with_code) {
  if (!with_code) return std::vector<llvm::Function*>(source.kernels.size(), nullptr);
  std::vector<llvm::Function*> functions;
  std::optional<DebugInfo> debug_info;
  if (options.debug_info) debug_info.emplace(module, source);
  for (const auto& kernel : source.kernels)
    functions.push_back(
        emit_kernel(module, source, *kernel, debug_info ? &*debug_info : nullptr, options.optimize > 0));
  if (debug_info) debug_info->finish();
  return functions;
}

kir::Result<void> check(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (!llvm::verifyModule(module, &stream)) return {};
  return kir::Diagnostic::error(
      "internal error in codegen-host: the LLVM module is not valid (please report this with the "
      "kernel's KIR): " +
      text);
}

}  // namespace

std::string host_symbol(const kir::Kernel& kernel) { return "spirea_host_" + kernel.manifest.name; }

kir::Result<std::vector<char>> generate(const kir::Module& source, const std::vector<std::uint8_t>& artifact,
                                        Output output, const Options& options, bool with_code) {
  if (with_code)
    if (const auto possible = can_generate(source); !possible) return possible.diagnostics();
  auto machine = create_target_machine(options);
  if (!machine) return machine.diagnostics();

  llvm::LLVMContext context;
  llvm::Module module("spirea", context);
  module.setTargetTriple((*machine)->getTargetTriple());
  module.setDataLayout((*machine)->createDataLayout());
  if (options.position_independent) module.setPICLevel(llvm::PICLevel::BigPIC);

  const std::vector<llvm::Function*> kernels = emit_kernels(module, source, options, with_code);
  if (!artifact.empty()) {
    // Reached through the registration alone, so that two objects may have the same kernel.
    for (llvm::Function* kernel : kernels)
      if (kernel != nullptr) kernel->setLinkage(llvm::GlobalValue::InternalLinkage);
    emit_registration(module, artifact, kernels);
  }
  if (const auto valid = check(module); !valid) return valid.diagnostics();
  optimize(module, **machine, options.optimize);
  return write(module, **machine, output);
}

}  // namespace spirea::host
