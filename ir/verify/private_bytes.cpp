// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/verify/private_bytes.h"

namespace spirea::kir {

std::optional<Diagnostic> too_many_private_bytes(const Module& module, const Kernel& kernel,
                                                 std::uint64_t limit, std::string_view target) {
  const Op* largest = nullptr;
  std::uint64_t total = 0;  // objects are few, and the verifier limits their size
  const auto size = [](const Op& op) { return op.as<ObjectAttr>().size; };
  for (const Op& op : kernel.body) {
    if (!op.is(Opcode::Object) || op.result()->type().space() != Space::Private) continue;
    total += size(op);
    if (largest == nullptr || size(op) > size(*largest)) largest = &op;
  }
  if (total <= limit) return std::nullopt;
  const std::string& name = largest->result()->name;
  return Diagnostic::error_at(module.locations, largest->location,
                              "the local variables of kernel '" + kernel.manifest.display + "' take " +
                                  std::to_string(total) + " bytes, more than the " + std::to_string(limit) +
                                  " of an invocation on " + std::string(target) + "; " +
                                  (name.empty() ? "the largest" : "'" + name + "'") + " takes " +
                                  std::to_string(size(*largest)));
}

}  // namespace spirea::kir
