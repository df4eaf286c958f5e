// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/interp/ops/handlers.h"

#include "ir/core/builder.h"
#include "tests/interp/support.h"

namespace spirea::interp::test {
namespace {

using kir::OpRule;
using kir::Type;

const std::vector<Type> kIntegers = {Type::i1(), Type::i8(), Type::i16(), Type::i32(), Type::i64()};
const std::vector<Type> kFloats = {Type::f16(), Type::f32(), Type::f64()};

/// Operand and result types that a row of the op table allows; the result is void if it has none.
struct Signature {
  std::vector<Type> operands;
  Type result;
};

std::vector<Signature> conversions(const std::vector<Type>& from, const std::vector<Type>& to,
                                   int direction) {
  std::vector<Signature> result;
  for (const Type a : from)
    for (const Type b : to) {
      const int difference = static_cast<int>(b.bits()) - static_cast<int>(a.bits());
      if (direction == 0 || difference * direction > 0) result.push_back({{a}, b});
    }
  return result;
}

std::vector<Signature> all_of(const std::vector<Type>& types, std::size_t operands,
                              std::optional<Type> result) {
  std::vector<Signature> signatures;
  for (const Type type : types)
    signatures.push_back({std::vector<Type>(operands, type), result.value_or(type)});
  return signatures;
}

/// Those of ops that are one instruction; empty for all others.
std::vector<Signature> signatures(OpRule rule) {
  const Type global = Type::ptr(kir::Space::Global);
  switch (rule) {
    case OpRule::Same: return all_of({Type::i1(), Type::f64(), global}, 1, {});
    case OpRule::IntUnary: return all_of(kIntegers, 1, {});
    case OpRule::IntBinary: return all_of(kIntegers, 2, {});
    case OpRule::FloatUnary: return all_of(kFloats, 1, {});
    case OpRule::FloatBinary: return all_of(kFloats, 2, {});
    case OpRule::FloatTernary: return all_of(kFloats, 3, {});
    case OpRule::IntCompare:
      return all_of({Type::i1(), Type::i8(), Type::i16(), Type::i32(), global}, 2, Type::i1());
    case OpRule::FloatCompare: return all_of(kFloats, 2, Type::i1());
    case OpRule::FloatTest: return all_of(kFloats, 1, Type::i1());
    case OpRule::Select: return {{{Type::i1(), Type::f16(), Type::f16()}, Type::f16()}};
    case OpRule::Narrow: return conversions(kIntegers, kIntegers, -1);
    case OpRule::Widen: return conversions(kIntegers, kIntegers, 1);
    case OpRule::FloatNarrow: return conversions(kFloats, kFloats, -1);
    case OpRule::FloatWiden: return conversions(kFloats, kFloats, 1);
    case OpRule::FloatToInt: return conversions(kFloats, kIntegers, 0);
    case OpRule::IntToFloat: return conversions(kIntegers, kFloats, 0);
    case OpRule::Bitcast: return {{{Type::i16()}, Type::f16()}, {{Type::f64()}, Type::i64()}};
    case OpRule::PtrToInt: return {{{global}, Type::i64()}};
    case OpRule::IntToPtr: return {{{Type::i64()}, global}};
    case OpRule::ToGeneric: return {{{global}, Type::ptr(kir::Space::Generic)}};
    case OpRule::Offset: return {{{global, Type::i32()}, global}, {{global, Type::i64()}, global}};
    case OpRule::Load: return {{{global}, Type::i1()}, {{global}, Type::f64()}, {{global}, global}};
    case OpRule::Store: return {{{global, Type::i8()}, {}}, {{global, global}, {}}};
    case OpRule::DimQuery: return {{{}, Type::i32()}};
    case OpRule::Terminator: return {{{}, {}}};
    case OpRule::Const:
    case OpRule::Undef:
    case OpRule::Object:
    case OpRule::AddressOf:
    case OpRule::Effect:
    case OpRule::AtomicLoad:
    case OpRule::AtomicStore:
    case OpRule::AtomicInt:
    case OpRule::AtomicFloat:
    case OpRule::AtomicCas:
    case OpRule::Query:
    case OpRule::Elect:
    case OpRule::Vote:
    case OpRule::VoteEqual:
    case OpRule::Ballot:
    case OpRule::Broadcast:
    case OpRule::Shuffle:
    case OpRule::GroupInt:
    case OpRule::GroupFloat:
    case OpRule::Dynamic:
    case OpRule::If:
    case OpRule::Loop:
    case OpRule::Switch:
    case OpRule::Block:
    case OpRule::Break:
    case OpRule::Continue: return {};
  }
  return {};
}

TEST(Handlers, every_op_has_one_for_every_type) {
  std::size_t instructions = 0;
  for (std::size_t i = 0; i < kir::kNumOpcodes; ++i) {
    const auto opcode = static_cast<kir::Opcode>(i);
    for (const Signature& signature : signatures(kir::info(opcode).rule)) {
      kir::Region region(nullptr);
      kir::Builder builder(region);
      std::vector<kir::Value*> operands;
      for (const Type type : signature.operands) operands.push_back(builder.undef(type));
      std::vector<Type> results;
      if (!signature.result.is_void()) results.push_back(signature.result);
      const kir::Op* op = builder.create(opcode, operands, results);
      for (const Subnormals subnormals : {Subnormals::keep, Subnormals::flush})
        EXPECT_NE(select_handler(*op, subnormals), nullptr)
            << kir::mnemonic(opcode) << " : " << kir::to_string(signature.result);
      ++instructions;
    }
  }
  EXPECT_GT(instructions, 300u);
}

}  // namespace
}  // namespace spirea::interp::test
