// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/entry.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/CanonicalType.h>
#include <clang/AST/Decl.h>
#include <clang/CodeGen/CGFunctionInfo.h>
#include <clang/CodeGen/CodeGenABITypes.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace spirea::frontend {
namespace {

using clang::CodeGen::ABIArgInfo;

llvm::Type* type_of(llvm::LLVMContext& context, abi::Scalar scalar) {
  switch (scalar) {
    case abi::Scalar::I1: return llvm::Type::getInt1Ty(context);
    case abi::Scalar::I8: return llvm::Type::getInt8Ty(context);
    case abi::Scalar::I16: return llvm::Type::getInt16Ty(context);
    case abi::Scalar::I32: return llvm::Type::getInt32Ty(context);
    case abi::Scalar::I64: return llvm::Type::getInt64Ty(context);
    case abi::Scalar::F16: return llvm::Type::getHalfTy(context);
    case abi::Scalar::F32: return llvm::Type::getFloatTy(context);
    case abi::Scalar::F64: return llvm::Type::getDoubleTy(context);
    case abi::Scalar::Ptr: return llvm::PointerType::get(context, 0);
  }
  return nullptr;
}

class EntryBuilder {
 public:
  EntryBuilder(llvm::Function* entry, llvm::Function* kernel)
      : entry_(entry), kernel_(kernel), builder_(llvm::BasicBlock::Create(entry->getContext(), "", entry)) {}

  /// A copy of the C++ parameter, filled from its leaves.
  llvm::Value* object(const abi::Param& param) {
    // Coerced loads may read whole registers, so the copy is rounded up to them.
    const std::uint64_t bytes = (std::uint64_t{std::max(param.size, 1u)} + 15) / 16 * 16;
    auto* object = builder_.CreateAlloca(llvm::ArrayType::get(builder_.getInt8Ty(), bytes));
    object->setAlignment(llvm::Align(std::max(param.align, 8u)));
    for (const abi::Leaf& leaf : param.leaves) {
      llvm::Argument* argument = entry_->getArg(next_leaf_++);
      if (leaf.source_offset >= param.size) continue;  // the count of a buffer's elements, for checks
      llvm::Value* value = argument;
      if (leaf.scalar == abi::Scalar::I1) value = builder_.CreateZExt(value, builder_.getInt8Ty());
      builder_.CreateStore(value, at(object, leaf.source_offset));
    }
    attributes(param);
    return object;
  }

  bool pass(const ABIArgInfo& info, llvm::Value* object) {
    if (llvm::Type* padding = info.getPaddingType()) arguments_.push_back(llvm::UndefValue::get(padding));
    switch (info.getKind()) {
      case ABIArgInfo::Ignore: return true;
      case ABIArgInfo::Indirect:
      case ABIArgInfo::IndirectAliased: arguments_.push_back(object); return true;
      case ABIArgInfo::Direct:
      case ABIArgInfo::Extend: direct(info, object); return true;
      case ABIArgInfo::Expand:
      case ABIArgInfo::CoerceAndExpand:
      case ABIArgInfo::TargetSpecific:
      case ABIArgInfo::InAlloca: return false;
    }
    return false;
  }

  void finish() {
    llvm::CallInst* call = builder_.CreateCall(kernel_, arguments_);
    call->setCallingConv(kernel_->getCallingConv());
    call->setAttributes(kernel_->getAttributes().removeFnAttributes(kernel_->getContext()));
    debug_scope(call);
    builder_.CreateRetVoid();
  }

