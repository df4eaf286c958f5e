// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/messages.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include "frontend/checks.h"
#include "frontend/message_code.h"
#include "ir/abi/messages.h"

namespace spirea::frontend {
namespace {

using llvm::Value;

/// Functions of the C library that print: what they print, or that an argument says so.
struct Printer {
  llvm::StringLiteral name;
  llvm::StringLiteral format;  ///< empty: the argument before the first that is printed
  unsigned first;              ///< argument that is printed
  unsigned stream = ~0u;       ///< argument that must be stdout; ~0: none
};
constexpr Printer kPrinters[] = {
    {"printf", "", 1},    {"__printf_chk", "", 2},  // of -D_FORTIFY_SOURCE
    {"puts", "%s\n", 0},  {"putchar", "%c", 0},
    {"putc", "%c", 0, 1},  // what the C library's header makes of putchar
};

bool prints_to_stdout(const llvm::CallBase& call, const Printer& printer) {
  if (printer.stream == ~0u) return true;
  const auto* stream =
      llvm::dyn_cast<llvm::LoadInst>(call.getArgOperand(printer.stream)->stripPointerCasts());
  return stream != nullptr && stream->getPointerOperand()->stripPointerCasts()->getName() == "stdout";
}

const Printer* find_printer(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (callee == nullptr || !callee->isDeclaration()) return nullptr;
  for (const Printer& row : kPrinters)
    if (callee->getName() == row.name && call.arg_size() >= row.first && prints_to_stdout(call, row))
      return &row;
  return nullptr;
}

/// A call of a printer as a format and the arguments after it.
struct PrintCall {
  std::string format;
  std::vector<abi::Conversion> conversions;
  llvm::SmallVector<Value*, 8> values;
  llvm::SmallVector<char, 8> expected;  ///< for each value: i integer, d double, s string, p pointer
  std::string problem;
};

char expected_of(char letter) {
  if (letter == 's' || letter == 'p') return letter;
  return llvm::StringRef("fFeEgGaA").contains(letter) ? 'd' : 'i';
}

bool suits(const llvm::Type* type, char expected) {
  if (expected == 'd') return type->isDoubleTy();
  if (expected == 'i') return type->isIntegerTy() && type->getIntegerBitWidth() <= 64;
  return type->isPointerTy();
}

void match_arguments(PrintCall& print) {
  for (const abi::Conversion& c : print.conversions) {
    if (c.width == "*") print.expected.push_back('i');
    if (c.precision == "*") print.expected.push_back('i');
    if (c.letter != 0) print.expected.push_back(expected_of(c.letter));
  }
  if (print.expected.size() > print.values.size())
    print.problem = "printf has fewer arguments than its format asks for";
  else
    print.values.resize(print.expected.size());
  for (std::size_t i = 0; i < print.values.size() && print.problem.empty(); ++i)
    if (!suits(print.values[i]->getType(), print.expected[i]))
      print.problem =
          "argument " + std::to_string(i + 2) + " of printf has not the type that the format asks for";
}

PrintCall read_print(const llvm::CallBase& call, const Printer& printer) {
  PrintCall print;
  llvm::StringRef format = printer.format;
  if (format.empty() && !llvm::getConstantStringInfo(call.getArgOperand(printer.first - 1), format)) {
    print.problem = "the format of printf must be constant in kernels";
    return print;
  }
  print.format = format.str();
  print.values.assign(call.arg_begin() + printer.first, call.arg_end());
  auto conversions = abi::parse_format(print.format, print.problem);
  if (!conversions) return print;
  print.conversions = std::move(*conversions);
  if (!call.use_empty()) print.problem = "the result of " + printer.name.str() + " is not known in kernels";
  if (print.problem.empty()) match_arguments(print);
  return print;
}

/// Calls a function of message_code.cpp.
Value* call_function(llvm::IRBuilder<>& b, llvm::StringRef name, llvm::ArrayRef<Value*> arguments) {
  llvm::Module& module = *b.GetInsertBlock()->getModule();
  define_message_functions(module);
  return b.CreateCall(module.getFunction(name), arguments);
}

/// A record's arguments: the words that each takes, and how to store it.
class Argument {
 public:
  Argument(llvm::IRBuilder<>& b, Value* value, char expected) : value_(value) {
    if (expected == 'p') value_ = b.CreatePtrToInt(value, b.getInt64Ty());
    if (expected == 'd') simplify_double();
    llvm::Type* type = value_->getType();
    if (type->isIntegerTy() && type->getIntegerBitWidth() < 32) value_ = b.CreateSExt(value_, b.getInt32Ty());
    kind_ = expected == 's'                      ? 's'
            : type->isFloatTy()                  ? 'f'
            : type->isDoubleTy()                 ? 'd'
            : value_->getType()->isIntegerTy(64) ? 'l'
                                                 : 'i';
  }

