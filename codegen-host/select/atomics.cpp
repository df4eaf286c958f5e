// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic accesses, fences and barriers. Workgroup and private memory is seen by one thread alone, the one
// that runs the workgroup: there an atomic access is a plain one.
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include "codegen-host/select/selector.h"

namespace spirea::host::selectors {
namespace {

using llvm::AtomicOrdering;

AtomicOrdering ordering(kir::Order order) {
  switch (order) {
    case kir::Order::Relaxed: return AtomicOrdering::Monotonic;
    case kir::Order::Acquire: return AtomicOrdering::Acquire;
    case kir::Order::Release: return AtomicOrdering::Release;
    case kir::Order::AcqRel: return AtomicOrdering::AcquireRelease;
    case kir::Order::SeqCst: return AtomicOrdering::SequentiallyConsistent;
  }
  return AtomicOrdering::SequentiallyConsistent;
}

bool is_seen_by_one_thread(const kir::Op& op) {
  const kir::Space space = op.operand(0)->type().space();
  return space == kir::Space::Workgroup || space == kir::Space::Private;
}

llvm::LoadInst* plain_load(Selector& s, const kir::Op& op, llvm::Type* type) {
  const auto& atomic = op.as<kir::AtomicAttr>();
  return s.builder.CreateAlignedLoad(type, s.operand(op, 0), llvm::Align(atomic.align), atomic.is_volatile);
}

llvm::StoreInst* plain_store(Selector& s, const kir::Op& op, llvm::Value* value) {
  const auto& atomic = op.as<kir::AtomicAttr>();
  return s.builder.CreateAlignedStore(value, s.operand(op, 0), llvm::Align(atomic.align), atomic.is_volatile);
}

}  // namespace

llvm::Value* atomic_load(Selector& s, const kir::Op& op, unsigned) {
  llvm::LoadInst* load = plain_load(s, op, s.result_type(op));
  if (!is_seen_by_one_thread(op)) load->setAtomic(ordering(op.as<kir::AtomicAttr>().order));
  return load;
}

llvm::Value* atomic_store(Selector& s, const kir::Op& op, unsigned) {
  llvm::StoreInst* store = plain_store(s, op, s.operand(op, 1));
  if (!is_seen_by_one_thread(op)) store->setAtomic(ordering(op.as<kir::AtomicAttr>().order));
  return nullptr;
}

llvm::Value* atomic_update(Selector& s, const kir::Op& op, unsigned parameter) {
  const auto operation = static_cast<llvm::AtomicRMWInst::BinOp>(parameter);
  llvm::Value* operand = s.operand(op, 1);
  if (is_seen_by_one_thread(op)) {
    llvm::Value* before = plain_load(s, op, operand->getType());
    plain_store(s, op, llvm::buildAtomicRMWValue(operation, s.builder, before, operand));
    return before;
  }
  const auto& atomic = op.as<kir::AtomicAttr>();
  llvm::AtomicRMWInst* update = s.builder.CreateAtomicRMW(operation, s.operand(op, 0), operand,
                                                          llvm::Align(atomic.align), ordering(atomic.order));
  update->setVolatile(atomic.is_volatile);
  return update;
}

llvm::Value* compare_exchange(Selector& s, const kir::Op& op, unsigned) {
  llvm::IRBuilder<>& b = s.builder;
  llvm::Value* expected = s.operand(op, 1);
  if (is_seen_by_one_thread(op)) {
    llvm::Value* before = plain_load(s, op, expected->getType());
    plain_store(s, op, b.CreateSelect(b.CreateICmpEQ(before, expected), s.operand(op, 2), before));
    return before;
  }
  const auto& atomic = op.as<kir::AtomicAttr>();
  const AtomicOrdering success = ordering(atomic.order);
  llvm::AtomicCmpXchgInst* exchange =
      b.CreateAtomicCmpXchg(s.operand(op, 0), expected, s.operand(op, 2), llvm::Align(atomic.align), success,
                            llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(success));
  exchange->setVolatile(atomic.is_volatile);
  return b.CreateExtractValue(exchange, 0);
}

// Between invocations of one workgroup it is the compiler alone that could change the order.
llvm::Value* fence(Selector& s, const kir::Op& op, unsigned) {
  const auto& sync = op.as<kir::SyncAttr>();
  const bool is_of_one_thread = sync.scope <= kir::Scope::Workgroup;
  s.builder.CreateFence(ordering(sync.order),
                        is_of_one_thread ? llvm::SyncScope::SingleThread : llvm::SyncScope::System);
  return nullptr;
}

}  // namespace spirea::host::selectors
