// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion instructions (SPIR-V specification 3.52.11).
#include "codegen-spirv/select/selector.h"

namespace spirea::spirv {

using kir::Opcode;
using kir::Type;

Id Selector::to_width(Id value, unsigned from, unsigned to, bool is_signed) {
  if (from == to) return value;
  const Id t = w_.type_int(to);
  return is_signed ? add(OpSConvert{.type = t, .signed_value = value})
                   : add(OpUConvert{.type = t, .unsigned_value = value});
}

Id Selector::convert(const kir::Op& op) {
  const Type from = op.operand(0)->type(), to = op.result()->type();
  const Id value = get(op.operand(0)), t = type(to);
  const auto number = [&](std::uint64_t if_true) {  // of a boolean
    return add(OpSelect{.type = w_.type_int(32),
                        .condition = value,
                        .object_1 = w_.constant_u32(static_cast<std::uint32_t>(if_true)),
                        .object_2 = w_.constant_u32(0)});
  };
  switch (op.opcode()) {
    case Opcode::Trunc: {
      if (!to.is_bool()) return to_width(value, from.bits(), to.bits(), false);
      const Id ft = type(from);
      const Id bit =
          add(OpBitwiseAnd{.type = ft, .operand_1 = value, .operand_2 = w_.constant(ft, from.bits(), 1)});
      return add(OpINotEqual{.type = t, .operand_1 = bit, .operand_2 = w_.constant(ft, from.bits(), 0)});
    }
    case Opcode::ZExt:
    case Opcode::SExt: {
      const bool is_signed = op.is(Opcode::SExt);
      if (!from.is_bool()) return to_width(value, from.bits(), to.bits(), is_signed);
      const std::uint64_t ones = ~std::uint64_t{0} >> (64 - to.bits());
      return add(OpSelect{.type = t,
                          .condition = value,
                          .object_1 = w_.constant(t, to.bits(), is_signed ? ones : 1),
                          .object_2 = w_.constant(t, to.bits(), 0)});
    }
    case Opcode::FpTrunc:
    case Opcode::FpExt: return add(OpFConvert{.type = t, .float_value = value});
    case Opcode::FpToSi:
    case Opcode::FpToUi: {
      if (to.is_bool()) {
        const Id ft = type(from);
        return add(
            OpFUnordNotEqual{.type = t, .operand_1 = value, .operand_2 = w_.constant(ft, from.bits(), 0)});
      }
      return op.is(Opcode::FpToSi) ? add(OpConvertFToS{.type = t, .float_value = value})
                                   : add(OpConvertFToU{.type = t, .float_value = value});
    }
    case Opcode::SiToFp:
      return add(
          OpConvertSToF{.type = t, .signed_value = from.is_bool() ? number(~std::uint64_t{0}) : value});
    case Opcode::UiToFp:
      return add(OpConvertUToF{.type = t, .unsigned_value = from.is_bool() ? number(1) : value});
    case Opcode::Bitcast: return add(OpBitcast{.type = t, .operand = value});
    case Opcode::PtrToInt:
    case Opcode::IntToPtr: return value;  // global pointers are their addresses
    default: break;
  }
  fail(op, "internal error: '" + std::string(mnemonic(op.opcode())) + "' reached instruction selection");
  return w_.undef(t);
}

}  // namespace spirea::spirv
