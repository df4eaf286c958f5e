// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen-spirv/legalize/memory.h"

#include <bit>

namespace spirea::spirv {

using kir::Opcode;
using kir::Type;
using kir::Value;

bool is_multiple_of(const Value* pointer, std::int64_t bytes) {
  for (const Value* at = pointer; at->def() != nullptr && at->def()->is(Opcode::Offset);
       at = at->def()->operand(0)) {
    const auto& scale = at->def()->as<kir::ScaleAttr>();
    const bool zero = kir::literal(at->def()->operand(1)) == 0;
    if ((!zero && scale.scale % bytes != 0) || scale.displacement % bytes != 0) return false;
  }
  return true;
}

WordPlace::WordPlace(kir::Builder& builder, Value* pointer, unsigned word_bytes)
    : builder_(builder), word_bytes_(word_bytes), base_(pointer) {
  while (base_->def()->is(Opcode::Offset)) {
    const kir::Op& op = *base_->def();
    const auto& scale = op.as<kir::ScaleAttr>();
    fixed_ += static_cast<std::uint32_t>(scale.displacement);
    if (const auto index = kir::literal(op.operand(1))) {
      fixed_ += static_cast<std::uint32_t>(*index) * static_cast<std::uint32_t>(scale.scale);
    } else {
      Value* term = op.operand(1);
      if (term->type() == Type::i64()) term = builder_.convert(Opcode::Trunc, term, Type::i32());
      if (scale.scale != 1)
        term = builder_.binary(Opcode::Mul, term, builder_.i32(static_cast<std::uint32_t>(scale.scale)));
      dynamic_ = dynamic_ == nullptr ? term : builder_.binary(Opcode::Add, dynamic_, term);
    }
    base_ = op.operand(0);
  }
}

Value* WordPlace::pointer(std::uint32_t extra) const {
  if (dynamic_ == nullptr) {
    Value* zero = builder_.i32(0);
    return builder_.offset(base_, zero, word_bytes_, (fixed_ + extra) / word_bytes_ * word_bytes_);
  }
  Value* bytes = builder_.binary(Opcode::Add, dynamic_, builder_.i32(fixed_ + extra));
  Value* index = builder_.binary(Opcode::LShr, bytes,
                                 builder_.i32(static_cast<unsigned>(std::countr_zero(word_bytes_))));
  return builder_.offset(base_, index, word_bytes_);
}

Value* WordPlace::bit_position(std::uint32_t extra) const {
  if (dynamic_ == nullptr) return builder_.constant(word(), (fixed_ + extra) % word_bytes_ * 8);
  Value* bytes = builder_.binary(Opcode::Add, dynamic_, builder_.i32(fixed_ + extra));
  Value* low = builder_.binary(Opcode::And, bytes, builder_.i32(word_bytes_ - 1));
  Value* bits = builder_.binary(Opcode::Shl, low, builder_.i32(3));
  return word_bytes_ == 4 ? bits : builder_.convert(Opcode::ZExt, bits, word());
}

Value* shifted(kir::Builder& builder, Opcode opcode, Value* value, Value* by) {
  return kir::literal(by) == 0 ? value : builder.binary(opcode, value, by);
}

Value* to_bits(kir::Builder& builder, Value* value) {
  const Type type = value->type();
  if (type.is_float()) return builder.convert(Opcode::Bitcast, value, Type::integer(type.bits()));
  if (type.is_bool()) return builder.convert(Opcode::ZExt, value, Type::i8());
  if (type.is_ptr()) return builder.convert(Opcode::PtrToInt, value, Type::i64());
  return value;
}

Value* from_bits(kir::Builder& builder, Value* bits, Type type) {
  if (type.is_float()) return builder.convert(Opcode::Bitcast, bits, type);
  if (type.is_bool()) return builder.convert(Opcode::Trunc, bits, type);
  if (type.is_ptr()) return builder.convert(Opcode::IntToPtr, bits, type);
  return bits;
}

}  // namespace spirea::spirv
