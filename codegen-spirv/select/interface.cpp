// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen-spirv/select/selector.h"
#include "ir/abi/vulkan.h"

namespace spirea::spirv {

using kir::Type;

void Selector::run() {
  declare_workgroup_size();
  find_synchronization();
  const Id function = w_.new_id();
  w_.name(function, kernel_.manifest.name);
  declare_objects();
  w_.emit(Section::Function,
          OpFunction{.type = w_.type_void(), .result = function, .function_type = w_.type_function_void()});
  label(w_.new_id());
  for (const auto& [pointer_type, id] : local_variables_)
    w_.emit(Section::Function,
            OpVariable{.type = pointer_type, .result = id, .storage_class = spv::StorageClass::Function});
  arguments();
  declare_exit_guards();
  region(kernel_.body);
  w_.emit(Section::Function, OpFunctionEnd{});
  define_exact_functions();
  entry_point(function);
}

/// Specialization constants 0, 1 and 2 are the workgroup's size; their defaults are the attribute's.
void Selector::declare_workgroup_size() {
  const auto size = kernel_.manifest.workgroup_size.value_or(std::array<std::uint32_t, 3>{64, 1, 1});
  std::vector<Id> parts;
  for (Word i = 0; i < 3; ++i) {
    parts.push_back(
        w_.define(Section::Global, OpSpecConstant{.type = w_.type_int(32), .value = {size[i], 32}}));
    w_.decorate(parts.back(), spv::Decoration::SpecId, {i});
  }
  workgroup_size_ =
      w_.define(Section::Global,
                OpSpecConstantComposite{.type = w_.type_vector(w_.type_int(32), 3), .constituents = parts});
  w_.decorate(workgroup_size_, spv::Decoration::BuiltIn, {static_cast<Word>(spv::BuiltIn::WorkgroupSize)});
}

Id Selector::built_in(spv::BuiltIn which, const char* name, unsigned components) {
  const Id u32 = w_.type_int(32);
  const Id value = components == 1 ? u32 : w_.type_vector(u32, components);
  Id& variable = built_ins_[which];
  if (variable.value == 0) {
    const Id pointer = w_.type_pointer(spv::StorageClass::Input, value);
    variable =
        w_.define(Section::Global, OpVariable{.type = pointer, .storage_class = spv::StorageClass::Input});
    w_.decorate(variable, spv::Decoration::BuiltIn, {static_cast<Word>(which)});
    w_.name(variable, name);
    interface_.push_back(variable);
  }
  return add(OpLoad{.type = value, .pointer = variable});
}

Id Selector::component(Id vector, kir::Dim dim) {
  return add(
      OpCompositeExtract{.type = w_.type_int(32), .composite = vector, .indexes = {static_cast<Word>(dim)}});
}

Id Selector::dim_query(const kir::Op& op) {
  const kir::Dim dim = op.as<kir::Dim>();
  switch (op.opcode()) {
    case kir::Opcode::GlobalId:
      return component(built_in(spv::BuiltIn::GlobalInvocationId, "global_id"), dim);
    case kir::Opcode::LocalId: return component(built_in(spv::BuiltIn::LocalInvocationId, "local_id"), dim);
    case kir::Opcode::WorkgroupId: return component(built_in(spv::BuiltIn::WorkgroupId, "workgroup_id"), dim);
    case kir::Opcode::NumWorkgroups:
      return component(built_in(spv::BuiltIn::NumWorkgroups, "num_workgroups"), dim);
    case kir::Opcode::WorkgroupSize: return component(workgroup_size_, dim);
    default: break;
  }
  const Id groups = component(built_in(spv::BuiltIn::NumWorkgroups, "num_workgroups"), dim);
  return add(
      OpIMul{.type = w_.type_int(32), .operand_1 = groups, .operand_2 = component(workgroup_size_, dim)});
}

namespace {

/// The type in which a leaf stands in the argument block: what is narrower than 4 bytes is a u32.
Type block_type(abi::Scalar scalar) {
  if (abi::source_bytes(scalar) < 4) return Type::i32();
  return scalar == abi::Scalar::Ptr ? Type::i64() : kir::type_of(scalar);
}

}  // namespace

void Selector::push_constants(const std::vector<std::pair<Id, Word>>& members, Id& variable) {
  std::vector<Id> types;
  for (const auto& [type, offset] : members) types.push_back(type);
  const Id block = w_.define(Section::Global, OpTypeStruct{.member_0_type = types});
  w_.decorate(block, spv::Decoration::Block);
  w_.name(block, "arguments");
  for (Word i = 0; i < members.size(); ++i)
    w_.emit(Section::Annotation, OpMemberDecorate{.structure_type = block,
                                                  .member = i,
                                                  .decoration = spv::Decoration::Offset,
                                                  .decoration_operands = {members[i].second}});
  variable =
      w_.define(Section::Global, OpVariable{.type = w_.type_pointer(spv::StorageClass::PushConstant, block),
                                            .storage_class = spv::StorageClass::PushConstant});
  interface_.push_back(variable);
}

void Selector::arguments() {
  std::vector<abi::Leaf> leaves;
  for (const abi::Param& param : kernel_.manifest.params)
    leaves.insert(leaves.end(), param.leaves.begin(), param.leaves.end());
  if (leaves.empty()) return;
  const bool in_push_constants = kernel_.manifest.block_size() <= abi::kMaxPushConstantBytes;
  std::vector<std::pair<Id, Word>> members;
  if (in_push_constants)
    for (const abi::Leaf& leaf : leaves)
      members.emplace_back(type(block_type(leaf.scalar)), leaf.block_offset);
  else
    members.emplace_back(w_.type_int(64), 0);
  Id variable;
  push_constants(members, variable);
  const auto member = [&](Word i) {
    const Id pointer =
        add(OpAccessChain{.type = w_.type_pointer(spv::StorageClass::PushConstant, members[i].first),
                          .base = variable,
                          .indexes = {w_.constant_u32(i)}});
    return add(OpLoad{.type = members[i].first, .pointer = pointer});
  };
  const Id block = in_push_constants ? Id{} : member(0);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const Type in_block = block_type(leaves[i].scalar);
    Id loaded;
    if (in_push_constants) {
      loaded = member(static_cast<Word>(i));
    } else {
      const Id offset = w_.constant(w_.type_int(64), 64, leaves[i].block_offset);
      const Id address = add(OpIAdd{.type = w_.type_int(64), .operand_1 = block, .operand_2 = offset});
      loaded = add(OpLoad{.type = type(in_block),
                          .pointer = global_pointer(address, in_block),
                          .memory_access = spv::MemoryAccessMask::Aligned,
                          .memory_access_operands = {in_block.bytes()}});
    }
    const kir::Value* argument = kernel_.body.argument(i);
    const Id value = leaf_value(loaded, leaves[i].scalar);
    w_.name(value, argument->name);
    set(argument, value);
  }
}

