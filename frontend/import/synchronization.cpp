// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of spirea/kernel.hpp's built-in functions by which invocations meet.
#include "frontend/import/importer.h"

namespace spirea::frontend {

using kir::Opcode;
using kir::Type;

namespace {

constexpr NamedOp kSync[] = {
#define SPIREA_SYNC(name, opcode) {name, Opcode::opcode, 0},
#include "frontend/import/intrinsics.def"
};

constexpr NamedOp kSubgroup[] = {
#define SPIREA_SUBGROUP(name, opcode, values) {name, Opcode::opcode, values},
#include "frontend/import/intrinsics.def"
};

/// A constant argument below the bound; nothing for others.
std::optional<unsigned> constant_below(const llvm::Value* argument, std::uint64_t bound) {
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(argument);
  if (number == nullptr || number->getZExtValue() >= bound) return std::nullopt;
  return static_cast<unsigned>(number->getZExtValue());
}

constexpr std::uint64_t kScopes = 5, kOrders = 5, kGroupKinds = 4, kMaxCluster = 128;

}  // namespace

bool Importer::synchronization(const llvm::CallBase& inst, llvm::StringRef name) {
  if (name == "__spirea_dynamic_shared") {
    dynamic_shared(inst);
    return true;
  }
  const llvm::StringRef stem = without_type(name);
  for (const NamedOp& row : kSync)
    if (row.name == stem && inst.arg_size() == 2) {
      barrier(inst, row.opcode);
      return true;
    }
  for (const NamedOp& row : kSubgroup)
    if (row.name == stem) {
      subgroup(inst, row.opcode, row.operands);
      return true;
    }
  return false;
}

/// void(unsigned scope, unsigned order), numbered as kir::Scope and kir::Order
void Importer::barrier(const llvm::CallBase& inst, Opcode opcode) {
  const auto scope = constant_below(inst.getArgOperand(0), kScopes);
  const auto order = constant_below(inst.getArgOperand(1), kOrders);
  if (!scope || !order)
    return unsupported(inst, "scope and memory order of a barrier or fence must be constant");
  if (opcode == Opcode::Fence && static_cast<kir::Order>(*order) == kir::Order::Relaxed) return;
  const kir::SyncAttr attr{static_cast<kir::Scope>(*scope), static_cast<kir::Order>(*order)};
  builder_.create(opcode, {}, {}, attr);
}

void Importer::subgroup(const llvm::CallBase& inst, Opcode opcode, unsigned values) {
  std::vector<kir::Value*> operands;
  for (unsigned i = 0; i < values; ++i) operands.push_back(scalar(inst.getArgOperand(i)));
  kir::Attr attr;
  if (kir::info(opcode).attr == kir::AttrKind::Group) {
    const auto kind = constant_below(inst.getArgOperand(values), kGroupKinds);
    const auto size = constant_below(inst.getArgOperand(values + 1), kMaxCluster + 1);
    if (!kind || !size) return unsupported(inst, "the size of a subgroup's clusters must be constant");
    attr = kir::GroupAttr{static_cast<kir::GroupAttr::Kind>(*kind), *size};
  }
  const Type type = scalar_type(inst.getType(), &inst);
  set(&inst, builder_.create(opcode, operands, {&type, 1}, attr)->result());
}

/// void*(unsigned align)
void Importer::dynamic_shared(const llvm::CallBase& inst) {
  constexpr std::uint64_t kMaxAlign = 4096;
  const auto align = constant_below(inst.getArgOperand(0), kMaxAlign + 1);
  if (!align || !llvm::isPowerOf2_32(*align))
    return unsupported(inst, "the alignment of workgroup memory must be a constant power of two");
  kernel_.manifest.uses_dynamic_shared = true;
  const Type type = Type::ptr(kir::Space::Workgroup);
  const kir::MemoryAttr attr{*align, false};
  set(&inst, constants_.create(Opcode::DynamicShared, {}, {&type, 1}, attr)->result());
}

}  // namespace spirea::frontend
