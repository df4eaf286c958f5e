// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen-spirv/legalize/legalize.h"
#include "ir/verify/private_bytes.h"

namespace spirea::spirv {
namespace {

using kir::Opcode;

/// Elementary functions that GLSL.std.450 does not have and that are not composed from others here.
bool is_missing(Opcode opcode) {
  switch (opcode) {
    case Opcode::Erf:
    case Opcode::Erfc:
    case Opcode::Tgamma:
    case Opcode::Lgamma: return true;
    default: return false;
  }
}

/// GLSL.std.450 has these for 16- and 32-bit floats alone.
bool is_elementary(Opcode opcode) { return opcode >= Opcode::Sin && opcode <= Opcode::Lgamma; }

}  // namespace

kir::Result<void> can_generate(const kir::Module& module, std::uint64_t max_private_bytes) {
  std::vector<kir::Diagnostic> errors;
  for (const auto& kernel : module.kernels) {
    if (auto error =
            kir::too_many_private_bytes(module, *kernel, max_private_bytes, "Vulkan (--max-private-bytes)"))
      errors.push_back(*std::move(error));
    kir::walk(kernel->body, [&](const kir::Op& op) {
      if (!is_elementary(op.opcode())) return;
      const std::string name(kir::mnemonic(op.opcode()));
      if (op.result()->type() == kir::Type::f64())
        errors.push_back(kir::Diagnostic::error_at(
            module.locations, op.location, "'" + name + "' of double is not available on Vulkan yet"));
      else if (is_missing(op.opcode()))
        errors.push_back(kir::Diagnostic::error_at(module.locations, op.location,
                                                   "'" + name + "' is not available on Vulkan yet"));
    });
  }
  return errors;
}

}  // namespace spirea::spirv
