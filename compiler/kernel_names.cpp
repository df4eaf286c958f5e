// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/kernel_names.h"

#include <string_view>
#include <vector>

namespace spirea::compiler {
namespace {

using kir::Diagnostic;
using kir::Result;

/// A kernel's display without its parameter list: up to the first "(" outside of template arguments and of
/// "(anonymous namespace)".
std::string_view without_parameters(std::string_view display) {
  int depth = 0;
  for (std::size_t i = 0; i < display.size(); ++i) {
    const char c = display[i];
    if (c == '<') ++depth;
    if (c == '>') --depth;
    if (c == '(' && depth == 0 && !display.substr(i).starts_with("(anonymous")) return display.substr(0, i);
  }
  return display;
}

/// What follows the last "::" outside of template arguments.
std::string_view without_namespaces(std::string_view name) {
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i + 1 < name.size(); ++i) {
    if (name[i] == '<') ++depth;
    if (name[i] == '>') --depth;
    if (depth == 0 && name[i] == ':' && name[i + 1] == ':') start = i + 2;
  }
  return name.substr(start);
}

}  // namespace

bool names_kernel(const abi::Manifest& manifest, const std::string& name) {
  const std::string_view qualified = without_parameters(manifest.display);
  const std::string_view plain = without_namespaces(qualified);
  return name == manifest.name || name == manifest.display || name == qualified || name == plain ||
         name == plain.substr(0, plain.find('<'));
}

Result<const kir::Kernel*> find_kernel(const kir::Module& module, const std::string& name,
                                       const std::string& file) {
  std::vector<const kir::Kernel*> found;
  for (const auto& kernel : module.kernels)
    if (names_kernel(kernel->manifest, name)) found.push_back(kernel.get());
  if (found.size() == 1) return found[0];

  Diagnostic error = Diagnostic::error(found.empty() ? "no kernel '" + name + "' in '" + file + "'"
                                                     : "'" + name + "' names several kernels; use a symbol");
  for (const auto& kernel : module.kernels) {
    const abi::Manifest& m = kernel->manifest;
    if (!found.empty() && !names_kernel(m, name)) continue;
    error.notes.push_back(
        {kir::Severity::Note, "kernel '" + m.display + "' has the symbol '" + m.name + "'", {}, {}});
  }
  return error;
}

Result<void> keep_kernel(kir::Module& module, const std::string& name, const std::string& file) {
  if (name.empty()) return {};
  auto kernel = find_kernel(module, name, file);
  if (!kernel) return kernel.diagnostics();
  std::erase_if(module.kernels, [&](const auto& k) { return k.get() != *kernel; });
  return {};
}

}  // namespace spirea::compiler