  char kind() const { return kind_; }

  /// A string's length is needed before there is a place for it.
  void measure(llvm::IRBuilder<>& b, Value* precision) {
    Value* limit = b.getInt32(abi::kMaxStringBytes);
    Value* most = b.getInt32(abi::kMaxStringBytes + 1);
    if (precision != nullptr) {
      Value* given = b.CreateTrunc(precision, b.getInt32Ty());
      most = b.CreateSelect(b.CreateICmpULT(given, most), given, most);
    }
    length_ = call_function(b, "spirea.message.length", {value_, most});
    copied_ = b.CreateSelect(b.CreateICmpULT(length_, limit), length_, limit);
  }

  Value* words(llvm::IRBuilder<>& b) const {
    if (kind_ != 's') return b.getInt32(kind_ == 'l' || kind_ == 'd' ? 2 : 1);
    return b.CreateAdd(b.CreateLShr(b.CreateAdd(copied_, b.getInt32(3)), 2), b.getInt32(1));
  }

  void store(llvm::IRBuilder<>& b, Value* to) const {
    if (kind_ == 's') {
      b.CreateAlignedStore(length_, to, llvm::Align(4));
      call_function(b, "spirea.message.copy", {word(b, to, 1), value_, copied_});
      return;
    }
    Value* bits = value_;
    if (kind_ == 'f') bits = b.CreateBitCast(bits, b.getInt32Ty());
    if (kind_ == 'd') bits = b.CreateBitCast(bits, b.getInt64Ty());
    b.CreateAlignedStore(b.CreateTrunc(bits, b.getInt32Ty()), to, llvm::Align(4));
    if (!bits->getType()->isIntegerTy(64)) return;
    b.CreateAlignedStore(b.CreateTrunc(b.CreateLShr(bits, 32), b.getInt32Ty()), word(b, to, 1),
                         llvm::Align(4));
  }

 private:
  static Value* word(llvm::IRBuilder<>& b, Value* from, std::uint64_t index) {
    return b.CreateConstGEP1_64(b.getInt32Ty(), from, index);
  }

  /// A float that C has promoted goes as one, so that the device needs no double.
  void simplify_double() {
    auto* extension = llvm::dyn_cast<llvm::FPExtInst>(value_);
    if (extension != nullptr && extension->getOperand(0)->getType()->isFloatTy())
      value_ = extension->getOperand(0);
  }

  Value* value_;
  Value *length_ = nullptr, *copied_ = nullptr;
  char kind_;
};

class Lowering {
 public:
  Lowering(KernelSource& source, const Program& program)
      : entry_(*source.entry), manifest_(source.manifest), program_(program) {}

  void run() {
    llvm::SmallVector<llvm::WeakVH, 16> calls;  // what is behind a failed check goes away
    for (llvm::Instruction& inst : llvm::instructions(entry_))
      if (llvm::isa<llvm::CallBase>(inst)) calls.emplace_back(&inst);
    for (const llvm::WeakVH& call : calls)
      if (call != nullptr) visit(*llvm::cast<llvm::CallBase>(call));
    if (manifest_.messages.empty()) return;
    llvm::removeUnreachableBlocks(entry_);
    add_parameter();
  }

