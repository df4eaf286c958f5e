// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/llvm-passes.md says of each pass why it is here.
#include "frontend/passes.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/BDCE.h>
#include <llvm/Transforms/Scalar/CorrelatedValuePropagation.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/JumpThreading.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopDeletion.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/LowerConstantIntrinsics.h>
#include <llvm/Transforms/Scalar/Reassociate.h>
#include <llvm/Transforms/Scalar/SCCP.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/IntegerDivision.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LowerMemIntrinsics.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>

#include "frontend/bounds/bounds.h"
#include "frontend/import/import.h"
#include "frontend/irreducible.h"
#include "frontend/late_inlining.h"
#include "frontend/library_functions.h"
#include "frontend/linear_passes.h"
#include "frontend/merge_hubs.h"
#include "frontend/messages.h"
#include "frontend/synchronization.h"

namespace spirea::frontend {
namespace {

constexpr llvm::StringLiteral kTriple = "nvptx64-nvidia-cuda";

/// NVPTX's target machine: its cost model fits GPUs and, above all, it reports branch divergence, without
/// which JumpThreading and SimplifyCFG move barriers and subgroup operations into divergent control flow.
std::unique_ptr<llvm::TargetMachine> target_machine() {
  static const bool initialized = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    return true;
  }();
  (void)initialized;
  std::string error;
  const llvm::Triple triple(kTriple);
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (target == nullptr) return nullptr;
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, "sm_70", "+ptx63", llvm::TargetOptions(), std::nullopt));
}

/// Nothing throws in a kernel: what would is an error. Calls without an unwind edge leave landing pads
/// unreachable, and the optimizer without a personality that it looks for at each of them.
void remove_unwinding(llvm::Function& function) {
  if (!function.hasPersonalityFn()) return;
  for (llvm::BasicBlock& block : function)
    if (llvm::isa<llvm::InvokeInst>(block.getTerminator())) llvm::removeUnwindEdge(&block);
  llvm::EliminateUnreachableBlocks(function);
  function.setPersonalityFn(nullptr);
}

/// Local variables get the place of their declaration, which is where their lifetime starts, or else that of
/// their first use: line tables have none for them, and errors about them need one.
void locate_variables(llvm::Function& function) {
  const auto is_before = [](const llvm::DebugLoc& a, const llvm::DebugLoc& b) {
    return std::pair(a.getLine(), a.getCol()) < std::pair(b.getLine(), b.getCol());
  };
  for (llvm::Instruction& inst : function.getEntryBlock()) {
    if (!llvm::isa<llvm::AllocaInst>(inst) || inst.getDebugLoc()) continue;
    llvm::DebugLoc place;
    for (const llvm::User* user : inst.users()) {
      const auto* use = llvm::dyn_cast<llvm::Instruction>(user);
      if (use == nullptr || !use->getDebugLoc() || use->getDebugLoc().getLine() == 0) continue;
      const bool starts =
          use->isLifetimeStartOrEnd() &&
          llvm::cast<llvm::IntrinsicInst>(use)->getIntrinsicID() == llvm::Intrinsic::lifetime_start;
      if (!place || starts || is_before(use->getDebugLoc(), place)) place = use->getDebugLoc();
      if (starts) break;
    }
    inst.setDebugLoc(place);
  }
}

void prepare_for_inlining(llvm::Module& module, const std::vector<llvm::Function*>& entries) {
  const llvm::SmallPtrSet<llvm::Function*, 8> kept(entries.begin(), entries.end());
  for (const char* name : {"llvm.used", "llvm.compiler.used", "llvm.global_ctors", "llvm.global_dtors",
                           "llvm.global.annotations"})
    if (llvm::GlobalVariable* list = module.getGlobalVariable(name)) list->eraseFromParent();
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    function.removeFnAttr(llvm::Attribute::NoInline);
    function.removeFnAttr("target-cpu");
    function.removeFnAttr("target-features");
    function.removeFnAttr("tune-cpu");
    remove_unwinding(function);
    locate_variables(function);
    if (kept.contains(&function)) continue;
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    function.setComdat(nullptr);
    function.addFnAttr(llvm::Attribute::AlwaysInline);
  }
}

llvm::SimplifyCFGOptions cfg_options() {
  return llvm::SimplifyCFGOptions().convertSwitchRangeToICmp(true).needCanonicalLoops(true).hoistCommonInsts(
      false);
}

llvm::FunctionPassManager early_passes() {
  llvm::FunctionPassManager fpm;
  fpm.addPass(llvm::SimplifyCFGPass(cfg_options()));
  fpm.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  fpm.addPass(llvm::EarlyCSEPass());
  return fpm;
}

