// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

}  // namespace

void Importer::call(const llvm::CallBase& inst) {
  if (inst.isInlineAsm()) return unsupported(inst, "inline assembly is not supported in kernels");
  if (const auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&inst)) return transfer(*memory);
  if (const auto* known = llvm::dyn_cast<llvm::IntrinsicInst>(&inst)) {
    if (wide_intrinsic(*known) || intrinsic(*known) || integer_intrinsic(*known) || float_intrinsic(*known))
      return;
    return unsupported_intrinsic(*known);
  }
  const llvm::Function* callee = inst.getCalledFunction();
  const llvm::StringRef name = callee == nullptr ? "" : callee->getName();
  if (callee != nullptr && callee->isDeclaration() && name.starts_with("__spirea_") &&
      (synchronization(inst, name) || atomic_call(inst, name)))
    return;
  if (callee != nullptr && callee->isDeclaration() &&
      (query(inst, name) || library_call(inst, name) || float_library_call(inst, name)))
    return;
  if (callee != nullptr && callee->isDeclaration() && (name == "abort" || name == "_ZSt9terminatev")) {
    trapped_ = true;
    return;
  }
  unsupported_call(inst);
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
    kir::FastAttr flags = fast(inst);
    if (name.starts_with("__spirea_native_")) flags.flags |= kir::FastAttr::Approx;
    set(&inst, builder_.create(row.opcode, operands, {&result, 1}, flags)->result());
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
