// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/import/importer.h"

namespace spirea::frontend {

using kir::Opcode;
using kir::Type;

void Importer::cast(const llvm::CastInst& inst) {
  if (wide_cast(inst)) return;
  if (inst.getOpcode() == llvm::Instruction::BitCast) return bitcast(inst);
  std::vector<Type> wanted;
  types(inst.getType(), &inst, wanted);
  const Components parts = get(inst.getOperand(0));
  Components result;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    kir::Value* value = cast(inst, parts[i], wanted[i]);
    if (value == nullptr) return unsupported(inst, "this conversion is not supported in kernels");
    result.push_back(value);
  }
  set(&inst, result);
}

/// Between the KIR types that hold two integer types.
kir::Value* Importer::resize(Opcode widen, kir::Value* value, Type to) {
  if (to.bits() > value->type().bits()) return builder_.convert(widen, value, to);
  return to.bits() < value->type().bits() ? builder_.convert(Opcode::Trunc, value, to) : value;
}

kir::Value* Importer::int_to_float(kir::Value* value, Type to, unsigned bits, bool is_signed) {
  if (value->type().is_bool()) {
    kir::Value* one = float_literal(to, is_signed ? -1.0 : 1.0);
    return builder_.select(value, one, zero(to));
  }
  if (!is_signed) return builder_.convert(Opcode::UiToFp, value, to);
  return builder_.convert(Opcode::SiToFp, sign_extended(value, bits), to);
}

kir::Value* Importer::address_as_number(kir::Value* pointer) {
  if (spaces_.has_generic_numbers() && pointer->type().space() != kir::Space::Global)
    pointer = coerce(pointer, Type::ptr(kir::Space::Generic));
  return builder_.convert(Opcode::PtrToInt, pointer, Type::i64());
}

kir::Value* Importer::cast(const llvm::CastInst& inst, kir::Value* value, Type to) {
  const unsigned from_bits = inst.getSrcTy()->getScalarSizeInBits(),
                 to_bits = inst.getDestTy()->getScalarSizeInBits();
  switch (inst.getOpcode()) {
    case llvm::Instruction::Trunc: return mask(resize(Opcode::ZExt, value, to), to_bits);
    case llvm::Instruction::ZExt: return resize(Opcode::ZExt, value, to);
    case llvm::Instruction::SExt:
      value = sign_extended(value, from_bits);
      return mask(resize(Opcode::SExt, value, to), to_bits);
    case llvm::Instruction::FPTrunc: return builder_.convert(Opcode::FpTrunc, value, to);
    case llvm::Instruction::FPExt: return builder_.convert(Opcode::FpExt, value, to);
    case llvm::Instruction::FPToSI:
    case llvm::Instruction::FPToUI: {
      const Opcode op = inst.getOpcode() == llvm::Instruction::FPToSI ? Opcode::FpToSi : Opcode::FpToUi;
      value = builder_.convert(op, value, to.is_bool() ? Type::i8() : to);
      return mask(resize(Opcode::ZExt, value, to), to_bits);
    }
    case llvm::Instruction::SIToFP: return int_to_float(value, to, from_bits, true);
    case llvm::Instruction::UIToFP: return int_to_float(value, to, from_bits, false);
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::PtrToAddr:
      return mask(resize(Opcode::ZExt, address_as_number(value), to), to_bits);
    case llvm::Instruction::IntToPtr:
      value = resize(Opcode::ZExt, value, Type::i64());
      return builder_.convert(Opcode::IntToPtr, value, to);
    default: return nullptr;
  }
}

kir::Value* Importer::reinterpret(kir::Value* value, Type to) {
  return value->type() == to ? value : builder_.convert(Opcode::Bitcast, value, to);
}

/// Between scalars and vectors of the same size: through integers, element by element, little-endian.
void Importer::bitcast(const llvm::CastInst& inst) {
  std::vector<Type> wanted;
  types(inst.getType(), &inst, wanted);
  const Components parts = get(inst.getOperand(0));
  const std::size_t more = std::max(wanted.size(), parts.size()),
                    fewer = std::min(wanted.size(), parts.size());
  const bool pointers = wanted[0].is_ptr() || parts[0]->type().is_ptr();
  const auto is_odd = [](Type held, const llvm::Type* type) {
    return held.bits() != (type->isIntegerTy(128) ? 64 : type->getScalarSizeInBits());
  };
  const bool odd =
      fewer > 1 && (is_odd(wanted[0], inst.getDestTy()) || is_odd(parts[0]->type(), inst.getSrcTy()));
  if (more % fewer != 0 || odd || (pointers && wanted[0] != parts[0]->type()))
    return unsupported(inst, "this conversion is not supported in kernels");
  const std::size_t group = more / fewer;
  Components result;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Type to = wanted[i];
    if (group == 1) {
      result.push_back(reinterpret(parts[i], to));
    } else if (wanted.size() < parts.size()) {
      const Type whole = Type::integer(to.bits());
      kir::Value* sum = zero(whole);
      for (std::size_t k = 0; k < group; ++k) {
        kir::Value* part = parts[i * group + k];
        const unsigned bits = part->type().bits();
        part = builder_.convert(Opcode::ZExt, reinterpret(part, Type::integer(bits)), whole);
        part = builder_.binary(Opcode::Shl, part, literal(whole, bits * k));
        sum = builder_.binary(Opcode::Or, sum, part);
      }
      result.push_back(reinterpret(sum, to));
    } else {
      const unsigned bits = to.bits();
      const Type whole = Type::integer(parts[i / group]->type().bits());
      kir::Value* value = reinterpret(parts[i / group], whole);
      value = builder_.binary(Opcode::LShr, value, literal(whole, bits * (i % group)));
      result.push_back(reinterpret(builder_.convert(Opcode::Trunc, value, Type::integer(bits)), to));
    }
  }
  set(&inst, result);
}

}  // namespace spirea::frontend
