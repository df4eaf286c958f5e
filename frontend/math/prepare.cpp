// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the math library when Spirea is built: of libclc's bitcode and Spirea's own (own.cpp), the functions
// of functions.def under Spirea's names, in a form that means the same on every target.
//
//   spirea-prepare-math libclc.bc own.bc -o math.bc
#include <cmath>
#include <llvm/AsmParser/Parser.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <set>

#include "frontend/math/functions.h"

namespace spirea::frontend {
namespace {

[[noreturn]] void fail(const llvm::Twine& message) {
  llvm::errs() << "spirea-prepare-math: " << message << "\n";
  std::exit(1);
}

std::unique_ptr<llvm::Module> read(const std::string& path, llvm::LLVMContext& context) {
  llvm::SMDiagnostic problem;
  auto module = llvm::parseIRFile(path, problem, context);
  if (module == nullptr) fail("cannot read '" + path + "': " + problem.getMessage());
  llvm::StripDebugInfo(*module);
  module->setTargetTriple(llvm::Triple());
  module->setDataLayout("");
  for (const char* list : {"llvm.module.flags", "llvm.ident", "opencl.ocl.version", "nvvm.annotations"})
    if (llvm::NamedMDNode* node = module->getNamedMetadata(list)) node->eraseFromParent();
  return module;
}

/// Spirea's own versions take the names of libclc's, which they call as "libclc.<name>".
void replace_with_own(llvm::Module& libclc, std::unique_ptr<llvm::Module> own) {
  for (const llvm::Function& function : *own)
    if (!function.isDeclaration())
      if (llvm::Function* other = libclc.getFunction(function.getName()))
        other->setName("libclc." + function.getName());
  if (llvm::Linker::linkModules(libclc, std::move(own))) fail("the two libraries cannot be linked");
}

std::string opencl_name(const MathFunction& function, bool is_double) {
  const char type = is_double ? 'd' : 'f';
  const std::string name(function.name);
  std::string result = "_Z" + std::to_string(name.size()) + name;
  for (const char parameter : parameters(function.signature))
    result += parameter == 'F' ? std::string(1, type) : parameter == 'I' ? "i" : "Pi";
  return result;
}

std::set<llvm::Function*> take_roots(llvm::Module& module) {
  std::set<llvm::Function*> roots;
  for (const MathFunction& row : math_functions())
    for (const bool is_double : {false, true}) {
      llvm::Function* function = module.getFunction(opencl_name(row, is_double));
      if (function == nullptr || function->isDeclaration()) fail("no " + opencl_name(row, is_double));
      function->setName(library_name(row, is_double));
      roots.insert(function);
    }
  return roots;
}

/// Out of the range of the integer, LLVM's conversions have no value; libclc is written for devices that give
/// the nearest one, and 0 for a NaN.
llvm::Value* saturated(llvm::IRBuilder<>& builder, llvm::FPToSIInst& cast) {
  llvm::Value* number = cast.getOperand(0);
  const unsigned bits = cast.getType()->getIntegerBitWidth();
  const double end = std::ldexp(1.0, static_cast<int>(bits) - 1);
  llvm::Constant* above = llvm::ConstantFP::get(number->getType(), end);
  llvm::Constant* least = llvm::ConstantFP::get(number->getType(), -end);
  llvm::Value* is_above = builder.CreateFCmpOGE(number, above);
  llvm::Value* in_range = builder.CreateSelect(builder.CreateFCmpOGE(number, least), number, least);
  in_range = builder.CreateSelect(is_above, llvm::ConstantFP::getZero(number->getType()), in_range);
  llvm::Value* result = builder.CreateFPToSI(in_range, cast.getType());
  result = builder.CreateSelect(
      is_above, llvm::ConstantInt::get(cast.getType(), llvm::APInt::getSignedMaxValue(bits)), result);
  llvm::Value* is_nan = builder.CreateFCmpUNO(number, number);
  return builder.CreateSelect(is_nan, llvm::ConstantInt::get(cast.getType(), 0), result);
}

void saturate_conversions(llvm::Function& function) {
  std::vector<llvm::FPToSIInst*> casts;
  for (llvm::Instruction& inst : llvm::instructions(function)) {
    if (llvm::isa<llvm::FPToUIInst>(inst)) fail("a conversion to unsigned in " + function.getName());
    if (auto* cast = llvm::dyn_cast<llvm::FPToSIInst>(&inst)) casts.push_back(cast);
  }
  for (llvm::FPToSIInst* cast : casts) {
    llvm::IRBuilder<> builder(cast);
    cast->replaceAllUsesWith(saturated(builder, *cast));
    cast->eraseFromParent();
  }
}

/// "May be fused" would be for each back end and driver to decide; drivers also take it for the permission to
/// rearrange sums, which undoes what libclc computes the rounding errors with.
void separate_multiply_add(llvm::Function& function) {
  std::vector<llvm::IntrinsicInst*> found;
  for (llvm::Instruction& inst : llvm::instructions(function))
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&inst);
        call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::fmuladd)
      found.push_back(call);
  for (llvm::IntrinsicInst* call : found) {
    llvm::IRBuilder<> builder(call);
    llvm::Value* product = builder.CreateFMul(call->getArgOperand(0), call->getArgOperand(1));
    call->replaceAllUsesWith(builder.CreateFAdd(product, call->getArgOperand(2)));
    call->eraseFromParent();
  }
}

