// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Intrinsics.h>

#include "frontend/import/importer.h"

namespace spirea::frontend {

using kir::Opcode;
using kir::Type;

namespace {

struct NamedOp {
  llvm::StringLiteral name;
  Opcode opcode;
  unsigned operands;
};

constexpr NamedOp kLibm[] = {
#define LIBM_UNARY(name, opcode) {name, Opcode::opcode, 1},
#define LIBM_BINARY(name, opcode) {name, Opcode::opcode, 2},
#include "frontend/import/intrinsics.def"
};

constexpr NamedOp kQueries[] = {
#define SPIREA_QUERY(name, opcode) {name, Opcode::opcode, 0},
#include "frontend/import/intrinsics.def"
};

/// Why a function that is not defined cannot be called, by its (mangled) name.
struct Reason {
  llvm::StringLiteral prefix;
  llvm::StringLiteral text;
};
constexpr Reason kReasons[] = {
    {"_Znw", "memory allocation ('new') is not supported in kernels"},
    {"_Zna", "memory allocation ('new') is not supported in kernels"},
    {"_Zdl", "memory deallocation ('delete') is not supported in kernels"},
    {"_Zda", "memory deallocation ('delete') is not supported in kernels"},
    {"malloc", "memory allocation is not supported in kernels"},
    {"calloc", "memory allocation is not supported in kernels"},
    {"realloc", "memory allocation is not supported in kernels"},
    {"free", "memory deallocation is not supported in kernels"},
    {"__cxa_allocate_exception", "'throw' is not supported in kernels"},
    {"__cxa_throw", "'throw' is not supported in kernels"},
    {"__cxa_rethrow", "'throw' is not supported in kernels"},
    {"__cxa_begin_catch", "exceptions are not supported in kernels"},
    {"__cxa_guard", "static local variables with dynamic initialization are not supported in kernels"},
    {"__cxa_atexit", "static variables with destructors are not supported in kernels"},
    {"__tls_get_addr", "thread-local variables are not supported in kernels"},
    {"_ZSt24__throw", "'throw' is not supported in kernels"},
    {"_ZSt17__throw", "'throw' is not supported in kernels"},
    {"_ZSt20__throw", "'throw' is not supported in kernels"},
    {"_ZSt19__throw", "'throw' is not supported in kernels"},
    {"_ZSt16__ostream_insert", "output streams are not supported in kernels"},
    {"_ZNSo", "output streams are not supported in kernels"},
    {"_ZStls", "output streams are not supported in kernels"},
    {"printf", "printf is not supported yet"},
    {"puts", "printf is not supported yet"},
    {"putchar", "printf is not supported yet"},
    {"__assert_fail", "assert is not supported yet; compile with -DNDEBUG"},
    {"setjmp", "setjmp is not supported in kernels"},
    {"longjmp", "longjmp is not supported in kernels"},
};

}  // namespace

void Importer::call(const llvm::CallBase& inst) {
  if (inst.isInlineAsm()) return unsupported(inst, "inline assembly is not supported in kernels");
  if (const auto* known = llvm::dyn_cast<llvm::IntrinsicInst>(&inst)) {
    if (intrinsic(*known) || expanded_intrinsic(*known)) return;
    return unsupported(inst,
                       "'" + known->getCalledFunction()->getName().str() + "' is not supported in kernels");
  }
  const llvm::Function* callee = inst.getCalledFunction();
  if (callee == nullptr) return unsupported(inst, "a call through a pointer is not supported in kernels");
  const llvm::StringRef name = callee->getName();
  if (query(inst, name) || library_call(inst, name)) return;
  unsupported_call(inst, name);
}

void Importer::unsupported_call(const llvm::CallBase& inst, llvm::StringRef name) {
  for (const Reason& reason : kReasons)
    if (name.starts_with(reason.prefix)) return unsupported(inst, reason.text.str());
  const std::string readable = llvm::demangle(name.str());
  if (!inst.getCalledFunction()->isDeclaration())
    return unsupported(inst, "recursion is not supported in kernels: '" + readable + "' calls itself");
  unsupported(inst,
              "'" + readable +
                  "' has no definition in this translation unit; a kernel can call only functions whose "
                  "definition it sees, such as inline functions of headers");
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

bool Importer::intrinsic(const llvm::IntrinsicInst& inst) {
  Opcode opcode{};
  unsigned operands = 0;
  switch (inst.getIntrinsicID()) {
// clang-format off
#define LLVM_UNARY(intrinsic, op) case llvm::Intrinsic::intrinsic: opcode = Opcode::op, operands = 1; break;
#define LLVM_BINARY(intrinsic, op) case llvm::Intrinsic::intrinsic: opcode = Opcode::op, operands = 2; break;
#define LLVM_IGNORED(intrinsic) case llvm::Intrinsic::intrinsic: return true;
#include "frontend/import/intrinsics.def"
      // clang-format on
    default: return false;
  }
  const unsigned bits = inst.getType()->getScalarSizeInBits();
  if (inst.getType()->isIntOrIntVectorTy() && held_bits(bits) != bits) return false;
  Components parts[2];
  for (unsigned i = 0; i < operands; ++i) parts[i] = get(inst.getArgOperand(i));
  Components result;
  for (std::size_t i = 0; i < parts[0].size(); ++i) {
    if (operands == 1)
      result.push_back(builder_.unary(opcode, parts[0][i], fast(inst)));
    else
      result.push_back(builder_.binary(opcode, parts[0][i], parts[1][i], fast(inst)));
  }
  set(&inst, result);
  return true;
}

}  // namespace spirea::frontend