llvm::FunctionPassManager loop_passes() {
  llvm::LoopPassManager rewrite;
  rewrite.addPass(llvm::IndVarSimplifyPass(/*WidenIndVars=*/false));
  rewrite.addPass(llvm::LoopDeletionPass());
  rewrite.addPass(llvm::LoopFullUnrollPass());
  llvm::FunctionPassManager fpm;
  fpm.addPass(CanonicalLoopsPass());
  fpm.addPass(llvm::SimplifyCFGPass(cfg_options()));
  fpm.addPass(LinearInstCombinePass());
  fpm.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(rewrite), /*UseMemorySSA=*/false));
  return fpm;
}

llvm::FunctionPassManager scalar_passes() {
  llvm::FunctionPassManager fpm;
  fpm.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  fpm.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  fpm.addPass(llvm::JumpThreadingPass());
  fpm.addPass(llvm::CorrelatedValuePropagationPass());
  fpm.addPass(llvm::SimplifyCFGPass(cfg_options()));
  fpm.addPass(LinearInstCombinePass());
  fpm.addPass(llvm::ReassociatePass());
  fpm.addPass(loop_passes());
  fpm.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  fpm.addPass(llvm::GVNPass());
  fpm.addPass(llvm::SCCPPass());
  fpm.addPass(llvm::BDCEPass());
  fpm.addPass(LinearInstCombinePass());
  fpm.addPass(llvm::JumpThreadingPass());
  fpm.addPass(llvm::CorrelatedValuePropagationPass());
  fpm.addPass(llvm::ADCEPass());
  fpm.addPass(llvm::DSEPass());
  llvm::LoopPassManager hoist;
  hoist.addPass(llvm::LICMPass(llvm::LICMOptions()));
  fpm.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(hoist), /*UseMemorySSA=*/true));
  fpm.addPass(llvm::SimplifyCFGPass(cfg_options()));
  fpm.addPass(LinearInstCombinePass());
  fpm.addPass(llvm::ADCEPass());
  fpm.addPass(llvm::SimplifyCFGPass(cfg_options()));
  return fpm;
}

/// The calls of memcpy, memmove and memset that the importer does not take.
llvm::SmallVector<llvm::MemIntrinsic*, 8> memory_intrinsics(llvm::Function& function) {
  llvm::SmallVector<llvm::MemIntrinsic*, 8> calls;
  for (llvm::Instruction& inst : llvm::instructions(function))
    if (auto* call = llvm::dyn_cast<llvm::MemIntrinsic>(&inst); call != nullptr && !imports_directly(*call))
      calls.push_back(call);
  return calls;
}

/// They become loops or straight code; false if there are none.
bool lower_memory_intrinsics(llvm::Function& function, llvm::FunctionAnalysisManager& fam) {
  const auto calls = memory_intrinsics(function);
  if (calls.empty()) return false;
  const auto& tti = fam.getResult<llvm::TargetIRAnalysis>(function);
  for (llvm::MemIntrinsic* call : calls) {
    if (auto* copy = llvm::dyn_cast<llvm::MemCpyInst>(call))
      llvm::expandMemCpyAsLoop(copy, tti);
    else if (auto* move = llvm::dyn_cast<llvm::MemMoveInst>(call)) {
      if (!llvm::expandMemMoveAsLoop(move, tti)) continue;
    } else if (auto* set = llvm::dyn_cast<llvm::MemSetInst>(call))
      llvm::expandMemSetAsLoop(set);
    else
      continue;
    call->eraseFromParent();
  }
  fam.invalidate(function, llvm::PreservedAnalyses::none());
  return true;
}

/// Division of more than 64 bits becomes a loop over bits; the importer has no such operation.
void expand_wide_division(llvm::Function& function) {
  llvm::SmallVector<llvm::BinaryOperator*, 4> divisions;
  for (llvm::BasicBlock& block : function)
    for (llvm::Instruction& inst : block)
      if (auto* op = llvm::dyn_cast<llvm::BinaryOperator>(&inst); op != nullptr && op->isIntDivRem() &&
                                                                  op->getType()->isIntegerTy() &&
                                                                  op->getType()->getIntegerBitWidth() > 64)
        divisions.push_back(op);
  for (llvm::BinaryOperator* op : divisions)
    if (op->getOpcode() == llvm::Instruction::UDiv || op->getOpcode() == llvm::Instruction::SDiv)
      llvm::expandDivision(op);
    else
      llvm::expandRemainder(op);
}

