// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>

#include "ir/interp/ops/floats.h"
#include "ir/interp/ops/handlers.h"

namespace spirea::interp {

const Instr* move_value(const Instr* i, Invocation& v) {
  v.frame[i->result] = v.frame[i->a];
  return i + 1;
}

const Instr* freeze_value(const Instr* i, Invocation& v) {
  v.frame[i->result] = v.frame[i->a];
  v.frame[i->result].undefined = 0;
  return i + 1;
}

const Instr* select_value(const Instr* i, Invocation& v) {
  const Slot& condition = v.frame[i->a];
  Slot& result = v.frame[i->result];
  result = v.frame[condition.bits != 0 ? i->b : i->c];
  if (condition.undefined != 0) [[unlikely]] {
    result.undefined = static_cast<std::uint64_t>(i->immediate);
    result.origin = condition.origin;
  }
  return i + 1;
}

const Instr* offset_pointer(const Instr* i, Invocation& v) {
  const Slot &pointer = v.frame[i->a], &index = v.frame[i->b];
  Slot& result = v.frame[i->result];
  // `c` is the index's width: it is signed.
  const auto distance =
      static_cast<std::uint64_t>(sign_extend(index.bits, i->c)) * static_cast<std::uint64_t>(i->immediate) +
      static_cast<std::uint64_t>(i->displacement);
  result.bits = pointer.bits + distance;
  result.window = pointer.window;
  result.undefined = 0;
  if ((pointer.undefined | index.undefined) != 0) [[unlikely]] {
    result.undefined = ~std::uint64_t{0};
    result.origin = origin_of(pointer, index);
  }
  return i + 1;
}

const Instr* query_position(const Instr* i, Invocation& v) {
  set(v.frame[i->result], v.position[i->a][i->b]);
  return i + 1;
}

const Instr* query_subgroup(const Instr* i, Invocation& v) {
  set(v.frame[i->result], v.subgroup[i->a]);
  return i + 1;
}

const Instr* check_fast_math(const Instr* i, Invocation& v) {
  const auto flags = static_cast<std::uint8_t>(i->immediate);
  const unsigned width = i->target;
  Slot& result = v.frame[i->result];
  for (const std::uint32_t slot : {i->result, i->a, i->b, i->c}) {
    const double value = width == 16   ? Half::decode(v.frame[slot].bits)
                         : width == 32 ? Single::decode(v.frame[slot].bits)
                                       : Double::decode(v.frame[slot].bits);
    const bool broken = ((flags & kir::FastAttr::NoNan) != 0 && std::isnan(value)) ||
                        ((flags & kir::FastAttr::NoInf) != 0 && std::isinf(value));
    if (slot == 0 || !broken || result.undefined != 0) continue;
    result.undefined = low_bits(width);
    result.origin = i->op;
  }
  return i + 1;
}

}  // namespace spirea::interp
