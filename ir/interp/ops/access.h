// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ir/interp/program.h"

namespace spirea::interp {

/// The window if the access is right but for races; null otherwise. An instruction's immediate is the
/// alignment less one.
inline const Window* accessible(const Instr* i, const Invocation& v, const Slot& pointer, std::uint64_t size,
                                bool is_load, bool is_store) {
  const Window& window = v.windows[pointer.window];
  const std::uint64_t offset = pointer.bits - window.begin;
  const bool inside = offset < window.size && window.size - offset >= size;
  const bool allowed = (!is_store || window.can_write) && (!is_load || window.can_read);
  const bool aligned = (pointer.bits & static_cast<std::uint64_t>(i->immediate)) == 0;
  return inside && allowed && aligned && pointer.undefined == 0 ? &window : nullptr;
}

/// For race detection.
inline Access this_access(const Instr* i, const Invocation& v, bool is_atomic = false) {
  Access access;
  access.invocation = v.number;
  access.op = i->op;
  access.is_atomic = is_atomic ? 1 : 0;
  access.epoch = v.order.now;
  return access;
}

}  // namespace spirea::interp
