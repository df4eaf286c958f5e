// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen-host/can_generate.h"

#include <bit>
#include <string>
#include <vector>

namespace spirea::host {
namespace {

using kir::Diagnostic;
using kir::Op;
using kir::Opcode;

/// What the stack has for alignment beyond the pages that every thread gets.
constexpr std::uint32_t kMaxObjectAlign = 4096;

void check_objects(const kir::Module& module, const kir::Kernel& kernel, std::vector<Diagnostic>& errors) {
  std::uint64_t total = 0;
  for (const Op& op : kernel.body) {
    if (!op.is(Opcode::Object)) continue;
    const auto& object = op.as<kir::ObjectAttr>();
    if (object.align > kMaxObjectAlign)
      errors.push_back(
          Diagnostic::error_at(module.locations, op.location,
                               "alignment " + std::to_string(object.align) +
                                   " of a local object is not available on the host; the largest is " +
                                   std::to_string(kMaxObjectAlign)));
    const bool was_within = total <= kMaxPrivateBytes;
    total = object.size > kMaxPrivateBytes ? kMaxPrivateBytes + 1 : total + object.size;
    if (was_within && total > kMaxPrivateBytes)
      errors.push_back(Diagnostic::error_at(module.locations, op.location,
                                            "kernel '" + kernel.manifest.display +
                                                "' has more local objects than the host's limit of " +
                                                std::to_string(kMaxPrivateBytes) + " bytes an invocation"));
  }
}

bool needs_other_invocations(const Op& op) {
  if (op.is(Opcode::Object)) return op.result()->type().space() == kir::Space::Workgroup;
  return op.opcode() >= Opcode::DynamicShared && op.opcode() <= Opcode::GroupFMax;
}

void check_ops(const kir::Module& module, const kir::Kernel& kernel, std::vector<Diagnostic>& errors) {
  kir::walk(kernel.body, [&](const Op& op) {
    if (needs_other_invocations(op))
      errors.push_back(Diagnostic::error_at(
          module.locations, op.location,
          "'" + std::string(kir::mnemonic(op.opcode())) + "' is not available on the host yet"));
  });
}

}  // namespace

kir::Result<void> can_generate(const kir::Module& module) {
  std::vector<Diagnostic> errors;
  for (const auto& kernel : module.kernels) {
    check_objects(module, *kernel, errors);
    check_ops(module, *kernel, errors);
  }
  return errors;
}

}  // namespace spirea::host
