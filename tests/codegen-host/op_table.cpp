// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every op of the op table that computes a value from values, for every combination of types, on values at
// the edges and on random ones: the host gives what the interpreter gives, wherever that is defined.
#include <cmath>
#include <gtest/gtest.h>
#include <random>

#include "ir/core/builder.h"
#include "tests/codegen-host/differential.h"

namespace codegen_host {
namespace {

namespace abi = spirea::abi;
namespace kir = spirea::kir;
using kir::Opcode;
using kir::OpRule;
using kir::Type;

constexpr std::uint32_t kTuples = 160;

struct Signature {
  std::vector<Type> operands;
  Type result;
};

const std::vector<Type> kInts{Type::i1(), Type::i8(), Type::i16(), Type::i32(), Type::i64()};
const std::vector<Type> kFloats{Type::f16(), Type::f32(), Type::f64()};

/// Each type with as many operands of it; the result has the type `result`, or the operands' where that is
/// void.
std::vector<Signature> each(const std::vector<Type>& types, std::size_t operands, Type result = {}) {
  std::vector<Signature> all;
  for (const Type type : types)
    all.push_back({std::vector<Type>(operands, type), result.is_void() ? type : result});
  return all;
}

template <class F>
std::vector<Signature> pairs(const std::vector<Type>& from, const std::vector<Type>& to, F allowed) {
  std::vector<Signature> all;
  for (const Type a : from)
    for (const Type b : to)
      if (allowed(a, b)) all.push_back({{a}, b});
  return all;
}

bool narrows(Type from, Type to) { return from.bits() > to.bits(); }
bool widens(Type from, Type to) { return from.bits() < to.bits(); }
bool any(Type, Type) { return true; }
bool same_width(Type from, Type to) { return from.bits() == to.bits(); }

std::vector<Type> all_scalars() {
  std::vector<Type> types = kInts;
  types.insert(types.end(), kFloats.begin(), kFloats.end());
  return types;
}

std::vector<Signature> selects() {
  std::vector<Signature> all;
  for (const Type type : all_scalars()) all.push_back({{Type::i1(), type, type}, type});
  return all;
}

std::vector<Signature> bitcasts() {
  std::vector<Signature> all = pairs(kInts, kFloats, same_width);
  const std::vector<Signature> back = pairs(kFloats, kInts, same_width);
  all.insert(all.end(), back.begin(), back.end());
  return all;
}

/// Empty for rules of ops that do not compute a value from values.
std::vector<Signature> signatures(OpRule rule) {
  switch (rule) {
    case OpRule::Same: return each(all_scalars(), 1);
    case OpRule::IntUnary: return each(kInts, 1);
    case OpRule::IntBinary: return each(kInts, 2);
    case OpRule::FloatUnary: return each(kFloats, 1);
    case OpRule::FloatBinary: return each(kFloats, 2);
    case OpRule::FloatTernary: return each(kFloats, 3);
    case OpRule::IntCompare: return each(kInts, 2, Type::i1());
    case OpRule::FloatCompare: return each(kFloats, 2, Type::i1());
    case OpRule::FloatTest: return each(kFloats, 1, Type::i1());
    case OpRule::Select: return selects();
    case OpRule::Narrow: return pairs(kInts, kInts, narrows);
    case OpRule::Widen: return pairs(kInts, kInts, widens);
    case OpRule::FloatNarrow: return pairs(kFloats, kFloats, narrows);
    case OpRule::FloatWiden: return pairs(kFloats, kFloats, widens);
    case OpRule::FloatToInt: return pairs(kFloats, kInts, any);
    case OpRule::IntToFloat: return pairs(kInts, kFloats, any);
    case OpRule::Bitcast: return bitcasts();
    case OpRule::Const:
    case OpRule::Undef:
    case OpRule::PtrToInt:
    case OpRule::IntToPtr:
    case OpRule::ToGeneric:
    case OpRule::Object:
    case OpRule::AddressOf:
    case OpRule::Offset:
    case OpRule::Load:
    case OpRule::Store:
    case OpRule::DimQuery:
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
    case OpRule::Continue:
    case OpRule::Terminator: return {};
  }
  return {};
}

double to_double(Type type, std::uint64_t bits) {
  if (type.bits() == 16)
    return static_cast<double>(std::bit_cast<_Float16>(static_cast<std::uint16_t>(bits)));
  if (type.bits() == 32) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  return std::bit_cast<double>(bits);
}

std::uint64_t from_double(Type type, double value) {
  if (type.bits() == 16) return std::bit_cast<std::uint16_t>(static_cast<_Float16>(value));
  if (type.bits() == 32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return std::bit_cast<std::uint64_t>(value);
}

/// Edges, small numbers and any bits, in equal parts.
std::uint64_t random_bits(Type type, std::mt19937_64& random) {
  const std::uint64_t mask = type.bits() == 64 ? ~0ull : (1ull << type.bits()) - 1;
  const std::uint64_t any_bits = random() & mask;
  const auto choice = random();
  if (type.is_float()) {
    constexpr double edges[] = {0.0,  -0.0,  1.0,   -1.0,     0.5,       -1.5, 2.5,
                                1e-5, 65504, 127.5, INFINITY, -INFINITY, NAN,  1e-320};
    if (choice % 3 == 0) return from_double(type, edges[choice / 3 % std::size(edges)]);
    if (choice % 3 == 1) return from_double(type, static_cast<double>(choice / 3 % 20001) / 1000.0 - 10.0);
    return any_bits;
  }
  const std::uint64_t minimum = 1ull << (type.bits() - 1);
  const std::uint64_t edges[] = {0, 1, mask, minimum, minimum - 1, minimum + 1, 2, mask - 1};
  if (choice % 3 == 0) return edges[choice / 3 % std::size(edges)] & mask;
  if (choice % 3 == 1) return choice / 3 % (type.bits() + 1) & mask;
  return any_bits;
}

std::vector<std::uint8_t> random_buffer(Type type, std::mt19937_64& random) {
  std::vector<std::uint8_t> bytes(std::size_t{kTuples} * type.bytes());
  for (std::size_t at = 0; at < bytes.size(); at += type.bytes()) {
    const std::uint64_t bits = random_bits(type, random);
    std::memcpy(bytes.data() + at, &bits, type.bytes());
  }
  return bytes;
}

/// out[i] = op(in0[i], in1[i], ...).
void add_op_kernel(kir::Module& module, Opcode opcode, const Signature& signature) {
  std::vector<abi::Param> params;
  for (const Type type : signature.operands)
    params.push_back(buffer_param("in" + std::to_string(params.size()), type.bytes(), abi::Access::Read));
  params.push_back(buffer_param("out", signature.result.bytes(), abi::Access::Write));
  kir::Kernel& kernel = add_kernel(module, "op" + std::to_string(module.kernels.size()), std::move(params));
  kir::Builder builder(kernel.body);
  kir::Value* id = builder.dim(Opcode::GlobalId, kir::Dim::X);
  std::vector<kir::Value*> operands;
  for (std::size_t i = 0; i < signature.operands.size(); ++i) {
    const Type type = signature.operands[i];
    kir::Value* pointer = builder.offset(kernel.body.argument(2 * i), id, type.bytes());
    operands.push_back(builder.load(type, pointer, {type.bytes(), false}));
  }
  const kir::Attr attr =
      kir::info(opcode).attr == kir::AttrKind::Fast ? kir::Attr(kir::FastAttr{}) : kir::Attr();
  kir::Op* op = builder.create(opcode, operands, std::vector<Type>{signature.result}, attr);
  kir::Value* out =
      builder.offset(kernel.body.argument(2 * signature.operands.size()), id, signature.result.bytes());
  builder.store(out, op->result(), {signature.result.bytes(), false});
  builder.ret();
}

/// Replaces operands of divisions that have no quotient, which the interpreter refuses.
void make_divisible(Opcode opcode, const Signature& signature,
                    std::vector<std::vector<std::uint8_t>>& buffers) {
  const bool is_signed = opcode == Opcode::SDiv || opcode == Opcode::SRem;
  if (!is_signed && opcode != Opcode::UDiv && opcode != Opcode::URem) return;
  const Type type = signature.result;
  const std::uint64_t mask = type.bits() == 64 ? ~0ull : (1ull << type.bits()) - 1;
  for (std::size_t at = 0; at < buffers[0].size(); at += type.bytes()) {
    std::uint64_t dividend = 0, divisor = 0;
    std::memcpy(&dividend, buffers[0].data() + at, type.bytes());
    std::memcpy(&divisor, buffers[1].data() + at, type.bytes());
    if (divisor == 0) divisor = 1;
    if (is_signed && divisor == mask && dividend == 1ull << (type.bits() - 1)) dividend = 0;
    std::memcpy(buffers[0].data() + at, &dividend, type.bytes());
    std::memcpy(buffers[1].data() + at, &divisor, type.bytes());
  }
}

bool same(Opcode opcode, Type type, std::uint64_t a, std::uint64_t b) {
  if (a == b || !type.is_float()) return a == b;
  const double x = to_double(type, a), y = to_double(type, b);
  if (std::isnan(x) && std::isnan(y)) return true;
  // Which zero the minimum of two is stays open.
  return (opcode == Opcode::FMin || opcode == Opcode::FMax) && x == y;
}

void compare(Opcode opcode, const Signature& signature, const std::vector<std::vector<std::uint8_t>>& inputs,
             const Contents& got, const Contents& expected) {
  const std::size_t size = signature.result.bytes();
  std::size_t defined = 0;
  for (std::size_t i = 0; i < kTuples; ++i) {
    if (!expected.defined[i * size]) continue;
    ++defined;
    std::uint64_t a = 0, b = 0;
    std::memcpy(&a, got.bytes.data() + i * size, size);
    std::memcpy(&b, expected.bytes.data() + i * size, size);
    if (same(opcode, signature.result, a, b)) continue;
    std::string operands;
    for (std::size_t k = 0; k < signature.operands.size(); ++k) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, inputs[k].data() + i * signature.operands[k].bytes(), signature.operands[k].bytes());
      operands += " " + to_string(signature.operands[k]) + ":" + std::to_string(bits);
    }
    ADD_FAILURE() << kir::mnemonic(opcode) << operands << " gives " << a << ", the interpreter " << b
                  << " as " << to_string(signature.result);
  }
  EXPECT_GT(defined, 0u) << kir::mnemonic(opcode);
}

std::vector<Opcode> ops_on_values() {
  std::vector<Opcode> all;
  for (std::size_t i = 0; i < kir::kNumOpcodes; ++i)
    if (!signatures(kir::info(static_cast<Opcode>(i)).rule).empty()) all.push_back(static_cast<Opcode>(i));
  return all;
}

class OpTable : public ::testing::TestWithParam<Opcode> {};
INSTANTIATE_TEST_SUITE_P(Ops, OpTable, ::testing::ValuesIn(ops_on_values()),
                         [](const auto& info) { return std::string(kir::info(info.param).name); });

TEST_P(OpTable, AgreesWithTheInterpreter) {
  const Opcode opcode = GetParam();
  auto module = std::make_unique<kir::Module>();
  std::vector<Signature> kernels;
  for (const Signature& signature : signatures(kir::info(opcode).rule)) {
    if (opcode == Opcode::ByteSwap && signature.result.bits() < 16) continue;
    add_op_kernel(*module, opcode, signature);
    kernels.push_back(signature);
  }
  const Program program(std::move(module));
  std::mt19937_64 random(static_cast<std::size_t>(opcode));
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    std::vector<std::vector<std::uint8_t>> buffers;
    for (const Type type : kernels[i].operands) buffers.push_back(random_buffer(type, random));
    make_divisible(opcode, kernels[i], buffers);
    buffers.emplace_back(std::size_t{kTuples} * kernels[i].result.bytes(), 0);
    const auto expected = run_on_interpreter(program.module(), i, buffers, kTuples);
    const auto got = run_on_host(program, i, buffers, kTuples);
    compare(opcode, kernels[i], buffers, got.back(), expected.back());
  }
}

}  // namespace
}  // namespace codegen_host
