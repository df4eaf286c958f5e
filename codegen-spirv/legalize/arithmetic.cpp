// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "Precision and Operation of SPIR-V Instructions" (Vulkan specification) bounds what the compositions here
// can give.
#include <algorithm>
#include <bit>
#include <cmath>

#include "codegen-spirv/legalize/legalize.h"
#include "ir/core/builder.h"

namespace spirea::spirv {
namespace {

using kir::FastAttr;
using kir::Op;
using kir::Opcode;
using kir::Type;
using kir::Value;

class ArithmeticLegalizer {
 public:
  explicit ArithmeticLegalizer(Op& op)
      : op_(op), b_(&op), type_(op.num_results() == 1 ? op.result()->type() : Type()) {
    b_.set_location(op.location);
  }

  /// The value that replaces the op's result; null if the op can stay.
  Value* run() {
    if (type_ == Type::f16() && is_composed()) return in_float();
    switch (op_.opcode()) {
      case Opcode::Popcount:
      case Opcode::BitReverse:
      case Opcode::Clz:
      case Opcode::Ctz: return type_ == Type::i32() ? nullptr : bit_count();
      case Opcode::ByteSwap: return byte_swap();
      case Opcode::SRem: return type_.is_bool() ? nullptr : signed_remainder();
      case Opcode::SLt:
      case Opcode::SLe:
      case Opcode::SGt:
      case Opcode::SGe:
        return in(0)->type() == Type::i64() ? signed_compare(op_.opcode(), in(0), in(1)) : nullptr;
      case Opcode::UMulHi:
      case Opcode::SMulHi: return type_ == Type::i32() ? nullptr : multiply_high();
      case Opcode::SMin: return type_.bits() < 32 || type_.bits() == 64 ? choose(Opcode::SLt) : nullptr;
      case Opcode::SMax: return type_.bits() < 32 || type_.bits() == 64 ? choose(Opcode::SGt) : nullptr;
      case Opcode::UMin: return type_.bits() < 32 || type_.bits() == 64 ? choose(Opcode::ULt) : nullptr;
      case Opcode::UMax: return type_.bits() < 32 || type_.bits() == 64 ? choose(Opcode::UGt) : nullptr;
      case Opcode::IAbs: return absolute();
      case Opcode::CopySign: return copy_sign(in(0), in(1));
      case Opcode::Round: return round();
      case Opcode::Exp10: return binary(Opcode::Pow, number(10), in(0));
      case Opcode::Expm1: return expm1();
      case Opcode::Log10: return binary(Opcode::FMul, unary(Opcode::Log2, in(0)), number(std::log10(2.0)));
      case Opcode::Log1p: return log1p();
      case Opcode::Cbrt: return cube_root();
      case Opcode::Hypot: return hypotenuse();
      default: return nullptr;
    }
  }

 private:
  /// Whether arithmetic takes the op's place.
  bool is_composed() const {
    constexpr Opcode composed[] = {Opcode::Round, Opcode::Exp10, Opcode::Expm1, Opcode::Log10,
                                   Opcode::Log1p, Opcode::Cbrt,  Opcode::Hypot};
    return std::ranges::find(composed, op_.opcode()) != std::end(composed);
  }
  /// f16 has too few digits for that.
  Value* in_float() {
    std::vector<Value*> operands;
    for (Value* operand : op_.operands()) operands.push_back(b_.convert(Opcode::FpExt, operand, Type::f32()));
    const Type type = Type::f32();
    Op* wide = b_.create(op_.opcode(), operands, {&type, 1}, op_.attr);
    Value* result = ArithmeticLegalizer(*wide).run();
    wide->erase();
    return b_.convert(Opcode::FpTrunc, result, Type::f16());
  }

  Value* in(std::size_t i) { return op_.operand(i); }
  Value* integer(Type type, std::uint64_t value) { return b_.constant(type, value); }
  FastAttr fast() const {
    const auto* attr = std::get_if<FastAttr>(&op_.attr);
    return attr == nullptr ? FastAttr{} : *attr;
  }
  Value* unary(Opcode opcode, Value* a) { return b_.unary(opcode, a, fast()); }
  Value* binary(Opcode opcode, Value* a, Value* b) { return b_.binary(opcode, a, b, fast()); }
  Value* number(double value) {
    return type_ == Type::f64() ? b_.f64(value) : b_.f32(static_cast<float>(value));
  }

