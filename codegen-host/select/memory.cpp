// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects, addresses, loads and stores. An i1 takes a byte in memory.
#include "codegen-host/select/selector.h"

namespace spirea::host::selectors {

llvm::Value* workgroup_object(Selector& s, const kir::Op& op, unsigned) {
  return s.environment().workgroup_objects.at(&op);
}

llvm::Value* object(Selector& s, const kir::Op& op, unsigned parameter) {
  if (op.result()->type().space() == kir::Space::Workgroup) return workgroup_object(s, op, parameter);
  const auto& object = op.as<kir::ObjectAttr>();
  llvm::Type* type = llvm::ArrayType::get(s.builder.getInt8Ty(), object.size);
  return s.stack_slot(type, llvm::Align(object.align), op.result()->name);
}

llvm::Value* address_of(Selector& s, const kir::Op& op, unsigned) {
  const kir::ConstantObject& object = *s.environment().source->find_constant(op.as<kir::SymbolAttr>().name);
  const std::string name = "constant." + object.name;
  llvm::Module& module = *s.environment().module;
  if (llvm::GlobalVariable* existing = module.getNamedGlobal(name)) return existing;
  llvm::Constant* bytes = llvm::ConstantDataArray::get(s.builder.getContext(), object.bytes);
  auto* global = new llvm::GlobalVariable(module, bytes->getType(), true, llvm::GlobalValue::InternalLinkage,
                                          bytes, name);
  global->setAlignment(llvm::Align(object.attr.align));
  return global;
}

llvm::Value* offset(Selector& s, const kir::Op& op, unsigned) {
  llvm::IRBuilder<>& b = s.builder;
  const auto& scale = op.as<kir::ScaleAttr>();
  llvm::Value* bytes = b.CreateSExt(s.operand(op, 1), b.getInt64Ty());
  if (scale.scale != 1) bytes = b.CreateMul(bytes, b.getInt64(static_cast<std::uint64_t>(scale.scale)));
  if (scale.displacement != 0)
    bytes = b.CreateAdd(bytes, b.getInt64(static_cast<std::uint64_t>(scale.displacement)));
  return b.CreatePtrAdd(s.operand(op, 0), bytes);
}

llvm::Value* load(Selector& s, const kir::Op& op, unsigned) {
  llvm::IRBuilder<>& b = s.builder;
  const auto& memory = op.as<kir::MemoryAttr>();
  llvm::Type* type = s.result_type(op);
  llvm::Type* stored = type->isIntegerTy(1) ? b.getInt8Ty() : type;
  llvm::Value* value =
      b.CreateAlignedLoad(stored, s.operand(op, 0), llvm::Align(memory.align), memory.is_volatile);
  return stored == type ? value : b.CreateTrunc(value, type);
}

llvm::Value* store(Selector& s, const kir::Op& op, unsigned) {
  llvm::IRBuilder<>& b = s.builder;
  const auto& memory = op.as<kir::MemoryAttr>();
  llvm::Value* value = s.operand(op, 1);
  if (value->getType()->isIntegerTy(1)) value = b.CreateZExt(value, b.getInt8Ty());
  b.CreateAlignedStore(value, s.operand(op, 0), llvm::Align(memory.align), memory.is_volatile);
  return nullptr;
}

}  // namespace spirea::host::selectors
