// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/frontend.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/GlobalDecl.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Driver/CreateInvocationFromArgs.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Frontend/Utils.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/VirtualFileSystem.h>

#include "frontend/attributes.h"
#include "frontend/config.h"
#include "frontend/diagnostic_printer.h"
#include "frontend/entry.h"
#include "frontend/import/import.h"
#include "frontend/kernels.h"
#include "frontend/layout.h"
#include "frontend/math_library.h"
#include "frontend/passes.h"
#include "frontend/program.h"
#include "frontend/render.h"
#include "frontend/standard_library.h"
#include "ir/analysis/barriers.h"

namespace spirea::frontend {
namespace {

/// Hands to Clang's code generator only what kernels can need, and turns the result into KIR at the end of
/// the file.
class DeviceConsumer : public clang::ASTConsumer {
 public:
  DeviceConsumer(clang::CompilerInstance& ci, const Options& options, Output& output)
      : ci_(ci),
        options_(options),
        output_(output),
        generator_(clang::CreateLLVMCodeGen(ci, options.input, context_)) {}

  void Initialize(clang::ASTContext& context) override { generator_->Initialize(context); }
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl* decl : group) forward(decl);
    return true;
  }
  void HandleInlineFunctionDefinition(clang::FunctionDecl* decl) override {
    generator_->HandleInlineFunctionDefinition(decl);
  }
  void HandleTagDeclDefinition(clang::TagDecl* decl) override { generator_->HandleTagDeclDefinition(decl); }
  void HandleCXXStaticMemberVarInstantiation(clang::VarDecl* decl) override {
    if (is_device_data(decl)) generator_->HandleCXXStaticMemberVarInstantiation(decl);
  }

  void HandleTranslationUnit(clang::ASTContext& context) override {
    std::vector<KernelDecl> kernels = find_kernels(context, ci_.getDiagnostics());
    if (ci_.getDiagnostics().hasErrorOccurred()) return;
    generator_->HandleTranslationUnit(context);
    if (ci_.getDiagnostics().hasErrorOccurred() || generator_->GetModule() == nullptr) return;
    compile(kernels, context);
  }

