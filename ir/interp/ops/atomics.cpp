// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic access. Invocations run in turns and stop at meetings alone, so that a handler is atomic by itself;
// what is left is who is ordered with whom. An instruction's displacement is the order.
#include <bit>
#include <cstring>

#include "ir/interp/ops/access.h"
#include "ir/interp/ops/combine.h"
#include "ir/interp/ops/handlers.h"

namespace spirea::interp {
namespace {

using kir::Opcode;
using kir::Order;

void acquire(Invocation& v) { v.order.acquired = *v.clock; }

void release(Invocation& v) {
  if (v.released == nullptr) return;
  v.order.now = ++*v.clock;
  if (v.released->size() <= v.number) v.released->resize(v.number + 1);
  (*v.released)[v.number] = v.order.now;
}

/// The place in memory, or null after a fault.
template <unsigned Bytes>
std::uint8_t* place(const Instr* i, Invocation& v, bool is_load, bool is_store, std::uint8_t*& undefined) {
  const Slot& pointer = v.frame[i->a];
  const Window* window = accessible(i, v, pointer, Bytes, is_load, is_store);
  if (window == nullptr) {
    access_fault(i, v, pointer, Bytes, is_store);
    return nullptr;
  }
  const std::uint64_t offset = pointer.bits - window->begin;
  if (window->races != nullptr) {
    const Access access = this_access(i, v, true);
    const auto conflict = is_store
                              ? window->races->write(window->race_offset + offset, Bytes, access, v.order)
                              : window->races->read(window->race_offset + offset, Bytes, access, v.order);
    if (conflict) {
      race_fault(i, v, pointer, Bytes, is_store, *conflict);
      return nullptr;
    }
  }
  undefined = window->undefined + offset;
  return window->data + offset;
}

template <unsigned Bytes>
Slot read_slot(const Instr* i, const std::uint8_t* data, const std::uint8_t* undefined) {
  Slot value;
  std::memcpy(&value.bits, data, Bytes);
  std::memcpy(&value.undefined, undefined, Bytes);
  value.origin = i->op;
  return value;
}

template <unsigned Bytes>
const Instr* atomic_load(const Instr* i, Invocation& v) {
  std::uint8_t* undefined = nullptr;
  const std::uint8_t* data = place<Bytes>(i, v, true, false, undefined);
  if (data == nullptr) return nullptr;
  v.frame[i->result] = read_slot<Bytes>(i, data, undefined);
  if (acquires(static_cast<Order>(i->displacement))) acquire(v);
  return i + 1;
}

template <unsigned Bytes>
const Instr* atomic_store(const Instr* i, Invocation& v) {
  std::uint8_t* undefined = nullptr;
  std::uint8_t* data = place<Bytes>(i, v, false, true, undefined);
  if (data == nullptr) return nullptr;
  const Slot& value = v.frame[i->b];
  std::memcpy(data, &value.bits, Bytes);
  std::memcpy(undefined, &value.undefined, Bytes);
  if (releases(static_cast<Order>(i->displacement))) release(v);
  return i + 1;
}

template <unsigned Bytes>
const Instr* atomic_update(const Instr* i, Invocation& v) {
  std::uint8_t* undefined = nullptr;
  std::uint8_t* data = place<Bytes>(i, v, true, true, undefined);
  if (data == nullptr) return nullptr;
  const Slot old = read_slot<Bytes>(i, data, undefined), operand = v.frame[i->b];
  const Opcode opcode = v.program.ops[i->op]->opcode();
  const bool is_swap = opcode == Opcode::AtomicSwap;
  const std::uint64_t bits = is_swap ? operand.bits : combine_of(opcode)(old.bits, operand.bits, Bytes * 8);
  const std::uint64_t unknown = is_swap                                    ? operand.undefined
                                : (old.undefined | operand.undefined) != 0 ? low_bits(Bytes * 8)
                                                                           : 0;
  std::memcpy(data, &bits, Bytes);
  std::memcpy(undefined, &unknown, Bytes);
  v.frame[i->result] = old;
  const auto order = static_cast<Order>(i->displacement);
  if (acquires(order)) acquire(v);
  if (releases(order)) release(v);
  return i + 1;
}

template <unsigned Bytes>
const Instr* compare_exchange(const Instr* i, Invocation& v) {
  std::uint8_t* undefined = nullptr;
  std::uint8_t* data = place<Bytes>(i, v, true, true, undefined);
  if (data == nullptr) return nullptr;
  const Slot old = read_slot<Bytes>(i, data, undefined), expected = v.frame[i->b], desired = v.frame[i->c];
  if (old.undefined != 0) return undefined_fault(i, v, old, "compare-exchange");
  if (expected.undefined != 0) return undefined_fault(i, v, expected, "compare-exchange");
  const auto order = static_cast<Order>(i->displacement);
  if (old.bits == expected.bits) {
    std::memcpy(data, &desired.bits, Bytes);
    std::memcpy(undefined, &desired.undefined, Bytes);
    if (releases(order)) release(v);
  }
  v.frame[i->result] = old;
  if (acquires(order)) acquire(v);
  return i + 1;
}

/// By the log2 of the bytes.
using BySize = std::array<Handler, 4>;
constexpr BySize kLoads = {atomic_load<1>, atomic_load<2>, atomic_load<4>, atomic_load<8>};
constexpr BySize kStores = {atomic_store<1>, atomic_store<2>, atomic_store<4>, atomic_store<8>};
constexpr BySize kUpdateHandlers = {atomic_update<1>, atomic_update<2>, atomic_update<4>, atomic_update<8>};
constexpr BySize kCompareExchanges = {compare_exchange<1>, compare_exchange<2>, compare_exchange<4>,
                                      compare_exchange<8>};

}  // namespace

Handler atomic_handler(const kir::Op& op) {
  const auto size = static_cast<std::size_t>(std::countr_zero(kir::accessed_type(op).bytes()));
  if (op.is(Opcode::AtomicGet)) return kLoads[size];
  if (op.is(Opcode::AtomicSet)) return kStores[size];
  return op.is(Opcode::AtomicCas) ? kCompareExchanges[size] : kUpdateHandlers[size];
}

const Instr* fence(const Instr* i, Invocation& v) {
  const auto order = static_cast<Order>(i->displacement);
  if (acquires(order)) acquire(v);
  if (releases(order)) release(v);
  return i + 1;
}

}  // namespace spirea::interp
