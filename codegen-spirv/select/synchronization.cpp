// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic accesses, barriers and fences (SPIR-V specification 3.52.18 and 3.52.20), in the Vulkan memory
// model:
// - The scope of a device is that of the queue family. A kernel runs in one queue, so that both are the same
//   invocations, and every device has this one. Vulkan knows no scope of the whole system.
// - There is no sequentially consistent order ("must not be used", Vulkan environment): it is acquire and
// release.
// - What releases makes the writes before available, what acquires makes them visible.
#include "codegen-spirv/legalize/memory.h"
#include "codegen-spirv/select/selector.h"

namespace spirea::spirv {

using kir::Opcode;
using kir::Order;
using kir::Type;

namespace {

template <class Inst>
Id emit_atomic(ModuleWriter& w, Id type, Id pointer, Id memory, Id semantics, Id value) {
  return w.define(Section::Function, Inst{.type = type,
                                          .result = {},
                                          .pointer = pointer,
                                          .memory = memory,
                                          .semantics = semantics,
                                          .value = value});
}
using EmitAtomic = Id (*)(ModuleWriter&, Id, Id, Id, Id, Id);

EmitAtomic update(Opcode opcode) {
  switch (opcode) {
    case Opcode::AtomicSwap: return emit_atomic<OpAtomicExchange>;
    case Opcode::AtomicFAdd: return emit_atomic<OpAtomicFAddEXT>;
    case Opcode::AtomicAdd: return emit_atomic<OpAtomicIAdd>;
    case Opcode::AtomicSub: return emit_atomic<OpAtomicISub>;
    case Opcode::AtomicAnd: return emit_atomic<OpAtomicAnd>;
    case Opcode::AtomicOr: return emit_atomic<OpAtomicOr>;
    case Opcode::AtomicXor: return emit_atomic<OpAtomicXor>;
    case Opcode::AtomicSMin: return emit_atomic<OpAtomicSMin>;
    case Opcode::AtomicSMax: return emit_atomic<OpAtomicSMax>;
    case Opcode::AtomicUMin: return emit_atomic<OpAtomicUMin>;
    case Opcode::AtomicUMax: return emit_atomic<OpAtomicUMax>;
    default: return nullptr;
  }
}

Order only_acquire(Order order) { return acquires(order) ? Order::Acquire : Order::Relaxed; }
Order only_release(Order order) { return releases(order) ? Order::Release : Order::Relaxed; }

spv::MemorySemanticsMask mask_of(Order order) {
  using Mask = spv::MemorySemanticsMask;
  if (order == Order::Relaxed) return Mask::MaskNone;
  Mask mask = Mask::UniformMemory | Mask::WorkgroupMemory;
  if (acquires(order)) mask = mask | Mask::MakeVisible;
  if (releases(order)) mask = mask | Mask::MakeAvailable;
  if (order == Order::Acquire) return mask | Mask::Acquire;
  if (order == Order::Release) return mask | Mask::Release;
  return mask | Mask::AcquireRelease;
}

}  // namespace

void Selector::find_synchronization() {
  kir::walk(kernel_.body, [&](const kir::Op& op) {
    if (op.is(Opcode::Barrier) || op.is(Opcode::Fence)) is_synchronized_ = true;
    if (is_atomic(op) && op.as<kir::AtomicAttr>().order != Order::Relaxed) is_synchronized_ = true;
  });
}

Id Selector::scope(kir::Scope scope) {
  constexpr spv::Scope scopes[] = {spv::Scope::Invocation, spv::Scope::Subgroup, spv::Scope::Workgroup,
                                   spv::Scope::QueueFamily, spv::Scope::QueueFamily};
  return w_.constant_u32(static_cast<Word>(scopes[static_cast<std::size_t>(scope)]));
}

/// "If Scope for Memory is Invocation, Memory Semantics must be None" (Vulkan environment for SPIR-V).
Id Selector::semantics(Order order, kir::Scope scope, bool is_volatile) {
  auto mask = scope == kir::Scope::Invocation ? spv::MemorySemanticsMask::MaskNone : mask_of(order);
  if (is_volatile) mask = mask | spv::MemorySemanticsMask::Volatile;
  return w_.constant_u32(static_cast<Word>(mask));
}

void Selector::require_atomic(const kir::Op& op) {
  const Type t = accessed_type(op);
  if (op.is(Opcode::AtomicFAdd))
    w_.require(t.bits() == 64 ? spv::Capability::AtomicFloat64AddEXT : spv::Capability::AtomicFloat32AddEXT);
  else if (t == Type::i64())
    w_.require(spv::Capability::Int64Atomics);
}

Id Selector::atomic(const kir::Op& op) {
  const auto& attr = op.as<kir::AtomicAttr>();
  const Type t = accessed_type(op);
  require_atomic(op);
  const Id pointer = pointer_to(op.operand(0), t), memory = scope(attr.scope);
  const auto ordered = [&](Order order) { return semantics(order, attr.scope, attr.is_volatile); };
  if (op.is(Opcode::AtomicGet))
    return add(OpAtomicLoad{.type = type(t),
                            .pointer = pointer,
                            .memory = memory,
                            .semantics = ordered(only_acquire(attr.order))});
  if (op.is(Opcode::AtomicCas))
    return add(OpAtomicCompareExchange{.type = type(t),
                                       .pointer = pointer,
                                       .memory = memory,
                                       .equal = ordered(attr.order),
                                       .unequal = ordered(only_acquire(attr.order)),
                                       .value = get(op.operand(2)),
                                       .comparator = get(op.operand(1))});
  const EmitAtomic emit = update(op.opcode());
  if (emit != nullptr) return emit(w_, type(t), pointer, memory, ordered(attr.order), get(op.operand(1)));
  fail(op, "internal error: '" + std::string(mnemonic(op.opcode())) + "' reached instruction selection");
  return w_.undef(type(t));
}

void Selector::atomic_store(const kir::Op& op) {
  const auto& attr = op.as<kir::AtomicAttr>();
  const Type t = accessed_type(op);
  require_atomic(op);
  const Id pointer = pointer_to(op.operand(0), t);
  w_.emit(Section::Function,
          OpAtomicStore{.pointer = pointer,
                        .memory = scope(attr.scope),
                        .semantics = semantics(only_release(attr.order), attr.scope, attr.is_volatile),
                        .value = get(op.operand(1))});
}

void Selector::synchronize(const kir::Op& op) {
  const auto& attr = op.as<kir::SyncAttr>();
  const Id memory = scope(attr.scope), order = semantics(attr.order, attr.scope);
  if (op.is(Opcode::Barrier))
    w_.emit(Section::Function, OpControlBarrier{.execution = memory, .memory = memory, .semantics = order});
  else if (attr.scope != kir::Scope::Invocation)
    w_.emit(Section::Function, OpMemoryBarrier{.memory = memory, .semantics = order});
}

}  // namespace spirea::spirv
