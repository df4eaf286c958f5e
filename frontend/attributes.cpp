// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spirea's attributes, registered with Clang. Each becomes an AnnotateAttr whose text is the attribute's own
// name, so that template instantiation carries it along. What depends on template arguments is checked in
// kernels.cpp.
#include "frontend/attributes.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Sema/Lookup.h>
#include <clang/Sema/ParsedAttr.h>
#include <clang/Sema/Sema.h>

#include "ir/abi/manifest.h"

namespace spirea::frontend {
namespace {

using clang::AnnotateAttr;
using clang::ParsedAttr;
using clang::Sema;

constexpr llvm::StringLiteral kKernel = "spirea::kernel";
constexpr llvm::StringLiteral kWorkgroupSize = "spirea::workgroup_size";
constexpr llvm::StringLiteral kMayAlias = "spirea::may_alias";
constexpr llvm::StringLiteral kShared = kSharedAnnotation;
constexpr llvm::StringLiteral kSubgroupSize = "spirea::subgroup_size";
constexpr std::uint64_t kMaxWorkgroup =
    1024;  // the least that all targets of CUDA and nearly all of Vulkan offer

const AnnotateAttr* annotation(const clang::Decl* decl, llvm::StringRef name) {
  for (const auto* attr : decl->specific_attrs<AnnotateAttr>())
    if (attr->getAnnotation() == name) return attr;
  return nullptr;
}

template <std::size_t N>
auto error(Sema& sema, clang::SourceLocation place, const char (&text)[N]) {
  return sema.Diag(place, sema.getDiagnostics().getCustomDiagID(clang::DiagnosticsEngine::Error, text));
}

void annotate(Sema& sema, clang::Decl* decl, llvm::StringRef name,
              llvm::MutableArrayRef<clang::Expr*> arguments, const ParsedAttr& attr) {
  if (clang::Attr* annotation = sema.CreateAnnotationAttr(attr, name, arguments)) decl->addAttr(annotation);
}

/// The function that a kernel attribute may stand on, or null after a diagnostic.
const clang::FunctionDecl* kernel_subject(Sema& sema, const ParsedAttr& attr, const clang::Decl* decl) {
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(decl);
  const auto reject = [&](const char* what) {
    error(sema, attr.getLoc(), "%0 cannot be applied to %1: a kernel is a function that is not a member")
        << attr << what << attr.getRange();
    return nullptr;
  };
  if (function == nullptr) return reject("this declaration");
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function)) {
    if (method->getParent()->isLambda()) return reject("a lambda");
    return reject("a member function");
  }
  if (function->isMain()) return reject("'main'");
  return function;
}

struct KernelAttr : clang::ParsedAttrInfo {
  KernelAttr() {
    static constexpr Spelling spellings[] = {{ParsedAttr::AS_CXX11, kKernel.data()}};
    Spellings = spellings;
  }

  bool diagAppertainsToDecl(Sema& sema, const ParsedAttr& attr, const clang::Decl* decl) const override {
    const clang::FunctionDecl* function = kernel_subject(sema, attr, decl);
    if (function == nullptr) return false;
    const clang::QualType result = function->getReturnType();
    if (!result->isVoidType()) {
      error(sema, function->getLocation(), "kernel %0 must return void, not %1")
          << function << result << function->getReturnTypeSourceRange();
      return false;
    }
    if (function->isVariadic()) {
      error(sema, function->getLocation(), "kernel %0 cannot have variable arguments") << function;
      return false;
    }
    if (function->isConsteval()) {
      error(sema, function->getLocation(), "kernel %0 cannot be consteval") << function;
      return false;
    }
    return true;
  }

  AttrHandling handleDeclAttribute(Sema& sema, clang::Decl* decl, const ParsedAttr& attr) const override {
    if (annotation(decl, kKernel) != nullptr) return AttributeApplied;
    annotate(sema, decl, kKernel, {}, attr);
    decl->addAttr(clang::UsedAttr::CreateImplicit(sema.Context));
    return AttributeApplied;
  }
};

/// The argument of an attribute. Clang's parser leaves a lone name as a name, since it does not know the
/// attribute: what it refers to.
clang::Expr* argument(Sema& sema, const ParsedAttr& attr, unsigned index) {
  if (attr.isArgExpr(index)) return attr.getArgAsExpr(index);
  const clang::IdentifierLoc* name = attr.getArgAsIdent(index);
  clang::LookupResult found(sema, name->getIdentifierInfo(), name->getLoc(), Sema::LookupOrdinaryName);
  if (!sema.LookupName(found, sema.getCurScope()) || found.isAmbiguous()) return nullptr;
  const clang::ExprResult expr =
      sema.BuildDeclarationNameExpr(clang::CXXScopeSpec(), found, /*NeedsADL=*/false);
  return expr.isInvalid() ? nullptr : expr.get();
}

