// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Intrinsics.h>

#include "frontend/import/importer.h"

namespace spirea::frontend {

using kir::Opcode;
using kir::Type;

namespace {

constexpr NamedOp kLibm[] = {
#define LIBM_UNARY(name, opcode) {name, Opcode::opcode, 1},
#define LIBM_BINARY(name, opcode) {name, Opcode::opcode, 2},
#include "frontend/import/intrinsics.def"
};

constexpr NamedOp kQueries[] = {
#define SPIREA_QUERY(name, opcode) {name, Opcode::opcode, 0},
#include "frontend/import/intrinsics.def"
};

/// Why a function that is not defined cannot be called, by the start of its (mangled) name.
struct Reason {
  llvm::StringLiteral prefix;
  llvm::StringLiteral text;
};
constexpr Reason kReasons[] = {
#define UNSUPPORTED_CALL(prefix, text) {prefix, text},
#include "frontend/import/intrinsics.def"
};

/// The containers of the standard library that allocate, by the header that their code is in: line tables
/// name no classes.
constexpr Reason kHeapHeaders[] = {
#define HEAP_HEADER(file, what) {file, what},
#include "frontend/import/intrinsics.def"
};

/// What the user wrote that led to an allocation: the outermost of the containers that the call is inlined
/// from.
std::string allocated_for(const llvm::CallBase& inst) {
  std::string result;
  for (const llvm::DILocation* place = inst.getDebugLoc(); place != nullptr; place = place->getInlinedAt())
    for (const Reason& header : kHeapHeaders)
      if (place->getFilename().ends_with(header.prefix)) result = ": " + header.text.str();
  return result;
}

struct IntrinsicReason {
  llvm::Intrinsic::ID id;
  llvm::StringLiteral text;
};
constexpr IntrinsicReason kIntrinsicReasons[] = {
#define UNSUPPORTED_INTRINSIC(intrinsic, text) {llvm::Intrinsic::intrinsic, text},
#include "frontend/import/intrinsics.def"
};

constexpr llvm::StringLiteral kUnsupportedLibm[] = {
#define UNSUPPORTED_LIBM(name) name,
#include "frontend/import/intrinsics.def"
};

/// libstdc++'s functions that only throw: _ZSt<length>__throw_...
bool is_throw_function(llvm::StringRef name) {
  return name.consume_front("_ZSt") && name.ltrim("0123456789").starts_with("__throw_");
}

bool calls_itself(const llvm::Function& function) {
  llvm::SmallPtrSet<const llvm::Function*, 16> seen;
  llvm::SmallVector<const llvm::Function*, 16> work = {&function};
  while (!work.empty())
    for (const llvm::Instruction& inst : llvm::instructions(*work.pop_back_val())) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&inst);
      const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
      if (callee == &function) return true;
      if (callee != nullptr && seen.insert(callee).second) work.push_back(callee);
    }
  return false;
}

}  // namespace

void Importer::call(const llvm::CallBase& inst) {
  if (inst.isInlineAsm()) return unsupported(inst, "inline assembly is not supported in kernels");
  if (const auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&inst)) return transfer(*memory);
  if (const auto* known = llvm::dyn_cast<llvm::IntrinsicInst>(&inst)) {
    if (wide_intrinsic(*known) || intrinsic(*known) || integer_intrinsic(*known) || float_intrinsic(*known))
      return;
    if (known->getCalledFunction()->getName().starts_with("llvm.coro."))
      return unsupported(inst, "coroutines are not supported in kernels");
    for (const IntrinsicReason& reason : kIntrinsicReasons)
      if (reason.id == known->getIntrinsicID()) return unsupported(inst, reason.text.str());
    return unsupported(inst,
                       "'" + known->getCalledFunction()->getName().str() + "' is not supported in kernels");
  }
  const llvm::Function* callee = inst.getCalledFunction();
  if (callee == nullptr) return unsupported(inst, "a call through a pointer is not supported in kernels");
  const llvm::StringRef name = callee->getName();
  if (callee->isDeclaration() && name.starts_with("__spirea_") &&
      (synchronization(inst, name) || atomic_call(inst, name)))
    return;
  if (callee->isDeclaration() &&
      (query(inst, name) || library_call(inst, name) || float_library_call(inst, name)))
    return;
  if (callee->isDeclaration() && (name == "abort" || name == "_ZSt9terminatev")) {
    trapped_ = true;
    return;
  }
  unsupported_call(inst);
}

