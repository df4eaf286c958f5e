// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/link_assembly.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/SourceMgr.h>

namespace spirea::frontend {

void link_assembly(llvm::Module& module, const char* assembly, Linked linked) {
  llvm::LLVMContext& context = module.getContext();
  const bool discards = context.shouldDiscardValueNames();
  context.setDiscardValueNames(false);  // the parser refuses otherwise
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> library = llvm::parseAssemblyString(assembly, problem, context);
  context.setDiscardValueNames(discards);
  if (library == nullptr)
    llvm::report_fatal_error("the compiler's own functions do not parse: " + problem.getMessage());
  library->setDataLayout(module.getDataLayout());
  library->setTargetTriple(module.getTargetTriple());
  llvm::Linker::linkModules(module, std::move(library),
                            linked == Linked::Needed ? llvm::Linker::LinkOnlyNeeded : llvm::Linker::None);
}

}  // namespace spirea::frontend