  Value* resize(Value* value, Type to) {
    const unsigned from = value->type().bits();
    if (from == to.bits()) return value;
    return b_.convert(to.bits() > from ? Opcode::ZExt : Opcode::Trunc, value, to);
  }

  /// The halves of a 64-bit integer, low first.
  std::pair<Value*, Value*> halves(Value* value) {
    Value* low = b_.convert(Opcode::Trunc, value, Type::i32());
    Value* shifted = b_.binary(Opcode::LShr, value, b_.i64(32));
    return {low, b_.convert(Opcode::Trunc, shifted, Type::i32())};
  }
  Value* joined(Value* low, Value* high) {
    Value* wide_high = b_.convert(Opcode::ZExt, high, Type::i64());
    Value* shifted = b_.binary(Opcode::Shl, wide_high, b_.i64(32));
    return b_.binary(Opcode::Or, shifted, b_.convert(Opcode::ZExt, low, Type::i64()));
  }

  /// By 32-bit instructions: narrower integers are widened, wider ones taken in halves.
  Value* bit_count() {
    const Opcode opcode = op_.opcode();
    if (type_.bits() == 1)
      return opcode == Opcode::Popcount || opcode == Opcode::BitReverse ? in(0) : inverted();
    if (type_.bits() < 32) {
      Value* wide = b_.convert(Opcode::ZExt, in(0), Type::i32());
      const unsigned spare = 32 - type_.bits();
      if (opcode == Opcode::Ctz) wide = b_.binary(Opcode::Or, wide, b_.i32(1u << type_.bits()));
      Value* count = b_.unary(opcode, wide);
      if (opcode == Opcode::Clz) count = b_.binary(Opcode::Sub, count, b_.i32(spare));
      if (opcode == Opcode::BitReverse) count = b_.binary(Opcode::LShr, count, b_.i32(spare));
      return b_.convert(Opcode::Trunc, count, type_);
    }
    const auto [low, high] = halves(in(0));
    Value* of_low = b_.unary(opcode, low);
    Value* of_high = b_.unary(opcode, high);
    switch (opcode) {
      case Opcode::BitReverse: return joined(of_high, of_low);
      case Opcode::Popcount:
        return b_.convert(Opcode::ZExt, b_.binary(Opcode::Add, of_low, of_high), Type::i64());
      default: break;
    }
    const bool leading = opcode == Opcode::Clz;
    Value* first = leading ? high : low;
    Value* is_zero = b_.compare(Opcode::IEq, first, b_.i32(0));
    Value* behind = b_.binary(Opcode::Add, leading ? of_low : of_high, b_.i32(32));
    return b_.convert(Opcode::ZExt, b_.select(is_zero, behind, leading ? of_high : of_low), Type::i64());
  }
  Value* inverted() { return b_.binary(Opcode::Xor, in(0), b_.i1(true)); }

  /// 16-bit ones as the upper half of a 32-bit swap: NVIDIA's driver 580 makes 0 of two bytes that trade
  /// places and nothing else.
  Value* byte_swap() {
    if (type_.bits() < 32) {
      Value* wide = swapped(b_.convert(Opcode::ZExt, in(0), Type::i32()), Type::i32());
      return b_.convert(Opcode::Trunc, b_.binary(Opcode::LShr, wide, b_.i32(32 - type_.bits())), type_);
    }
    return swapped(in(0), type_);
  }
  Value* swapped(Value* value, Type type) {
    const unsigned bytes = type.bytes();
    Value* result = nullptr;
    for (unsigned i = 0; i < bytes; ++i) {
      Value* byte = b_.binary(Opcode::LShr, value, integer(type, 8 * i));
      byte = b_.binary(Opcode::And, byte, integer(type, 0xff));
      byte = b_.binary(Opcode::Shl, byte, integer(type, 8 * (bytes - 1 - i)));
      result = result == nullptr ? byte : b_.binary(Opcode::Or, result, byte);
    }
    return result;
  }

