// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/kernels.h"

#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Mangle.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/StringExtras.h>

#include "frontend/attributes.h"
#include "frontend/lambda_names.h"
#include "frontend/layout.h"

namespace spirea::frontend {
namespace {

using clang::FunctionDecl;

/// Collects the defined kernels of declaration contexts, without looking into bodies.
class Collector {
 public:
  void context(const clang::DeclContext* context) {
    for (clang::Decl* decl : context->decls()) {
      if (auto* function = llvm::dyn_cast<FunctionDecl>(decl))
        add(function);
      else if (auto* pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(decl))
        specializations(pattern);
      else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::ExportDecl>(decl))
        this->context(llvm::cast<clang::DeclContext>(decl));
    }
  }
  std::vector<FunctionDecl*> take() { return std::move(found_); }

 private:
  void specializations(clang::FunctionTemplateDecl* pattern) {
    if (!pattern->isThisDeclarationADefinition()) return;
    for (FunctionDecl* function : pattern->specializations()) add(function);
  }
  void add(FunctionDecl* function) {
    if (!is_kernel(function)) return;
    if (!function->isThisDeclarationADefinition() || function->isDependentContext()) return;
    found_.push_back(function);
  }

  std::vector<FunctionDecl*> found_;
};

/// spirea::detail::kernel_tag, or null where spirea/kernel.hpp is not included.
clang::ClassTemplateDecl* kernel_tag(clang::ASTContext& context) {
  const clang::DeclContext* scope = context.getTranslationUnitDecl();
  for (const char* name : {"spirea", "detail"}) {
    const clang::NamespaceDecl* next = nullptr;
    for (clang::NamedDecl* decl : scope->lookup(&context.Idents.get(name)))
      if (const auto* found = llvm::dyn_cast<clang::NamespaceDecl>(decl)) next = found;
    if (next == nullptr) return nullptr;
    scope = next;
  }
  for (clang::NamedDecl* decl : scope->lookup(&context.Idents.get("kernel_tag")))
    if (auto* found = llvm::dyn_cast<clang::ClassTemplateDecl>(decl)) return found;
  return nullptr;
}

/// typeid(kernel_tag<function>).name()
std::string launch_key(clang::ASTContext& context, clang::ClassTemplateDecl* tag, FunctionDecl* function) {
  const clang::TemplateArgument argument(function, context.getPointerType(function->getType()));
  auto* type = clang::ClassTemplateSpecializationDecl::Create(context, clang::TagTypeKind::Struct,
                                                              tag->getDeclContext(), tag->getLocation(),
                                                              tag->getLocation(), tag, argument,
                                                              /*StrictPackMatch=*/false, nullptr);
  const std::unique_ptr<clang::MangleContext> mangler(context.createMangleContext());
  std::string name;
  llvm::raw_string_ostream out(name);
  mangler->mangleCXXRTTIName(context.getCanonicalTagType(type), out);
  return name.substr(4);  // without _ZTS
}

/// How a generation of host compilers names functions.
struct NamingGeneration {
  LambdaCount lambdas;
  clang::LangOptions::ClangABI abi;
};
/// Until version 13 GCC mangled neither the types of `auto` template parameters nor constraints; nor did
/// Clang until version 17, which is the switch for it.
constexpr NamingGeneration kGenerations[] = {
    {LambdaCount::BySignature, clang::LangOptions::ClangABI::Latest},  // GCC 14
    {LambdaCount::BySignature, clang::LangOptions::ClangABI::Ver17},   // GCC 13
    {LambdaCount::All, clang::LangOptions::ClangABI::Ver17},           // GCC up to 12
};

/// The mangler asks the options of the context, of which only this file wants several.
class AbiScope {
 public:
  AbiScope(const clang::ASTContext& context, clang::LangOptions::ClangABI abi)
      : options_(const_cast<clang::LangOptions&>(context.getLangOpts())),
        before_(options_.getClangABICompat()) {
    options_.setClangABICompat(abi);
  }
  ~AbiScope() { options_.setClangABICompat(before_); }
  AbiScope(const AbiScope&) = delete;
  AbiScope& operator=(const AbiScope&) = delete;

