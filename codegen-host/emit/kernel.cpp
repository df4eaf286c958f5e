// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen-host/emit/kernel.h"

#include <cstddef>
#include <llvm/IR/Verifier.h>
#include <string>

#include "codegen-host/emit/aliasing.h"
#include "codegen-host/emit/debug_info.h"
#include "codegen-host/emit/loops.h"
#include "codegen-host/host.h"
#include "codegen-host/select/selector.h"
#include "ir/abi/artifact.h"

namespace spirea::host {
namespace {

using Dims = std::array<llvm::Value*, 3>;

/// What both functions of a kernel are made from.
struct KernelEmitter {
  llvm::Module& module;
  const kir::Module& source;
  const kir::Kernel& kernel;
  DebugInfo* debug_info;
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* i32 = llvm::Type::getInt32Ty(context);
  llvm::Type* i64 = llvm::Type::getInt64Ty(context);

  llvm::Function* emit_workgroups();
  llvm::Function* emit_entry(llvm::Function* workgroups);
  Dims workgroup_size(llvm::IRBuilder<>&, const Dims& from_launch) const;
  void emit_invocations(llvm::IRBuilder<>&, Selector::Environment&, llvm::Function*);
};

/// Parameters of `<kernel>.workgroups` after the leaves: the grid, the workgroup size, first and last.
constexpr unsigned kGridParameters = 8;

void mark_buffers(const kir::Kernel& kernel, llvm::Function* function) {
  for (const auto& argument : kernel.body.arguments())
    if (argument->type().is_ptr() && is_noalias(kernel, argument.get()))
      function->addParamAttr(argument->index(), llvm::Attribute::NoAlias);
}

Dims KernelEmitter::workgroup_size(llvm::IRBuilder<>& b, const Dims& from_launch) const {
  const auto& fixed = kernel.manifest.workgroup_size;
  if (!fixed) return from_launch;
  return {b.getInt32((*fixed)[0]), b.getInt32((*fixed)[1]), b.getInt32((*fixed)[2])};
}

void KernelEmitter::emit_invocations(llvm::IRBuilder<>& b, Selector::Environment& environment,
                                     llvm::Function* function) {
  constexpr const char* names[] = {"local_x", "local_y", "local_z"};
  CountedLoop loops[3];
  for (unsigned i = 3; i-- > 0;)
    environment.position[kLocalId][i] = loops[i].open(b, environment.position[kWorkgroupSize][i], names[i]);
  environment.invocation_end = llvm::BasicBlock::Create(context, "invocation_end", function);

  Selector selector(b, environment);
  for (const auto& argument : kernel.body.arguments())
    selector.set(argument.get(), function->getArg(argument->index()));
  selector.select(kernel.body);

  environment.invocation_end->moveAfter(&function->back());
  b.SetInsertPoint(environment.invocation_end);
  for (CountedLoop& loop : loops) loop.close(b);
}

llvm::Function* KernelEmitter::emit_workgroups() {
  std::vector<llvm::Type*> types;
  llvm::IRBuilder<> b(context);
  Selector::Environment environment{&module, &source, {}, nullptr, nullptr, debug_info};
  for (const auto& argument : kernel.body.arguments())
    types.push_back(Selector(b, environment).type(argument->type()));
  types.insert(types.end(), 6, i32);
  types.insert(types.end(), 2, i64);
  auto* function = llvm::Function::Create(llvm::FunctionType::get(b.getVoidTy(), types, false),
                                          llvm::GlobalValue::InternalLinkage,
                                          kernel.manifest.name + ".workgroups", module);
  function->addFnAttr(
      llvm::Attribute::NoInline);  // parameters keep noalias only as long as they are parameters
  function->setDoesNotThrow();
  function->setUWTableKind(llvm::UWTableKind::Async);  // for debuggers and profilers
  mark_buffers(kernel, function);
  for (const auto& argument : kernel.body.arguments())
    function->getArg(argument->index())->setName(argument->name);

  const auto parameter = [&, first = types.size() - kGridParameters](std::size_t i) {
    return function->getArg(static_cast<unsigned>(first + i));
  };
  environment.entry = llvm::BasicBlock::Create(context, "entry", function);
  b.SetInsertPoint(environment.entry);
  if (debug_info != nullptr) {
    function->setSubprogram(debug_info->begin_kernel(kernel));
    b.SetCurrentDebugLocation(debug_info->location(kernel.location));
  }
  const Dims num_workgroups{parameter(0), parameter(1), parameter(2)};
  environment.position[kNumWorkgroups] = num_workgroups;
  environment.position[kWorkgroupSize] = workgroup_size(b, {parameter(3), parameter(4), parameter(5)});
  WorkgroupLoop workgroups;
  environment.position[kWorkgroupId] = workgroups.open(b, parameter(6), parameter(7), num_workgroups);
  emit_invocations(b, environment, function);
  workgroups.close(b);
  b.CreateRetVoid();
  return function;
}

/// A leaf of the argument block; narrow ones are in the low bytes of their slots.
llvm::Value* load_leaf(llvm::IRBuilder<>& b, llvm::Value* block, const abi::Leaf& leaf, llvm::Type* type) {
  llvm::Value* address = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), block, leaf.block_offset);
  const llvm::Align align(abi::block_bytes(leaf.scalar));
  if (!type->isIntegerTy(1)) return b.CreateAlignedLoad(type, address, align);
  return b.CreateTrunc(b.CreateAlignedLoad(b.getInt8Ty(), address, align), type);
}

/// spirea_host_kernel: (argument block, grid, first, last).
llvm::Function* KernelEmitter::emit_entry(llvm::Function* workgroups) {
  llvm::IRBuilder<> b(context);
  auto* type = llvm::FunctionType::get(b.getVoidTy(), {b.getPtrTy(), b.getPtrTy(), i64, i64}, false);
  auto* function =
      llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, host_symbol(kernel), module);
  function->setDoesNotThrow();
  function->setUWTableKind(llvm::UWTableKind::Async);
  b.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", function));

  std::vector<llvm::Value*> arguments;
  for (const abi::Param& param : kernel.manifest.params)
    for (const abi::Leaf& leaf : param.leaves)
      arguments.push_back(load_leaf(b, function->getArg(0), leaf,
                                    workgroups->getArg(static_cast<unsigned>(arguments.size()))->getType()));
  const auto load_dims = [&](std::size_t offset) {
    for (std::size_t i = 0; i < 3; ++i)
      arguments.push_back(
          b.CreateAlignedLoad(i32,
                              b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), function->getArg(1),
                                                           offset + i * sizeof(std::uint32_t)),
                              llvm::Align(alignof(std::uint32_t))));
  };
  load_dims(offsetof(spirea_host_grid, num_workgroups));
  load_dims(offsetof(spirea_host_grid, workgroup_size));
  arguments.push_back(function->getArg(2));
  arguments.push_back(function->getArg(3));
  b.CreateCall(workgroups, arguments);
  b.CreateRetVoid();
  return function;
}

}  // namespace

llvm::Function* emit_kernel(llvm::Module& module, const kir::Module& source, const kir::Kernel& kernel,
                            DebugInfo* debug_info) {
  KernelEmitter emitter{module, source, kernel, debug_info};
  return emitter.emit_entry(emitter.emit_workgroups());
}

}  // namespace spirea::host