/// Whether an attribute with arguments has its scope, and stands on a kernel; a diagnostic if not.
bool is_of_kernel(Sema& sema, const ParsedAttr& attr, const clang::Decl* decl, llvm::StringRef name) {
  if (attr.hasScope()) return kernel_subject(sema, attr, decl) != nullptr;
  error(sema, attr.getLoc(), "unknown attribute %0; did you mean '%1'?") << attr << name;
  return false;
}

/// Two attributes of the same kind on a declaration.
clang::ParsedAttrInfo::AttrHandling reject_second(Sema& sema, const ParsedAttr& attr,
                                                  const AnnotateAttr* first, const char* what) {
  error(sema, attr.getLoc(), "kernel has two %0 sizes") << what << attr.getRange();
  sema.Diag(first->getLocation(),
            sema.getDiagnostics().getCustomDiagID(clang::DiagnosticsEngine::Note, "the other one is here"));
  return clang::ParsedAttrInfo::AttributeNotApplied;
}

struct WorkgroupSizeAttr : clang::ParsedAttrInfo {
  WorkgroupSizeAttr() {
    // Clang asks whether an attribute of this name takes arguments without naming its scope, so the plain
    // name is listed too; is_of_kernel() refuses it.
    static constexpr Spelling spellings[] = {{ParsedAttr::AS_CXX11, kWorkgroupSize.data()},
                                             {ParsedAttr::AS_CXX11, "workgroup_size"}};
    Spellings = spellings;
    NumArgs = 1;
    OptArgs = 2;
  }

  bool diagAppertainsToDecl(Sema& sema, const ParsedAttr& attr, const clang::Decl* decl) const override {
    return is_of_kernel(sema, attr, decl, kWorkgroupSize);
  }

  AttrHandling handleDeclAttribute(Sema& sema, clang::Decl* decl, const ParsedAttr& attr) const override {
    llvm::SmallVector<clang::Expr*, 3> sizes;
    std::uint64_t product = 1;
    for (unsigned i = 0; i < attr.getNumArgs(); ++i) {
      clang::Expr* size = argument(sema, attr, i);
      if (size == nullptr) return reject(sema, attr, attr.getLoc());
      sizes.push_back(size);
      if (size->isValueDependent()) continue;
      const auto value = size->getIntegerConstantExpr(sema.Context);
      if (!value || value->isNegative() || value->isZero() || value->getActiveBits() > 31)
        return reject(sema, attr, size->getExprLoc());
      product *= value->getZExtValue();
      if (product > kMaxWorkgroup) {
        error(sema, attr.getLoc(), "workgroup of more than %0 invocations")
            << static_cast<unsigned>(kMaxWorkgroup);
        return AttributeNotApplied;
      }
    }
    if (const AnnotateAttr* first = annotation(decl, kWorkgroupSize))
      return reject_second(sema, attr, first, "workgroup");
    annotate(sema, decl, kWorkgroupSize, sizes, attr);
    return AttributeApplied;
  }

 private:
  static AttrHandling reject(Sema& sema, const ParsedAttr& attr, clang::SourceLocation place) {
    error(sema, place, "%0 takes one to three positive integer constants") << attr;
    return AttributeNotApplied;
  }
};

struct MayAliasAttr : clang::ParsedAttrInfo {
  MayAliasAttr() {
    static constexpr Spelling spellings[] = {{ParsedAttr::AS_CXX11, kMayAlias.data()}};
    Spellings = spellings;
  }

  bool diagAppertainsToDecl(Sema& sema, const ParsedAttr& attr, const clang::Decl* decl) const override {
    if (llvm::isa<clang::ParmVarDecl>(decl)) return true;
    error(sema, attr.getLoc(), "%0 applies only to parameters of kernels") << attr << attr.getRange();
    return false;
  }

  AttrHandling handleDeclAttribute(Sema& sema, clang::Decl* decl, const ParsedAttr& attr) const override {
    annotate(sema, decl, kMayAlias, {}, attr);
    return AttributeApplied;
  }
};

/// A static variable in workgroup memory. Nobody initializes it, which Clang has an attribute for.
struct SharedAttr : clang::ParsedAttrInfo {
  SharedAttr() {
    static constexpr Spelling spellings[] = {{ParsedAttr::AS_CXX11, kShared.data()}};
    Spellings = spellings;
  }

