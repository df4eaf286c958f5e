// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen-host/emit/phases.h"

#include <algorithm>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <string>

#include "codegen-host/emit/loops.h"
#include "codegen-host/emit/parts.h"

namespace spirea::host {
namespace {

/// Instructions that the parts may have together: so many in any case, or so many times those of the kernel.
constexpr std::size_t kMaxInstructions = 4000;
constexpr std::size_t kMaxGrowth = 4;

/// The function's part that begins in the state, as a function without this parameter.
llvm::Function* specialize(llvm::Function* function, std::uint32_t state) {
  llvm::ValueToValueMapTy values;
  llvm::Argument* parameter = function->getArg(0);
  values[parameter] = llvm::ConstantInt::get(parameter->getType(), state);
  llvm::Function* part = llvm::CloneFunction(function, values);
  part->setName(function->getName() + "." + std::to_string(state));
  part->addFnAttr(llvm::Attribute::AlwaysInline);
  llvm::ConstantFoldTerminator(&part->getEntryBlock());
  llvm::removeUnreachableBlocks(*part);
  return part;
}

class PhaseEmitter {
 public:
  PhaseEmitter(llvm::IRBuilder<>& b, const Invocation& invocation, const PhaseEnvironment& environment)
      : b_(b),
        invocation_(invocation),
        environment_(environment),
        parts_(*invocation.function, invocation.cuts) {
    for (std::size_t i = 0; i < parts_.size(); ++i) next_states_.push_back(parts_.next_states(i));
    // With one way on for each part there is no need to keep track of who has gone which.
    are_together_ = std::all_of(next_states_.begin(), next_states_.end(),
                                [](const auto& states) { return states.size() <= 1; });
  }

  void run() {
    llvm::BasicBlock* before = b_.GetInsertBlock();
    llvm::Function* function = before->getParent();
    llvm::IRBuilder<> entry(&function->getEntryBlock(), function->getEntryBlock().getFirstInsertionPt());
    next_ = entry.CreateAlloca(b_.getInt32Ty(), nullptr, "next_state");
    dispatch_ = new_block("dispatch");
    end_ = new_block("workgroup_end");
    b_.CreateBr(dispatch_);
    b_.SetInsertPoint(dispatch_);
    state_ = b_.CreatePHI(b_.getInt32Ty(), 2, "state");
    state_->addIncoming(b_.getInt32(0), before);
    if (environment_.by_part && is_small())
      emit_parts();
    else
      emit_whole(before);
    end_->moveAfter(&function->back());
    b_.SetInsertPoint(end_);
  }

 private:
  llvm::BasicBlock* new_block(const llvm::Twine& name) {
    return llvm::BasicBlock::Create(b_.getContext(), name, b_.GetInsertBlock()->getParent());
  }

  bool is_small() const {
    const std::size_t limit =
        std::max<std::size_t>(kMaxInstructions, kMaxGrowth * invocation_.function->getInstructionCount());
    return parts_.num_instructions() <= limit;
  }

  void emit_parts() {
    llvm::SwitchInst* choice = b_.CreateSwitch(state_, end_, static_cast<unsigned>(parts_.size()));
    for (std::uint32_t i = 0; i < parts_.size(); ++i) {
      llvm::BasicBlock* phase = new_block("phase");
      choice->addCase(b_.getInt32(i), phase);
      b_.SetInsertPoint(phase);
      llvm::Function* part = specialize(invocation_.function, i);
      phase_loop(part, b_.getInt32(i), i == 0);
      if (are_together_ && !next_states_[i].empty())
        state_->addIncoming(b_.getInt32(*next_states_[i].begin()), b_.GetInsertBlock());
      else
        state_->addIncoming(b_.CreateLoad(b_.getInt32Ty(), next_), b_.GetInsertBlock());
      b_.CreateBr(dispatch_);
    }
    invocation_.function->eraseFromParent();
  }

