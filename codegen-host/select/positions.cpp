// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Position in the launch.
#include "codegen-host/select/selector.h"

namespace spirea::host::selectors {

llvm::Value* position(Selector& s, const kir::Op& op, unsigned kind) {
  return s.environment().position[kind][static_cast<std::size_t>(op.as<kir::Dim>())];
}

// A launch has less than 2^32 invocations in each dimension (host.h), so that neither product nor sum wraps.
llvm::Value* global_position(Selector& s, const kir::Op& op, unsigned is_size) {
  const Position& position = s.environment().position;
  const auto dim = static_cast<std::size_t>(op.as<kir::Dim>());
  llvm::Value* groups = position[is_size != 0 ? kNumWorkgroups : kWorkgroupId][dim];
  llvm::Value* first = s.builder.CreateNUWMul(groups, position[kWorkgroupSize][dim]);
  return is_size != 0 ? first : s.builder.CreateNUWAdd(first, position[kLocalId][dim]);
}

}  // namespace spirea::host::selectors
