// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/import/import.h"

#include "frontend/import/importer.h"

namespace spirea::frontend {

kir::Result<std::unique_ptr<kir::Module>> import_module(llvm::Module& source,
                                                        const std::vector<KernelSource>& kernels,
                                                        const Program& program) {
  auto module = std::make_unique<kir::Module>();
  ImportState state{source, *module, program, {}, {}, {}, {}};
  for (const KernelSource& from : kernels) {
    module->kernels.push_back(std::make_unique<kir::Kernel>());
    kir::Kernel& kernel = *module->kernels.back();
    kernel.manifest = from.manifest;
    abi::assign_block_offsets(kernel.manifest);
    Importer(state, *from.entry, kernel).run();
  }
  if (!state.errors.empty()) return std::move(state.errors);
  return module;
}

Importer::Importer(ImportState& state, llvm::Function& entry, kir::Kernel& kernel)
    : state_(state),
      entry_(entry),
      kernel_(kernel),
      spaces_(entry),
      builder_(kernel.body),
      constants_(kernel.body) {}

void Importer::arguments() {
  std::size_t leaf = 0;
  for (const abi::Param& param : kernel_.manifest.params)
    for (std::size_t i = 0; i < param.leaves.size(); ++i) {
      std::string name = param.name;
      if (param.kind == abi::ParamKind::Buffer ? i == 1 : param.leaves.size() > 1)
        name += param.kind == abi::ParamKind::Buffer ? "_size" : "_" + std::to_string(i);
      kir::Value* argument = kernel_.body.add_argument(kir::type_of(param.leaves[i].scalar), name);
      set(entry_.getArg(static_cast<unsigned>(leaf++)), argument);
    }
}

void Importer::run() {
  arguments();
  // A placeholder that constants and objects go before; the importer's own code follows.
  kir::Op* marker = builder_.undef(kir::Type::i1())->def();
  constants_.set_before(marker);

  builder_.set_location(0);
  const structurize::Cfg cfg = build_cfg();
  structurize::Sequence items;
  switch (structurize::structurize(cfg, items)) {
    case structurize::Status::Irreducible: error("control flow enters a loop in several places"); break;
    case structurize::Status::TooDeep: error("control flow is nested too deeply"); break;
    case structurize::Status::Done:
      find_headers(items);
      sequence(items);
      break;
  }
  marker->erase();
  report_consequences();
  if (state_.errors.empty()) find_element_types(kernel_);
}

}  // namespace spirea::frontend
