// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/lambda_names.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <map>

namespace spirea::frontend {
namespace {

using clang::CXXRecordDecl;

/// Numbers the closure types of one function in the order of their lambda expressions, separately for each
/// signature (Itanium C++ ABI 5.1.8, "Closure Types (Lambdas)").
class Numbering : public clang::RecursiveASTVisitor<Numbering> {
 public:
  bool shouldVisitImplicitCode() const { return false; }
  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) {
    CXXRecordDecl* type = lambda->getLambdaClass();
    // The signature is that of the closure's call operator; `auto` parameters differ by their place alone.
    std::string signature;
    if (const clang::CXXMethodDecl* call = type->getLambdaCallOperator())
      for (const clang::ParmVarDecl* param : call->parameters())
        signature += param->getType().getCanonicalType().getAsString() + ",";
    const unsigned number = ++counts_[signature];
    if (type->getLambdaManglingNumber() == 0) {
      CXXRecordDecl::LambdaNumbering numbering = type->getLambdaNumbering();
      numbering.ManglingNumber = number;
      numbering.HasKnownInternalLinkage = false;
      type->setLambdaNumbering(numbering);
    }
    return true;  // lambdas within belong to the call operator
  }

 private:
  std::map<std::string, unsigned> counts_;
};

void number_type(clang::QualType type) {
  const CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (record == nullptr || !record->isLambda() || record->getLambdaManglingNumber() != 0) return;
  auto* scope = llvm::dyn_cast<clang::FunctionDecl>(record->getDeclContext());
  if (scope == nullptr || !scope->hasBody()) return;
  Numbering().TraverseStmt(scope->getBody());
}

}  // namespace

void number_lambdas(clang::FunctionDecl* function) {
  const clang::TemplateArgumentList* arguments = function->getTemplateSpecializationArgs();
  if (arguments == nullptr) return;
  for (const clang::TemplateArgument& argument : arguments->asArray())
    if (argument.getKind() == clang::TemplateArgument::Type) number_type(argument.getAsType());
}

}  // namespace spirea::frontend
