// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/synchronization.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/AtomicOrdering.h>

#include "frontend/attributes.h"
#include "ir/core/op.h"

namespace spirea::frontend {
namespace {

constexpr llvm::StringLiteral kShared = "spirea-shared";

llvm::StringRef text_of(const llvm::Value* string) {
  const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(string->stripPointerCasts());
  if (global == nullptr || !global->hasInitializer()) return {};
  const auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(global->getInitializer());
  return data != nullptr && data->isCString() ? data->getAsCString() : llvm::StringRef();
}

void make_external(llvm::GlobalVariable& variable) {
  variable.setInitializer(nullptr);
  variable.setConstant(false);
  variable.setComdat(nullptr);
  variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
  variable.addAttribute(kShared);
}

/// Clang lists annotations in @llvm.global.annotations: {variable, text, file, line, arguments}.
void find_shared_variables(llvm::Module& module) {
  const llvm::GlobalVariable* list = module.getNamedGlobal("llvm.global.annotations");
  if (list == nullptr || !list->hasInitializer()) return;
  for (const llvm::Use& entry : list->getInitializer()->operands()) {
    const auto* row = llvm::dyn_cast<llvm::ConstantStruct>(entry.get());
    if (row == nullptr || text_of(row->getOperand(1)) != kSharedAnnotation) continue;
    if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(row->getOperand(0)->stripPointerCasts()))
      make_external(*variable);
  }
}

void describe_built_ins(llvm::Module& module) {
  for (llvm::Function& function : module)
    if (function.isDeclaration() && (function.getName().starts_with("__spirea_subgroup_") ||
                                     function.getName().starts_with("__spirea_quad_"))) {
      function.setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
      function.addFnAttr(llvm::Attribute::WillReturn);
    }
}

bool synchronizes(const llvm::Instruction& inst) {
  if (inst.isAtomic()) return true;
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&inst);
  const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  return callee != nullptr && callee->isDeclaration() &&
         (callee->getName() == "__spirea_barrier" || callee->getName() == "__spirea_fence" ||
          callee->getName().starts_with("__spirea_atomic_"));
}

/// Here or in a function that is called. What is called through a pointer is not known yet: it counts.
bool reaches_synchronization(const llvm::Function& entry) {
  llvm::SmallPtrSet<const llvm::Function*, 16> seen = {&entry};
  llvm::SmallVector<const llvm::Function*, 16> work = {&entry};
  while (!work.empty())
    for (const llvm::Instruction& inst : llvm::instructions(*work.pop_back_val())) {
      if (synchronizes(inst)) return true;
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&inst);
      if (call == nullptr || call->isInlineAsm()) continue;
      const llvm::Function* callee = call->getCalledFunction();
      if (callee == nullptr) return true;
      if (seen.insert(callee).second) work.push_back(callee);
    }
  return false;
}

void drop_noalias(llvm::Function& entry) {
  if (!reaches_synchronization(entry)) return;
  for (llvm::Argument& argument : entry.args())
    if (argument.getType()->isPointerTy() && !argument.hasAttribute(llvm::Attribute::ReadOnly))
      argument.removeAttr(llvm::Attribute::NoAlias);
}

/// libstdc++'s std::__atomic_impl::__fetch_add_flt<T>(T*, T, memory_order) and its like.
struct FloatAtomic {
  llvm::StringLiteral prefix;
  bool subtracts;
  bool returns_new;
};
constexpr FloatAtomic kFloatAtomics[] = {
    {"_ZNSt13__atomic_impl15__fetch_add_flt", false, false},
    {"_ZNSt13__atomic_impl15__fetch_sub_flt", true, false},
    {"_ZNSt13__atomic_impl15__add_fetch_flt", false, true},
    {"_ZNSt13__atomic_impl15__sub_fetch_flt", true, true},
};

/// T f(T* pointer, T value[, memory_order order]) becomes an atomic addition.
void replace_body(llvm::Function& function, const FloatAtomic& row) {
  llvm::Type* type = function.getReturnType();
  if (!type->isFloatTy() && !type->isDoubleTy()) return;
  llvm::Module& module = *function.getParent();
  function.deleteBody();
  function.setLinkage(llvm::GlobalValue::InternalLinkage);
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(module.getContext(), "entry", &function));
  llvm::Type* i32 = b.getInt32Ty();
  const llvm::FunctionCallee add =
      module.getOrInsertFunction(type->isFloatTy() ? "__spirea_atomic_fadd.f32" : "__spirea_atomic_fadd.f64",
                                 llvm::FunctionType::get(type, {b.getPtrTy(), type, i32, i32}, false));
  llvm::Value* value = function.getArg(1);
  if (row.subtracts) value = b.CreateFNeg(value);
  llvm::Value* order = b.getInt32(static_cast<unsigned>(llvm::AtomicOrderingCABI::seq_cst));
  if (function.arg_size() > 2) order = function.getArg(2);
  llvm::Value* before = b.CreateCall(
      add, {function.getArg(0), value, order, b.getInt32(static_cast<unsigned>(kir::Scope::Device))});
  b.CreateRet(row.returns_new ? b.CreateFAdd(before, value) : before);
}

void replace_float_atomics(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (const FloatAtomic& row : kFloatAtomics)
      if (!function.isDeclaration() && function.getName().starts_with(row.prefix)) {
        replace_body(function, row);
        break;
      }
}

}  // namespace

void prepare_synchronization(llvm::Module& module, const std::vector<llvm::Function*>& entries) {
  find_shared_variables(module);
  describe_built_ins(module);
  replace_float_atomics(module);
  for (llvm::Function* entry : entries) drop_noalias(*entry);
}

bool is_shared(const llvm::GlobalVariable& variable) { return variable.hasAttribute(kShared); }

}  // namespace spirea::frontend
