// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen-host/emit/aliasing.h"

#include <algorithm>

namespace spirea::host {
namespace {

using abi::Param;
using abi::ParamKind;

bool has_address_in_value(const kir::Kernel& kernel) {
  return std::ranges::any_of(kernel.manifest.params, [](const Param& param) {
    return param.kind == ParamKind::Value && std::ranges::any_of(param.leaves, [](const abi::Leaf& leaf) {
             return leaf.scalar == abi::Scalar::Ptr;
           });
  });
}

bool computes_addresses(const kir::Kernel& kernel) {
  bool found = false;
  kir::walk(kernel.body, [&](const kir::Op& op) {
    const bool is_loaded_pointer = op.is(kir::Opcode::Load) && op.result()->type().is_ptr() &&
                                   op.operand(0)->type().space() == kir::Space::Global;
    found = found || is_loaded_pointer || op.is(kir::Opcode::IntToPtr);
  });
  return found;
}

/// True if other threads may see what the kernel writes while it runs, and it what they write: to LLVM,
/// accesses of other threads are accesses through other pointers.
bool talks_to_other_workgroups(const kir::Kernel& kernel) {
  bool found = false;
  kir::walk(kernel.body, [&](const kir::Op& op) {
    if (op.is(kir::Opcode::Fence)) {
      found = found || op.as<kir::SyncAttr>().scope > kir::Scope::Workgroup;
    } else if (kir::info(op.opcode()).effect == kir::OpEffect::Atomic) {
      const kir::Space space = op.operand(0)->type().space();
      found = found || space == kir::Space::Global || space == kir::Space::Generic;
    }
  });
  return found;
}

/// The launch allows two buffers to overlap if either is marked; two that are only read do no harm.
bool may_conflict(const Param& a, const Param& b) {
  const bool one_is_written = a.access != abi::Access::Read || b.access != abi::Access::Read;
  return one_is_written && (a.may_alias || b.may_alias);
}

}  // namespace

// Addresses inside of structs and in memory are beyond the launch's check, and may be anywhere in a buffer.
bool is_noalias(const kir::Kernel& kernel, const kir::Value* argument) {
  const Param* buffer = kernel.buffer_of(argument);
  if (buffer == nullptr || has_address_in_value(kernel) || computes_addresses(kernel)) return false;
  if (buffer->access != abi::Access::Read && talks_to_other_workgroups(kernel)) return false;
  return std::ranges::none_of(kernel.manifest.params, [&](const Param& other) {
    return &other != buffer && other.kind == ParamKind::Buffer && may_conflict(*buffer, other);
  });
}

}  // namespace spirea::host
