// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen-spirv/legalize/pieces.h"

namespace spirea::spirv {
namespace {

using kir::Op;
using kir::Opcode;
using kir::Type;
using kir::Value;

/// Truth values and addresses are numbers in memory.
Type type_in_memory(Type type) {
  if (type.is_bool()) return Type::i32();
  return type.is_ptr() ? Type::i64() : type;
}

Value* to_memory(Value* value, kir::Builder& builder) {
  if (value->type().is_ptr()) return builder.convert(Opcode::PtrToInt, value, Type::i64());
  if (!value->type().is_bool()) return value;
  Value* one = builder.i32(1);
  Value* zero = builder.i32(0);
  return builder.select(value, one, zero);
}

Value* from_memory(Value* value, Type type, kir::Builder& builder) {
  if (type.is_ptr()) return builder.convert(Opcode::IntToPtr, value, type);
  return type.is_bool() ? builder.compare(Opcode::INe, value, builder.i32(0)) : value;
}

kir::MemoryAttr access(Type type) { return {type_in_memory(type).bits() / 8, false}; }

/// Constants, positions, and pointers to local memory, which cannot be stored: legalization has made sure
/// that each is an offset from one object.
bool is_computed_again(const Op& op) {
  if (!is_pure(op.opcode()) || op.num_results() != 1 || op.is(Opcode::Object)) return false;
  const Type type = op.result()->type();
  return op.num_operands() == 0 || (type.is_ptr() && type.space() != kir::Space::Global);
}

}  // namespace

void PieceValues::take_apart(const Op& op) {
  for (const auto& result : op.results()) taken_apart_.insert(result.get());
  for (const auto& region : op.regions())
    for (const auto& argument : region->arguments()) taken_apart_.insert(argument.get());
}

Value* PieceValues::variable(Value* value) {
  Value*& known = variables_[value];
  if (known != nullptr) return known;
  kir::Builder builder = body_.empty() ? kir::Builder(body_) : kir::Builder(body_.first());
  const Type type = type_in_memory(value->type());
  known = builder.object({type.bits() / 8, type.bits() / 8, type});
  return known;
}

void PieceValues::store(Value* to, Value* from, kir::Builder& builder) {
  if (!to->has_uses()) return;
  Value* place = variable(to);
  builder.store(place, to_memory(from, builder), access(to->type()));
}

void PieceValues::connect(const std::vector<Piece*>& pieces) {
  for (const Piece* piece : pieces) {
    pieces_[piece->home] = piece;
    starts_[piece] = piece->home->first();
  }
  for (const Piece* piece : pieces) {
    kir::walk(*piece->home, [&](Op& op) {
      for (std::size_t i = 0; i < op.num_operands(); ++i)
        if (!is_visible(op.operand(i), *piece)) op.set_operand(i, value_in(op.operand(i), *piece));
    });
  }
}

bool PieceValues::is_visible(const Value* value, const Piece& piece) const {
  if (taken_apart_.count(value) != 0) return false;
  const kir::Region* region = value->def() != nullptr ? value->def()->parent() : value->argument_of();
  for (; region->parent() != nullptr; region = region->parent()->parent())
    if (const auto found = pieces_.find(region); found != pieces_.end()) return found->second == &piece;
  return true;
}

Value* PieceValues::value_in(Value* value, const Piece& piece) {
  if (is_visible(value, piece)) return value;
  if (const auto known = copies_.find({value, &piece}); known != copies_.end()) return known->second;
  const bool again = value->def() != nullptr && is_computed_again(*value->def());
  Value* copy = again ? compute_again(*value->def(), piece) : load(value, piece);
  copy->name = value->name;
  copies_[{value, &piece}] = copy;
  return copy;
}

Value* PieceValues::compute_again(const Op& op, const Piece& piece) {
  std::vector<Value*> operands;
  for (Value* operand : op.operands()) operands.push_back(value_in(operand, piece));
  kir::Builder builder(starts_.at(&piece));
  builder.set_location(op.location);
  return builder.create(op.opcode(), operands, std::vector{op.result()->type()}, op.attr)->result();
}

Value* PieceValues::load(Value* value, const Piece& piece) {
  const bool is_new = variables_.count(value) == 0;
  Value* place = variable(value);
  if (is_new && taken_apart_.count(value) == 0) {
    kir::Builder builder(value->def()->next());
    builder.set_location(value->def()->location);
    builder.store(place, to_memory(value, builder), access(value->type()));
  }
  kir::Builder builder(starts_.at(&piece));
  return from_memory(builder.load(type_in_memory(value->type()), place, access(value->type())), value->type(),
                     builder);
}

}  // namespace spirea::spirv