 private:
  Value* buffer() const { return entry_.getArg(static_cast<unsigned>(entry_.arg_size() - 1)); }

  void visit(llvm::CallBase& call) {
    if (const Printer* printer = find_printer(call))
      print(call, *printer);
    else if (auto check = read_check(call))
      fail(call, std::move(*check));
  }

  /// The user's line, where a function of the library reports; the kernel's where there is none.
  void locate(const llvm::CallBase& call, abi::Message& message) const {
    for (const llvm::DILocation* at = call.getDebugLoc(); at != nullptr; at = at->getInlinedAt()) {
      if (at->getLine() == 0 || at->getScope()->getSubprogram() == entry_.getSubprogram()) continue;
      std::string file = at->getFilename().str();
      if (!file.empty() && file[0] != '/' && !at->getDirectory().empty())
        file = at->getDirectory().str() + "/" + file;
      if (message.line != 0 && !program_.is_in_system_header(message.file)) return;
      message.file = std::move(file);
      message.line = at->getLine();
    }
    if (message.line != 0) return;
    message.file = manifest_.file;
    message.line = manifest_.line;
  }

  llvm::ConstantInt* add_message(llvm::IRBuilder<>& b, const llvm::CallBase& call, abi::Message message) {
    locate(call, message);
    manifest_.messages.push_back(std::move(message));
    return b.getInt32(static_cast<std::uint32_t>(manifest_.messages.size()));
  }

  void fail(llvm::CallBase& call, FailedCheck check) {
    llvm::IRBuilder<> b(&call);
    std::vector<Argument> arguments;
    for (const CheckedValue& value : check.values) arguments.emplace_back(b, widened(b, value), 'i');
    const std::string kinds(arguments.size(), 'l');
    Value* is_first = call_function(
        b, "spirea.message.fail",
        {buffer(), add_message(b, call, {abi::MessageKind::Check, "", 0, std::move(check.format), kinds})});
    if (!arguments.empty()) store(is_first, b.getInt32(abi::kFailureArguments), arguments, call);
    b.SetInsertPoint(&call);
    b.CreateIntrinsic(b.getVoidTy(), llvm::Intrinsic::trap, {})->addFnAttr(llvm::Attribute::NoMerge);
    llvm::changeToUnreachable(&call);
  }

  static Value* widened(llvm::IRBuilder<>& b, const CheckedValue& value) {
    Value* bits = b.CreateTrunc(value.operand, b.getIntNTy(value.bits));
    return value.is_signed ? b.CreateSExt(bits, b.getInt64Ty()) : b.CreateZExt(bits, b.getInt64Ty());
  }

  static void remove(llvm::CallBase& call) {
    if (!call.use_empty()) call.replaceAllUsesWith(llvm::PoisonValue::get(call.getType()));
    if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&call)) {
      llvm::changeToCall(invoke)->eraseFromParent();
      return;
    }
    call.eraseFromParent();
  }

  void print(llvm::CallBase& call, const Printer& printer) {
    PrintCall print = read_print(call, printer);
    if (!print.problem.empty()) return;
    llvm::IRBuilder<> b(&call);
    const std::vector<Argument> arguments = measure(b, print);
    abi::Message message{abi::MessageKind::Print, "", 0, print.format, ""};
    Value* words = b.getInt32(abi::kRecordHeaderWords);
    for (const Argument& argument : arguments) {
      message.arguments += argument.kind();
      words = b.CreateAdd(words, argument.words(b));
    }
    Value* at =
        call_function(b, "spirea.message.begin", {buffer(), words, add_message(b, call, std::move(message))});
    if (!arguments.empty())
      store(b.CreateICmpNE(at, b.getInt32(0)), b.CreateAdd(at, b.getInt32(abi::kRecordHeaderWords)),
            arguments, call);
    Value* stream = printer.stream == ~0u ? nullptr : call.getArgOperand(printer.stream);
    remove(call);
    if (stream != nullptr) llvm::RecursivelyDeleteTriviallyDeadInstructions(stream);
  }