/// Without what is about libclc's target or OpenCL's laxer rules.
void neutralize(llvm::Function& function) {
  function.setAttributes({});
  function.setCallingConv(llvm::CallingConv::C);
  if (function.isDeclaration()) return;
  function.addFnAttr(llvm::Attribute::NoUnwind);
  for (llvm::Instruction& inst : llvm::instructions(function)) {
    inst.dropUnknownNonDebugMetadata();
    if (llvm::isa<llvm::FPMathOperator>(inst)) inst.setFastMathFlags({});
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&inst)) {
      if (!llvm::isa<llvm::IntrinsicInst>(call)) call->setAttributes({});
      call->setCallingConv(llvm::CallingConv::C);
    }
  }
  saturate_conversions(function);
  separate_multiply_add(function);
}

/// libclc keeps its tables in OpenCL's constant address space, 4; in a kernel constants are in 0.
std::unique_ptr<llvm::Module> in_one_address_space(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  constexpr llvm::StringLiteral space = "addrspace(4) ";
  for (std::size_t at = 0; (at = text.find(space, at)) != std::string::npos;) text.erase(at, space.size());
  llvm::SMDiagnostic problem;
  auto result = llvm::parseAssemblyString(text, problem, module.getContext());
  if (result == nullptr) fail("not valid in one address space: " + problem.getMessage());
  return result;
}

void prepare(llvm::Module& module) {
  const std::set<llvm::Function*> roots = take_roots(module);
  for (llvm::GlobalValue& value : module.global_values()) {
    auto* function = llvm::dyn_cast<llvm::Function>(&value);
    if (value.isDeclaration() || (function != nullptr && roots.count(function) != 0)) continue;
    value.setVisibility(llvm::GlobalValue::DefaultVisibility);
    value.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
  llvm::ModuleAnalysisManager analyses;
  llvm::FunctionAnalysisManager functions;
  analyses.registerPass([&] { return llvm::FunctionAnalysisManagerModuleProxy(functions); });
  functions.registerPass([&] { return llvm::PassInstrumentationAnalysis(); });
  analyses.registerPass([&] { return llvm::PassInstrumentationAnalysis(); });
  llvm::GlobalDCEPass().run(module, analyses);
  for (llvm::Function& function : module)
    if (!function.isIntrinsic()) neutralize(function);
}

/// The importer must be able to place every pointer, and every call must have a body.
void check(const llvm::Module& module) {
  if (llvm::verifyModule(module, &llvm::errs())) fail("the result is not valid");
  for (const llvm::GlobalVariable& global : module.globals())
    if (global.getAddressSpace() != 0 || !global.isConstant()) fail("what is " + global.getName() + "?");
  for (const llvm::Function& function : module)
    if (function.isDeclaration() && (!function.isIntrinsic() || function.getName().starts_with("llvm.nvvm")))
      fail("no definition of " + function.getName());
}

void write(const llvm::Module& module, const std::string& path) {
  std::error_code error;
  llvm::raw_fd_ostream out(path, error);
  if (error) fail("cannot write '" + path + "': " + error.message());
  llvm::WriteBitcodeToFile(module, out);
}

}  // namespace
}  // namespace spirea::frontend

int main(int argc, char** argv) {
  using namespace spirea::frontend;
  if (argc != 5 || std::string(argv[3]) != "-o")
    fail("usage: spirea-prepare-math libclc.bc own.bc -o math.bc");
  llvm::LLVMContext context;
  auto module = read(argv[1], context);
  replace_with_own(*module, read(argv[2], context));
  prepare(*module);
  module = in_one_address_space(*module);
  check(*module);
  write(*module, argv[4]);
  return 0;
}
