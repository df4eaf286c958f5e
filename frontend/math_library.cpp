// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/math_library.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>
#include <map>

#include "frontend/math/functions.h"

namespace spirea::frontend {
namespace {

const MathFunction& math_function(std::string_view name) {
  for (const MathFunction& row : math_functions())
    if (row.name == name) return row;
  llvm_unreachable("no such function in functions.def");
}

bool is_sincos(llvm::StringRef name) { return name == "sincos" || name == "sincosf"; }
bool is_nan(llvm::StringRef name) { return name == "nan" || name == "nanf"; }

/// Replaces the calls in one module; `replaced` counts those that the library must define.
class Replacer {
 public:
  explicit Replacer(llvm::Module& module) : module_(module) {
    for (const MathFunction& row : math_functions()) {
      if (row.intrinsic != llvm::Intrinsic::not_intrinsic) by_intrinsic_[row.intrinsic] = &row;
      if (row.name == "pown") continue;  // OpenCL's alone
      by_name_[row.name] = {&row, llvm::Type::getDoubleTy(module.getContext())};
      by_name_[std::string(row.name) + "f"] = {&row, llvm::Type::getFloatTy(module.getContext())};
    }
  }

  /// True if the library is needed.
  bool run() {
    std::vector<llvm::Instruction*> found;
    for (llvm::Function& function : module_)
      if (function.isDeclaration()) add_calls(function, found);
    for (llvm::Function& function : module_)
      for (llvm::Instruction& inst : llvm::instructions(function))
        if (inst.getOpcode() == llvm::Instruction::FRem) found.push_back(&inst);
    bool needed = false;
    for (llvm::Instruction* inst : found) needed |= replace(*inst);
    return needed;
  }

 private:
  struct Named {
    const MathFunction* row = nullptr;
    llvm::Type* type = nullptr;
  };

  void add_calls(llvm::Function& function, std::vector<llvm::Instruction*>& found) {
    const bool known = function.isIntrinsic() ? by_intrinsic_.count(function.getIntrinsicID()) != 0 ||
                                                    function.getIntrinsicID() == llvm::Intrinsic::sincos
                                              : is_library_function(function);
    if (!known) return;
    for (llvm::User* user : function.users())
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(user);
          call != nullptr && call->getCalledFunction() == &function)
        found.push_back(call);
  }

  /// By name and parameters: a function of the user's own may have the name.
  bool is_library_function(const llvm::Function& function) const {
    const llvm::FunctionType* type = function.getFunctionType();
    if (is_nan(function.getName())) return type->getReturnType()->isFloatingPointTy();
    if (type->getNumParams() == 0 || type->isVarArg()) return false;
    if (is_sincos(function.getName()))
      return type->getNumParams() == 3 && type->getParamType(0)->isFloatingPointTy();
    const auto row = by_name_.find(function.getName());
    return row != by_name_.end() && type == signature(*row->second.row, row->second.type);
  }

  static llvm::FunctionType* signature(const MathFunction& row, llvm::Type* real) {
    llvm::LLVMContext& context = real->getContext();
    std::vector<llvm::Type*> types;
    for (const char parameter : parameters(row.signature))
      types.push_back(parameter == 'F'   ? real
                      : parameter == 'I' ? static_cast<llvm::Type*>(llvm::Type::getInt32Ty(context))
                                         : llvm::PointerType::getUnqual(context));
    llvm::Type* result = row.signature == MathSignature::I_F ? llvm::Type::getInt32Ty(context) : real;
    return llvm::FunctionType::get(result, types, false);
  }

  bool replace(llvm::Instruction& inst) {
    llvm::IRBuilder<> builder(&inst);
    llvm::Value* result = nullptr;
    if (inst.getOpcode() == llvm::Instruction::FRem) {
      result = apply(builder, math_function("fmod"), {inst.getOperand(0), inst.getOperand(1)});
    } else {
      auto& call = llvm::cast<llvm::CallInst>(inst);
      const llvm::Function& callee = *call.getCalledFunction();
      if (callee.isIntrinsic() && may_approximate(call)) return false;
      if (is_nan(callee.getName()))
        result = llvm::ConstantFP::getQNaN(call.getType());
      else if (callee.getIntrinsicID() == llvm::Intrinsic::sincos || is_sincos(callee.getName()))
        result = sine_and_cosine(builder, call);
      else
        result = apply(builder, *row_of(callee), {call.arg_begin(), call.arg_end()});
    }
    if (result == nullptr) return false;
    if (!inst.getType()->isVoidTy()) inst.replaceAllUsesWith(result);
    inst.eraseFromParent();
    return true;
  }

