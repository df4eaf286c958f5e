// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <llvm/IR/Operator.h>

#include "frontend/import/importer.h"

namespace spirea::frontend {

/// The space that all roots of the pointer share; nothing if it only comes from null or undefined values.
std::optional<kir::Space> Importer::find_space(const llvm::Value* value,
                                               std::set<const llvm::Value*>& visited, bool& mixed) {
  if (!visited.insert(value).second) return std::nullopt;
  if (llvm::isa<llvm::AllocaInst>(value)) return kir::Space::Private;
  if (llvm::isa<llvm::GlobalVariable>(value)) return kir::Space::Constant;
  if (llvm::isa<llvm::ConstantPointerNull, llvm::UndefValue>(value)) return std::nullopt;
  if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(value))
    return find_space(gep->getPointerOperand(), visited, mixed);
  if (const auto* freeze = llvm::dyn_cast<llvm::FreezeInst>(value))
    return find_space(freeze->getOperand(0), visited, mixed);
  std::optional<kir::Space> result;
  const auto join = [&](const llvm::Value* operand) {
    const auto other = find_space(operand, visited, mixed);
    if (!other) return;
    if (result && *result != *other) mixed = true;
    result = other;
  };
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(value)) {
    for (const llvm::Value* operand : phi->incoming_values()) join(operand);
    return result;
  }
  if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(value)) {
    join(select->getTrueValue());
    join(select->getFalseValue());
    return result;
  }
  return kir::Space::Global;  // arguments, addresses made from integers, and pointers in memory
}

kir::Space Importer::space(const llvm::Value* value) {
  std::set<const llvm::Value*> visited;
  bool mixed = false;
  const auto result = find_space(value, visited, mixed);
  if (mixed)
    error(
        "a pointer that may be to different kinds of memory (local, constant or device) is not supported "
        "yet");
  return result.value_or(kir::Space::Global);
}

}  // namespace spirea::frontend