 private:
  /// Functions other than kernels are emitted when a kernel reaches them: treated as inline, they are
  /// deferred.
  void forward(clang::Decl* decl) {
    if (auto* function = llvm::dyn_cast<clang::FunctionDecl>(decl)) {
      if (!is_kernel(function) && function->doesThisDeclarationHaveABody()) function->setImplicitlyInline();
    } else if (auto* variable = llvm::dyn_cast<clang::VarDecl>(decl)) {
      if (!is_device_data(variable)) return;
    } else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::ExportDecl>(decl)) {
      for (clang::Decl* inner : llvm::cast<clang::DeclContext>(decl)->decls()) forward(inner);
      return;
    } else if (llvm::isa<clang::FileScopeAsmDecl>(decl)) {
      return;
    }
    generator_->HandleTopLevelDecl(clang::DeclGroupRef(decl));
  }

  /// Variables with other initializers belong to the host program; a kernel that uses one gets an error.
  static bool is_device_data(clang::VarDecl* variable) {
    if (is_shared(variable)) return !variable->getType()->isDependentType();
    if (!variable->getType().isConstQualified() || variable->getType()->isDependentType()) return false;
    return variable->isThisDeclarationADefinition() && variable->hasInit() &&
           !variable->getInit()->isValueDependent() && variable->hasConstantInitialization();
  }

  void compile(std::vector<KernelDecl>& kernels, clang::ASTContext& context) {
    clang::CodeGen::CodeGenModule& cgm = generator_->CGM();
    std::vector<KernelSource> sources;
    for (KernelDecl& kernel : kernels) {
      kernel.manifest.name = generator_->GetMangledName(clang::GlobalDecl(kernel.function)).str();
      llvm::Function* function = generator_->GetModule()->getFunction(kernel.manifest.name);
      std::string error = "no code was generated";
      llvm::Function* entry = function == nullptr ? nullptr : make_entry(cgm, kernel, function, error);
      if (entry == nullptr) {
        auto& diagnostics = ci_.getDiagnostics();
        const unsigned id =
            diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "kernel %0 cannot be compiled: %1");
        diagnostics.Report(kernel.function->getLocation(), id) << kernel.function << error;
        continue;
      }
      sources.push_back({entry, std::move(kernel.manifest)});
    }
    if (ci_.getDiagnostics().hasErrorOccurred()) return;
    const ClangProgram program(context, *generator_);
    const std::unique_ptr<llvm::Module> module(generator_->ReleaseModule());
    if (!link_library(*module)) return;
    run_passes(*module, sources, {ci_.getCodeGenOpts().OptimizationLevel, checks_bounds(ci_.getLangOpts())},
               program);
    if (options_.want_llvm) {
      llvm::raw_string_ostream out(output_.llvm_ir);
      module->print(out, nullptr);
    }
    if (options_.want_kir) import(*module, sources, program, context);
  }

  bool link_library(llvm::Module& module) {
    const std::string problem = link_math_library(module, options_.math_library);
    if (problem.empty()) return true;
    auto& diagnostics = ci_.getDiagnostics();
    diagnostics.Report(diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0")) << problem;
    return false;
  }

  void import(llvm::Module& module, const std::vector<KernelSource>& sources, const Program& program,
              clang::ASTContext& context) {
    auto result = import_module(module, sources, program);
    if (result) {
      output_.module = result.take();
      const auto place = [&](kir::LocId at) { return users_place(output_.module->locations, at, program); };
      for (const kir::Diagnostic& d : kir::check_barriers(*output_.module, place))
        render(d, context.getSourceManager(), ci_.getDiagnostics());
    } else {
      for (const kir::Diagnostic& d : result.diagnostics())
        render(d, context.getSourceManager(), ci_.getDiagnostics());
    }
  }

  clang::CompilerInstance& ci_;
  const Options& options_;
  Output& output_;
  llvm::LLVMContext context_;
  std::unique_ptr<clang::CodeGenerator> generator_;
};

class DeviceAction : public clang::ASTFrontendAction {
 public:
  DeviceAction(const Options& options, Output& output) : options_(options), output_(output) {}
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& ci,
                                                        llvm::StringRef) override {
    clang::Preprocessor& preprocessor = ci.getPreprocessor();
    preprocessor.setPredefines(preprocessor.getPredefines() + standard_library_replacements().str());
    return std::make_unique<DeviceConsumer>(ci, options_, output_);
  }

 private:
  const Options& options_;
  Output& output_;
};

class AllDependencies : public clang::DependencyCollector {
  bool needSystemDependencies() override { return true; }
  bool sawDependency(llvm::StringRef name, bool, bool, bool, bool) override {
    return name != "<stdin>" && !name.starts_with("<");
  }
};

/// Checks of the standard library go with those of arrays, and debug builds find std::unreachable.
void add_checks(const Options& options, std::vector<std::string>& args) {
  bool bounds = false, debug = false;
  for (const llvm::StringRef arg : options.clang_args) {
    bounds |= arg.starts_with("-fsanitize=") && (arg.contains("bounds") || arg.contains("undefined"));
    if (arg.starts_with("-O")) debug = arg == "-O0";
  }
  if (bounds) args.emplace_back("-D_GLIBCXX_ASSERTIONS");
  if (debug) args.emplace_back("-fsanitize=unreachable,return");
}

/// The handlers of sanitizers are called, since a trap would not say which value was wrong; none returns
/// (frontend/checks.h).
void call_handlers(std::vector<std::string>& args) {
  args.insert(args.end(), {"-fno-sanitize-trap=all", "-fno-sanitize-recover=all", "-fno-sanitize-merge",
                           "-fno-sanitize=vptr,function"});  // which need more than a kernel has
}