  static std::vector<Argument> measure(llvm::IRBuilder<>& b, const PrintCall& print) {
    std::vector<Argument> arguments;
    std::size_t next = 0;
    const auto take = [&] {
      arguments.emplace_back(b, print.values[next], print.expected[next]);
      return print.values[next++];
    };
    for (const abi::Conversion& c : print.conversions) {
      if (c.width == "*") take();
      Value* precision = nullptr;
      if (c.has_precision)
        precision = c.precision == "*" ? take() : b.getInt32(std::strtoul(c.precision.c_str(), nullptr, 10));
      if (c.letter == 0) continue;
      take();
      if (c.letter == 's') arguments.back().measure(b, precision);
    }
    return arguments;
  }

  /// Stores the arguments from that word of the buffer on, if there is a place for them.
  void store(Value* has_place, Value* offset, const std::vector<Argument>& arguments, llvm::CallBase& call) {
    llvm::IRBuilder<> b(llvm::SplitBlockAndInsertIfThen(has_place, &call, /*Unreachable=*/false));
    b.SetCurrentDebugLocation(call.getDebugLoc());
    for (const Argument& argument : arguments) {
      argument.store(b, b.CreateGEP(b.getInt32Ty(), buffer(), b.CreateZExt(offset, b.getInt64Ty())));
      offset = b.CreateAdd(offset, argument.words(b));
    }
  }

  void add_parameter() {
    abi::Param param;
    param.name = "spirea_messages";
    param.kind = abi::ParamKind::Buffer;
    param.type = "unsigned int *";
    param.size = param.align = 8;
    param.element = "unsigned int";
    param.element_size = param.element_align = 4;
    param.leaves.push_back({abi::Scalar::Ptr, 0, 0});
    manifest_.params.push_back(std::move(param));
    inline_functions();
  }

  void inline_functions() {
    for (bool any = true; any;) {
      any = false;
      llvm::SmallVector<llvm::CallBase*, 16> calls;
      for (llvm::Instruction& inst : llvm::instructions(entry_))
        if (auto* call = llvm::dyn_cast<llvm::CallBase>(&inst);
            call != nullptr && call->getCalledFunction() != nullptr &&
            call->getCalledFunction()->getName().starts_with("spirea.message."))
          calls.push_back(call);
      for (llvm::CallBase* call : calls) {
        llvm::InlineFunctionInfo info;
        any |= llvm::InlineFunction(*call, info, /*MergeAttributes=*/false, /*CalleeAAR=*/nullptr,
                                    /*InsertLifetime=*/false)
                   .isSuccess();
      }
    }
  }

  llvm::Function& entry_;
  abi::Manifest& manifest_;
  const Program& program_;
};

}  // namespace

void prepare_messages(llvm::Module& module) {
  for (const Printer& printer : kPrinters) {
    llvm::Function* function = module.getFunction(printer.name);
    if (function == nullptr || !function->isDeclaration()) continue;
    function->setMemoryEffects(llvm::MemoryEffects::inaccessibleOrArgMemOnly());
    function->addFnAttr(llvm::Attribute::WillReturn);
    function->addFnAttr(llvm::Attribute::NoUnwind);
  }
  for (llvm::Function& function : module)
    for (llvm::Instruction& inst : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&inst);
      const bool is_check = call != nullptr && read_check(*call).has_value();
      if (call == nullptr || (!is_check && find_printer(*call) == nullptr)) continue;
      call->removeFnAttr(llvm::Attribute::Convergent);
      call->getCalledFunction()->removeFnAttr(llvm::Attribute::Convergent);
      if (is_check) call->addFnAttr(llvm::Attribute::NoMerge);  // each has its own place
    }
}

void lower_messages(KernelSource& source, const Program& program) { Lowering(source, program).run(); }

std::string message_problem(const llvm::CallBase& call) {
  const Printer* printer = find_printer(call);
  return printer == nullptr ? "" : read_print(call, *printer).problem;
}

}  // namespace spirea::frontend
