// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen-host/emit/invocation.h"

#include <string>

#include "codegen-host/emit/debug_info.h"

namespace spirea::host {
namespace {

std::vector<llvm::Type*> parameter_types(const KernelSource& k, std::size_t num_objects) {
  llvm::LLVMContext& context = k.module.getContext();
  std::vector<llvm::Type*> types{llvm::Type::getInt32Ty(context)};
  const auto leaves = leaf_types(k);
  types.insert(types.end(), leaves.begin(), leaves.end());
  types.insert(types.end(), std::tuple_size_v<Position> * 3, llvm::Type::getInt32Ty(context));
  types.insert(types.end(), num_objects + 2, llvm::PointerType::get(context, 0));
  types.insert(types.end(), 2, llvm::Type::getInt64Ty(context));
  return types;
}

llvm::Function* create_function(const KernelSource& k, std::size_t num_objects) {
  llvm::Type* state = llvm::Type::getInt32Ty(k.module.getContext());
  auto* function = llvm::Function::Create(
      llvm::FunctionType::get(state, parameter_types(k, num_objects), false),
      llvm::GlobalValue::InternalLinkage, k.kernel.manifest.name + ".invocation", k.module);
  function->setDoesNotThrow();
  function->setUWTableKind(llvm::UWTableKind::Async);
  return function;
}

/// The function's parameters as the arguments that they stand for.
InvocationArguments parameters(const KernelSource& k, llvm::Function* function, std::size_t num_objects) {
  InvocationArguments p;
  auto next = function->arg_begin();
  p.state = next++;
  for (const auto& leaf : k.kernel.body.arguments()) {
    next->setName(leaf->name);
    p.leaves.push_back(next++);
  }
  for (auto& kind : p.position)
    for (llvm::Value*& value : kind) value = next++;
  for (std::size_t i = 0; i < num_objects; ++i) p.workgroup_objects.push_back(next++);
  for (llvm::Value** value : {&p.values, &p.objects, &p.index, &p.count}) *value = next++;
  return p;
}

/// What comes before the first cut: a block for stack slots, and the start.
void begin(llvm::IRBuilder<>& b, const KernelSource& k, llvm::Function* function) {
  llvm::BasicBlock* entry = llvm::BasicBlock::Create(k.module.getContext(), "entry", function);
  llvm::BasicBlock* start = llvm::BasicBlock::Create(k.module.getContext(), "start", function);
  b.SetInsertPoint(entry);
  if (k.debug_info != nullptr) {
    function->setSubprogram(k.debug_info->begin_kernel(k.kernel));
    b.SetCurrentDebugLocation(k.debug_info->location(k.kernel.location));
  }
  b.CreateBr(start);
  b.SetInsertPoint(start);
}

}  // namespace

bool has_barriers(const kir::Kernel& kernel) {
  bool found = false;
  kir::walk(kernel.body, [&](const kir::Op& op) {
    found = found || (op.is(kir::Opcode::Barrier) && op.as<kir::SyncAttr>().scope == kir::Scope::Workgroup);
  });
  return found;
}

std::vector<llvm::Type*> leaf_types(const KernelSource& k) {
  llvm::IRBuilder<> b(k.module.getContext());
  const Selector selector(b, {&k.module, &k.source, {}, nullptr, nullptr, nullptr});
  std::vector<llvm::Type*> types;
  for (const auto& argument : k.kernel.body.arguments()) types.push_back(selector.type(argument->type()));
  return types;
}

std::array<llvm::Value*, 3> workgroup_size(llvm::IRBuilder<>& b, const kir::Kernel& kernel,
                                           const std::array<llvm::Value*, 3>& from_launch) {
  const auto& fixed = kernel.manifest.workgroup_size;
  if (!fixed) return from_launch;
  return {b.getInt32((*fixed)[0]), b.getInt32((*fixed)[1]), b.getInt32((*fixed)[2])};
}

llvm::DenseMap<const kir::Op*, llvm::Value*> workgroup_objects(const WorkgroupMemory& memory,
                                                               llvm::ArrayRef<llvm::Value*> addresses) {
  llvm::DenseMap<const kir::Op*, llvm::Value*> all;
  for (std::size_t i = 0; i < memory.objects.size(); ++i)
    for (const kir::Op* op : memory.objects[i].ops) all[op] = addresses[i];
  return all;
}

Invocation emit_invocation(const KernelSource& k, const WorkgroupMemory& memory) {
  Invocation result;
  llvm::Function* function = result.function = create_function(k, memory.objects.size());
  const InvocationArguments p = parameters(k, function, memory.objects.size());
  llvm::IRBuilder<> b(k.module.getContext());
  begin(b, k, function);
  Selector::Environment environment{&k.module, &k.source,   p.position, &function->getEntryBlock(),
                                    nullptr,   k.debug_info};
  environment.position[kWorkgroupSize] = workgroup_size(b, k.kernel, p.position[kWorkgroupSize]);
  environment.workgroup_objects = workgroup_objects(memory, p.workgroup_objects);
  environment.cuts = &result.cuts;
  environment.invocation_end = llvm::BasicBlock::Create(k.module.getContext(), "invocation_end", function);

  Selector selector(b, environment);
  for (const auto& argument : k.kernel.body.arguments())
    selector.set(argument.get(), p.leaves[argument->index()]);
  selector.select(k.kernel.body);
  environment.invocation_end->moveAfter(&function->back());
  b.SetInsertPoint(environment.invocation_end);
  b.CreateRet(b.getInt32(kDone));
  result.frame = cut_at_barriers(*function, result.cuts, {p.state, p.values, p.objects, p.index, p.count});
  return result;
}

std::vector<llvm::Value*> InvocationArguments::all() const {
  std::vector<llvm::Value*> all{state};
  all.insert(all.end(), leaves.begin(), leaves.end());
  for (const auto& kind : position) all.insert(all.end(), kind.begin(), kind.end());
  all.insert(all.end(), workgroup_objects.begin(), workgroup_objects.end());
  all.insert(all.end(), {values, objects, index, count});
  return all;
}

}  // namespace spirea::host
