// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen-host/can_generate.h"

#include <bit>
#include <string>
#include <vector>

#include "ir/verify/private_bytes.h"

namespace spirea::host {
namespace {

using kir::Diagnostic;
using kir::Op;
using kir::Opcode;

/// What memory of whole pages has: the stack's, and a workgroup's.
constexpr std::uint32_t kMaxObjectAlign = 4096;

void check_objects(const kir::Module& module, const kir::Kernel& kernel, std::vector<Diagnostic>& errors) {
  for (const Op& op : kernel.body) {
    if (!op.is(Opcode::Object)) continue;
    const auto& object = op.as<kir::ObjectAttr>();
    const bool is_shared = op.result()->type().space() == kir::Space::Workgroup;
    if (object.align > kMaxObjectAlign)
      errors.push_back(Diagnostic::error_at(
          module.locations, op.location,
          "alignment " + std::to_string(object.align) + " of " + (is_shared ? "a workgroup" : "a local") +
              " object is not available on the host; the largest is " + std::to_string(kMaxObjectAlign)));
  }
  if (auto error = kir::too_many_private_bytes(module, kernel, kMaxPrivateBytes, "the host"))
    errors.push_back(*std::move(error));
}

}  // namespace

kir::Result<void> can_generate(const kir::Module& module) {
  std::vector<Diagnostic> errors;
  for (const auto& kernel : module.kernels) check_objects(module, *kernel, errors);
  return errors;
}

}  // namespace spirea::host
