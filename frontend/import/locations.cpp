// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

}  // namespace spirea::frontend
