// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>

#include "frontend/import/importer.h"

namespace spirea::frontend {

kir::LocId Importer::location(const llvm::DILocation* place) {
  if (place == nullptr) return 0;
  const auto known = state_.locations.find(place);
  if (known != state_.locations.end()) return known->second;
  const llvm::DISubprogram* scope = place->getScope()->getSubprogram();
  kir::LocId result = 0;
  if (scope != entry_.getSubprogram()) {  // what the entry function itself does has no place in the source
    kir::Location l;
    l.inlined_at = location(place->getInlinedAt());
    l.line = place->getLine();
    l.column = place->getColumn();
    l.function = scope->getName().str();
    l.file = place->getFilename().str();
    if (!l.file.empty() && l.file[0] != '/' && !place->getDirectory().empty())
      l.file = place->getDirectory().str() + "/" + l.file;
    if (l.line == 0)
      result = l.inlined_at;
    else
      result = state_.module.locations.add(l);
  }
  state_.locations[place] = result;
  return result;
}

void Importer::error(const std::string& message) {
  kir::Diagnostic d = kir::Diagnostic::error_at(state_.module.locations, builder_.location(), message);
  if (d.place.file.empty()) {
    d.place.file = kernel_.manifest.file;
    d.place.line = kernel_.manifest.line;
  }
  // One message a place, however many kernels get there.
  if (state_.reported.emplace(d.place.file, d.place.line, d.place.column, message).second)
    state_.errors.push_back(std::move(d));
}

void Importer::unsupported(const llvm::Instruction& inst, const std::string& message) {
  error(message);
  if (inst.getType()->isVoidTy()) return;
  std::vector<kir::Type> wanted;
  types(inst.getType(), &inst, wanted);
  Components parts;
  for (const kir::Type type : wanted) parts.push_back(zero(type));
  set(&inst, parts);
}

std::string readable_name(const llvm::GlobalValue& value) {
  const auto* function = llvm::dyn_cast<llvm::Function>(&value);
  if (function != nullptr && function->hasFnAttribute("spirea-name"))
    return function->getFnAttribute("spirea-name").getValueAsString().str();
  return llvm::demangle(value.getName().str());
}

}  // namespace spirea::frontend
