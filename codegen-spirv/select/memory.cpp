// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory (SPIR-V specification 3.52.8). Global memory is reached through 64-bit addresses; private, workgroup
// and constant objects are arrays, and legalization has made every access one of an element.
#include "codegen-spirv/legalize/memory.h"

#include "codegen-spirv/select/selector.h"
#include "ir/abi/vulkan.h"

namespace spirea::spirv {

using kir::Opcode;
using kir::Space;
using kir::Type;

Id Selector::type(Type t) {
  switch (t.kind()) {
    case kir::TypeKind::Void: return w_.type_void();
    case kir::TypeKind::Int: return t.is_bool() ? w_.type_bool() : w_.type_int(t.bits());
    case kir::TypeKind::Float: return w_.type_float(t.bits());
    case kir::TypeKind::Ptr: return w_.type_int(64);
  }
  return {};
}

void Selector::fail(const kir::Op& op, const std::string& message) {
  errors_.push_back(kir::Diagnostic::error_at(module_.locations, op.location, message));
}

void Selector::declare_objects() {
  for (const kir::Op& op : kernel_.body)
    if (op.is(Opcode::Object) || op.is(Opcode::DynamicShared)) declare_object(op);
  for (const auto& constant : module_.constants) declare_constant(*constant);
}

void Selector::declare_object(const kir::Op& op) {
  if (op.is(Opcode::DynamicShared)) {
    objects_[op.result()] = {declare_workgroup(op, dynamic_array(op)), spv::StorageClass::Workgroup};
    return;
  }
  const auto& attr = op.as<kir::ObjectAttr>();
  if (!attr.element)
    return fail(op, "internal error: an object without element type reached instruction selection");
  const Id array = w_.type_array(type(*attr.element), attr.size / attr.element->bytes());
  if (op.result()->type().space() == Space::Workgroup) {
    objects_[op.result()] = {declare_workgroup(op, array), spv::StorageClass::Workgroup};
    return;
  }
  const Id variable = w_.new_id();
  local_variables_.emplace_back(w_.type_pointer(spv::StorageClass::Function, array), variable);
  objects_[op.result()] = {variable, spv::StorageClass::Function};
  w_.name(variable, op.result()->name);
}

Id Selector::declare_workgroup(const kir::Op& op, Id array) {
  const Id variable =
      w_.define(Section::Global, OpVariable{.type = w_.type_pointer(spv::StorageClass::Workgroup, array),
                                            .storage_class = spv::StorageClass::Workgroup});
  w_.name(variable, op.result()->name);
  interface_.push_back(variable);
  return variable;
}

/// An array of elements of the type that all accesses have. Its bytes are specialization constant
/// kDynamicSharedSpecId, and those of the workgroup objects that it holds in front: all, if any.
Id Selector::dynamic_array(const kir::Op& op) {
  Type element = Type::i32();
  bool has_objects = false;
  kir::walk(kernel_.body, [&](const kir::Op& other) {
    if (is_access(other) && root_of(other.operand(0)) == &op) element = accessed_type(other);
    has_objects |= other.is(Opcode::Object) && other.result()->type().space() == Space::Workgroup;
  });
  const Id u32 = w_.type_int(32);
  const Id bytes = w_.define(Section::Global, OpSpecConstant{.type = u32, .value = {16, 32}});
  w_.decorate(bytes, spv::Decoration::SpecId, {abi::kDynamicSharedSpecId});
  w_.name(bytes, "dynamic_shared_bytes");
  const auto computed = [&](spv::Op operation, Id a, std::uint32_t b) {
    return w_.define(Section::Global, OpSpecConstantOp{.type = u32,
                                                       .opcode_ = static_cast<Word>(operation),
                                                       .operands = {a, w_.constant_u32(b)}});
  };
  const std::uint32_t in_front = has_objects ? 0 : kernel_.manifest.shared_bytes;
  const Id all = in_front == 0 ? bytes : computed(spv::Op::OpIAdd, bytes, in_front);
  return w_.type_array(type(element), computed(spv::Op::OpUDiv, all, element.bytes()));
}

void Selector::declare_constant(const kir::ConstantObject& constant) {
  if (!constant.attr.element) {
    errors_.push_back(kir::Diagnostic::error("internal error: constant without element type"));
    return;
  }
  const Type element = *constant.attr.element;
  std::vector<Id> parts;
  for (std::size_t at = 0; at + element.bytes() <= constant.bytes.size(); at += element.bytes()) {
    std::uint64_t bits = 0;
    for (unsigned i = 0; i < element.bytes(); ++i) bits |= std::uint64_t{constant.bytes[at + i]} << (8 * i);
    parts.push_back(w_.constant(type(element), element.bits(), bits));
  }
  const Id array = w_.type_array(type(element), parts.size());
  const Id variable =
      w_.define(Section::Global, OpVariable{.type = w_.type_pointer(spv::StorageClass::Private, array),
                                            .storage_class = spv::StorageClass::Private,
                                            .initializer = w_.constant_composite(array, parts)});
  w_.name(variable, constant.name);
  interface_.push_back(variable);
  constants_[constant.name] = variable;
}

/// pointer + index * scale + displacement
Id Selector::address(const kir::Op& op) {
  const Id u64 = w_.type_int(64);
  const auto& scale = op.as<kir::ScaleAttr>();
  Id result = get(op.operand(0));
  const kir::Op* index_op = op.operand(1)->def();
  const bool zero =
      index_op != nullptr && index_op->is(Opcode::Const) && index_op->as<kir::LiteralAttr>().bits == 0;
  if (!zero && scale.scale != 0) {
    Id index = to_width(get(op.operand(1)), op.operand(1)->type().bits(), 64, true);
    if (scale.scale != 1)
      index = add(OpIMul{.type = u64,
                         .operand_1 = index,
                         .operand_2 = w_.constant(u64, 64, static_cast<std::uint64_t>(scale.scale))});
    result = add(OpIAdd{.type = u64, .operand_1 = result, .operand_2 = index});
  }
  if (scale.displacement != 0)
    result = add(OpIAdd{.type = u64,
                        .operand_1 = result,
                        .operand_2 = w_.constant(u64, 64, static_cast<std::uint64_t>(scale.displacement))});
  return result;
}

Id Selector::global_pointer(Id address, Type t) {
  const Id pointer = w_.type_pointer(spv::StorageClass::PhysicalStorageBuffer, type(t));
  return add(OpConvertUToPtr{.type = pointer, .integer_value = address});
}

Id Selector::global_pointer(const kir::Value* pointer, Type t) {
  if (t.bytes() == 1) w_.require(spv::Capability::StorageBuffer8BitAccess);
  if (t.bytes() == 2) w_.require(spv::Capability::StorageBuffer16BitAccess);
  return global_pointer(get(pointer), t);
}

/// The access chain to an element: the offsets between the pointer and its object, in elements.
Id Selector::element_pointer(const kir::Value* pointer, Type t) {
  const Id u32 = w_.type_int(32);
  const auto size = static_cast<std::int64_t>(t.bytes());
  std::int64_t fixed = 0;
  Id index;
  const kir::Value* at = pointer;
  while (at->def() != nullptr && at->def()->is(Opcode::Offset)) {
    const kir::Op& op = *at->def();
    const auto& scale = op.as<kir::ScaleAttr>();
    fixed += scale.displacement / size;
    const kir::Op* index_op = op.operand(1)->def();
    const bool zero =
        index_op != nullptr && index_op->is(Opcode::Const) && index_op->as<kir::LiteralAttr>().bits == 0;
    if (!zero && scale.scale != 0) {
      Id term = to_width(get(op.operand(1)), op.operand(1)->type().bits(), 32, true);
      if (scale.scale != size)
        term = add(OpIMul{.type = u32,
                          .operand_1 = term,
                          .operand_2 = w_.constant_u32(static_cast<std::uint32_t>(scale.scale / size))});
      index = index.value == 0 ? term : add(OpIAdd{.type = u32, .operand_1 = index, .operand_2 = term});
    }
    at = op.operand(0);
  }
  const Id constant = w_.constant_u32(static_cast<std::uint32_t>(fixed));
  if (index.value == 0)
    index = constant;
  else if (fixed != 0)
    index = add(OpIAdd{.type = u32, .operand_1 = index, .operand_2 = constant});
  const kir::Op* root = at->def();
  Id variable;
  spv::StorageClass storage = spv::StorageClass::Function;
  if (const auto object = objects_.find(at); object != objects_.end()) {
    variable = object->second.id;
    storage = object->second.storage;
  } else if (root != nullptr && root->is(Opcode::AddressOf)) {
    variable = constants_[root->as<kir::SymbolAttr>().name];
    storage = spv::StorageClass::Private;
  } else {
    errors_.push_back(kir::Diagnostic::error("internal error: a pointer to local memory has no object"));
    return w_.undef(w_.type_pointer(storage, type(t)));
  }
  return add(OpAccessChain{.type = w_.type_pointer(storage, type(t)), .base = variable, .indexes = {index}});
}

Id Selector::pointer_to(const kir::Value* pointer, Type t) {
  return pointer->type().space() == Space::Global ? global_pointer(pointer, t) : element_pointer(pointer, t);
}

/// What other invocations may see is not private to this one: only such accesses are ordered by barriers,
/// fences and atomic operations ("Memory Model", Vulkan specification).
std::pair<spv::MemoryAccessMask, std::vector<Word>> Selector::access(const kir::MemoryAttr& attr,
                                                                     Space space) {
  auto mask = spv::MemoryAccessMask::MaskNone;
  std::vector<Word> operands;
  if (attr.is_volatile) mask = mask | spv::MemoryAccessMask::Volatile;
  if (space == Space::Global) {
    mask = mask | spv::MemoryAccessMask::Aligned;
    operands.push_back(attr.align);
  }
  if (space == Space::Workgroup || (space == Space::Global && is_synchronized_))
    mask = mask | spv::MemoryAccessMask::NonPrivatePointer;
  return {mask, operands};
}

Id Selector::load(const kir::Op& op) {
  const kir::Value* pointer = op.operand(0);
  const Type t = op.result()->type();
  const auto [mask, operands] = access(op.as<kir::MemoryAttr>(), pointer->type().space());
  OpLoad inst{.type = type(t), .pointer = pointer_to(pointer, t)};
  if (mask != spv::MemoryAccessMask::MaskNone) inst.memory_access = mask;
  inst.memory_access_operands = operands;
  return add(inst);
}

void Selector::store(const kir::Op& op) {
  const kir::Value* pointer = op.operand(0);
  const Type t = op.operand(1)->type();
  const auto [mask, operands] = access(op.as<kir::MemoryAttr>(), pointer->type().space());
  OpStore inst{.pointer = pointer_to(pointer, t), .object = get(op.operand(1))};
  if (mask != spv::MemoryAccessMask::MaskNone) inst.memory_access = mask;
  inst.memory_access_operands = operands;
  w_.emit(Section::Function, inst);
}

}  // namespace spirea::spirv