  bool diagAppertainsToDecl(Sema& sema, const ParsedAttr& attr, const clang::Decl* decl) const override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
    const char* problem = variable == nullptr || llvm::isa<clang::ParmVarDecl>(variable) ? "this declaration"
                          : variable->getTSCSpec() != clang::TSCS_unspecified ? "a thread-local variable"
                          : variable->hasExternalStorage()                    ? "an extern declaration"
                          : !variable->hasGlobalStorage() ? "a local variable that is not static"
                                                          : nullptr;
    if (problem == nullptr) return true;
    error(sema, attr.getLoc(), "%0 cannot be applied to %1: workgroup memory is a static variable")
        << attr << problem << attr.getRange();
    return false;
  }

  AttrHandling handleDeclAttribute(Sema& sema, clang::Decl* decl, const ParsedAttr& attr) const override {
    if (annotation(decl, kShared) != nullptr) return AttributeApplied;
    annotate(sema, decl, kShared, {}, attr);
    decl->addAttr(clang::LoaderUninitializedAttr::CreateImplicit(sema.Context, attr.getRange()));
    return AttributeApplied;
  }
};

struct SubgroupSizeAttr : clang::ParsedAttrInfo {
  SubgroupSizeAttr() {
    // The plain name is listed for the same reason as that of WorkgroupSizeAttr.
    static constexpr Spelling spellings[] = {{ParsedAttr::AS_CXX11, kSubgroupSize.data()},
                                             {ParsedAttr::AS_CXX11, "subgroup_size"}};
    Spellings = spellings;
    NumArgs = 1;
  }

  bool diagAppertainsToDecl(Sema& sema, const ParsedAttr& attr, const clang::Decl* decl) const override {
    return is_of_kernel(sema, attr, decl, kSubgroupSize);
  }

  AttrHandling handleDeclAttribute(Sema& sema, clang::Decl* decl, const ParsedAttr& attr) const override {
    clang::Expr* size = argument(sema, attr, 0);
    if (size == nullptr) return reject(sema, attr, attr.getLoc());
    if (!size->isValueDependent()) {
      const auto value = size->getIntegerConstantExpr(sema.Context);
      if (!value || value->isNegative() || !abi::is_subgroup_size(value->getLimitedValue()))
        return reject(sema, attr, size->getExprLoc());
    }
    if (const AnnotateAttr* first = annotation(decl, kSubgroupSize))
      return reject_second(sema, attr, first, "subgroup");
    annotate(sema, decl, kSubgroupSize, size, attr);
    return AttributeApplied;
  }

 private:
  static AttrHandling reject(Sema& sema, const ParsedAttr& attr, clang::SourceLocation place) {
    error(sema, place, "%0 takes a constant that is a power of two from 1 to 128") << attr;
    return AttributeNotApplied;
  }
};

const clang::ParsedAttrInfoRegistry::Add<KernelAttr> kernel_attr("spirea-kernel", "");
const clang::ParsedAttrInfoRegistry::Add<WorkgroupSizeAttr> workgroup_attr("spirea-workgroup-size", "");
const clang::ParsedAttrInfoRegistry::Add<MayAliasAttr> alias_attr("spirea-may-alias", "");
const clang::ParsedAttrInfoRegistry::Add<SharedAttr> shared_attr("spirea-shared", "");
const clang::ParsedAttrInfoRegistry::Add<SubgroupSizeAttr> subgroup_attr("spirea-subgroup-size", "");

}  // namespace

void register_attributes() {}

bool is_kernel(const clang::FunctionDecl* function) { return annotation(function, kKernel) != nullptr; }

bool is_shared(const clang::VarDecl* variable) { return annotation(variable, kShared) != nullptr; }

bool may_alias(const clang::ParmVarDecl* param) { return annotation(param, kMayAlias) != nullptr; }

std::optional<std::array<std::uint32_t, 3>> workgroup_size(const clang::FunctionDecl* function) {
  const AnnotateAttr* attr = annotation(function, kWorkgroupSize);
  if (attr == nullptr) return std::nullopt;
  std::array<std::uint32_t, 3> result = {1, 1, 1};
  std::size_t i = 0;
  for (const clang::Expr* size : attr->args()) {
    const auto value = size->getIntegerConstantExpr(function->getASTContext());
    if (value) result[i] = static_cast<std::uint32_t>(value->getZExtValue());
    ++i;
  }
  return result;
}

std::optional<std::uint64_t> subgroup_size(const clang::FunctionDecl* function) {
  const AnnotateAttr* attr = annotation(function, kSubgroupSize);
  if (attr == nullptr) return std::nullopt;
  const auto value = (*attr->args_begin())->getIntegerConstantExpr(function->getASTContext());
  return value ? value->getLimitedValue() : 0;
}

}  // namespace spirea::frontend