 private:
  clang::LangOptions& options_;
  clang::LangOptions::ClangABI before_;
};

/// All names that host compilers give, separated by spaces.
std::string launch_keys(clang::ASTContext& context, clang::ClassTemplateDecl* tag, FunctionDecl* function) {
  std::vector<std::string> keys;
  for (const NamingGeneration& generation : kGenerations) {
    number_lambdas(function, generation.lambdas);
    const AbiScope scope(context, generation.abi);
    std::string key = launch_key(context, tag, function);
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(std::move(key));
  }
  number_lambdas(function, LambdaCount::BySignature);
  return llvm::join(keys, " ");
}

std::string display_name(const FunctionDecl* function) {
  std::string name;
  llvm::raw_string_ostream out(name);
  clang::PrintingPolicy policy(function->getASTContext().getLangOpts());
  policy.SuppressDefaultTemplateArgs = true;
  function->getNameForDiagnostic(out, policy, /*Qualified=*/true);
  out << "(";
  for (unsigned i = 0; i < function->getNumParams(); ++i)
    out << (i == 0 ? "" : ", ") << function->getParamDecl(i)->getType().getAsString(policy);
  out << ")";
  return name;
}

bool check_parameter(const clang::ParmVarDecl* decl, const std::optional<std::string>& problem,
                     clang::DiagnosticsEngine& diagnostics) {
  if (!problem) return true;
  const unsigned id = diagnostics.getCustomDiagID(
      clang::DiagnosticsEngine::Error, "parameter %0 of type %1 cannot be passed to a kernel: it is %2");
  diagnostics.Report(decl->getLocation(), id)
      << decl << decl->getType() << *problem << decl->getSourceRange();
  if (const auto* record = decl->getType()->getAsCXXRecordDecl()) {
    const unsigned note = diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Note, "%0 is declared here");
    diagnostics.Report(record->getLocation(), note) << record;
  }
  return false;
}

bool describe(clang::ASTContext& context, clang::DiagnosticsEngine& diagnostics, KernelDecl& kernel) {
  bool good = true;
  abi::Manifest& manifest = kernel.manifest;
  for (const clang::ParmVarDecl* decl : kernel.function->parameters()) {
    abi::Param& param = manifest.params.emplace_back();
    good &= check_parameter(decl, describe_parameter(context, *decl, param), diagnostics);
  }
  manifest.display = display_name(kernel.function);
  manifest.workgroup_size = workgroup_size(kernel.function);
  if (const auto size = subgroup_size(kernel.function)) {
    manifest.subgroup_size = static_cast<std::uint32_t>(*size);
    if (!abi::is_subgroup_size(*size)) {
      good = false;
      const unsigned id = diagnostics.getCustomDiagID(
          clang::DiagnosticsEngine::Error, "subgroup size %0 of kernel %1 is no power of two from 1 to 128");
      diagnostics.Report(kernel.function->getLocation(), id) << std::to_string(*size) << kernel.function;
    }
  }
  const clang::PresumedLoc place = context.getSourceManager().getPresumedLoc(kernel.function->getLocation());
  if (place.isValid()) {
    manifest.file = place.getFilename();
    manifest.line = place.getLine();
  }
  return good;
}

}  // namespace

std::vector<KernelDecl> find_kernels(clang::ASTContext& context, clang::DiagnosticsEngine& diagnostics) {
  Collector collector;
  collector.context(context.getTranslationUnitDecl());
  clang::ClassTemplateDecl* tag = kernel_tag(context);
  std::vector<KernelDecl> result;
  for (FunctionDecl* function : collector.take()) {
    KernelDecl kernel{function, {}};
    if (!describe(context, diagnostics, kernel)) continue;
    if (tag != nullptr) kernel.manifest.key = launch_keys(context, tag, function);
    result.push_back(std::move(kernel));
  }
  return result;
}

}  // namespace spirea::frontend
