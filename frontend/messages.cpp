// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/messages.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include "frontend/message_code.h"
#include "ir/abi/messages.h"

namespace spirea::frontend {
namespace {

using llvm::Value;

/// Functions of the C library that print: what they print, or which operand says so.
struct Printer {
  llvm::StringLiteral name;
  llvm::StringLiteral format;  ///< empty: the first argument
};
constexpr Printer kPrinters[] = {{"printf", ""}, {"puts", "%s\n"}, {"putchar", "%c"}};

/// Functions that report a failed check: the text, in which # stands for the argument with the condition.
struct Reporter {
  llvm::StringLiteral name;
  llvm::StringLiteral text;
  int condition;  ///< -1: none
};
constexpr Reporter kReporters[] = {
    {"__assert_fail", "assertion '#' failed", 0},
    {"_ZSt21__glibcxx_assert_failPKciS0_S0_", "assertion '#' of the standard library failed", 3},
    {"abort", "abort() was called", -1},
    {"_ZSt9terminatev", "std::terminate() was called", -1},
};

/// The numbers that Clang's sanitizers give to llvm.ubsantrap.
struct Sanitizer {
  unsigned number;
  llvm::StringLiteral text;
};
constexpr Sanitizer kSanitizers[] = {
    {0, "an addition overflows"},
    {1, "unreachable code was reached"},
    {3, "a division has no result"},
    {7, "a conversion loses the value"},
    {8, "a function returns no value"},
    {10, "a value is not one of its type"},
    {12, "a multiplication overflows"},
    {13, "a negation overflows"},
    {18, "an index is out of bounds"},
    {19, "a pointer overflows"},
    {20, "a shift has no result"},
    {21, "a subtraction overflows"},
    {22, "a null pointer or a misaligned one is used"},
};

template <class Row, std::size_t N>
const Row* find_callee(const Row (&rows)[N], const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (callee == nullptr || !callee->isDeclaration()) return nullptr;
  for (const Row& row : rows)
    if (callee->getName() == row.name) return &row;
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
  if (format.empty() && !llvm::getConstantStringInfo(call.getArgOperand(0), format)) {
    print.problem = "the format of printf must be constant in kernels";
    return print;
  }
  print.format = format.str();
  for (const llvm::Use& argument : call.args()) print.values.push_back(argument.get());
  if (printer.format.empty()) print.values.erase(print.values.begin());
  auto conversions = abi::parse_format(print.format, print.problem);
  if (!conversions) return print;
  print.conversions = std::move(*conversions);
  if (!call.use_empty()) print.problem = "the result of " + printer.name.str() + " is not known in kernels";
  if (print.problem.empty()) match_arguments(print);
  return print;
}

/// What a failed check says.
std::string text_of(const llvm::CallBase& call, const Reporter& reporter) {
  std::string text = reporter.text.str();
  llvm::StringRef condition;
  if (reporter.condition >= 0 && static_cast<unsigned>(reporter.condition) < call.arg_size())
    llvm::getConstantStringInfo(call.getArgOperand(static_cast<unsigned>(reporter.condition)), condition);
  if (const auto at = text.find('#'); at != std::string::npos) text.replace(at, 1, condition.str());
  return text;
}

std::string text_of(const llvm::IntrinsicInst& trap) {
  if (trap.getIntrinsicID() == llvm::Intrinsic::ubsantrap) {
    const std::uint64_t number = llvm::cast<llvm::ConstantInt>(trap.getArgOperand(0))->getZExtValue();
    for (const Sanitizer& row : kSanitizers)
      if (row.number == number) return row.text.str();
    return "a check of -fsanitize failed";
  }
  const llvm::DILocation* place = trap.getDebugLoc();
  const llvm::DISubprogram* function = place == nullptr ? nullptr : place->getScope()->getSubprogram();
  const bool is_unreachable = function != nullptr && function->getName() == "unreachable";
  return is_unreachable ? "std::unreachable() was reached" : "__builtin_trap() was reached";
}

bool is_trap(const llvm::CallBase& call) {
  const llvm::Intrinsic::ID id = call.getIntrinsicID();
  return id == llvm::Intrinsic::trap || id == llvm::Intrinsic::ubsantrap;
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
    llvm::Value* most = b.getInt32(abi::kMaxStringBytes);
    if (precision != nullptr) {
      Value* given = b.CreateTrunc(precision, b.getInt32Ty());
      most = b.CreateSelect(b.CreateICmpULT(given, most), given, most);
    }
    length_ =
        b.CreateCall(b.GetInsertBlock()->getModule()->getFunction("spirea.message.length"), {value_, most});
  }

