// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edits of what is around the ops: kernels, their parameters, constants of the module, names and places.
#include "compiler/reduce/edits.h"
#include "ir/core/builder.h"

namespace spirea::reduce {

using namespace kir;

namespace {

/// All but one: a module without kernels has no failure to show.
std::vector<Edit> remove_kernels(Module& module) {
  std::vector<Edit> edits;
  if (module.kernels.size() < 2) return edits;
  for (std::size_t i = 0; i < module.kernels.size(); ++i)
    edits.push_back([&module, i] {
      if (module.kernels.size() > 1)
        module.kernels.erase(module.kernels.begin() + static_cast<std::ptrdiff_t>(i));
    });
  return edits;
}

std::vector<Edit> remove_constants(Module& module) {
  std::vector<Edit> edits;
  for (std::size_t i = 0; i < module.constants.size(); ++i)
    edits.push_back([&module, i] {
      const auto at = module.constants.begin() + static_cast<std::ptrdiff_t>(i);
      for (const auto& kernel : module.kernels)
        walk(kernel->body, [&](Op& op) {
          if (op.is(Opcode::AddressOf) && op.as<SymbolAttr>().name == (*at)->name) erase_op(&op);
        });
      module.constants.erase(at);
    });
  return edits;
}

std::vector<Edit> zero_constants(Module& module) {
  std::vector<Edit> edits;
  for (const auto& constant : module.constants)
    edits.push_back([&constant] { constant->bytes.assign(constant->bytes.size(), 0); });
  return edits;
}

/// The uses of body argument `i` become zero.
void clear_argument(Kernel& kernel, std::size_t i) {
  Value* argument = kernel.body.argument(i);
  if (argument->has_uses())
    argument->replace_all_uses_with(zero_before(kernel.body.first(), argument->type()));
}

/// The parameter, with its leaves.
std::vector<Edit> remove_parameters(Module& module) {
  std::vector<Edit> edits;
  for (const auto& kernel : module.kernels) {
    std::size_t first = 0;
    for (std::size_t p = 0; p < kernel->manifest.params.size(); ++p) {
      const std::size_t count = kernel->manifest.params[p].leaves.size();
      edits.push_back([&kernel, p, first, count] {
        for (std::size_t i = first + count; i-- > first;) {
          clear_argument(*kernel, i);
          kernel->body.erase_argument(i);
        }
        kernel->manifest.params.erase(kernel->manifest.params.begin() + static_cast<std::ptrdiff_t>(p));
        abi::assign_block_offsets(kernel->manifest);
      });
      first += count;
    }
  }
  return edits;
}

/// One leaf of a parameter; a buffer keeps its address, and may lose its count.
std::vector<Edit> remove_leaves(Module& module) {
  std::vector<Edit> edits;
  for (const auto& kernel : module.kernels) {
    std::size_t argument = 0;
    for (std::size_t p = 0; p < kernel->manifest.params.size(); ++p) {
      const abi::Param& param = kernel->manifest.params[p];
      for (std::size_t l = 0; l < param.leaves.size(); ++l, ++argument) {
        if (param.leaves.size() == 1 || (param.kind == abi::ParamKind::Buffer && l == 0)) continue;
        edits.push_back([&kernel, p, l, argument] {
          clear_argument(*kernel, argument);
          kernel->body.erase_argument(argument);
          auto& leaves = kernel->manifest.params[p].leaves;
          leaves.erase(leaves.begin() + static_cast<std::ptrdiff_t>(l));
          abi::assign_block_offsets(kernel->manifest);
        });
      }
    }
  }
  return edits;
}

/// Places in the source, and the names of values, of the kernel and of its types.
std::vector<Edit> drop_places(Module& module) {
  std::vector<Edit> edits;
  edits.push_back([&module] {
    for (const auto& kernel : module.kernels) {
      kernel->location = 0;
      walk(kernel->body, [](Op& op) { op.location = 0; });
    }
    for (const auto& constant : module.constants) constant->location = 0;
    module.locations = LocationTable();
  });
  return edits;
}

std::vector<Edit> drop_names(Module& module) {
  std::vector<Edit> edits;
  edits.push_back([&module] {
    for (const auto& kernel : module.kernels)
      walk(kernel->body, [](Op& op) {
        for (const auto& result : op.results()) result->name.clear();
        for (const auto& region : op.regions())
          for (const auto& argument : region->arguments()) argument->name.clear();
      });
  });
  return edits;
}

std::vector<Edit> short_kernel_names(Module& module) {
  std::vector<Edit> edits;
  for (std::size_t i = 0; i < module.kernels.size(); ++i) {
    abi::Manifest& manifest = module.kernels[i]->manifest;
    const std::string name = "k" + (i == 0 ? std::string() : std::to_string(i));
    edits.push_back([&manifest, name] {
      manifest.name = name;
      manifest.key = name;
      manifest.display = name + "()";
      manifest.file = "k.cpp";
      manifest.line = 1;
    });
    edits.push_back([&manifest] { manifest.workgroup_size.reset(); });
  }
  return edits;
}

constexpr Strategy kStrategies[] = {
    {"remove kernels", remove_kernels},
    {"drop places", drop_places},
    {"drop names", drop_names},
    {"shorten kernel names", short_kernel_names},
    {"remove constants", remove_constants},
    {"constants to zero", zero_constants},
    {"remove parameters", remove_parameters},
    {"remove leaves", remove_leaves},
};

}  // namespace

std::span<const Strategy> interface_strategies() { return kStrategies; }

}  // namespace spirea::reduce