const char* clang_flag(FloatMode mode) {
  switch (mode) {
    case FloatMode::Strict: return "-ffp-contract=off";
    case FloatMode::Contract: return "-ffp-contract=fast";
    case FloatMode::Fast: return "-funsafe-math-optimizations";
  }
  return "";
}

/// Clang's command line: ours first, so that the user's flags win.
std::vector<std::string> command_line(const Options& options) {
  std::vector<std::string> args = {std::string(kClangBinDir) + "/clang++",
                                   "-fsyntax-only",
                                   "-std=c++20",
                                   "-O2",
                                   "-D__SPIREA_DEVICE__=1",
                                   "-fno-math-errno",
                                   "-fno-trapping-math",
                                   clang_flag(options.float_mode),
                                   "-fconvergent-functions",
                                   "-fno-stack-protector",
                                   "-fno-discard-value-names",  // of local variables, for messages
                                   "-fstrict-flex-arrays=2",    // the last member of a struct has bounds, too
                                   "-Wno-unused-function"};
  if (!options.kernel_headers.empty()) args.insert(args.end(), {"-isystem", options.kernel_headers});
  add_checks(options, args);
  args.insert(args.end(), options.clang_args.begin(), options.clang_args.end());
  call_handlers(args);
  args.insert(args.end(), {"-x", "c++", options.input});
  return args;
}

void adjust(clang::CompilerInvocation& invocation) {
  // Each operation on halves rounds to half, as on devices that compute with them.
  invocation.getLangOpts().setFloat16ExcessPrecision(clang::LangOptions::FPP_None);
  clang::CodeGenOptions& code = invocation.getCodeGenOpts();
  code.DisableLLVMPasses = true;
  code.setDebugInfo(llvm::codegenoptions::DebugLineTablesOnly);
  code.DebugColumnInfo = true;
  code.setInlining(clang::CodeGenOptions::NormalInlining);
  invocation.getFrontendOpts().DisableFree = false;
}

}  // namespace

Output compile(const Options& options) {
  register_attributes();
  Output output;
  llvm::raw_string_ostream messages(output.messages);
  static const bool initialized = [] {
    LLVMInitializeX86TargetInfo();
    return true;
  }();
  (void)initialized;

  const std::vector<std::string> args = command_line(options);
  std::vector<const char*> pointers;
  for (const std::string& arg : args) pointers.push_back(arg.c_str());

  clang::DiagnosticOptions diagnostic_options;
  diagnostic_options.ShowColors = options.color;
  DiagnosticPrinter printer(messages, diagnostic_options);
  auto filesystem = llvm::vfs::getRealFileSystem();
  clang::CreateInvocationOptions create;
  create.Diags = clang::CompilerInstance::createDiagnostics(*filesystem, diagnostic_options, &printer, false);
  create.VFS = filesystem;
  auto invocation = clang::createInvocation(pointers, create);
  if (invocation == nullptr || create.Diags->hasErrorOccurred()) {
    output.errors = std::max(1u, create.Diags->getNumErrors());
    return output;
  }
  adjust(*invocation);

  clang::CompilerInstance ci(std::move(invocation));
  ci.getDiagnosticOpts().ShowColors = options.color;
  DiagnosticPrinter file_printer(messages, ci.getDiagnosticOpts());
  ci.createVirtualFileSystem(filesystem, &file_printer);
  ci.createDiagnostics(&file_printer, /*ShouldOwnClient=*/false);
  auto dependencies = std::make_shared<AllDependencies>();
  ci.addDependencyCollector(dependencies);
  DeviceAction action(options, output);
  ci.ExecuteAction(action);
  output.errors = ci.getDiagnostics().getNumErrors();
  output.dependencies = dependencies->getDependencies().vec();
  if (output.errors != 0) output.module = nullptr;
  return output;
}

}  // namespace spirea::frontend
