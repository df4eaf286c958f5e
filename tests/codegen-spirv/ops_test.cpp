// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every integer op, comparison and conversion of the op table at every width, on Vulkan: what the interpreter
// computes, bit for bit. One kernel a type computes all of them.
#include <gtest/gtest.h>
#include <random>

#include "ir/core/builder.h"
#include "tests/codegen-spirv/vulkan.h"

namespace spirea::spirv::test {
namespace {

using kir::Builder;
using kir::Opcode;
using kir::OpRule;
using kir::Type;
using kir::Value;

constexpr std::uint32_t kCount = 64;
constexpr std::uint32_t kStride = 8;  ///< bytes of an element, whatever its type

/// A kernel that gets three elements for each invocation, and stores what `body` makes of them.
class OpsKernel {
 public:
  OpsKernel() {
    auto kernel = std::make_unique<kir::Kernel>();
    auto& m = kernel->manifest;
    m.name = m.key = "k";
    m.display = "k()";
    m.file = "ops.cpp";
    for (const char* name : {"in", "out"})
      m.params.push_back({name,
                          abi::ParamKind::Buffer,
                          "long*",
                          8,
                          8,
                          "long",
                          kStride,
                          8,
                          abi::Access::ReadWrite,
                          false,
                          {{abi::Scalar::Ptr, 0, 0}}});
    abi::assign_block_offsets(m);
    in_ = kernel->body.add_argument(Type::ptr(kir::Space::Global), "in");
    out_ = kernel->body.add_argument(Type::ptr(kir::Space::Global), "out");
    builder_.emplace(kernel->body);
    id_ = builder_->dim(Opcode::GlobalId, kir::Dim::X);
    module_.kernels.push_back(std::move(kernel));
  }

  Builder& b() { return *builder_; }

  Value* input(Type type, unsigned which) {
    Value* pointer = b().offset(in_, id_, 3 * kStride, which * kStride);
    if (!type.is_bool()) return b().load(type, pointer, {8, false});
    Value* bits = b().load(Type::i8(), pointer, {8, false});
    return b().convert(Opcode::Trunc, bits, type);
  }

  void output(Value* value) {
    if (value->type().is_bool()) value = b().convert(Opcode::ZExt, value, Type::i8());
    outputs_.push_back(value);
  }

  /// Against the interpreter; inputs are edge cases and random bits.
  void check() {
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      const auto stride = static_cast<std::int64_t>(outputs_.size() * kStride);
      Value* pointer = b().offset(out_, id_, stride, static_cast<std::int64_t>(i * kStride));
      b().store(pointer, outputs_[i], {8, false});
    }
    b().ret();
    std::mt19937_64 random(5);
    constexpr std::uint64_t edges[] = {0,          1,          2,      ~0ull, 1ull << 63, ~0ull >> 1,
                                       0x80000000, 0x7fffffff, 0x8000, 0x80,  0x7f};
    std::vector<std::uint64_t> in(3 * kCount);
    for (auto& x : in) x = random() % 3 == 0 ? edges[random() % std::size(edges)] : random() >> random() % 64;
    Launch launch;
    launch.buffers = {bytes_of(in), Bytes(kCount * kStride * outputs_.size())};
    launch.num_workgroups = {kCount / 16, 1, 1};
    expect_same(module_, launch);
  }

