// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen-host/emit/registration.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "ir/abi/artifact.h"

namespace spirea::host {
namespace {

/// Before the program's own constructors, which may launch kernels.
constexpr int kConstructorPriority = 101;

llvm::GlobalVariable* constant(llvm::Module& module, llvm::Constant* value, const char* name) {
  auto* global = new llvm::GlobalVariable(module, value->getType(), true, llvm::GlobalValue::InternalLinkage,
                                          value, name);
  global->setAlignment(llvm::Align(8));
  return global;
}

llvm::Constant* address_or_null(llvm::Module& module, llvm::Function* function) {
  if (function != nullptr) return function;
  return llvm::ConstantPointerNull::get(llvm::PointerType::get(module.getContext(), 0));
}

/// The fields of spirea_registration, in its order.
llvm::Constant* registration(llvm::Module& module, llvm::Constant* artifact, std::uint64_t size,
                             llvm::Constant* kernels, std::uint64_t num_kernels) {
  static_assert(sizeof(spirea_registration) == 40 && offsetof(spirea_registration, host_kernels) == 24);
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* i32 = llvm::Type::getInt32Ty(context);
  llvm::Type* i64 = llvm::Type::getInt64Ty(context);
  return llvm::ConstantStruct::getAnon({llvm::ConstantInt::get(i32, spirea_registration_magic),
                                        llvm::ConstantInt::get(i32, spirea_abi_version), artifact,
                                        llvm::ConstantInt::get(i64, size), kernels,
                                        llvm::ConstantInt::get(i64, num_kernels)});
}

}  // namespace

void emit_registration(llvm::Module& module, const std::vector<std::uint8_t>& artifact,
                       const std::vector<llvm::Function*>& kernels) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* ptr = llvm::PointerType::get(context, 0);
  llvm::GlobalVariable* bytes =
      constant(module, llvm::ConstantDataArray::get(context, artifact), "spirea_artifact");
  bytes->setSection(kArtifactSection);
  std::vector<llvm::Constant*> addresses;
  for (llvm::Function* kernel : kernels) addresses.push_back(address_or_null(module, kernel));
  llvm::GlobalVariable* table =
      constant(module, llvm::ConstantArray::get(llvm::ArrayType::get(ptr, addresses.size()), addresses),
               "spirea_host_kernels");
  llvm::GlobalVariable* record = constant(
      module, registration(module, bytes, artifact.size(), table, addresses.size()), "spirea_registration");

  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {ptr}, false);
  const llvm::FunctionCallee spirea_register = module.getOrInsertFunction("spirea_register", type);
  auto* constructor =
      llvm::Function::Create(llvm::FunctionType::get(type->getReturnType(), false),
                             llvm::GlobalValue::InternalLinkage, "spirea_register_kernels", module);
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "entry", constructor));
  b.CreateCall(spirea_register, {record});
  b.CreateRetVoid();
  llvm::appendToGlobalCtors(module, constructor, kConstructorPriority);
}

}  // namespace spirea::host
