// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen-host/emit/kernel.h"

#include <cstddef>
#include <llvm/IR/Verifier.h>
#include <string>

#include "codegen-host/emit/aliasing.h"
#include "codegen-host/emit/debug_info.h"
#include "codegen-host/emit/invocation.h"
#include "codegen-host/emit/loops.h"
#include "codegen-host/emit/phases.h"
#include "codegen-host/emit/workgroup_memory.h"
#include "codegen-host/host.h"
#include "ir/abi/artifact.h"

namespace spirea::host {
namespace {

using Dims = std::array<llvm::Value*, 3>;

/// What a kernel's functions are made from.
struct KernelEmitter : KernelSource {
  bool by_part;
  WorkgroupMemory memory = workgroup_memory(kernel);
  Invocation invocation{};  ///< of a kernel with barriers
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* i32 = llvm::Type::getInt32Ty(context);
  llvm::Type* i64 = llvm::Type::getInt64Ty(context);

  void emit_cut_invocation();
  llvm::Function* create_workgroups();
  llvm::Function* emit_workgroups();
  llvm::Function* emit_entry(llvm::Function* workgroups);
  std::vector<llvm::Value*> allocate_memory(llvm::IRBuilder<>&, llvm::Value* grid, const Dims& size) const;
  void emit_invocations(llvm::IRBuilder<>&, Selector::Environment&);
  void emit_phases(llvm::IRBuilder<>&, const Position&, llvm::Function*);
  /// A parameter of `<kernel>.workgroups` behind the leaves.
  llvm::Value* parameter(llvm::Function* function, std::size_t i) const {
    return function->getArg(static_cast<unsigned>(kernel.body.arguments().size() + i));
  }
};

/// Parameters of `<kernel>.workgroups` after the leaves: the grid, the workgroup size, first and last; behind
/// them, the areas of the workgroup's memory.
constexpr unsigned kGridParameters = 8;

void KernelEmitter::emit_cut_invocation() {
  invocation = emit_invocation(*this, memory);
  memory.has_frames = true;
  memory.frame = invocation.frame;
}

void KernelEmitter::emit_invocations(llvm::IRBuilder<>& b, Selector::Environment& environment) {
  constexpr const char* names[] = {"local_x", "local_y", "local_z"};
  llvm::Function* function = b.GetInsertBlock()->getParent();
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

void KernelEmitter::emit_phases(llvm::IRBuilder<>& b, const Position& position, llvm::Function* function) {
  PhaseEnvironment environment{};
  InvocationArguments& arguments = environment.arguments;
  for (const auto& leaf : kernel.body.arguments())
    arguments.leaves.push_back(function->getArg(leaf->index()));
  arguments.position = position;
  std::size_t next = kGridParameters;
  for (std::size_t i = 0; i < memory.objects.size(); ++i)
    arguments.workgroup_objects.push_back(parameter(function, next++));
  arguments.values = parameter(function, next++);
  environment.objects = parameter(function, next++);
  environment.states = parameter(function, next);
  const auto& size = position[kWorkgroupSize];
  arguments.count = b.CreateZExt(b.CreateMul(b.CreateMul(size[0], size[1]), size[2]), i64);
  environment.by_part = by_part;
  host::emit_phases(b, invocation, environment);
}

llvm::Function* KernelEmitter::create_workgroups() {
  std::vector<llvm::Type*> types = leaf_types(*this);
  types.insert(types.end(), 6, i32);
  types.insert(types.end(), 2, i64);
  types.insert(types.end(), memory.num_addresses(), llvm::PointerType::get(context, 0));
  auto* function = llvm::Function::Create(
      llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false),
      llvm::GlobalValue::InternalLinkage, kernel.manifest.name + ".workgroups", module);
  function->addFnAttr(
      llvm::Attribute::NoInline);  // parameters keep noalias only as long as they are parameters
  function->setDoesNotThrow();
  function->setUWTableKind(llvm::UWTableKind::Async);  // for debuggers and profilers
  for (const auto& argument : kernel.body.arguments()) {
    function->getArg(argument->index())->setName(argument->name);
    if (argument->type().is_ptr() && is_noalias(kernel, argument.get()))
      function->addParamAttr(argument->index(), llvm::Attribute::NoAlias);
  }
  const auto first = static_cast<unsigned>(types.size()) - memory.num_addresses();
  for (unsigned i = first; i < types.size(); ++i) function->addParamAttr(i, llvm::Attribute::NoAlias);
  return function;
}

llvm::Function* KernelEmitter::emit_workgroups() {
  llvm::Function* function = create_workgroups();
  llvm::IRBuilder<> b(context);
  Selector::Environment environment{&module, &source, {}, nullptr, nullptr, debug_info};
  environment.entry = llvm::BasicBlock::Create(context, "entry", function);
  b.SetInsertPoint(environment.entry);
  if (debug_info != nullptr) {
    function->setSubprogram(memory.has_frames ? debug_info->begin_workgroups(kernel)
                                              : debug_info->begin_kernel(kernel));
    b.SetCurrentDebugLocation(debug_info->location(kernel.location));
  }
  const auto at = [&](std::size_t i) { return parameter(function, i); };
  const Dims num_workgroups{at(0), at(1), at(2)};
  environment.position[kNumWorkgroups] = num_workgroups;
  environment.position[kWorkgroupSize] = workgroup_size(b, kernel, {at(3), at(4), at(5)});
  std::vector<llvm::Value*> objects;
  for (std::size_t i = 0; i < memory.objects.size(); ++i) objects.push_back(at(kGridParameters + i));
  environment.workgroup_objects = workgroup_objects(memory, objects);
  WorkgroupLoop workgroups;
  environment.position[kWorkgroupId] = workgroups.open(b, at(6), at(7), num_workgroups);
  if (memory.has_frames)
    emit_phases(b, environment.position, function);
  else
    emit_invocations(b, environment);
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

llvm::Value* load_field(llvm::IRBuilder<>& b, llvm::Value* grid, std::size_t offset, llvm::Type* type) {
  return b.CreateLoad(type, b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), grid, offset));
}

Dims load_dims(llvm::IRBuilder<>& b, llvm::Value* grid, std::size_t offset) {
  Dims dims{};
  for (std::size_t i = 0; i < 3; ++i)
    dims[i] = load_field(b, grid, offset + i * sizeof(std::uint32_t), b.getInt32Ty());
  return dims;
}

std::vector<llvm::Value*> KernelEmitter::allocate_memory(llvm::IRBuilder<>& b, llvm::Value* grid,
                                                         const Dims& size) const {
  llvm::Value* invocations = b.CreateZExt(b.CreateMul(b.CreateMul(size[0], size[1]), size[2]), i64);
  llvm::Value* dynamic = load_field(b, grid, offsetof(spirea_host_grid, dynamic_shared), i64);
  llvm::Value* function = load_field(b, grid, offsetof(spirea_host_grid, workgroup_memory), b.getPtrTy());
  return allocate(b, memory, function, dynamic, invocations);
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
  const Dims groups = load_dims(b, function->getArg(1), offsetof(spirea_host_grid, num_workgroups));
  const Dims size = load_dims(b, function->getArg(1), offsetof(spirea_host_grid, workgroup_size));
  arguments.insert(arguments.end(), groups.begin(), groups.end());
  arguments.insert(arguments.end(), size.begin(), size.end());
  arguments.insert(arguments.end(), {function->getArg(2), function->getArg(3)});
  if (!memory.is_empty()) {
    const auto areas = allocate_memory(b, function->getArg(1), workgroup_size(b, kernel, size));
    arguments.insert(arguments.end(), areas.begin(), areas.end());
  }
  b.CreateCall(workgroups, arguments);
  b.CreateRetVoid();
  return function;
}

}  // namespace

llvm::Function* emit_kernel(llvm::Module& module, const kir::Module& source, const kir::Kernel& kernel,
                            DebugInfo* debug_info, bool by_part) {
  KernelEmitter emitter{{module, source, kernel, debug_info}, by_part};
  if (has_barriers(kernel)) emitter.emit_cut_invocation();
  return emitter.emit_entry(emitter.emit_workgroups());
}

}  // namespace spirea::host