 private:
  llvm::Value* at(llvm::Value* object, std::uint64_t offset) {
    return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), object, offset);
  }

  /// A scope of its own, so that the kernel's locations stay what they are: inlined here.
  void debug_scope(llvm::CallInst* call) {
    const llvm::DISubprogram* kernel = kernel_->getSubprogram();
    if (kernel == nullptr) return;
    llvm::DIBuilder debug(*entry_->getParent(), false, kernel->getUnit());
    llvm::DISubprogram* scope =
        debug.createFunction(kernel->getFile(), entry_->getName(), "", kernel->getFile(), kernel->getLine(),
                             debug.createSubroutineType(debug.getOrCreateTypeArray({})), kernel->getLine(),
                             llvm::DINode::FlagArtificial, llvm::DISubprogram::SPFlagDefinition);
    debug.finalizeSubprogram(scope);
    entry_->setSubprogram(scope);
    call->setDebugLoc(llvm::DILocation::get(entry_->getContext(), kernel->getLine(), 0, scope));
  }

  void direct(const ABIArgInfo& info, llvm::Value* object) {
    llvm::Type* type = info.getCoerceToType();
    const std::uint64_t offset = info.getDirectOffset();
    auto* record = llvm::dyn_cast<llvm::StructType>(type);
    if (record == nullptr || !info.getCanBeFlattened()) {
      arguments_.push_back(load(type, object, offset));
      return;
    }
    const llvm::StructLayout* layout = entry_->getParent()->getDataLayout().getStructLayout(record);
    for (unsigned i = 0; i < record->getNumElements(); ++i)
      arguments_.push_back(load(record->getElementType(i), object, offset + layout->getElementOffset(i)));
  }

  llvm::Value* load(llvm::Type* type, llvm::Value* object, std::uint64_t offset) {
    if (!type->isIntegerTy(1)) return builder_.CreateLoad(type, at(object, offset));
    return builder_.CreateTrunc(builder_.CreateLoad(builder_.getInt8Ty(), at(object, offset)), type);
  }

  /// What the launch guarantees of a buffer (the overlap check).
  void attributes(const abi::Param& param) {
    if (param.kind != abi::ParamKind::Buffer) return;
    llvm::Argument* address = entry_->getArg(next_leaf_ - static_cast<unsigned>(param.leaves.size()));
    if (!param.may_alias) address->addAttr(llvm::Attribute::NoAlias);
    if (param.access == abi::Access::Read) address->addAttr(llvm::Attribute::ReadOnly);
    address->addAttr(
        llvm::Attribute::getWithAlignment(entry_->getContext(), llvm::Align(param.element_align)));
    address->setName(param.name);
  }

  llvm::Function* entry_;
  llvm::Function* kernel_;
  llvm::IRBuilder<> builder_;
  llvm::SmallVector<llvm::Value*, 16> arguments_;
  unsigned next_leaf_ = 0;
};

}  // namespace

llvm::Function* make_entry(clang::CodeGen::CodeGenModule& cgm, const KernelDecl& decl, llvm::Function* kernel,
                           std::string& error) {
  const auto type =
      decl.function->getType()->getCanonicalTypeUnqualified().castAs<clang::FunctionProtoType>();
  const clang::CodeGen::CGFunctionInfo& info = clang::CodeGen::arrangeFreeFunctionType(cgm, type);

  llvm::LLVMContext& context = kernel->getContext();
  llvm::SmallVector<llvm::Type*, 16> leaves;
  for (const abi::Param& param : decl.manifest.params)
    for (const abi::Leaf& leaf : param.leaves) leaves.push_back(type_of(context, leaf.scalar));
  leaves.push_back(llvm::PointerType::get(context, 0));  // the message buffer (frontend/messages.h)
  auto* entry = llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), leaves, false),
                                       llvm::GlobalValue::ExternalLinkage,
                                       "spirea.entry." + decl.manifest.name, kernel->getParent());
  EntryBuilder builder(entry, kernel);
  auto argument = info.arg_begin();
  for (const abi::Param& param : decl.manifest.params) {
    if (builder.pass(argument->info, builder.object(param))) {
      ++argument;
      continue;
    }
    error = "parameter '" + param.name + "' is passed in a way that is not supported";
    entry->eraseFromParent();
    return nullptr;
  }
  builder.finish();
  return entry;
}

}  // namespace spirea::frontend