  /// "OpSRem and OpSMod: if either operand is negative the result is undefined" (Vulkan environment for
  /// SPIR-V).
  Value* signed_remainder() {
    Value* quotient = b_.binary(Opcode::SDiv, in(0), in(1));
    return b_.binary(Opcode::Sub, in(0), b_.binary(Opcode::Mul, quotient, in(1)));
  }

  Value* multiply_high() {
    const bool is_signed = op_.is(Opcode::SMulHi);
    if (type_.bits() < 32) {
      const Opcode extend = is_signed ? Opcode::SExt : Opcode::ZExt;
      Value* a = b_.convert(extend, in(0), Type::i32());
      Value* b = b_.convert(extend, in(1), Type::i32());
      Value* product = b_.binary(Opcode::Mul, a, b);
      return b_.convert(Opcode::Trunc, b_.binary(Opcode::LShr, product, b_.i32(type_.bits())), type_);
    }
    Value* result = unsigned_high(in(0), in(1));
    if (!is_signed) return result;
    // high(a, b) as signed numbers: less b where a is negative, less a where b is.
    for (const auto& [x, y] : {std::pair{in(0), in(1)}, std::pair{in(1), in(0)}}) {
      Value* negative = signed_compare(Opcode::SLt, x, b_.i64(0));
      Value* excess = b_.select(negative, y, b_.i64(0));
      result = b_.binary(Opcode::Sub, result, excess);
    }
    return result;
  }

  /// Schoolbook multiplication of 64-bit numbers in 32-bit halves.
  Value* unsigned_high(Value* a, Value* b) {
    const auto low = [&](Value* v) { return b_.binary(Opcode::And, v, b_.i64(0xffffffff)); };
    const auto high = [&](Value* v) { return b_.binary(Opcode::LShr, v, b_.i64(32)); };
    Value *a0 = low(a), *a1 = high(a), *b0 = low(b), *b1 = high(b);
    Value* p00 = b_.binary(Opcode::Mul, a0, b0);
    Value* p01 = b_.binary(Opcode::Mul, a0, b1);
    Value* p10 = b_.binary(Opcode::Mul, a1, b0);
    Value* p11 = b_.binary(Opcode::Mul, a1, b1);
    Value* middle = b_.binary(Opcode::Add, high(p00), low(p01));
    middle = b_.binary(Opcode::Add, middle, low(p10));
    Value* sum = b_.binary(Opcode::Add, p11, high(p01));
    sum = b_.binary(Opcode::Add, sum, high(p10));
    return b_.binary(Opcode::Add, sum, high(middle));
  }

  Value* choose(Opcode comparison) {
    return b_.select(signed_compare(comparison, in(0), in(1)), in(0), in(1));
  }

  /// Of 64-bit numbers as unsigned ones, with the sign bits flipped: Mesa 22.3 takes a sign-extended operand
  /// of a signed comparison for a zero-extended one.
  Value* signed_compare(Opcode opcode, Value* a, Value* b) {
    constexpr std::pair<Opcode, Opcode> unsigned_ones[] = {{Opcode::SLt, Opcode::ULt},
                                                           {Opcode::SLe, Opcode::ULe},
                                                           {Opcode::SGt, Opcode::UGt},
                                                           {Opcode::SGe, Opcode::UGe}};
    const auto row = std::ranges::find(unsigned_ones, opcode, &std::pair<Opcode, Opcode>::first);
    if (a->type() != Type::i64() || row == std::end(unsigned_ones)) return b_.compare(opcode, a, b);
    constexpr std::uint64_t sign = std::uint64_t{1} << 63;
    const auto flipped = [&](Value* value) {
      const auto known = kir::literal(value);
      return known ? b_.i64(*known ^ sign) : b_.binary(Opcode::Xor, value, b_.i64(sign));
    };
    Value* x = flipped(a);
    return b_.compare(row->second, x, flipped(b));
  }

  Value* absolute() {
    Value* negative = signed_compare(Opcode::SLt, in(0), integer(type_, 0));
    return b_.select(negative, b_.binary(Opcode::Sub, integer(type_, 0), in(0)), in(0));
  }