 private:
  kir::Module module_;
  std::optional<Builder> builder_;
  Value *in_ = nullptr, *out_ = nullptr, *id_ = nullptr;
  std::vector<Value*> outputs_;
};

constexpr Type kIntegers[] = {Type::i1(), Type::i8(), Type::i16(), Type::i32(), Type::i64()};

bool divides(Opcode opcode) {
  return opcode == Opcode::UDiv || opcode == Opcode::SDiv || opcode == Opcode::URem || opcode == Opcode::SRem;
}
bool shifts(Opcode opcode) {
  return opcode == Opcode::Shl || opcode == Opcode::LShr || opcode == Opcode::AShr;
}

/// A second operand for which the op is defined: divisors are small and positive, amounts less than the
/// width.
Value* second_operand(Builder& b, Opcode opcode, Value* any) {
  const Type type = any->type();
  if (shifts(opcode)) return b.binary(Opcode::And, any, b.constant(type, type.bits() - 1));
  if (!divides(opcode)) return any;
  Value* positive = b.binary(Opcode::And, any, b.constant(type, type.is_bool() ? 0 : 0x7f));
  return b.binary(Opcode::Or, positive, b.constant(type, 1));
}

TEST(Ops, Integers) {
  for (const Type type : kIntegers) {
    SCOPED_TRACE(to_string(type));
    OpsKernel kernel;
    Value* x = kernel.input(type, 0);
    Value* y = kernel.input(type, 1);
    for (std::size_t i = 0; i < kir::kNumOpcodes; ++i) {
      const auto opcode = static_cast<Opcode>(i);
      const OpRule rule = kir::info(opcode).rule;
      if (rule == OpRule::IntUnary && (opcode != Opcode::ByteSwap || type.bits() >= 16))
        kernel.output(kernel.b().unary(opcode, x));
      // Signed division of i1 by 1 overflows: 1 is -1.
      if (rule == OpRule::IntBinary &&
          !(type.is_bool() && (opcode == Opcode::SDiv || opcode == Opcode::SRem)))
        kernel.output(kernel.b().binary(opcode, x, second_operand(kernel.b(), opcode, y)));
      if (rule == OpRule::IntCompare) kernel.output(kernel.b().compare(opcode, x, y));
    }
    kernel.output(kernel.b().select(kernel.b().compare(Opcode::SLt, x, y), x, y));
    kernel.check();
  }
}

TEST(Ops, ConversionsOfIntegers) {
  for (const Type from : kIntegers) {
    SCOPED_TRACE(to_string(from));
    OpsKernel kernel;
    Value* x = kernel.input(from, 0);
    for (const Type to : kIntegers) {
      if (to.bits() < from.bits()) kernel.output(kernel.b().convert(Opcode::Trunc, x, to));
      if (to.bits() <= from.bits()) continue;
      kernel.output(kernel.b().convert(Opcode::ZExt, x, to));
      kernel.output(kernel.b().convert(Opcode::SExt, x, to));
    }
    for (const Type to : {Type::f32(), Type::f64()}) {
      kernel.output(kernel.b().convert(Opcode::SiToFp, x, to));
      kernel.output(kernel.b().convert(Opcode::UiToFp, x, to));
    }
    kernel.check();
  }
}

/// Of floats that are made of integers: no subnormal numbers, which devices may flush; with both zeros,
/// infinities and NaNs.
TEST(Ops, FloatsThatAreExact) {
  for (const Type type : {Type::f32(), Type::f64()}) {
    SCOPED_TRACE(to_string(type));
    OpsKernel kernel;
    Builder& b = kernel.b();
    const auto number = [&](unsigned which) {
      Value* bits = kernel.input(Type::i16(), which);
      Value* value = b.convert(Opcode::SiToFp, bits, type);
      Value* scale = type == Type::f32() ? b.f32(0.25f) : b.f64(0.25);
      Value* scaled = b.binary(Opcode::FMul, value, scale);
      Value* kind = kernel.input(Type::i8(), 2);
      Value* special = b.compare(Opcode::IEq, kind, b.constant(Type::i8(), 1 + which));
      Value* zero = type == Type::f32() ? b.f32(-0.0f) : b.f64(-0.0);
      Value* one = type == Type::f32() ? b.f32(1) : b.f64(1);
      Value* infinity = b.binary(Opcode::FDiv, one, zero);
      Value* low = b.compare(Opcode::SLt, bits, b.constant(Type::i16(), 9));
      Value* odd = b.select(low, zero, infinity);
      return b.select(special, odd, scaled);
    };
    Value* x = number(0);
    Value* y = number(1);
    const auto put = [&](Value* value) {  // the bits of a NaN are the device's own
      Value* is_nan = b.test(Opcode::IsNan, value);
      Value* one = type == Type::f32() ? b.f32(1) : b.f64(1);
      kernel.output(b.select(is_nan, one, value));
    };
    for (const Opcode opcode : {Opcode::FAdd, Opcode::FSub, Opcode::FMul}) put(b.binary(opcode, x, y));
    for (const Opcode opcode : {Opcode::FNeg, Opcode::FAbs, Opcode::Floor, Opcode::Ceil, Opcode::FTrunc,
                                Opcode::Round, Opcode::RoundEven})
      put(b.unary(opcode, x));
    put(b.binary(Opcode::CopySign, x, y));
    for (std::size_t i = 0; i < kir::kNumOpcodes; ++i) {
      const auto opcode = static_cast<Opcode>(i);
      if (kir::info(opcode).rule == OpRule::FloatCompare) kernel.output(b.compare(opcode, x, y));
      if (kir::info(opcode).rule == OpRule::FloatTest) kernel.output(b.test(opcode, x));
    }
    Value* low = type == Type::f32() ? b.f32(0) : b.f64(0);
    Value* high = type == Type::f32() ? b.f32(100) : b.f64(100);
    Value* small = b.binary(Opcode::FMin, b.binary(Opcode::FMax, x, low), high);
    for (const Type to : {Type::i8(), Type::i16(), Type::i32(), Type::i64()}) {
      kernel.output(b.convert(Opcode::FpToSi, small, to));
      kernel.output(b.convert(Opcode::FpToUi, small, to));
    }
    kernel.check();
  }
}

/// Of any bits, on a device that may compute with 16-bit floats or not (codegen-spirv/legalize/half.cpp).
TEST(Ops, HalvesInFloat) {
  OpsKernel kernel;
  Builder& b = kernel.b();
  const Type type = Type::f16(), bits = Type::i16();
  Value* word[] = {kernel.input(bits, 0), kernel.input(bits, 1), kernel.input(bits, 2)};
  const auto number = [&](Value* of) { return b.convert(Opcode::Bitcast, of, type); };
  const auto with = [&](Value* of, std::uint64_t kept, std::uint64_t added) {
    Value* masked = b.binary(Opcode::And, of, b.constant(bits, kept));
    return number(b.binary(Opcode::Or, masked, b.constant(bits, added)));
  };
  Value *x = number(word[0]), *y = number(word[1]), *z = number(word[2]);
  Value* one = b.constant(type, 0x3c00);
  const auto put = [&](Value* value) { kernel.output(b.select(b.test(Opcode::IsNan, value), one, value)); };
  for (const Opcode opcode : {Opcode::FAdd, Opcode::FSub, Opcode::FMul, Opcode::FDiv})
    put(b.binary(opcode, x, y));
  for (const Opcode opcode : {Opcode::FNeg, Opcode::FAbs, Opcode::Floor, Opcode::Ceil, Opcode::FTrunc,
                              Opcode::Round, Opcode::RoundEven, Opcode::Sqrt})
    put(b.unary(opcode, x));
  put(b.unary(Opcode::Sqrt, with(word[1], 0x7fff, 0)));
  put(b.binary(Opcode::CopySign, x, y));
  put(b.ternary(Opcode::Fma, x, y, z));
  put(b.ternary(Opcode::Fma, with(word[0], 0x83ff, 0x3c00), with(word[1], 0x83ff, 0x3c00), z));
  // A product in the middle of two numbers, and what decides between them.
  Value* middle = with(word[0], 0x83ff, 0x3c00);
  put(b.ternary(Opcode::Fma, middle, b.constant(type, 0x3e00), with(word[1], 0x83ff, 0)));
  for (std::size_t i = 0; i < kir::kNumOpcodes; ++i) {
    const auto opcode = static_cast<Opcode>(i);
    Value* nan = with(word[1], 0x83ff, 0x7c01);
    if (kir::info(opcode).rule == OpRule::FloatTest) kernel.output(b.test(opcode, x));
    if (kir::info(opcode).rule != OpRule::FloatCompare) continue;
    for (Value* other : {y, x, nan}) kernel.output(b.compare(opcode, x, other));
    kernel.output(b.compare(opcode, nan, x));
  }
  kernel.check();
}

}  // namespace
}  // namespace spirea::spirv::test
