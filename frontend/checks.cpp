// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/checks.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IntrinsicInst.h>

#include "frontend/bounds/bounds.h"

namespace spirea::frontend {
namespace {

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

/// Handlers of Clang's sanitizers, by what stands between "__ubsan_handle_" and "_abort". $ab in a text is
/// the handler's value number a, an integer of type number b; @b is the name of that type.
struct Handler {
  llvm::StringLiteral name;
  llvm::StringLiteral text;
};
constexpr Handler kHandlers[] = {
    {"out_of_bounds", "index $12 is out of bounds for @1"},
    {"local_out_of_bounds", "an access is out of bounds"},
    {"builtin_unreachable", "unreachable code was reached"},
    {"missing_return", "a function ends without a return value"},
    {"add_overflow", "$11 + $21 overflows @1"},
    {"sub_overflow", "$11 - $21 overflows @1"},
    {"mul_overflow", "$11 * $21 overflows @1"},
    {"negate_overflow", "negation of $11 overflows @1"},
    {"divrem_overflow", "$11 divided by $21 has no result of type @1"},
    {"shift_out_of_bounds", "a shift of $11, of type @1, by $22 has no result"},
    {"load_invalid_value", "$11 is not a value of type @1"},
    {"type_mismatch_v1", "a null pointer, or one that is misaligned, is used as one to @1"},
    {"float_cast_overflow", "a value of type @1 is out of the range of @2"},
    {"implicit_conversion", "a conversion from @1 to @2 changes the value"},
    {"pointer_overflow", "arithmetic on a pointer overflows"},
    {"vla_bound_not_positive", "the size of an array is not positive"},
    {"invalid_builtin", "a builtin function got zero"},
    {"nonnull_arg", "an argument is null that must not be"},
    {"nonnull_return_v1", "a function returns null that must not"},
};

std::string escaped(llvm::StringRef text) {
  std::string result;
  for (const char c : text) result += c == '%' ? std::string("%%") : std::string(1, c);
  return result;
}

/// The call of a sanitizer's handler: a pointer to what is known at compile time, then the values. What is
/// known is a source location, then pointers to the types: {kind, width and sign, name}.
class HandlerCall {
 public:
  explicit HandlerCall(const llvm::CallBase& call) : call_(call) {
    const auto* data = call.arg_empty() ? nullptr : initializer(call.getArgOperand(0));
    for (unsigned i = 1; data != nullptr && i < data->getNumOperands(); ++i)
      if (const auto* type = initializer(data->getOperand(i)); type != nullptr && type->getNumOperands() == 3)
        types_.push_back(type);
  }

  FailedCheck run(llvm::StringRef text) {
    FailedCheck check;
    while (!text.empty()) {
      const char c = text.front();
      if (c == '$')
        check.format += value(number(text[1]), number(text[2]), check);
      else if (c == '@')
        check.format += type_name(number(text[1]));
      else
        check.format += c;
      text = text.drop_front(c == '$' ? 3 : c == '@' ? 2 : 1);
    }
    return check;
  }

 private:
  static unsigned number(char digit) { return static_cast<unsigned>(digit - '0'); }

  static const llvm::Constant* initializer(const llvm::Value* pointer) {
    const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(pointer->stripPointerCasts());
    return global != nullptr && global->hasInitializer() ? global->getInitializer() : nullptr;
  }

  std::string type_name(unsigned type) const {
    if (type > types_.size()) return "its type";
    const auto* name = llvm::dyn_cast<llvm::ConstantDataSequential>(types_[type - 1]->getOperand(2));
    return name == nullptr || !name->isCString() ? "its type" : escaped(name->getAsCString());
  }

  /// The conversion that prints the value; words where it is no integer of up to 64 bits.
  std::string value(unsigned index, unsigned type, FailedCheck& check) const {
    constexpr const char* kUnknown = "a number";
    if (type > types_.size() || index >= call_.arg_size()) return kUnknown;
    const auto* kind = llvm::dyn_cast<llvm::ConstantInt>(types_[type - 1]->getOperand(0));
    const auto* info = llvm::dyn_cast<llvm::ConstantInt>(types_[type - 1]->getOperand(1));
    llvm::Value* operand = call_.getArgOperand(index);
    if (kind == nullptr || !kind->isZero() || info == nullptr || !operand->getType()->isIntegerTy(64))
      return kUnknown;
    const unsigned log2_bits = static_cast<unsigned>(info->getZExtValue()) >> 1;
    const bool is_signed = (info->getZExtValue() & 1) != 0;
    if (log2_bits > 6) return kUnknown;
    check.values.push_back({operand, 1u << log2_bits, is_signed});
    return is_signed ? "%lld" : "%llu";
  }

  const llvm::CallBase& call_;
  llvm::SmallVector<const llvm::Constant*, 2> types_;
};

std::string text_of(const llvm::CallBase& call, const Reporter& reporter) {
  const auto constant = [&](int index) {
    llvm::StringRef text;
    if (index >= 0 && static_cast<unsigned>(index) < call.arg_size())
      llvm::getConstantStringInfo(call.getArgOperand(static_cast<unsigned>(index)), text);
    return text;
  };
  const llvm::StringRef condition = constant(reporter.condition);
  // std::unreachable() of debug builds names itself in the place of the function.
  if (reporter.condition == 3 && condition.empty() && !constant(2).empty())
    return constant(2).str() + " was reached";
  std::string text = reporter.text.str();
  if (const auto at = text.find('#'); at != std::string::npos) text.replace(at, 1, condition.str());
  return text;
}

std::string text_of_trap(const llvm::CallBase& trap) {
  if (trap.getIntrinsicID() == llvm::Intrinsic::ubsantrap) return "a check of -fsanitize failed";
  const llvm::DILocation* place = trap.getDebugLoc();
  const llvm::DISubprogram* function = place == nullptr ? nullptr : place->getScope()->getSubprogram();
  const bool is_unreachable = function != nullptr && function->getName() == "unreachable";
  return is_unreachable ? "std::unreachable() was reached" : "__builtin_trap() was reached";
}

/// The call's own text, which is a format for its numbers.
FailedCheck read_outside(const llvm::CallBase& call) {
  llvm::StringRef text;
  llvm::getConstantStringInfo(call.getArgOperand(0), text);
  return {text.str(), {{call.getArgOperand(1), 64, false}, {call.getArgOperand(2), 64, false}}};
}

FailedCheck read_handler(const llvm::CallBase& call, llvm::StringRef name) {
  name.consume_back("_abort");
  name.consume_back("_minimal");
  for (const Handler& row : kHandlers)
    if (name == row.name) return HandlerCall(call).run(row.text);
  return {"a check of -fsanitize failed: " + name.str(), {}};
}

}  // namespace

std::optional<FailedCheck> read_check(const llvm::CallBase& call) {
  const llvm::Intrinsic::ID id = call.getIntrinsicID();
  if (id == llvm::Intrinsic::trap || id == llvm::Intrinsic::ubsantrap)
    return FailedCheck{text_of_trap(call), {}};
  const llvm::Function* callee = call.getCalledFunction();
  if (callee == nullptr || !callee->isDeclaration()) return std::nullopt;
  for (const Reporter& row : kReporters)
    if (callee->getName() == row.name) return FailedCheck{escaped(text_of(call, row)), {}};
  if (callee->getName() == kOutsideOfBuffer) return read_outside(call);
  llvm::StringRef name = callee->getName();
  if (name.consume_front("__ubsan_handle_")) return read_handler(call, name);
  return std::nullopt;
}

}  // namespace spirea::frontend
