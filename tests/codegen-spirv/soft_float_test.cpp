// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Division, square root and fused multiply-add in integers: bit for bit what the processor's own give, with
// estimates that are as far off as they may be.
#include "codegen-spirv/legalize/soft_float.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "ir/interp/interp.h"
#include "ir/verify/verify.h"

namespace spirea::spirv::test {
namespace {

using kir::Builder;
using kir::Opcode;
using kir::Type;
using kir::Value;

template <class T>
using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// A kernel of one invocation an element: three numbers in, one out. Of f32 on a device that flushes
/// subnormal numbers, integers have to keep them.
template <class T, class Make>
std::vector<T> run(const std::vector<T>& in, Make make, interp::Subnormals subnormals) {
  constexpr std::int64_t size = sizeof(T);
  const Type type = size == 4 ? Type::f32() : Type::f64();
  kir::Module module;
  auto kernel = std::make_unique<kir::Kernel>();
  kernel->manifest.name = kernel->manifest.key = "k";
  kernel->manifest.display = "k()";
  kernel->manifest.file = "k.cpp";
  for (const char* name : {"in", "out"})
    kernel->manifest.params.push_back({name,
                                       abi::ParamKind::Buffer,
                                       "T*",
                                       8,
                                       8,
                                       "T",
                                       sizeof(T),
                                       8,
                                       abi::Access::ReadWrite,
                                       false,
                                       {{abi::Scalar::Ptr, 0, 0}}});
  abi::assign_block_offsets(kernel->manifest);
  Value* from = kernel->body.add_argument(Type::ptr(kir::Space::Global), "in");
  Value* to = kernel->body.add_argument(Type::ptr(kir::Space::Global), "out");
  Builder b(kernel->body);
  Value* id = b.dim(Opcode::GlobalId, kir::Dim::X);
  Value* numbers[3];
  for (std::int64_t i = 0; i < 3; ++i)
    numbers[i] =
        b.load(type, b.offset(from, id, 3 * size, i * size), {static_cast<std::uint32_t>(size), false});
  b.store(b.offset(to, id, size), make(b, numbers), {static_cast<std::uint32_t>(size), false});
  b.ret();
  module.kernels.push_back(std::move(kernel));
  const auto valid = kir::verify(module);
  EXPECT_TRUE(valid) << to_string(valid.diagnostics());

  std::vector<T> out(in.size() / 3);
  interp::Memory memory;
  const auto source = memory.allocate(in.size() * sizeof(T), 16),
             target = memory.allocate(out.size() * sizeof(T), 16);
  if (!source || !target || !memory.write(*source, in.data(), in.size() * sizeof(T))) return {};
  const std::uint64_t block[2] = {*source, *target};
  const auto done =
      interp::launch(memory, module, "k", std::as_bytes(std::span(block)),
                     {{static_cast<std::uint32_t>(out.size()), 1, 1}, {1, 1, 1}}, {.subnormals = subnormals});
  EXPECT_TRUE(done) << to_string(done.diagnostics());
  if (!memory.read(*target, out.data(), out.size() * sizeof(T))) return {};
  return out;
}

/// Numbers at which something turns, any bits, and numbers near each other, whose sums cancel.
template <class T>
std::vector<T> inputs() {
  using Limits = std::numeric_limits<T>;
  const T edges[] = {0,
                     1,
                     -1,
                     2,
                     3,
                     T(0.5),
                     -T(0),
                     Limits::infinity(),
                     -Limits::infinity(),
                     Limits::quiet_NaN(),
                     Limits::max(),
                     Limits::lowest(),
                     Limits::min(),
                     Limits::denorm_min(),
                     -Limits::denorm_min(),
                     1 + Limits::epsilon(),
                     1 - Limits::epsilon() / 2,
                     Limits::min() - Limits::denorm_min()};
  std::mt19937_64 random(7);
  std::vector<T> result;
  for (const T a : edges)
    for (const T b : edges)
      for (const T c : edges) result.insert(result.end(), {a, b, c});
  const auto any = [&] { return std::bit_cast<T>(static_cast<Bits<T>>(random())); };
  const auto near_one = [&] { return static_cast<T>(1 + static_cast<double>(random() >> 11) * 0x1p-53); };
  for (int i = 0; i < 6000; ++i) {
    result.insert(result.end(), {any(), any(), any()});
    result.insert(result.end(), {near_one(), near_one(), -4 * near_one()});
    const T a = near_one(), b = near_one();
    result.insert(result.end(), {a, b, -(a * b)});
    const T small = Limits::min() * near_one();  // results that are subnormal
    result.insert(result.end(), {small, near_one() / 64, small * T(0.01)});
    result.insert(result.end(), {small / 1024, 1 / (near_one() * 4096), Limits::denorm_min() * T(3)});
  }
  return result;
}

template <class T, class Expected>
void expect_exact(const std::vector<T>& in, const std::vector<T>& got, Expected expected) {
  ASSERT_EQ(got.size() * 3, in.size());
  int wrong = 0;
  for (std::size_t i = 0; i < got.size() && wrong < 10; ++i) {
    const T a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2], want = expected(a, b, c);
    const bool same = std::isnan(want) ? std::isnan(got[i])
                                       : std::bit_cast<Bits<T>>(want) == std::bit_cast<Bits<T>>(got[i]);
    if (same) continue;
    ++wrong;
    ADD_FAILURE() << std::hexfloat << a << ", " << b << ", " << c << ": " << got[i] << ", not " << want;
  }
}

template <class T, class Make, class Expected>
void expect_exact(const std::vector<T>& in, Make make, Expected expected) {
  for (const auto subnormals : {interp::Subnormals::keep, interp::Subnormals::flush})
    expect_exact(in, run(in, make, subnormals), expected);
}

/// Off by a number of ULP, up where the lowest bit of the operand is set.
template <int Ulp>
Value* off(Builder& b, Value* value, Value* operand) {
  const Type bits = Type::integer(value->type().bits());
  Value* odd = b.binary(Opcode::And, b.convert(Opcode::Bitcast, operand, bits), b.constant(bits, 1));
  Value* up = b.binary(Opcode::Mul, odd, b.constant(bits, 2 * Ulp));
  Value* result = b.binary(Opcode::Add, b.convert(Opcode::Bitcast, value, bits), up);
  return b.convert(Opcode::Bitcast, b.binary(Opcode::Sub, result, b.constant(bits, Ulp)), value->type());
}
Value* poor_quotient(Builder& b, Value* x, Value* y) { return off<3>(b, b.binary(Opcode::FDiv, x, y), x); }
Value* poor_root(Builder& b, Value* x) { return off<6>(b, b.unary(Opcode::Sqrt, x), x); }

template <class T>
class SoftFloat : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(SoftFloat, Types);

TYPED_TEST(SoftFloat, FusesMultiplyAdd) {
  using T = TypeParam;
  const auto in = inputs<T>();
  expect_exact(
      in, [](Builder& b, Value** n) { return soft_fma(b, n[0], n[1], n[2]); },
      [](T a, T b, T c) { return std::fma(a, b, c); });
}

TYPED_TEST(SoftFloat, Divides) {
  using T = TypeParam;
  const auto in = inputs<T>();
  const auto expected = [](T a, T b, T) { return a / b; };
  expect_exact(
      in, [](Builder& b, Value** n) { return soft_divide(b, n[0], n[1]); }, expected);
  expect_exact(
      in, [](Builder& b, Value** n) { return soft_divide(b, n[0], n[1], poor_quotient); }, expected);
}

TYPED_TEST(SoftFloat, TakesSquareRoots) {
  using T = TypeParam;
  const auto in = inputs<T>();
  const auto expected = [](T a, T, T) { return std::sqrt(a); };
  expect_exact(
      in, [](Builder& b, Value** n) { return soft_sqrt(b, n[0]); }, expected);
  expect_exact(
      in, [](Builder& b, Value** n) { return soft_sqrt(b, n[0], poor_root); }, expected);
}

}  // namespace
}  // namespace spirea::spirv::test