Id Selector::leaf_value(Id loaded, abi::Scalar scalar) {
  switch (scalar) {
    case abi::Scalar::I1:
      return add(OpINotEqual{.type = w_.type_bool(), .operand_1 = loaded, .operand_2 = w_.constant_u32(0)});
    case abi::Scalar::I8: return add(OpUConvert{.type = w_.type_int(8), .unsigned_value = loaded});
    case abi::Scalar::I16: return add(OpUConvert{.type = w_.type_int(16), .unsigned_value = loaded});
    case abi::Scalar::F16: {
      const Id bits = add(OpUConvert{.type = w_.type_int(16), .unsigned_value = loaded});
      return add(OpBitcast{.type = w_.type_float(16), .operand = bits});
    }
    case abi::Scalar::I32:
    case abi::Scalar::I64:
    case abi::Scalar::F32:
    case abi::Scalar::F64:
    case abi::Scalar::Ptr: return loaded;
  }
  return loaded;
}

void Selector::entry_point(Id function) {
  w_.emit(Section::EntryPoint, OpEntryPoint{.execution_model = spv::ExecutionModel::GLCompute,
                                            .entry_point = function,
                                            .name = kernel_.manifest.name,
                                            .interface = interface_});
  const auto size = kernel_.manifest.workgroup_size.value_or(std::array<std::uint32_t, 3>{64, 1, 1});
  w_.emit(Section::ExecutionMode, OpExecutionMode{.entry_point = function,
                                                  .mode = spv::ExecutionMode::LocalSize,
                                                  .mode_operands = {size[0], size[1], size[2]}});
}

}  // namespace spirea::spirv
