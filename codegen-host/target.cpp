// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen-host/target.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetOptions.h>
#include <llvm/TargetParser/Host.h>
#include <mutex>
#include <string>

namespace spirea::host {
namespace {

// Only the native target: initializing the others costs each compilation time.
void initialize_native_target() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
}

llvm::OptimizationLevel level_of(unsigned level) {
  switch (level) {
    case 0: return llvm::OptimizationLevel::O0;
    case 1: return llvm::OptimizationLevel::O1;
    case 2: return llvm::OptimizationLevel::O2;
    default: return llvm::OptimizationLevel::O3;
  }
}

llvm::CodeGenOptLevel codegen_level_of(unsigned level) {
  switch (level) {
    case 0: return llvm::CodeGenOptLevel::None;
    case 1: return llvm::CodeGenOptLevel::Less;
    case 2: return llvm::CodeGenOptLevel::Default;
    default: return llvm::CodeGenOptLevel::Aggressive;
  }
}

}  // namespace

kir::Result<std::unique_ptr<llvm::TargetMachine>> create_target_machine(const Options& options) {
  initialize_native_target();
  const llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (target == nullptr) return kir::Diagnostic::error("no host code for '" + triple.str() + "': " + error);
  const auto relocation = options.position_independent ? llvm::Reloc::PIC_ : llvm::Reloc::Static;
  llvm::TargetOptions target_options;
  target_options.UseInitArray = true;
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, /*CPU=*/"", /*Features=*/"", target_options, relocation,
                                  std::nullopt, codegen_level_of(options.optimize)));
  if (machine == nullptr) return kir::Diagnostic::error("no host code for '" + triple.str() + "'");
  return machine;
}

void optimize(llvm::Module& module, llvm::TargetMachine& machine, unsigned level) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = level >= 2;
  tuning.SLPVectorization = level >= 2;
  llvm::PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes = level == 0 ? builder.buildO0DefaultPipeline(level_of(level))
                                              : builder.buildPerModuleDefaultPipeline(level_of(level));
  passes.run(module, modules);
}

kir::Result<std::vector<char>> write(llvm::Module& module, llvm::TargetMachine& machine, Output output) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  if (output == Output::LlvmText) {
    module.print(stream, nullptr);
  } else {
    llvm::legacy::PassManager passes;
    const auto type =
        output == Output::Object ? llvm::CodeGenFileType::ObjectFile : llvm::CodeGenFileType::AssemblyFile;
    if (machine.addPassesToEmitFile(passes, stream, nullptr, type))
      return kir::Diagnostic::error("the host target cannot write this kind of file");
    passes.run(module);
  }
  return std::vector<char>(bytes.begin(), bytes.end());
}

}  // namespace spirea::host
