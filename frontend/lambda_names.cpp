// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/lambda_names.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <map>

namespace spirea::frontend {
namespace {

using clang::CXXRecordDecl;

/// Numbers the closure types of one function in the order of their lambda expressions (Itanium C++ ABI 5.1.8,
/// "Closure Types (Lambdas)").
class Numbering : public clang::RecursiveASTVisitor<Numbering> {
 public:
  explicit Numbering(LambdaCount count) : count_(count) {}
  bool shouldVisitImplicitCode() const { return false; }
  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) {
    CXXRecordDecl* type = lambda->getLambdaClass();
    std::string signature;
    const clang::CXXMethodDecl* call = type->getLambdaCallOperator();
    if (call != nullptr && count_ == LambdaCount::BySignature)
      for (const clang::ParmVarDecl* param : call->parameters())
        signature += param->getType().getCanonicalType().getAsString() + ",";
    CXXRecordDecl::LambdaNumbering numbering = type->getLambdaNumbering();
    numbering.ManglingNumber = ++counts_[signature];
    numbering.HasKnownInternalLinkage = false;
    type->setLambdaNumbering(numbering);
    return true;  // lambdas within belong to the call operator
  }

 private:
  LambdaCount count_;
  std::map<std::string, unsigned> counts_;
};

bool number_type(clang::QualType type, LambdaCount count) {
  const CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (record == nullptr || !record->isLambda()) return false;
  auto* scope = llvm::dyn_cast<clang::FunctionDecl>(record->getDeclContext());
  if (scope == nullptr || !scope->hasBody()) return false;
  Numbering(count).TraverseStmt(scope->getBody());
  return true;
}

}  // namespace

bool number_lambdas(clang::FunctionDecl* function, LambdaCount count) {
  const clang::TemplateArgumentList* arguments = function->getTemplateSpecializationArgs();
  if (arguments == nullptr) return false;
  bool any = false;
  for (const clang::TemplateArgument& argument : arguments->asArray())
    if (argument.getKind() == clang::TemplateArgument::Type) any |= number_type(argument.getAsType(), count);
  return any;
}

}  // namespace spirea::frontend