void Importer::unsupported_call(const llvm::CallBase& inst) {
  const llvm::Function& callee = *inst.getCalledFunction();
  const llvm::StringRef name = callee.getName();
  if (is_throw_function(name)) return unsupported(inst, "'throw' is not supported in kernels");
  for (const Reason& reason : kReasons)
    if (name.starts_with(reason.prefix)) {
      const bool allocates = name.starts_with("_Znw") || name.starts_with("_Zna");
      return unsupported(inst, reason.text.str() + (allocates ? allocated_for(inst) : ""));
    }
  const std::string readable = "'" + readable_name(callee) + "'";
  for (const llvm::StringRef function : kUnsupportedLibm)
    if (name == function || (name.ends_with("f") && name.drop_back() == function))
      return unsupported(inst, readable + " is not supported in kernels yet");
  if (callee.isDeclaration())
    return unsupported(inst, readable +
                                 " has no definition in this translation unit; a kernel can call only "
                                 "functions whose definition it sees, such as inline functions of headers");
  if (calls_itself(callee))
    return unsupported(inst, "recursion is not supported in kernels: " + readable + " calls itself");
  if (callee.isVarArg())
    return unsupported(
        inst, "functions with variable arguments, such as " + readable + ", are not supported in kernels");
  unsupported(inst, "the call of " + readable + " cannot be inlined, which kernels need");
}

bool Importer::query(const llvm::CallBase& inst, llvm::StringRef name) {
  for (const NamedOp& row : kQueries) {
    if (row.name != name) continue;
    const auto* dimension = llvm::dyn_cast<llvm::ConstantInt>(inst.getArgOperand(0));
    if (dimension == nullptr || dimension->getZExtValue() > 2)
      unsupported(inst, "the dimension must be 0, 1 or 2");
    else
      set(&inst, builder_.dim(row.opcode, static_cast<kir::Dim>(dimension->getZExtValue())));
    return true;
  }
  return false;
}

bool Importer::library_call(const llvm::CallBase& inst, llvm::StringRef name) {
  llvm::Type* type = inst.getType();
  if (!type->isFloatTy() && !type->isDoubleTy()) return false;
  if (type->isFloatTy() && !name.consume_back("f")) return false;
  for (const NamedOp& row : kLibm) {
    if (row.name != name || inst.arg_size() != row.operands) continue;
    std::vector<kir::Value*> operands;
    for (const llvm::Use& argument : inst.args()) {
      if (argument->getType() != type) return false;
      operands.push_back(scalar(argument));
    }
    const Type result = operands[0]->type();
    set(&inst, builder_.create(row.opcode, operands, {&result, 1}, fast(inst))->result());
    return true;
  }
  return false;
}

/// Intrinsics that are one op, on each element.
bool Importer::intrinsic(const llvm::IntrinsicInst& inst) {
  Opcode opcode{};
  unsigned operands = 0;
  switch (inst.getIntrinsicID()) {
// clang-format off
#define LLVM_UNARY(intrinsic, op) case llvm::Intrinsic::intrinsic: opcode = Opcode::op, operands = 1; break;
#define LLVM_BINARY(intrinsic, op) case llvm::Intrinsic::intrinsic: opcode = Opcode::op, operands = 2; break;
#define LLVM_REDUCE(intrinsic, op) case llvm::Intrinsic::intrinsic: reduce(inst, Opcode::op); return true;
#define LLVM_IGNORED(intrinsic) case llvm::Intrinsic::intrinsic: return true;
#define LLVM_IDENTITY(intrinsic) case llvm::Intrinsic::intrinsic: set(&inst, get(inst.getArgOperand(0))); return true;
#include "frontend/import/intrinsics.def"
      // clang-format on
    default: return false;
  }
  const unsigned bits = inst.getType()->getScalarSizeInBits();
  if (is_wide(inst.getType())) return false;
  const bool narrow = inst.getType()->isIntOrIntVectorTy() && (held_bits(bits) != bits || bits == 1);
  Components parts[2];
  for (unsigned i = 0; i < operands; ++i) parts[i] = get(inst.getArgOperand(i));
  Components result;
  for (std::size_t i = 0; i < parts[0].size(); ++i) {
    kir::Value* a = parts[0][i];
    if (narrow)
      result.push_back(operands == 1 ? narrow_unary(opcode, a, bits)
                                     : narrow_binary(opcode, a, parts[1][i], bits));
    else
      result.push_back(operands == 1 ? builder_.unary(opcode, a, fast(inst))
                                     : builder_.binary(opcode, a, parts[1][i], fast(inst)));
  }
  set(&inst, result);
  return true;
}

}  // namespace spirea::frontend
