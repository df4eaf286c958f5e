// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/linear_passes.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/SimpleLoopUnswitch.h>

namespace spirea::frontend {
namespace {

constexpr unsigned kManyUsers = 256;
constexpr std::size_t kMaxRotatedLoops = 256;

bool is_written_by(const llvm::User* user, const llvm::Value* address) {
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) return store->getPointerOperand() == address;
  return llvm::isa<llvm::MemSetInst>(user);
}

/// Whether something but a copy writes to the variable, directly or to an element. InstCombine replaces
/// variables that are only copied from a constant by the constant, and must see those.
bool is_written(const llvm::AllocaInst& variable) {
  return llvm::any_of(variable.users(), [&](const llvm::User* user) {
    return is_written_by(user, &variable) ||
           (llvm::isa<llvm::GetElementPtrInst>(user) &&
            llvm::any_of(user->users(), [&](const llvm::User* next) { return is_written_by(next, user); }));
  });
}

bool is_hidden(const llvm::AllocaInst& variable, const llvm::DataLayout& layout) {
  const std::optional<llvm::TypeSize> size = variable.getAllocationSize(layout);
  return variable.isStaticAlloca() && size && size->isFixed() && variable.hasNUsesOrMore(kManyUsers) &&
         is_written(variable);
}

/// Puts the results of calls, of which is known what is known of the variables, in the place of variables
/// with many users, as long as it lives.
class HiddenVariables {
 public:
  explicit HiddenVariables(llvm::Function& function) : entry_(function.getEntryBlock()) {
    llvm::SmallVector<llvm::AllocaInst*, 4> variables;
    const llvm::DataLayout& layout = function.getDataLayout();
    for (llvm::Instruction& inst : function.getEntryBlock())
      if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&inst); variable && is_hidden(*variable, layout))
        variables.push_back(variable);
    for (llvm::AllocaInst* variable : variables) hide(*variable, layout);
  }
  HiddenVariables(const HiddenVariables&) = delete;
  HiddenVariables& operator=(const HiddenVariables&) = delete;

  /// A call that has no user any more may be gone; a moved one stands where the variable does not.
  ~HiddenVariables() {
    for (const auto& [variable, stand_in] : hidden_) {
      variable->insertInto(&entry_, entry_.begin());
      for (llvm::User* call : llvm::make_early_inc_range(stand_in->users())) {
        call->replaceAllUsesWith(variable);
        llvm::cast<llvm::CallInst>(call)->eraseFromParent();
      }
      stand_in->eraseFromParent();
    }
  }

 private:
  /// Each variable has a function of its own, so that calls of the same are not one.
  void hide(llvm::AllocaInst& variable, const llvm::DataLayout& layout) {
    llvm::LLVMContext& context = variable.getContext();
    auto* type = llvm::FunctionType::get(variable.getType(), false);
    auto* stand_in = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage,
                                            "spirea.hidden.variable", variable.getModule());
    stand_in->setDoesNotAccessMemory();
    stand_in->setDoesNotThrow();
    stand_in->setWillReturn();
    llvm::AttrBuilder result(context);
    result.addAttribute(llvm::Attribute::NoAlias).addAttribute(llvm::Attribute::NonNull);
    result.addAlignmentAttr(variable.getAlign());
    result.addDereferenceableAttr(variable.getAllocationSize(layout)->getFixedValue());
    stand_in->addRetAttrs(result);
    llvm::IRBuilder<> builder(variable.getParent(), std::next(variable.getIterator()));
    builder.SetCurrentDebugLocation(variable.getDebugLoc());
    llvm::CallInst* call = builder.CreateCall(stand_in);
    variable.replaceAllUsesWith(call);
    variable.removeFromParent();  // without users it would be deleted
    hidden_.emplace_back(&variable, stand_in);
  }

  llvm::BasicBlock& entry_;
  llvm::SmallVector<std::pair<llvm::AllocaInst*, llvm::Function*>, 4> hidden_;
};

}  // namespace

llvm::PreservedAnalyses LinearInstCombinePass::run(llvm::Function& function,
                                                   llvm::FunctionAnalysisManager& fam) {
  const HiddenVariables hidden(function);
  return llvm::InstCombinePass().run(function, fam);
}

llvm::PreservedAnalyses CanonicalLoopsPass::run(llvm::Function& function,
                                                llvm::FunctionAnalysisManager& fam) {
  llvm::LoopPassManager loops;
  if (fam.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder().size() <= kMaxRotatedLoops)
    loops.addPass(llvm::LoopRotatePass(/*EnableHeaderDuplication=*/true, /*PrepareForLTO=*/false));
  loops.addPass(llvm::LICMPass(llvm::LICMOptions()));
  loops.addPass(llvm::SimpleLoopUnswitchPass(/*NonTrivial=*/false));
  return llvm::createFunctionToLoopPassAdaptor(std::move(loops), /*UseMemorySSA=*/true).run(function, fam);
}

}  // namespace spirea::frontend