  Value* copy_sign(Value* magnitude, Value* sign) {
    const Type bits = Type::integer(type_.bits());
    const std::uint64_t sign_bit = std::uint64_t{1} << (type_.bits() - 1);
    Value* x = b_.convert(Opcode::Bitcast, magnitude, bits);
    x = b_.binary(Opcode::And, x, integer(bits, sign_bit - 1));
    Value* y = b_.convert(Opcode::Bitcast, sign, bits);
    y = b_.binary(Opcode::And, y, integer(bits, sign_bit));
    return b_.convert(Opcode::Bitcast, b_.binary(Opcode::Or, x, y), type_);
  }

  /// Halves away from zero; GLSL's Round may take them either way.
  Value* round() {
    Value* whole = unary(Opcode::FTrunc, in(0));
    Value* rest = unary(Opcode::FAbs, binary(Opcode::FSub, in(0), whole));
    Value* up = b_.compare(Opcode::FOGe, rest, number(0.5));
    Value* step = b_.select(up, number(1), number(0));
    return binary(Opcode::FAdd, whole, copy_sign(step, in(0)));
  }

  Value* expm1() {  // e^x - 1 = 2 sinh(x/2) e^(x/2) keeps its digits near zero
    Value* half = binary(Opcode::FMul, in(0), number(0.5));
    Value* product = binary(Opcode::FMul, unary(Opcode::Sinh, half), unary(Opcode::Exp, half));
    return binary(Opcode::FMul, product, number(2));
  }

  Value* log1p() {  // log(u) x / (u - 1) with u = 1 + x corrects the rounding of u
    Value* u = b_.binary(Opcode::FAdd, in(0), number(1));
    Value* d = b_.binary(Opcode::FSub, u, number(1));
    Value* quotient = b_.binary(Opcode::FDiv, in(0), d);
    Value* scaled = b_.binary(Opcode::FMul, unary(Opcode::Log, u), quotient);
    return b_.select(b_.compare(Opcode::FOEq, d, number(0)), in(0), scaled);
  }

  Value* cube_root() {  // one Newton step after pow(|x|, 1/3)
    Value* x = unary(Opcode::FAbs, in(0));
    Value* r = binary(Opcode::Pow, x, number(1.0 / 3));
    Value* square = binary(Opcode::FMul, r, r);
    Value* quotient = binary(Opcode::FDiv, x, square);
    Value* sum = binary(Opcode::FAdd, binary(Opcode::FMul, r, number(2)), quotient);
    Value* better = binary(Opcode::FMul, sum, number(1.0 / 3));
    Value* zero = b_.compare(Opcode::FOEq, x, number(0));
    return copy_sign(b_.select(zero, x, better), in(0));
  }

  Value* hypotenuse() {  // scaled by the larger one, so that squares do not overflow
    Value *x = unary(Opcode::FAbs, in(0)), *y = unary(Opcode::FAbs, in(1));
    Value *large = binary(Opcode::FMax, x, y), *small = binary(Opcode::FMin, x, y);
    Value* ratio = binary(Opcode::FDiv, small, large);
    Value* sum = binary(Opcode::FAdd, binary(Opcode::FMul, ratio, ratio), number(1));
    Value* length = binary(Opcode::FMul, large, unary(Opcode::Sqrt, sum));
    return b_.select(b_.compare(Opcode::FOEq, large, number(0)), large, length);
  }

  Op& op_;
  kir::Builder b_;
  Type type_;
};

}  // namespace

kir::Result<bool> legalize_arithmetic(kir::Module& module) {
  bool changed = false;
  for (const auto& kernel : module.kernels) {
    std::vector<Op*> ops;
    kir::walk(kernel->body, [&](Op& op) { ops.push_back(&op); });
    for (Op* op : ops) {
      Value* result = ArithmeticLegalizer(*op).run();
      if (result == nullptr) continue;
      op->result()->replace_all_uses_with(result);
      op->erase();
      changed = true;
    }
  }
  return changed;
}

}  // namespace spirea::spirv
