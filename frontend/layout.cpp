// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++ parameter types as leaves: the scalars that a launch copies.
#include "frontend/layout.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecordLayout.h>
#include <clang/Basic/LangOptions.h>

#include "frontend/attributes.h"

namespace spirea::frontend {
namespace {

using clang::QualType;

std::string spelling(const clang::ASTContext& context, QualType type) {
  clang::PrintingPolicy policy(context.getLangOpts());
  policy.SuppressDefaultTemplateArgs = true;
  return type.getAsString(policy);
}

/// The widest integer scalar that starts at `offset` and ends at or before `end`.
abi::Scalar word_at(std::uint64_t offset, std::uint64_t end) {
  for (const abi::Scalar scalar : {abi::Scalar::I64, abi::Scalar::I32, abi::Scalar::I16})
    if (offset % abi::source_bytes(scalar) == 0 && offset + abi::source_bytes(scalar) <= end) return scalar;
  return abi::Scalar::I8;
}

class Flattener {
 public:
  Flattener(const clang::ASTContext& context, abi::Param& param) : context_(context), param_(param) {}

  std::optional<std::string> type(QualType type, std::uint64_t offset) {
    type = type.getCanonicalType();
    if (const auto* array = context_.getAsConstantArrayType(type)) return elements(array, offset);
    if (const auto* record = type->getAsCXXRecordDecl()) return members(record, offset);
    if (const auto* enumeration = type->getAsEnumDecl())
      return this->type(enumeration->getIntegerType(), offset);
    const auto leaf = scalar(type);
    if (!leaf) return "'" + spelling(context_, type) + "' cannot be passed to a kernel";
    add(*leaf, offset);
    return std::nullopt;
  }

  /// Integers that cover [begin, end).
  void words(std::uint64_t begin, std::uint64_t end) {
    while (begin < end) {
      const abi::Scalar scalar = word_at(begin, end);
      add(scalar, begin);
      begin += abi::source_bytes(scalar);
    }
  }

 private:
  std::optional<abi::Scalar> scalar(QualType type) const {
    if (type->isPointerType())
      return type->isFunctionPointerType() ? std::nullopt : std::optional(abi::Scalar::Ptr);
    const auto* builtin = type->getAs<clang::BuiltinType>();
    if (builtin == nullptr) return std::nullopt;
    if (builtin->getKind() == clang::BuiltinType::Bool) return abi::Scalar::I1;
    const std::uint64_t bits = context_.getTypeSize(type);
    if (builtin->isFloatingPoint()) {
      switch (builtin->getKind()) {
        case clang::BuiltinType::Float16: return abi::Scalar::F16;
        case clang::BuiltinType::Float: return abi::Scalar::F32;
        case clang::BuiltinType::Double: return abi::Scalar::F64;
        default: return std::nullopt;
      }
    }
    if (!builtin->isInteger()) return std::nullopt;
    switch (bits) {
      case 8: return abi::Scalar::I8;
      case 16: return abi::Scalar::I16;
      case 32: return abi::Scalar::I32;
      case 64: return abi::Scalar::I64;
      default: return std::nullopt;
    }
  }

  std::optional<std::string> elements(const clang::ConstantArrayType* array, std::uint64_t offset) {
    const std::uint64_t size = bytes(array->getElementType());
    for (std::uint64_t i = 0; i < array->getZExtSize(); ++i)
      if (auto error = type(array->getElementType(), offset + i * size)) return error;
    return std::nullopt;
  }

  std::optional<std::string> members(const clang::CXXRecordDecl* record, std::uint64_t offset) {
    if (record->isUnion()) {
      words(offset, offset + bytes(context_.getCanonicalTagType(record)));
      return std::nullopt;
    }
    const clang::ASTRecordLayout& layout = context_.getASTRecordLayout(record);
    for (const clang::CXXBaseSpecifier& base : record->bases()) {
      const auto* decl = base.getType()->getAsCXXRecordDecl();
      if (decl->isEmpty()) continue;
      const auto at = static_cast<std::uint64_t>(layout.getBaseClassOffset(decl).getQuantity());
      if (auto error = members(decl, offset + at)) return error;
    }
    std::uint64_t covered = 0;  // end of the bit-field storage that has leaves
    for (const clang::FieldDecl* field : record->fields()) {
      const std::uint64_t bit = layout.getFieldOffset(field->getFieldIndex());
      if (field->isBitField()) {
        const std::uint64_t begin = std::max(covered, bit / 8);
        const std::uint64_t end = (bit + field->getBitWidthValue() + 7) / 8;
        if (begin < end) words(offset + begin, offset + end);
        covered = std::max(covered, end);
        continue;
      }
      if (field->isZeroSize(context_)) continue;
      if (auto error = type(field->getType(), offset + bit / 8)) return error;
    }
    return std::nullopt;
  }

