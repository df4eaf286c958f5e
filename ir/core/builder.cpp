// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/core/builder.h"

#include <array>
#include <cassert>

namespace spirea::kir {
namespace {

Attr fast_attr(Opcode opcode, FastAttr fast) {
  return info(opcode).attr == AttrKind::Fast ? Attr(fast) : Attr();
}

}  // namespace

Op* Builder::create(Opcode opcode, std::span<Value* const> operands, std::span<const Type> results, Attr attr,
                    std::size_t regions) {
  auto op = Op::create(opcode, operands, results, std::move(attr), regions, location_);
  Op* raw = op.get();
  region_->insert(before_, std::move(op));
  return raw;
}

Value* Builder::constant(Type type, std::uint64_t bits) {
  if (type.bits() < 64) bits &= (std::uint64_t{1} << type.bits()) - 1;
  return create(Opcode::Const, {}, std::array{type}, LiteralAttr{bits})->result();
}

Value* Builder::undef(Type type) { return create(Opcode::Undef, {}, std::array{type})->result(); }

Value* Builder::unary(Opcode opcode, Value* a, FastAttr fast) {
  return create(opcode, std::array{a}, std::array{a->type()}, fast_attr(opcode, fast))->result();
}

Value* Builder::binary(Opcode opcode, Value* a, Value* b, FastAttr fast) {
  return create(opcode, std::array{a, b}, std::array{a->type()}, fast_attr(opcode, fast))->result();
}

Value* Builder::ternary(Opcode opcode, Value* a, Value* b, Value* c, FastAttr fast) {
  return create(opcode, std::array{a, b, c}, std::array{a->type()}, fast_attr(opcode, fast))->result();
}

Value* Builder::compare(Opcode opcode, Value* a, Value* b) {
  return create(opcode, std::array{a, b}, std::array{Type::i1()})->result();
}

Value* Builder::test(Opcode opcode, Value* a) {
  return create(opcode, std::array{a}, std::array{Type::i1()})->result();
}

Value* Builder::convert(Opcode opcode, Value* a, Type to) {
  return create(opcode, std::array{a}, std::array{to})->result();
}

Value* Builder::select(Value* condition, Value* if_true, Value* if_false) {
  return create(Opcode::Select, std::array{condition, if_true, if_false}, std::array{if_true->type()})
      ->result();
}

Value* Builder::object(ObjectAttr attr, std::string name) {
  Value* result = create(Opcode::Object, {}, std::array{Type::ptr(Space::Private)}, attr)->result();
  result->name = std::move(name);
  return result;
}

Value* Builder::address_of(Space space, std::string symbol) {
  return create(Opcode::AddressOf, {}, std::array{Type::ptr(space)}, SymbolAttr{std::move(symbol)})->result();
}

Value* Builder::offset(Value* pointer, Value* index, std::int64_t scale, std::int64_t displacement) {
  return create(Opcode::Offset, std::array{pointer, index}, std::array{pointer->type()},
                ScaleAttr{scale, displacement})
      ->result();
}

Value* Builder::load(Type type, Value* pointer, MemoryAttr attr) {
  return create(Opcode::Load, std::array{pointer}, std::array{type}, attr)->result();
}

void Builder::store(Value* pointer, Value* value, MemoryAttr attr) {
  create(Opcode::Store, std::array{pointer, value}, {}, attr);
}

Value* Builder::dim(Opcode opcode, Dim dim) {
  return create(opcode, {}, std::array{Type::i32()}, dim)->result();
}

Op* Builder::if_op(Value* condition, std::span<const Type> results) {
  return create(Opcode::If, std::array{condition}, results, {}, 2);
}

Op* Builder::loop(std::span<Value* const> initial, std::span<const Type> results) {
  Op* op = create(Opcode::Loop, initial, results, {}, 1);
  for (Value* value : initial) op->region().add_argument(value->type(), value->name);
  return op;
}

Op* Builder::switch_op(Value* operand, CasesAttr cases, std::span<const Type> results) {
  const std::size_t regions = cases.values.size() + 1;
  return create(Opcode::Switch, std::array{operand}, results, std::move(cases), regions);
}

Op* Builder::block(std::span<const Type> results) { return create(Opcode::Block, {}, results, {}, 1); }

Op* Builder::break_to(Op* target, std::span<Value* const> results) {
  return create(Opcode::Break, results, {}, TargetAttr{target});
}

Op* Builder::continue_to(Op* loop, std::span<Value* const> arguments) {
  return create(Opcode::Continue, arguments, {}, TargetAttr{loop});
}

}  // namespace spirea::kir
