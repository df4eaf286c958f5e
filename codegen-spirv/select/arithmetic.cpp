// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic, bit, relational and logical instructions (SPIR-V specification 3.52.13 to 3.52.15) and
// GLSL.std.450.
#include <spirv/unified1/GLSL.std.450.h>

#include "codegen-spirv/select/selector.h"

namespace spirea::spirv {

using kir::Opcode;
using kir::OpRule;
using kir::Type;

Id Selector::value_op(const kir::Op& op) {
  if (needs_exact_function(op)) return exact_call(op);
  switch (info(op.opcode()).rule) {
    case OpRule::Const: {
      const Type t = op.result()->type();
      const std::uint64_t bits = op.as<kir::LiteralAttr>().bits;
      return t.is_bool() ? w_.constant_bool(bits != 0) : w_.constant(type(t), t.bits(), bits);
    }
    case OpRule::Undef: return w_.undef(result_type(op));
    case OpRule::Same: return get(op.operand(0));  // freeze: SPIR-V has no poison
    case OpRule::IntUnary:
    case OpRule::FloatUnary:
    case OpRule::FloatTernary:
    case OpRule::FloatTest: return glsl_op(op);
    case OpRule::IntBinary:
    case OpRule::FloatBinary: return binary(op);
    case OpRule::IntCompare:
    case OpRule::FloatCompare: return compare(op);
    case OpRule::Select:
      return add(OpSelect{.type = result_type(op),
                          .condition = get(op.operand(0)),
                          .object_1 = get(op.operand(1)),
                          .object_2 = get(op.operand(2))});
    case OpRule::Offset: return address(op);
    case OpRule::Load: return load(op);
    case OpRule::DimQuery: return dim_query(op);
    case OpRule::AtomicLoad:
    case OpRule::AtomicInt:
    case OpRule::AtomicFloat:
    case OpRule::AtomicCas: return atomic(op);
    case OpRule::Query: return subgroup_query(op);
    case OpRule::Elect:
    case OpRule::Vote:
    case OpRule::VoteEqual:
    case OpRule::Ballot:
    case OpRule::Broadcast:
    case OpRule::Shuffle:
    case OpRule::GroupInt:
    case OpRule::GroupFloat: return subgroup_op(op);
    default: return convert(op);
  }
}

namespace {

template <class Inst>
Id emit_binary(ModuleWriter& w, Id type, Id a, Id b) {
  Inst inst{};
  inst.type = type;
  // The two operands follow the result in every binary instruction, whatever the grammar calls them.
  auto& [result_type, result, first, second] = inst;
  first = a;
  second = b;
  (void)result_type;
  (void)result;
  return w.define(Section::Function, inst);
}

using Emit = Id (*)(ModuleWriter&, Id, Id, Id);

Emit integer_binary(Opcode opcode) {
  switch (opcode) {
    case Opcode::Add: return emit_binary<OpIAdd>;
    case Opcode::Sub: return emit_binary<OpISub>;
    case Opcode::Mul: return emit_binary<OpIMul>;
    case Opcode::UDiv: return emit_binary<OpUDiv>;
    case Opcode::SDiv: return emit_binary<OpSDiv>;
    case Opcode::URem: return emit_binary<OpUMod>;
    case Opcode::SRem: return emit_binary<OpSRem>;
    case Opcode::And: return emit_binary<OpBitwiseAnd>;
    case Opcode::Or: return emit_binary<OpBitwiseOr>;
    case Opcode::Xor: return emit_binary<OpBitwiseXor>;
    case Opcode::Shl: return emit_binary<OpShiftLeftLogical>;
    case Opcode::LShr: return emit_binary<OpShiftRightLogical>;
    case Opcode::AShr: return emit_binary<OpShiftRightArithmetic>;
    case Opcode::FAdd: return emit_binary<OpFAdd>;
    case Opcode::FSub: return emit_binary<OpFSub>;
    case Opcode::FMul: return emit_binary<OpFMul>;
    case Opcode::FDiv: return emit_binary<OpFDiv>;
    case Opcode::FRem: return emit_binary<OpFRem>;
    default: return nullptr;
  }
}

Emit comparison(Opcode opcode, bool is_bool) {
  switch (opcode) {
    case Opcode::IEq: return is_bool ? emit_binary<OpLogicalEqual> : emit_binary<OpIEqual>;
    case Opcode::INe: return is_bool ? emit_binary<OpLogicalNotEqual> : emit_binary<OpINotEqual>;
    case Opcode::ULt: return emit_binary<OpULessThan>;
    case Opcode::ULe: return emit_binary<OpULessThanEqual>;
    case Opcode::UGt: return emit_binary<OpUGreaterThan>;
    case Opcode::UGe: return emit_binary<OpUGreaterThanEqual>;
    case Opcode::SLt: return emit_binary<OpSLessThan>;
    case Opcode::SLe: return emit_binary<OpSLessThanEqual>;
    case Opcode::SGt: return emit_binary<OpSGreaterThan>;
    case Opcode::SGe: return emit_binary<OpSGreaterThanEqual>;
    case Opcode::FOEq: return emit_binary<OpFOrdEqual>;
    case Opcode::FONe: return emit_binary<OpFOrdNotEqual>;
    case Opcode::FOLt: return emit_binary<OpFOrdLessThan>;
    case Opcode::FOLe: return emit_binary<OpFOrdLessThanEqual>;
    case Opcode::FOGt: return emit_binary<OpFOrdGreaterThan>;
    case Opcode::FOGe: return emit_binary<OpFOrdGreaterThanEqual>;
    case Opcode::FUEq: return emit_binary<OpFUnordEqual>;
    case Opcode::FUNe: return emit_binary<OpFUnordNotEqual>;
    case Opcode::FULt: return emit_binary<OpFUnordLessThan>;
    case Opcode::FULe: return emit_binary<OpFUnordLessThanEqual>;
    case Opcode::FUGt: return emit_binary<OpFUnordGreaterThan>;
    case Opcode::FUGe: return emit_binary<OpFUnordGreaterThanEqual>;
    default: return nullptr;
  }
}

/// The instruction of GLSL.std.450; 0 for ops that have none. fmin and fmax are the ones that ignore a NaN.
Word extended_instruction(Opcode opcode) {
  switch (opcode) {
    case Opcode::SMin: return GLSLstd450SMin;
    case Opcode::SMax: return GLSLstd450SMax;
    case Opcode::UMin: return GLSLstd450UMin;
    case Opcode::UMax: return GLSLstd450UMax;
    case Opcode::IAbs: return GLSLstd450SAbs;
    case Opcode::FAbs: return GLSLstd450FAbs;
    case Opcode::FMin: return GLSLstd450NMin;
    case Opcode::FMax: return GLSLstd450NMax;
    case Opcode::Fma: return GLSLstd450Fma;
    case Opcode::Sqrt: return GLSLstd450Sqrt;
    case Opcode::Floor: return GLSLstd450Floor;
    case Opcode::Ceil: return GLSLstd450Ceil;
    case Opcode::FTrunc: return GLSLstd450Trunc;
    case Opcode::RoundEven: return GLSLstd450RoundEven;
    case Opcode::Sin: return GLSLstd450Sin;
    case Opcode::Cos: return GLSLstd450Cos;
    case Opcode::Tan: return GLSLstd450Tan;
    case Opcode::Asin: return GLSLstd450Asin;
    case Opcode::Acos: return GLSLstd450Acos;
    case Opcode::Atan: return GLSLstd450Atan;
    case Opcode::Atan2: return GLSLstd450Atan2;
    case Opcode::Sinh: return GLSLstd450Sinh;
    case Opcode::Cosh: return GLSLstd450Cosh;
    case Opcode::Tanh: return GLSLstd450Tanh;
    case Opcode::Asinh: return GLSLstd450Asinh;
    case Opcode::Acosh: return GLSLstd450Acosh;
    case Opcode::Atanh: return GLSLstd450Atanh;
    case Opcode::Exp: return GLSLstd450Exp;
    case Opcode::Exp2: return GLSLstd450Exp2;
    case Opcode::Log: return GLSLstd450Log;
    case Opcode::Log2: return GLSLstd450Log2;
    case Opcode::Pow: return GLSLstd450Pow;
    default: return 0;
  }
}

}  // namespace

Id Selector::boolean_binary(const kir::Op& op) {
  const Id t = w_.type_bool(), a = get(op.operand(0)), b = get(op.operand(1));
  switch (op.opcode()) {
    case Opcode::And:
    case Opcode::Mul:
    case Opcode::UMin:
    case Opcode::SMax: return emit_binary<OpLogicalAnd>(w_, t, a, b);
    case Opcode::Or:
    case Opcode::UMax:
    case Opcode::SMin: return emit_binary<OpLogicalOr>(w_, t, a, b);
    case Opcode::Add:
    case Opcode::Sub:
    case Opcode::Xor: return emit_binary<OpLogicalNotEqual>(w_, t, a, b);
    case Opcode::UDiv:
    case Opcode::SDiv:
    case Opcode::Shl:
    case Opcode::LShr:
    case Opcode::AShr: return a;  // the divisor can only be 1, the amount only 0
    default: break;
  }
  return w_.constant_bool(false);  // a remainder by 1
}

Id Selector::binary(const kir::Op& op) {
  const Type t = op.result()->type();
  if (t.is_bool()) return boolean_binary(op);
  const Emit emit = integer_binary(op.opcode());
  if (emit == nullptr) return glsl_op(op);
  const Id id = emit(w_, type(t), get(op.operand(0)), get(op.operand(1)));
  if (t.is_float() && !op.as<kir::FastAttr>().has(kir::FastAttr::Contract))
    w_.decorate(id, spv::Decoration::NoContraction);
  return id;
}

Id Selector::compare(const kir::Op& op) {
  const Id a = get(op.operand(0)), b = get(op.operand(1)), t = w_.type_bool();
  if (op.is(Opcode::FOrd) || op.is(Opcode::FUno)) {
    const Id x = add(OpIsNan{.type = t, .x = a});
    const Id y = add(OpIsNan{.type = t, .x = b});
    const Id either = emit_binary<OpLogicalOr>(w_, t, x, y);
    return op.is(Opcode::FUno) ? either : add(OpLogicalNot{.type = t, .operand = either});
  }
  const bool is_bool = op.operand(0)->type().is_bool();
  const Emit emit = comparison(op.opcode(), is_bool);
  if (!is_bool || op.is(Opcode::IEq) || op.is(Opcode::INe)) return emit(w_, t, a, b);
  // Ordered comparison of booleans: as numbers.
  const Id u32 = w_.type_int(32), one = w_.constant_u32(1), zero = w_.constant_u32(0);
  const auto number = [&](Id value) {
    return add(OpSelect{.type = u32, .condition = value, .object_1 = one, .object_2 = zero});
  };
  const bool is_signed = op.is(Opcode::SLt) || op.is(Opcode::SLe) || op.is(Opcode::SGt) || op.is(Opcode::SGe);
  const Id x = number(is_signed ? b : a);  // a signed true is -1: less than false
  const Id y = number(is_signed ? a : b);
  return emit(w_, t, x, y);
}

Id Selector::glsl_op(const kir::Op& op) {
  switch (op.opcode()) {
    case Opcode::FNeg: return add(OpFNegate{.type = result_type(op), .operand = get(op.operand(0))});
    case Opcode::IsNan: return add(OpIsNan{.type = w_.type_bool(), .x = get(op.operand(0))});
    case Opcode::IsInf: return add(OpIsInf{.type = w_.type_bool(), .x = get(op.operand(0))});
    case Opcode::Popcount: return add(OpBitCount{.type = result_type(op), .base = get(op.operand(0))});
    case Opcode::BitReverse: return add(OpBitReverse{.type = result_type(op), .base = get(op.operand(0))});
    case Opcode::Clz:
    case Opcode::Ctz: {  // of 32 bits: the instructions give -1 for zero
      const Id u32 = w_.type_int(32);
      const bool leading = op.is(Opcode::Clz);
      const Word which = leading ? GLSLstd450FindUMsb : GLSLstd450FindILsb;
      const Id found = add(
          OpExtInst{.type = u32, .set = w_.glsl(), .instruction = which, .operand_1 = {get(op.operand(0))}});
      if (leading) return emit_binary<OpISub>(w_, u32, w_.constant_u32(31), found);
      return add(OpExtInst{.type = u32,
                           .set = w_.glsl(),
                           .instruction = GLSLstd450UMin,
                           .operand_1 = {found, w_.constant_u32(32)}});
    }
    case Opcode::UMulHi:
    case Opcode::SMulHi: {
      const Id pair = w_.type_pair(result_type(op));
      const Id both = op.is(Opcode::UMulHi)
                          ? emit_binary<OpUMulExtended>(w_, pair, get(op.operand(0)), get(op.operand(1)))
                          : emit_binary<OpSMulExtended>(w_, pair, get(op.operand(0)), get(op.operand(1)));
      return add(OpCompositeExtract{.type = result_type(op), .composite = both, .indexes = {1}});
    }
    default: break;
  }
  const Word which = extended_instruction(op.opcode());
  if (which == 0) {
    fail(op, "internal error: '" + std::string(mnemonic(op.opcode())) + "' reached instruction selection");
    return w_.undef(result_type(op));
  }
  OpExtInst inst{.type = result_type(op), .set = w_.glsl(), .instruction = which};
  for (const kir::Value* operand : op.operands()) inst.operand_1.push_back(get(operand));
  return add(inst);
}

}  // namespace spirea::spirv