  std::uint64_t bytes(QualType type) const {
    return static_cast<std::uint64_t>(context_.getTypeSizeInChars(type).getQuantity());
  }
  void add(abi::Scalar scalar, std::uint64_t offset) {
    param_.leaves.push_back({scalar, 0, static_cast<std::uint32_t>(offset)});
  }

  const clang::ASTContext& context_;
  abi::Param& param_;
};

struct Buffer {
  QualType element;
  bool has_length = false;
};

/// The element type, if the parameter is a std::span or a pointer.
std::optional<Buffer> as_buffer(QualType type) {
  if (type->isPointerType()) return Buffer{type->getPointeeType(), false};
  const auto* record =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  if (record == nullptr || record->getName() != "span" || !record->isInStdNamespace()) return std::nullopt;
  const auto& arguments = record->getTemplateArgs();
  if (arguments.size() != 2 || arguments[0].getKind() != clang::TemplateArgument::Type) return std::nullopt;
  const bool dynamic =
      arguments[1].getKind() == clang::TemplateArgument::Integral && arguments[1].getAsIntegral().isAllOnes();
  return Buffer{arguments[0].getAsType(), dynamic};
}

void add_buffer(const clang::ASTContext& context, const Buffer& buffer, abi::Param& param) {
  const QualType element = buffer.element.getUnqualifiedType();
  param.kind = abi::ParamKind::Buffer;
  param.element = spelling(context, element);
  param.element_size = element->isVoidType()
                           ? 1u
                           : static_cast<std::uint32_t>(context.getTypeSizeInChars(element).getQuantity());
  param.element_align = element->isVoidType()
                            ? 1u
                            : static_cast<std::uint32_t>(context.getTypeAlignInChars(element).getQuantity());
  param.access = buffer.element.isConstQualified() ? abi::Access::Read : abi::Access::ReadWrite;
  param.leaves.push_back({abi::Scalar::Ptr, 0, 0});
  if (buffer.has_length)
    param.leaves.push_back({abi::Scalar::I64, 0, 8});
  else if (checks_bounds(context.getLangOpts()))
    param.leaves.push_back({abi::Scalar::I64, 0, param.size});
}

}  // namespace

bool checks_bounds(const clang::LangOptions& options) {
  return options.Sanitize.has(clang::SanitizerKind::ArrayBounds);
}

std::optional<std::string> describe_parameter(const clang::ASTContext& context,
                                              const clang::ParmVarDecl& decl, abi::Param& param) {
  const QualType type = decl.getType();
  param.name = decl.getNameAsString();
  param.type = spelling(context, type.getUnqualifiedType());
  if (type->isReferenceType()) return "a reference; pass a value, a pointer or a std::span";
  if (type->isFunctionPointerType() || type->isMemberPointerType()) return "a pointer to code";
  if (!type.isTriviallyCopyableType(context)) return "not trivially copyable";
  param.size = static_cast<std::uint32_t>(context.getTypeSizeInChars(type).getQuantity());
  param.align = static_cast<std::uint32_t>(context.getTypeAlignInChars(type).getQuantity());
  if (context.getTypeSizeInChars(type).getQuantity() > static_cast<std::int64_t>(kMaxParameterBytes))
    return "larger than " + std::to_string(kMaxParameterBytes) + " bytes";
  if (const auto buffer = as_buffer(type)) {
    const QualType element = buffer->element;
    if (element->isPointerType() || element->isIncompleteType())
      if (!element->isVoidType() && element->isIncompleteType()) return "a pointer to an incomplete type";
    add_buffer(context, *buffer, param);
    param.may_alias = may_alias(&decl);
    return std::nullopt;
  }
  param.kind = abi::ParamKind::Value;
  if (may_alias(&decl)) return "marked [[spirea::may_alias]], but not a pointer or a std::span";
  const auto* record = type->getAsCXXRecordDecl();
  if (record != nullptr && record->isEmpty()) return std::nullopt;
  return Flattener(context, param).type(type, 0);
}

}  // namespace spirea::frontend
