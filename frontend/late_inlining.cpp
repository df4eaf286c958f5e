// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/late_inlining.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace spirea::frontend {
namespace {

constexpr unsigned kRounds = 12;           ///< levels of recursion, at most
constexpr unsigned kInstructions = 20000;  ///< of a kernel in which recursion is still followed

bool calls_itself(const llvm::Function& function) {
  for (const llvm::Instruction& inst : llvm::instructions(function))
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&inst))
      if (call->getCalledFunction() == &function) return true;
  return false;
}

struct LateCalls {
  llvm::SmallVector<llvm::CallBase*, 8> plain, recursive;
};

LateCalls late_calls(llvm::Function& entry) {
  LateCalls result;
  for (llvm::Instruction& inst : llvm::instructions(entry)) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&inst);
    const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
    if (callee == nullptr || callee->isDeclaration() || callee == &entry) continue;
    (calls_itself(*callee) ? result.recursive : result.plain).push_back(call);
  }
  return result;
}

bool inline_all(llvm::ArrayRef<llvm::CallBase*> calls) {
  bool any = false;
  for (llvm::CallBase* call : calls) {
    llvm::InlineFunctionInfo info;
    any |= llvm::InlineFunction(*call, info, /*MergeAttributes=*/false, /*CalleeAAR=*/nullptr,
                                /*InsertLifetime=*/false)
               .isSuccess();
  }
  return any;
}

/// Gives the function the body of its copy, which goes away.
void restore(llvm::Function& function, llvm::Function* copy) {
  const auto linkage = function.getLinkage();
  function.deleteBody();
  function.setLinkage(linkage);
  function.splice(function.end(), copy);
  for (unsigned i = 0; i < function.arg_size(); ++i) copy->getArg(i)->replaceAllUsesWith(function.getArg(i));
  function.setSubprogram(copy->getSubprogram());
  copy->eraseFromParent();
}

}  // namespace

void inline_late_calls(llvm::Function& entry, llvm::function_ref<void(llvm::Function&)> optimize) {
  llvm::Function* before = nullptr;  // the first recursive call
  for (unsigned round = 0; round < kRounds; ++round) {
    LateCalls calls = late_calls(entry);
    if (!calls.plain.empty()) {
      if (!inline_all(calls.plain)) break;
    } else if (!calls.recursive.empty() && entry.getInstructionCount() < kInstructions) {
      if (before == nullptr) {
        llvm::ValueToValueMapTy map;
        before = llvm::CloneFunction(&entry, map);
      }
      if (!inline_all(calls.recursive)) break;
    } else {
      break;
    }
    optimize(entry);
  }
  if (before == nullptr) return;
  if (late_calls(entry).recursive.empty())
    before->eraseFromParent();
  else
    restore(entry, before);
}

}  // namespace spirea::frontend