  /// One loop for all states, in which each invocation finds its part.
  void emit_whole(llvm::BasicBlock* before) {
    are_together_ = false;
    llvm::BasicBlock* phase = new_block("phase");
    b_.CreateCondBr(b_.CreateICmpEQ(state_, b_.getInt32(kDone)), end_, phase);
    b_.SetInsertPoint(before->getTerminator());
    b_.CreateMemSet(environment_.states, b_.getInt8(0),
                    b_.CreateMul(environment_.arguments.count, b_.getInt64(sizeof(std::uint32_t))),
                    llvm::Align(alignof(std::uint32_t)));
    b_.SetInsertPoint(phase);
    phase_loop(invocation_.function, state_, false);
    state_->addIncoming(b_.CreateLoad(b_.getInt32Ty(), next_), b_.GetInsertBlock());
    b_.CreateBr(dispatch_);
  }

  void phase_loop(llvm::Function* part, llvm::Value* state, bool is_first) {
    b_.CreateStore(b_.getInt32(kDone), next_);
    constexpr const char* names[] = {"local_x", "local_y", "local_z"};
    InvocationArguments arguments = environment_.arguments;
    const auto& size = arguments.position[kWorkgroupSize];
    auto& local = arguments.position[kLocalId];
    CountedLoop loops[3];
    for (unsigned i = 3; i-- > 0;) local[i] = loops[i].open(b_, size[i], names[i]);
    llvm::Value* row = b_.CreateAdd(b_.CreateMul(local[2], size[1]), local[1]);
    llvm::Value* index = b_.CreateAdd(b_.CreateMul(row, size[0]), local[0]);
    arguments.index = b_.CreateZExt(index, b_.getInt64Ty());
    arguments.objects = b_.CreatePtrAdd(
        environment_.objects, b_.CreateMul(arguments.index, b_.getInt64(invocation_.frame.object_bytes)));
    arguments.state = state;
    if (are_together_)
      call(part, arguments);
    else
      step(part, arguments, is_first);
    for (CountedLoop& loop : loops) loop.close(b_);
  }

  llvm::Value* call(llvm::Function* part, const InvocationArguments& arguments) {
    auto all = arguments.all();
    if (part->arg_size() != all.size()) all.erase(all.begin());  // the state
    return b_.CreateCall(part, all);
  }

  /// The invocation, if it is in this state.
  void step(llvm::Function* part, const InvocationArguments& arguments, bool is_first) {
    llvm::Value* place = b_.CreateGEP(b_.getInt32Ty(), environment_.states, arguments.index);
    if (is_first) {  // all are in this state
      llvm::Value* after = call(part, arguments);
      b_.CreateStore(after, place);
      return note(after);
    }
    llvm::Value* waits_at = b_.CreateLoad(b_.getInt32Ty(), place);
    llvm::BasicBlock* otherwise = b_.GetInsertBlock();
    llvm::BasicBlock* run = new_block("run");
    llvm::BasicBlock* join = new_block("join");
    b_.CreateCondBr(b_.CreateICmpEQ(waits_at, arguments.state), run, join);
    b_.SetInsertPoint(run);
    llvm::Value* after = call(part, arguments);
    b_.CreateStore(after, place);
    b_.CreateBr(join);
    b_.SetInsertPoint(join);
    llvm::PHINode* now = b_.CreatePHI(b_.getInt32Ty(), 2);
    now->addIncoming(waits_at, otherwise);
    now->addIncoming(after, run);
    note(now);
  }

  void note(llvm::Value* state) {
    llvm::Value* is_done = b_.CreateICmpEQ(state, b_.getInt32(kDone));
    b_.CreateStore(b_.CreateSelect(is_done, b_.CreateLoad(b_.getInt32Ty(), next_), state), next_);
  }

  llvm::IRBuilder<>& b_;
  const Invocation& invocation_;
  const PhaseEnvironment& environment_;
  const Parts parts_;
  std::vector<std::set<std::uint32_t>> next_states_;
  bool are_together_ = false;
  llvm::AllocaInst* next_ = nullptr;
  llvm::BasicBlock* dispatch_ = nullptr;
  llvm::BasicBlock* end_ = nullptr;
  llvm::PHINode* state_ = nullptr;
};

}  // namespace

void emit_phases(llvm::IRBuilder<>& b, const Invocation& invocation, const PhaseEnvironment& environment) {
  PhaseEmitter(b, invocation, environment).run();
}

}  // namespace spirea::host
