// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen-host/emit/debug_info.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Module.h>

namespace spirea::host {
namespace {

constexpr unsigned kDwarfVersion = 4;

}  // namespace

DebugInfo::DebugInfo(llvm::Module& module, const kir::Module& source)
    : table_(source.locations), context_(module.getContext()), builder_(module) {
  module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  module.addModuleFlag(llvm::Module::Max, "Dwarf Version", kDwarfVersion);
  const std::string main_file =
      source.kernels.empty() ? std::string() : source.kernels.front()->manifest.file;
  unit_ =
      builder_.createCompileUnit(llvm::DISourceLanguageName(llvm::dwarf::DW_LANG_C_plus_plus_14),
                                 file(main_file), "spireac", /*isOptimized=*/true, /*Flags=*/"", /*RV=*/0);
}

llvm::DIFile* DebugInfo::file(const std::string& path) { return builder_.createFile(path, ""); }

llvm::DISubprogram* DebugInfo::subprogram(const std::string& path, const std::string& name,
                                          const std::string& linkage_name, unsigned line) {
  llvm::DISubroutineType* type = builder_.createSubroutineType(builder_.getOrCreateTypeArray({}));
  return builder_.createFunction(
      unit_, name, linkage_name, file(path), line, type, line, llvm::DINode::FlagPrototyped,
      llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagLocalToUnit |
          llvm::DISubprogram::SPFlagOptimized);
}

llvm::DISubprogram* DebugInfo::begin(const kir::Kernel& kernel, llvm::DISubprogram* subprogram) {
  kernel_ = &kernel;
  locations_.clear();
  kernel_subprogram_ = subprogram;
  return subprogram;
}

llvm::DISubprogram* DebugInfo::begin_kernel(const kir::Kernel& kernel) {
  const abi::Manifest& m = kernel.manifest;
  return begin(kernel, subprogram(m.file, m.display, m.name, m.line));
}

llvm::DISubprogram* DebugInfo::begin_workgroups(const kir::Kernel& kernel) {
  const abi::Manifest& m = kernel.manifest;
  return begin(kernel, subprogram(m.file, "workgroups of " + m.display, m.name + ".workgroups", m.line));
}

llvm::DIScope* DebugInfo::scope_of(const kir::Location& place) {
  if (place.inlined_at == 0) {
    if (place.file.empty() || place.file == kernel_->manifest.file) return kernel_subprogram_;
    return builder_.createLexicalBlockFile(kernel_subprogram_, file(place.file));
  }
  llvm::DISubprogram*& function = inlined_[{place.file, place.function}];
  if (function == nullptr) function = subprogram(place.file, place.function, "", 0);
  return function;
}

llvm::DILocation* DebugInfo::location(kir::LocId id) {
  const auto known = locations_.find(id);
  if (known != locations_.end()) return known->second;
  const kir::Location& place = table_[id];
  llvm::DILocation* call = place.inlined_at == 0 ? nullptr : location(place.inlined_at);
  llvm::DILocation* result =
      place.inlined_at == 0
          ? llvm::DILocation::get(context_, place.line, place.column, scope_of(place))
          : llvm::DILocation::getDistinct(context_, place.line, place.column, scope_of(place), call);
  locations_[id] = result;
  return result;
}

}  // namespace spirea::host
