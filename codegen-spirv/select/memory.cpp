// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory (SPIR-V specification 3.52.8). Global memory is reached through 64-bit addresses; private and
// constant objects are arrays, and legalization has made every access one of an element.
#include "codegen-spirv/select/selector.h"

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
  for (const kir::Op& op : kernel_.body) {
    if (!op.is(Opcode::Object)) continue;
    const auto& attr = op.as<kir::ObjectAttr>();
    if (!attr.element) {
      fail(op, "internal error: an object without element type reached instruction selection");
      continue;
    }
    const Id array = w_.type_array(type(*attr.element), attr.size / attr.element->bytes());
    const Id variable = w_.new_id();
    local_variables_.emplace_back(w_.type_pointer(spv::StorageClass::Function, array), variable);
    objects_[op.result()] = variable;
    w_.name(variable, op.result()->name);
  }
  for (const auto& constant : module_.constants) {
    if (!constant->attr.element) {
      errors_.push_back(kir::Diagnostic::error("internal error: constant without element type"));
      continue;
    }
    const Type element = *constant->attr.element;
    std::vector<Id> parts;
    for (std::size_t at = 0; at + element.bytes() <= constant->bytes.size(); at += element.bytes()) {
      std::uint64_t bits = 0;
      for (unsigned i = 0; i < element.bytes(); ++i)
        bits |= std::uint64_t{constant->bytes[at + i]} << (8 * i);
      parts.push_back(w_.constant(type(element), element.bits(), bits));
    }
    const Id array = w_.type_array(type(element), parts.size());
    const Id variable =
        w_.define(Section::Global, OpVariable{.type = w_.type_pointer(spv::StorageClass::Private, array),
                                              .storage_class = spv::StorageClass::Private,
                                              .initializer = w_.constant_composite(array, parts)});
    w_.name(variable, constant->name);
    interface_.push_back(variable);
    constants_[constant->name] = variable;
  }
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
  if (root != nullptr && root->is(Opcode::Object)) {
    variable = objects_[at];
  } else if (root != nullptr && root->is(Opcode::AddressOf)) {
    variable = constants_[root->as<kir::SymbolAttr>().name];
    storage = spv::StorageClass::Private;
  } else {
    errors_.push_back(kir::Diagnostic::error("internal error: a pointer to local memory has no object"));
    return w_.undef(w_.type_pointer(storage, type(t)));
  }
  return add(OpAccessChain{.type = w_.type_pointer(storage, type(t)), .base = variable, .indexes = {index}});
}

std::pair<spv::MemoryAccessMask, std::vector<Word>> Selector::access(const kir::MemoryAttr& attr,
                                                                     bool is_global) {
  auto mask = spv::MemoryAccessMask::MaskNone;
  std::vector<Word> operands;
  if (attr.is_volatile) mask = mask | spv::MemoryAccessMask::Volatile;
  if (is_global) {
    mask = mask | spv::MemoryAccessMask::Aligned;
    operands.push_back(attr.align);
  }
  return {mask, operands};
}

Id Selector::load(const kir::Op& op) {
  const kir::Value* pointer = op.operand(0);
  const Type t = op.result()->type();
  const bool is_global = pointer->type().space() == Space::Global;
  const auto [mask, operands] = access(op.as<kir::MemoryAttr>(), is_global);
  OpLoad inst{.type = type(t),
              .pointer = is_global ? global_pointer(pointer, t) : element_pointer(pointer, t)};
  if (mask != spv::MemoryAccessMask::MaskNone) inst.memory_access = mask;
  inst.memory_access_operands = operands;
  return add(inst);
}

void Selector::store(const kir::Op& op) {
  const kir::Value* pointer = op.operand(0);
  const Type t = op.operand(1)->type();
  const bool is_global = pointer->type().space() == Space::Global;
  const auto [mask, operands] = access(op.as<kir::MemoryAttr>(), is_global);
  OpStore inst{.pointer = is_global ? global_pointer(pointer, t) : element_pointer(pointer, t),
               .object = get(op.operand(1))};
  if (mask != spv::MemoryAccessMask::MaskNone) inst.memory_access = mask;
  inst.memory_access_operands = operands;
  w_.emit(Section::Function, inst);
}

}  // namespace spirea::spirv