  /// The hardware's instructions are there for 32 bits and fewer.
  static bool may_approximate(const llvm::CallInst& call) {
    return llvm::isa<llvm::FPMathOperator>(call) && call.hasApproxFunc() &&
           call.getType()->getScalarSizeInBits() <= 32;
  }

  const MathFunction* row_of(const llvm::Function& callee) const {
    return callee.isIntrinsic() ? by_intrinsic_.at(callee.getIntrinsicID())
                                : by_name_.find(callee.getName())->second.row;
  }

  llvm::Value* sine_and_cosine(llvm::IRBuilder<>& builder, llvm::CallInst& call) {
    llvm::Value* sine = apply(builder, math_function("sin"), {call.getArgOperand(0)});
    llvm::Value* cosine = apply(builder, math_function("cos"), {call.getArgOperand(0)});
    if (sine == nullptr || cosine == nullptr) return nullptr;
    if (!call.getType()->isVoidTy()) {
      llvm::Value* both = builder.CreateInsertValue(llvm::PoisonValue::get(call.getType()), sine, 0);
      return builder.CreateInsertValue(both, cosine, 1);
    }
    builder.CreateStore(sine, call.getArgOperand(1));
    return builder.CreateStore(cosine, call.getArgOperand(2));
  }

  /// Calls the library's function: vectors by element, half in float. Null for other types.
  llvm::Value* apply(llvm::IRBuilder<>& builder, const MathFunction& row,
                     std::vector<llvm::Value*> arguments) {
    llvm::Type* type = arguments[0]->getType();
    if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
      return apply_to_elements(builder, row, arguments, vector->getNumElements());
    if (type->isHalfTy()) {
      for (llvm::Value*& argument : arguments)
        if (argument->getType()->isHalfTy()) argument = builder.CreateFPExt(argument, builder.getFloatTy());
      llvm::Value* result = apply(builder, row, arguments);
      return result->getType()->isFloatTy() ? builder.CreateFPTrunc(result, type) : result;
    }
    if (!type->isFloatTy() && !type->isDoubleTy()) return nullptr;
    return builder.CreateCall(
        module_.getOrInsertFunction(library_name(row, type->isDoubleTy()), signature(row, type)), arguments);
  }

  llvm::Value* apply_to_elements(llvm::IRBuilder<>& builder, const MathFunction& row,
                                 const std::vector<llvm::Value*>& arguments, unsigned n) {
    llvm::Value* result = llvm::PoisonValue::get(arguments[0]->getType());
    for (unsigned i = 0; i < n; ++i) {
      std::vector<llvm::Value*> elements;
      for (llvm::Value* argument : arguments)
        elements.push_back(argument->getType()->isVectorTy() ? builder.CreateExtractElement(argument, i)
                                                             : argument);
      llvm::Value* element = apply(builder, row, elements);
      if (element == nullptr) return nullptr;
      result = builder.CreateInsertElement(result, element, i);
    }
    return result;
  }

  llvm::Module& module_;
  std::map<llvm::Intrinsic::ID, const MathFunction*> by_intrinsic_;
  llvm::StringMap<Named> by_name_;
};

std::string message(llvm::Error error) { return llvm::toString(std::move(error)); }

/// Functions are read when they are linked.
llvm::Expected<std::unique_ptr<llvm::Module>> open_library(const std::string& path,
                                                           llvm::LLVMContext& context) {
  auto bytes = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!bytes) return llvm::errorCodeToError(bytes.getError());
  return llvm::getOwningLazyBitcodeModule(std::move(*bytes), context, /*ShouldLazyLoadMetadata=*/true);
}

}  // namespace

std::string link_math_library(llvm::Module& module, const std::string& path) {
  if (!Replacer(module).run()) return "";
  auto library = open_library(path, module.getContext());
  if (!library) return "cannot read the math library '" + path + "': " + message(library.takeError());
  (*library)->setDataLayout(module.getDataLayout());
  (*library)->setTargetTriple(module.getTargetTriple());
  if (llvm::Linker::linkModules(module, std::move(*library), llvm::Linker::LinkOnlyNeeded))
    return "cannot link the math library '" + path + "'";
  return "";
}

}  // namespace spirea::frontend