/// Answers what is asked about constants and sizes of objects (__builtin_constant_p, __builtin_object_size
/// and the checks of -fsanitize), now that all is inlined.
void answer_queries(llvm::Function& function, llvm::FunctionAnalysisManager& fam, unsigned level) {
  const llvm::PreservedAnalyses kept = llvm::LowerConstantIntrinsicsPass().run(function, fam);
  if (kept.areAllPreserved()) return;
  fam.invalidate(function, llvm::PreservedAnalyses::none());
  if (level > 0) scalar_passes().run(function, fam);
}

/// What the importer needs: reducible control flow, loops in LCSSA form, no memory intrinsics.
void finish(llvm::Function& function, llvm::FunctionAnalysisManager& fam, unsigned level) {
  if (lower_memory_intrinsics(function, fam)) {
    llvm::FunctionPassManager fpm;
    fpm.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    if (level > 0) fpm.addPass(scalar_passes());
    fpm.run(function, fam);
    lower_memory_intrinsics(function, fam);  // the optimizer may have found one again
  }
  expand_wide_division(function);
  llvm::EliminateUnreachableBlocks(function);
  fam.invalidate(function, llvm::PreservedAnalyses::none());
  llvm::FunctionPassManager fpm;
  if (make_reducible(function)) fpm.addPass(llvm::PromotePass());
  fpm.addPass(llvm::LoopSimplifyPass());
  fam.invalidate(function, llvm::PreservedAnalyses::none());
  fpm.run(function, fam);
  if (insert_merge_hubs(function, fam.getResult<llvm::DominatorTreeAnalysis>(function),
                        fam.getResult<llvm::LoopAnalysis>(function)))
    fam.invalidate(function, llvm::PreservedAnalyses::none());
  llvm::FunctionPassManager loops;
  loops.addPass(llvm::LoopSimplifyPass());
  loops.addPass(llvm::LCSSAPass());
  loops.run(function, fam);
}

}  // namespace

void run_passes(llvm::Module& module, std::vector<KernelSource>& sources, const PassOptions& options,
                const Program& program) {
  const unsigned level = options.level;
  std::vector<llvm::Function*> entries;
  for (const KernelSource& source : sources) entries.push_back(source.entry);
  const std::unique_ptr<llvm::TargetMachine> machine = target_machine();
  if (machine != nullptr) {
    module.setTargetTriple(machine->getTargetTriple());
    module.setDataLayout(machine->createDataLayout());
  }
  define_library_functions(module);
  prepare_synchronization(module, entries);
  prepare_messages(module);
  prepare_for_inlining(module, entries);

  llvm::LoopAnalysisManager lam;
  llvm::FunctionAnalysisManager fam;
  llvm::CGSCCAnalysisManager cgam;
  llvm::ModuleAnalysisManager mam;
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = false;
  tuning.SLPVectorization = false;
  llvm::PassBuilder builder(machine.get(), tuning);
  builder.registerModuleAnalyses(mam);
  builder.registerCGSCCAnalyses(cgam);
  builder.registerFunctionAnalyses(fam);
  builder.registerLoopAnalyses(lam);
  builder.crossRegisterProxies(lam, fam, cgam, mam);

  llvm::ModulePassManager mpm;
  if (level > 0) mpm.addPass(llvm::createModuleToFunctionPassAdaptor(early_passes()));
  mpm.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/false));
  mpm.addPass(llvm::GlobalDCEPass());
  mpm.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::SROAPass(llvm::SROAOptions::ModifyCFG)));
  if (level > 0) {
    mpm.addPass(llvm::createModuleToFunctionPassAdaptor(LinearInstCombinePass()));
    mpm.addPass(llvm::createModuleToFunctionPassAdaptor(scalar_passes()));
  }
  mpm.run(module, mam);
  if (level > 0) {
    const auto optimize = [&](llvm::Function& function) {
      fam.invalidate(function, llvm::PreservedAnalyses::none());
      scalar_passes().run(function, fam);
    };
    for (llvm::Function* entry : entries) inline_late_calls(*entry, optimize);
  }
  for (llvm::Function* entry : entries) answer_queries(*entry, fam, level);
  for (KernelSource& source : sources) {
    if (options.checks_bounds) check_bounds(source);
    lower_messages(source, program);
    fam.invalidate(*source.entry, llvm::PreservedAnalyses::none());
  }
  llvm::GlobalDCEPass().run(module, mam);
  for (llvm::Function* entry : entries) finish(*entry, fam, level);
}

}  // namespace spirea::frontend
