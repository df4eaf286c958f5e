// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/program.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/FileManager.h>
#include <clang/Basic/SourceManager.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <filesystem>
#include <llvm/IR/Module.h>

namespace spirea::frontend {
namespace {

/// Calls each virtual function's name with the place that the debug information has for the call.
template <class Found>
class VirtualCallFinder : public clang::RecursiveASTVisitor<VirtualCallFinder<Found>> {
 public:
  explicit VirtualCallFinder(Found found) : found_(std::move(found)) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }

  bool VisitCallExpr(clang::CallExpr* call) {
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call->getCalleeDecl());
    if (method != nullptr && method->isVirtual()) found_(call->getExprLoc(), *method);
    return true;
  }
  bool VisitCXXDeleteExpr(clang::CXXDeleteExpr* expression) {
    const clang::CXXRecordDecl* record =
        expression->isTypeDependent() || expression->getDestroyedType().isNull()
            ? nullptr
            : expression->getDestroyedType()->getAsCXXRecordDecl();
    const clang::CXXDestructorDecl* destructor = record == nullptr ? nullptr : record->getDestructor();
    if (destructor != nullptr && destructor->isVirtual()) found_(expression->getExprLoc(), *destructor);
    return true;
  }

 private:
  Found found_;
};

/// A source file of the same name next to a header, where the header's functions may be defined.
std::string companion(const std::string& header) {
  for (const char* suffix : {".cpp", ".cc", ".cxx", ".c++", ".C"}) {
    std::error_code failed;
    const auto source = std::filesystem::path(header).replace_extension(suffix);
    if (std::filesystem::exists(source, failed)) return source.string();
  }
  return "";
}

}  // namespace

ClangProgram::ClangProgram(clang::ASTContext& context, clang::CodeGenerator& generator) : context_(context) {
  for (const llvm::GlobalValue& value : generator.GetModule()->global_values())
    if (value.isDeclaration() && !value.getName().starts_with("llvm."))
      if (const clang::Decl* decl = generator.GetDeclForMangledName(value.getName()))
        declared_.emplace(value.getName().str(), decl);
}

bool ClangProgram::is_in_system_header(const std::string& file) const {
  const auto [known, is_new] = system_files_.try_emplace(file, false);
  if (!is_new) return known->second;
  clang::SourceManager& sources = context_.getSourceManager();
  const auto entry = sources.getFileManager().getOptionalFileRef(file);
  if (!entry) return false;
  const clang::FileID id = sources.translateFile(*entry);
  known->second = id.isValid() && sources.isInSystemHeader(sources.getLocForStartOfFile(id));
  return known->second;
}

std::string ClangProgram::virtual_function_called_at(const kir::Location& place) const {
  const clang::SourceManager& sources = context_.getSourceManager();
  if (!virtual_calls_) {
    virtual_calls_.emplace();
    const auto found = [&](clang::SourceLocation at, const clang::CXXMethodDecl& method) {
      const clang::PresumedLoc where = sources.getPresumedLoc(sources.getExpansionLoc(at));
      if (where.isValid())
        virtual_calls_->emplace(std::pair(where.getLine(), where.getColumn()),
                                VirtualCall{where.getFilename(), method.getQualifiedNameAsString()});
    };
    VirtualCallFinder<decltype(found)>(found).TraverseDecl(context_.getTranslationUnitDecl());
  }
  const auto [first, last] = virtual_calls_->equal_range({place.line, place.column});
  for (auto it = first; it != last; ++it)
    if (place.file.ends_with(it->second.file)) return it->second.function;
  return "";
}

const clang::Decl* ClangProgram::declaration(const std::string& symbol) const {
  const auto known = declared_.find(symbol);
  return known == declared_.end() ? nullptr : known->second;
}

kir::Location ClangProgram::place_of(const clang::Decl& decl) const {
  const clang::SourceManager& sources = context_.getSourceManager();
  const clang::PresumedLoc where = sources.getPresumedLoc(sources.getExpansionLoc(decl.getLocation()));
  kir::Location place;
  if (where.isInvalid()) return place;
  place.file = where.getFilename();
  place.line = where.getLine();
  place.column = where.getColumn();
  return place;
}

/// What makes the definition known to this compilation.
std::string ClangProgram::advice(const clang::Decl& decl, const std::string& file) const {
  const clang::SourceManager& sources = context_.getSourceManager();
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&decl);
  if (sources.isInSystemHeader(decl.getLocation()))
    return "its definition is in a library that is compiled for the host alone";
  if (function != nullptr &&
      function->getTemplateSpecializationKind() == clang::TSK_ExplicitInstantiationDeclaration)
    return "'extern template' leaves its definition to another file; leave it out for kernels";
  const bool is_main = sources.isInMainFile(sources.getExpansionLoc(decl.getLocation()));
  const std::string source = is_main ? "" : companion(file);
  const std::string included = source.empty() ? "the file that defines it" : "'" + source + "'";
  return (is_main ? std::string() : "define it in '" + file + "' as inline, or ") + "include " + included +
         ": each file's kernels are compiled on their own";
}

std::vector<kir::Diagnostic> ClangProgram::where_declared(const std::string& symbol) const {
  const clang::Decl* decl = declaration(symbol);
  if (decl == nullptr) return {};
  const kir::Location place = place_of(*decl);
  if (place.file.empty()) return {};  // Clang's own
  const std::string name = "'" + llvm::cast<clang::NamedDecl>(decl)->getQualifiedNameAsString() + "'";
  if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
      variable != nullptr && variable->getDefinition() != nullptr)
    return {{kir::Severity::Note, name + " is defined here", place, {}}};
  return {
      {kir::Severity::Note, name + " is declared here, and defined in no file that is included", place, {}},
      {kir::Severity::Note, advice(*decl, place.file), {}, {}}};
}

bool ClangProgram::is_initialized_at_run_time(const std::string& symbol) const {
  const auto* variable = llvm::dyn_cast_or_null<clang::VarDecl>(declaration(symbol));
  return variable != nullptr && variable->getType().isConstQualified() &&
         variable->getAnyInitializer() != nullptr;
}

}  // namespace spirea::frontend
