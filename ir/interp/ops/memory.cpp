// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores. An instruction's immediate is the alignment less one.
#include <cstring>

#include "ir/interp/ops/access.h"
#include "ir/interp/ops/handlers.h"

namespace spirea::interp {
namespace {

/// A value of one byte in memory and one bit in KIR: the byte is 0 or 1, as C++'s bool is.
Slot bool_from(Slot byte, std::uint32_t op) {
  if (byte.undefined == 0 && byte.bits > 1) return {byte.bits & 1, 1, 0, op};
  return {byte.bits & 1, byte.undefined != 0 ? 1u : 0u, 0, op};
}

template <unsigned Bytes, bool IsBool>
const Instr* load(const Instr* i, Invocation& v) {
  const Slot& pointer = v.frame[i->a];
  const Window* window = accessible(i, v, pointer, Bytes, true, false);
  if (window == nullptr) [[unlikely]]
    return access_fault(i, v, pointer, Bytes, false);
  const std::uint64_t offset = pointer.bits - window->begin;
  if (window->races != nullptr)
    if (const auto conflict =
            window->races->read(window->race_offset + offset, Bytes, this_access(i, v), v.order))
      return race_fault(i, v, pointer, Bytes, false, *conflict);
  Slot value;
  std::memcpy(&value.bits, window->data + offset, Bytes);
  std::memcpy(&value.undefined, window->undefined + offset, Bytes);
  value.origin = i->op;
  v.frame[i->result] = IsBool ? bool_from(value, i->op) : value;
  return i + 1;
}

/// A pointer from memory may access the object that its address is in.
const Instr* load_pointer(const Instr* i, Invocation& v) {
  const Instr* next = load<8, false>(i, v);
  if (next == nullptr) return nullptr;
  Slot& result = v.frame[i->result];
  result.window = v.window_of(result.bits, static_cast<kir::Space>(i->b));
  return next;
}

template <unsigned Bytes, bool IsBool>
const Instr* store(const Instr* i, Invocation& v) {
  const Slot &pointer = v.frame[i->a], &value = v.frame[i->b];
  const Window* window = accessible(i, v, pointer, Bytes, false, true);
  if (window == nullptr) [[unlikely]]
    return access_fault(i, v, pointer, Bytes, true);
  const std::uint64_t offset = pointer.bits - window->begin;
  const std::uint64_t undefined = IsBool && value.undefined != 0 ? 0xff : value.undefined;
  if (window->races != nullptr) {
    std::uint64_t old = 0, old_undefined = 0;
    std::memcpy(&old, window->data + offset, Bytes);
    std::memcpy(&old_undefined, window->undefined + offset, Bytes);
    const bool changes = old != value.bits || (old_undefined | undefined) != 0;
    if (changes || v.options.report_same_value_races)
      if (const auto conflict =
              window->races->write(window->race_offset + offset, Bytes, this_access(i, v), v.order))
        return race_fault(i, v, pointer, Bytes, true, *conflict);
  }
  std::memcpy(window->data + offset, &value.bits, Bytes);
  std::memcpy(window->undefined + offset, &undefined, Bytes);
  return i + 1;
}

constexpr ByWidth kLoads = {load<1, true>, load<1, false>, load<2, false>, load<4, false>, load<8, false>};
constexpr ByWidth kStores = {store<1, true>, store<1, false>, store<2, false>, store<4, false>,
                             store<8, false>};

}  // namespace

Handler load_handler(const kir::Op& op) {
  const kir::Type type = op.result()->type();
  return type.is_ptr() ? load_pointer : kLoads[width_index(type.bits())];
}

Handler store_handler(const kir::Op& op) { return kStores[width_index(op.operand(1)->type().bits())]; }

}  // namespace spirea::interp