  Value* words(llvm::IRBuilder<>& b) const {
    if (kind_ != 's') return b.getInt32(kind_ == 'l' || kind_ == 'd' ? 2 : 1);
    return b.CreateAdd(b.CreateLShr(b.CreateAdd(length_, b.getInt32(3)), 2), b.getInt32(1));
  }

  void store(llvm::IRBuilder<>& b, Value* to) const {
    if (kind_ == 's') {
      b.CreateAlignedStore(length_, to, llvm::Align(4));
      b.CreateCall(b.GetInsertBlock()->getModule()->getFunction("spirea.message.copy"),
                   {word(b, to, 1), value_, length_});
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
  Value* length_ = nullptr;
  char kind_;
};

class Lowering {
 public:
  Lowering(KernelSource& source, const Program& program)
      : entry_(*source.entry), manifest_(source.manifest), program_(program) {}

  void run() {
    llvm::SmallVector<llvm::CallBase*, 16> calls;
    for (llvm::Instruction& inst : llvm::instructions(entry_))
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&inst)) calls.push_back(call);
    for (llvm::CallBase* call : calls) visit(*call);
    if (!manifest_.messages.empty()) add_parameter();
  }

 private:
  Value* buffer() const { return entry_.getArg(static_cast<unsigned>(entry_.arg_size() - 1)); }
  llvm::Function* function(llvm::StringRef name) {
    define_message_functions(*entry_.getParent());
    return entry_.getParent()->getFunction(name);
  }

  void visit(llvm::CallBase& call) {
    if (const Printer* printer = find_callee(kPrinters, call))
      print(call, *printer);
    else if (const Reporter* reporter = find_callee(kReporters, call))
      fail(call, text_of(call, *reporter));
    else if (is_trap(call))
      fail(call, text_of(llvm::cast<llvm::IntrinsicInst>(call)));
  }

  /// The user's line, where a function of the library reports.
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
  }

  llvm::ConstantInt* add_message(llvm::IRBuilder<>& b, const llvm::CallBase& call, abi::Message message) {
    locate(call, message);
    manifest_.messages.push_back(std::move(message));
    return b.getInt32(static_cast<std::uint32_t>(manifest_.messages.size()));
  }

  void fail(llvm::CallBase& call, std::string text) {
    llvm::IRBuilder<> b(&call);
    b.CreateCall(function("spirea.message.fail"),
                 {buffer(), add_message(b, call, {abi::MessageKind::Check, "", 0, std::move(text), ""})});
    b.CreateIntrinsic(b.getVoidTy(), llvm::Intrinsic::trap, {});
    remove(call);
  }

  /// Nothing is executed behind a failed check.
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
    function("spirea.message.begin");
    const std::vector<Argument> arguments = measure(b, print);
    abi::Message message{abi::MessageKind::Print, "", 0, print.format, ""};
    Value* words = b.getInt32(abi::kRecordHeaderWords);
    for (const Argument& argument : arguments) {
      message.arguments += argument.kind();
      words = b.CreateAdd(words, argument.words(b));
    }
    Value* at = b.CreateCall(function("spirea.message.begin"),
                             {buffer(), words, add_message(b, call, std::move(message))});
    if (!arguments.empty()) store(b, arguments, at, call);
    remove(call);
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

  void store(llvm::IRBuilder<>& b, const std::vector<Argument>& arguments, Value* at, llvm::CallBase& call) {
    Value* has_place = b.CreateICmpNE(at, b.getInt32(0));
    b.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(has_place, &call, /*Unreachable=*/false));
    b.SetCurrentDebugLocation(call.getDebugLoc());
    Value* offset = b.CreateAdd(at, b.getInt32(abi::kRecordHeaderWords));
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
    function->removeFnAttr(llvm::Attribute::Convergent);
  }
  for (llvm::Function& function : module)
    for (llvm::Instruction& inst : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&inst))
        if (is_trap(*call) || find_callee(kReporters, *call) != nullptr)
          call->addFnAttr(llvm::Attribute::NoMerge);  // each has its own place
}

void lower_messages(KernelSource& source, const Program& program) { Lowering(source, program).run(); }

std::string message_problem(const llvm::CallBase& call) {
  const Printer* printer = find_callee(kPrinters, call);
  return printer == nullptr ? "" : read_print(call, *printer).problem;
}

}  // namespace spirea::frontend
