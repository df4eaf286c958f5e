// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations: LLVM's, which std::atomic_ref comes down to, and calls of those of spirea/kernel.hpp,
// which have a scope.
#include <llvm/Support/AtomicOrdering.h>

#include "frontend/import/importer.h"

namespace spirea::frontend {

using kir::Opcode;
using kir::Type;

namespace {

kir::Order order_of(llvm::AtomicOrdering ordering) {
  switch (ordering) {
    case llvm::AtomicOrdering::NotAtomic:
    case llvm::AtomicOrdering::Unordered:
    case llvm::AtomicOrdering::Monotonic: return kir::Order::Relaxed;
    case llvm::AtomicOrdering::Acquire: return kir::Order::Acquire;
    case llvm::AtomicOrdering::Release: return kir::Order::Release;
    case llvm::AtomicOrdering::AcquireRelease: return kir::Order::AcqRel;
    case llvm::AtomicOrdering::SequentiallyConsistent: break;
  }
  return kir::Order::SeqCst;
}

/// std::memory_order; the strongest where it is not constant.
kir::Order order_of(const llvm::Value* argument) {
  const auto* order = llvm::dyn_cast<llvm::ConstantInt>(argument);
  if (order == nullptr || !llvm::isValidAtomicOrderingCABI(order->getSExtValue())) return kir::Order::SeqCst;
  switch (static_cast<llvm::AtomicOrderingCABI>(order->getSExtValue())) {
    case llvm::AtomicOrderingCABI::relaxed: return kir::Order::Relaxed;
    case llvm::AtomicOrderingCABI::consume:
    case llvm::AtomicOrderingCABI::acquire: return kir::Order::Acquire;
    case llvm::AtomicOrderingCABI::release: return kir::Order::Release;
    case llvm::AtomicOrderingCABI::acq_rel: return kir::Order::AcqRel;
    case llvm::AtomicOrderingCABI::seq_cst: break;
  }
  return kir::Order::SeqCst;
}

/// Buffers are not shared with the host while a kernel runs, so that the scope of C++ is the device.
kir::Scope scope_of(llvm::SyncScope::ID scope) {
  return scope == llvm::SyncScope::SingleThread ? kir::Scope::Invocation : kir::Scope::Device;
}

constexpr NamedOp kCalls[] = {
#define SPIREA_ATOMIC(name, opcode, values) {name, Opcode::opcode, values},
#include "frontend/import/intrinsics.def"
};

struct Operation {
  llvm::AtomicRMWInst::BinOp operation;
  Opcode opcode;
};
constexpr Operation kOperations[] = {
#define LLVM_ATOMIC(operation, opcode) {llvm::AtomicRMWInst::operation, Opcode::opcode},
#include "frontend/import/intrinsics.def"
};

/// A load cannot release, a store cannot acquire.
kir::Order legal(kir::Order order, Opcode opcode) {
  const bool acquires = opcode != Opcode::AtomicSet, releases = opcode != Opcode::AtomicGet;
  if (order == kir::Order::AcqRel && !acquires) return kir::Order::Release;
  if (order == kir::Order::AcqRel && !releases) return kir::Order::Acquire;
  if (order == kir::Order::Acquire && !acquires) return kir::Order::Relaxed;
  if (order == kir::Order::Release && !releases) return kir::Order::Relaxed;
  return order;
}

constexpr char kTooWide[] = "atomic operations on more than 8 bytes are not supported in kernels";

bool takes_numbers(Opcode opcode) {
  return opcode == Opcode::AtomicGet || opcode == Opcode::AtomicSet || opcode == Opcode::AtomicSwap ||
         opcode == Opcode::AtomicCas;
}

}  // namespace

/// The bits of a value as an integer, which exchanges and comparisons take.
kir::Value* Importer::as_number(kir::Value* value) {
  if (value->type().is_ptr()) return address_as_number(value);
  if (value->type().is_float()) return reinterpret(value, Type::integer(value->type().bits()));
  return value;
}

kir::Value* Importer::atomic(Opcode opcode, const AtomicPlace& place, llvm::ArrayRef<kir::Value*> operands,
                             Type type) {
  Type held = type;
  std::vector<kir::Value*> all = {place.pointer};
  for (kir::Value* operand : operands) all.push_back(takes_numbers(opcode) ? as_number(operand) : operand);
  if (takes_numbers(opcode) && !type.is_int()) held = Type::integer(type.is_ptr() ? 64 : type.bits());
  kir::Value* before = nullptr;
  if (place.pointer->type().space() == kir::Space::Constant) {
    error("this writes to constant data");
  } else {
    kir::AtomicAttr attr = place.attr;
    attr.order = legal(attr.order, opcode);
    kir::Op* op = builder_.create(opcode, all, {&held, opcode == Opcode::AtomicSet ? 0u : 1u}, attr);
    if (op->num_results() != 0) before = op->result();
  }
  if (opcode == Opcode::AtomicSet) return nullptr;
  if (before == nullptr) return zero(type);
  if (held == type) return before;
  return type.is_ptr() ? builder_.convert(Opcode::IntToPtr, before, type) : reinterpret(before, type);
}

template <class Inst>
Importer::AtomicPlace Importer::place_of(const Inst& inst, llvm::AtomicOrdering order) {
  return {scalar(inst.getPointerOperand()),
          {static_cast<std::uint32_t>(inst.getAlign().value()), scope_of(inst.getSyncScopeID()),
           order_of(order), inst.isVolatile()}};
}

void Importer::atomic_load(const llvm::LoadInst& inst) {
  if (is_wide(inst.getType())) return unsupported(inst, kTooWide);
  const AtomicPlace place = place_of(inst, inst.getOrdering());
  set(&inst, atomic(Opcode::AtomicGet, place, {}, scalar_type(inst.getType(), &inst)));
}

void Importer::atomic_store(const llvm::StoreInst& inst) {
  if (is_wide(inst.getValueOperand()->getType())) return unsupported(inst, kTooWide);
  const AtomicPlace place = place_of(inst, inst.getOrdering());
  kir::Value* value = scalar(inst.getValueOperand());
  atomic(Opcode::AtomicSet, place, {value}, value->type());
}

void Importer::atomic_update(const llvm::AtomicRMWInst& inst) {
  if (is_wide(inst.getType())) return unsupported(inst, kTooWide);
  const AtomicPlace place = place_of(inst, inst.getOrdering());
  kir::Value* value = scalar(inst.getValOperand());
  auto operation = inst.getOperation();
  if (operation == llvm::AtomicRMWInst::FSub) {
    operation = llvm::AtomicRMWInst::FAdd;
    value = builder_.unary(Opcode::FNeg, value);
  }
  for (const Operation& row : kOperations)
    if (row.operation == operation) return set(&inst, atomic(row.opcode, place, {value}, value->type()));
  unsupported(inst, "the atomic operation '" + llvm::AtomicRMWInst::getOperationName(operation).str() +
                        "' is not supported in kernels");
}

void Importer::atomic_exchange(const llvm::AtomicCmpXchgInst& inst) {
  if (is_wide(inst.getCompareOperand()->getType())) return unsupported(inst, kTooWide);
  const AtomicPlace place = place_of(inst, inst.getMergedOrdering());
  kir::Value* expected = scalar(inst.getCompareOperand());
  kir::Value* desired = scalar(inst.getNewValOperand());
  kir::Value* before = atomic(Opcode::AtomicCas, place, {expected, desired}, expected->type());
  kir::Value* success = builder_.compare(Opcode::IEq, before, expected);
  set(&inst, Components{before, success});
}

void Importer::fence(const llvm::FenceInst& inst) {
  if (inst.getSyncScopeID() == llvm::SyncScope::SingleThread) return;  // orders what the compiler does
  const kir::SyncAttr attr{scope_of(inst.getSyncScopeID()), order_of(inst.getOrdering())};
  builder_.create(Opcode::Fence, {}, {}, attr);
}

/// T __spirea_atomic_<op>.<type>(T* pointer, T values..., int order, unsigned scope)
bool Importer::atomic_call(const llvm::CallBase& inst, llvm::StringRef name) {
  const llvm::StringRef stem = without_type(name);
  for (const NamedOp& row : kCalls) {
    if (row.name != stem || inst.arg_size() != row.operands + 3) continue;
    const auto* scope = llvm::dyn_cast<llvm::ConstantInt>(inst.getArgOperand(row.operands + 2));
    if (scope == nullptr || scope->getZExtValue() > static_cast<unsigned>(kir::Scope::System)) {
      unsupported(inst, "the scope of an atomic operation must be constant");
      return true;
    }
    std::vector<kir::Value*> values;
    for (unsigned i = 0; i < row.operands; ++i) values.push_back(scalar(inst.getArgOperand(i + 1)));
    const Type type = values.empty() ? scalar_type(inst.getType(), &inst) : values[0]->type();
    const AtomicPlace place{scalar(inst.getArgOperand(0)),
                            {type.bytes(), static_cast<kir::Scope>(scope->getZExtValue()),
                             order_of(inst.getArgOperand(row.operands + 1))}};
    kir::Value* before = atomic(row.opcode, place, values, type);
    if (before != nullptr) set(&inst, before);
    return true;
  }
  return false;
}

}  // namespace spirea::frontend
