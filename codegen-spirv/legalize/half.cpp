// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 16-bit floats without the device's: values are 16-bit integers, and each operation is one of 32-bit floats,
// rounded back. A sum, difference or product of f16 in f32 has so many digits that rounding it twice is
// rounding it once. Quotients, roots and fused products, which Vulkan lets devices round as they like or
// which have more digits than f32, are corrected to "rounded to odd" first: cut off, with the last bit set if
// anything was lost. Conversions are integer arithmetic: how FConvert rounds, and what it does to subnormals,
// is the driver's choice
// ("the rounding mode is undefined", Vulkan environment for SPIR-V).
#include <algorithm>
#include <utility>
#include <vector>

#include "codegen-spirv/legalize/legalize.h"
#include "ir/core/builder.h"

namespace spirea::spirv {
namespace {

using kir::Builder;
using kir::FastAttr;
using kir::Op;
using kir::Opcode;
using kir::OpRule;
using kir::Type;
using kir::Value;

constexpr std::uint32_t kSign = 0x8000, kInfinity = 0x7c00, kQuiet = 0x7e00;
constexpr unsigned kFraction = 10;
constexpr std::uint32_t kBias = 15;

bool is_half(const Value* value) { return value->type() == Type::f16(); }

bool touches_half(const Op& op) {
  for (std::size_t i = 0; i < op.num_operands(); ++i)
    if (is_half(op.operand(i))) return true;
  for (std::size_t i = 0; i < op.num_results(); ++i)
    if (is_half(op.result(i))) return true;
  return false;
}

/// What an op on f16 becomes; those not listed move bits.
enum class Kind : std::uint8_t { Moves, Computes, Compares, Converts, Signs };
Kind kind_of(const Op& op) {
  switch (op.opcode()) {
    case Opcode::FNeg:
    case Opcode::FAbs:
    case Opcode::CopySign:
    case Opcode::Bitcast: return Kind::Signs;
    case Opcode::SubgroupAllEqual: return Kind::Compares;
    default: break;
  }
  switch (kir::info(op.opcode()).rule) {
    case OpRule::FloatUnary:
    case OpRule::FloatBinary:
    case OpRule::FloatTernary:
    case OpRule::GroupFloat: return Kind::Computes;
    case OpRule::FloatCompare:
    case OpRule::FloatTest: return Kind::Compares;
    case OpRule::FloatNarrow:
    case OpRule::FloatWiden:
    case OpRule::FloatToInt:
    case OpRule::IntToFloat: return Kind::Converts;
    default: return Kind::Moves;
  }
}

/// Makes the ops that stand for one on f16, whose operands are i16 already.
class HalfOp {
 public:
  HalfOp(Op& op, bool has_half_result, std::vector<bool> half_operands)
      : op_(op), b_(&op), has_half_result_(has_half_result), half_operands_(std::move(half_operands)) {
    b_.set_location(op.location);
  }

  Value* run() {
    switch (kind_of(op_)) {
      case Kind::Signs: return signs();
      case Kind::Converts: return converted();
      case Kind::Compares: return create(op_.result()->type());
      case Kind::Computes: return narrow(computed());
      case Kind::Moves: break;
    }
    return nullptr;
  }

 private:
  Value* binary32(Opcode opcode, Value* a, std::uint32_t b) { return b_.binary(opcode, a, b_.i32(b)); }
  Value* bits32(Value* value) { return b_.convert(Opcode::Bitcast, value, Type::i32()); }
  Value* float_of(Value* bits) { return b_.convert(Opcode::Bitcast, bits, Type::f32()); }
  Value* in(std::size_t i) { return half_operands_[i] ? widen(op_.operand(i)) : op_.operand(i); }

  /// The op itself on f32.
  Value* create(Type result) {
    std::vector<Value*> operands;
    for (std::size_t i = 0; i < op_.num_operands(); ++i) operands.push_back(in(i));
    return b_.create(op_.opcode(), operands, {&result, 1}, op_.attr)->result();
  }

  Value* signs() {
    const auto number = [&](std::uint64_t bits) { return b_.constant(Type::i16(), bits); };
    Value* x = op_.operand(0);
    switch (op_.opcode()) {
      case Opcode::FNeg: return b_.binary(Opcode::Xor, x, number(kSign));
      case Opcode::FAbs: return b_.binary(Opcode::And, x, number(kSign - 1));
      case Opcode::CopySign: {
        Value* magnitude = b_.binary(Opcode::And, x, number(kSign - 1));
        return b_.binary(Opcode::Or, magnitude, b_.binary(Opcode::And, op_.operand(1), number(kSign)));
      }
      default: return x;  // bitcast
    }
  }

  Value* converted() {
    const Type to = has_half_result_ ? Type::f32() : op_.result()->type();
    Value* x = in(0);
    switch (op_.opcode()) {
      case Opcode::FpExt: return to == Type::f32() ? x : b_.convert(Opcode::FpExt, x, to);
      case Opcode::FpTrunc: return x->type() == Type::f64() ? narrow_double(x) : narrow(x);
      default: break;
    }
    // Integers that f32 rounds are beyond the range of f16.
    Value* result = b_.convert(op_.opcode(), x, to);
    return has_half_result_ ? narrow(result) : result;
  }

  Value* computed() {
    switch (op_.opcode()) {
      case Opcode::FDiv: return quotient();
      case Opcode::Sqrt: return root();
      case Opcode::Fma: return fused();
      default: return create(Type::f32());
    }
  }

  /// 12 digits of f32: the product of two such numbers is exact.
  Value* cut(Value* value) { return float_of(binary32(Opcode::And, bits32(value), ~0xfffu)); }

  /// `near`, whose last bits are free, rounded to odd: `rest` has the sign of exact - near, less its sign; if
  /// it is a NaN, the result is `other`.
  Value* to_odd(Value* near, Value* rest, Value* other) {
    Value* bits = bits32(near);
    Value* above = b_.compare(Opcode::FOGt, rest, b_.f32(0));
    Value* below = b_.compare(Opcode::FOLt, rest, b_.f32(0));
    Value* result = b_.select(below, binary32(Opcode::Sub, bits, 1), bits);
    result = b_.select(above, binary32(Opcode::Or, bits, 1), result);
    return b_.select(b_.test(Opcode::IsNan, rest), other, float_of(result));
  }

  Value* quotient() {
    Value *a = in(0), *b = in(1);
    Value* near = b_.binary(Opcode::FDiv, a, b);
    Value* kept = cut(near);
    Value* rest = b_.binary(Opcode::FSub, a, b_.binary(Opcode::FMul, kept, b));
    // a / b - kept = rest / b; less the quotient's sign, which is a's times b's: rest with the sign of a.
    return to_odd(kept, signed_as(rest, a), near);
  }
  Value* root() {
    Value* x = in(0);
    Value* near = b_.unary(Opcode::Sqrt, x);
    Value* kept = cut(near);
    Value* rest = b_.binary(Opcode::FSub, x, b_.binary(Opcode::FMul, kept, kept));
    Value* is_zero = b_.compare(Opcode::FOEq, x, b_.f32(0));
    return b_.select(is_zero, x, to_odd(kept, rest, near));
  }
  /// The sum and what it lost (Knuth's two-sum); the product is exact.
  Value* fused() {
    Value *a = in(0), *b = in(1), *c = in(2);
    Value* product = b_.binary(Opcode::FMul, a, b);
    Value* sum = b_.binary(Opcode::FAdd, product, c);
    Value* of_c = b_.binary(Opcode::FSub, sum, product);
    Value* of_product = b_.binary(Opcode::FSub, sum, of_c);
    Value* lost_c = b_.binary(Opcode::FSub, c, of_c);
    Value* lost = b_.binary(Opcode::FAdd, b_.binary(Opcode::FSub, product, of_product), lost_c);
    Value* odd = b_.convert(Opcode::Trunc, bits32(sum), Type::i1());
    return b_.select(odd, sum, to_odd(sum, signed_as(lost, sum), sum));
  }
  /// `value` times the sign of `sign`.
  Value* signed_as(Value* value, Value* sign) {
    Value* bit = binary32(Opcode::And, bits32(sign), 0x80000000u);
    return float_of(b_.binary(Opcode::Xor, bits32(value), bit));
  }

  /// f32 with the value of the f16.
  Value* widen(Value* half) {
    Value* bits = b_.convert(Opcode::ZExt, half, Type::i32());
    Value* sign = binary32(Opcode::Shl, binary32(Opcode::And, bits, kSign), 16);
    Value* magnitude = binary32(Opcode::And, bits, kSign - 1);
    constexpr std::uint32_t rebias = (127 - kBias) << 23;
    Value* shifted = binary32(Opcode::Shl, magnitude, 23 - kFraction);
    Value* normal = binary32(Opcode::Add, shifted, rebias);
    Value* special = binary32(Opcode::Or, shifted, 0x7f800000);
    Value* whole = b_.convert(Opcode::UiToFp, magnitude, Type::f32());
    Value* subnormal = bits32(b_.binary(Opcode::FMul, whole, b_.f32(0x1p-24f)));
    Value* is_special = b_.compare(Opcode::UGe, magnitude, b_.i32(kInfinity));
    Value* is_subnormal = b_.compare(Opcode::ULt, magnitude, b_.i32(1 << kFraction));
    Value* result = b_.select(is_special, special, b_.select(is_subnormal, subnormal, normal));
    return float_of(b_.binary(Opcode::Or, result, sign));
  }

  Value* narrow(Value* value) {
    if (!has_half_result_) return value;
    Value* bits = bits32(value);
    Value* sign = binary32(Opcode::And, binary32(Opcode::LShr, bits, 16), kSign);
    return narrow(sign, binary32(Opcode::And, bits, 0x7fffffff), 23, 127);
  }
  /// The upper word of a double, whose last bit says whether anything is in the lower one.
  Value* narrow_double(Value* value) {
    Value* bits = b_.convert(Opcode::Bitcast, value, Type::i64());
    Value* low = b_.convert(Opcode::Trunc, bits, Type::i32());
    Value* high = b_.convert(Opcode::Trunc, b_.binary(Opcode::LShr, bits, b_.i64(32)), Type::i32());
    Value* sign = binary32(Opcode::And, binary32(Opcode::LShr, high, 16), kSign);
    Value* rest = b_.convert(Opcode::ZExt, b_.compare(Opcode::INe, low, b_.i32(0)), Type::i32());
    Value* magnitude = b_.binary(Opcode::Or, binary32(Opcode::And, high, 0x7fffffff), rest);
    return narrow(sign, magnitude, 20, 1023);
  }

  /// value >> shift, rounded to nearest even.
  Value* rounded(Value* value, Value* shift, Value* one_less_half) {
    Value* is_odd = binary32(Opcode::And, b_.binary(Opcode::LShr, value, shift), 1);
    Value* sum = b_.binary(Opcode::Add, b_.binary(Opcode::Add, value, one_less_half), is_odd);
    return b_.binary(Opcode::LShr, sum, shift);
  }

  /// f16 from the magnitude of a number with that many bits of fraction, and that bias.
  Value* narrow(Value* sign, Value* magnitude, unsigned fraction, std::uint32_t bias) {
    const unsigned dropped = fraction - kFraction;
    const std::uint32_t special = (2 * bias + 1) << fraction;
    Value* rebiased = binary32(Opcode::Sub, magnitude, (bias - kBias) << fraction);
    Value* shift = b_.i32(dropped);
    Value* normal = rounded(rebiased, shift, b_.i32((1u << (dropped - 1)) - 1));
    normal = binary32(Opcode::UMin, normal, kInfinity);
    Value* small = subnormal(magnitude, fraction, bias);
    Value* payload =
        binary32(Opcode::And, binary32(Opcode::LShr, magnitude, dropped), kQuiet - kInfinity - 1);
    Value* nan = binary32(Opcode::Or, payload, kQuiet);
    Value* is_small = b_.compare(Opcode::ULt, magnitude, b_.i32((bias - kBias + 1) << fraction));
    Value* is_nan = b_.compare(Opcode::UGt, magnitude, b_.i32(special));
    Value* result = b_.select(is_nan, nan, b_.select(is_small, small, normal));
    return b_.convert(Opcode::Trunc, b_.binary(Opcode::Or, result, sign), Type::i16());
  }
  Value* subnormal(Value* magnitude, unsigned fraction, std::uint32_t bias) {
    const std::uint32_t one = 1u << fraction;
    Value* significand = binary32(Opcode::Or, binary32(Opcode::And, magnitude, one - 1), one);
    Value* exponent = binary32(Opcode::LShr, magnitude, fraction);
    Value* below = b_.binary(Opcode::Sub, b_.i32(fraction - kFraction + 1 + bias - kBias), exponent);
    Value* shift = binary32(Opcode::And, binary32(Opcode::UMin, below, fraction + 2), 31);
    Value* half =
        b_.binary(Opcode::Shl, b_.i32(1), binary32(Opcode::And, binary32(Opcode::Sub, shift, 1), 31));
    return rounded(significand, shift, binary32(Opcode::Sub, half, 1));
  }

  Op& op_;
  Builder b_;
  bool has_half_result_;
  std::vector<bool> half_operands_;
};

/// All f16 of a kernel.
class HalfLegalizer {
 public:
  explicit HalfLegalizer(kir::Kernel& kernel) : kernel_(kernel) {
    kir::walk(kernel.body, [&](Op& op) {
      for (std::size_t r = 0; r < op.num_regions(); ++r) note_arguments(op.region(r));
      if (op.is(Opcode::Object) && op.as<kir::ObjectAttr>().element == Type::f16()) objects_.push_back(&op);
      if (!touches_half(op)) return;
      if (kind_of(op) != Kind::Moves) computing_.push_back({&op, halves_of(op), has_half_result(op)});
      for (std::size_t i = 0; i < op.num_results(); ++i)
        if (is_half(op.result(i))) values_.push_back(op.result(i));
    });
    note_arguments(kernel.body);
  }

  bool run() {
    for (Value* value : values_) value->set_type(Type::i16());
    for (Op* object : objects_) std::get<kir::ObjectAttr>(object->attr).element = Type::i16();
    for (abi::Param& param : kernel_.manifest.params)
      for (abi::Leaf& leaf : param.leaves)
        if (leaf.scalar == abi::Scalar::F16) leaf.scalar = abi::Scalar::I16;
    for (auto& [op, operands, result] : computing_) {
      op->result()->replace_all_uses_with(HalfOp(*op, result, operands).run());
      op->erase();
    }
    return !values_.empty() || !objects_.empty() || !computing_.empty();
  }

 private:
  struct Computing {
    Op* op;
    std::vector<bool> half_operands;
    bool has_half_result;
  };

  static bool has_half_result(const Op& op) { return op.num_results() == 1 && is_half(op.result()); }
  static std::vector<bool> halves_of(const Op& op) {
    std::vector<bool> result;
    for (std::size_t i = 0; i < op.num_operands(); ++i) result.push_back(is_half(op.operand(i)));
    return result;
  }
  void note_arguments(const kir::Region& region) {
    for (const auto& argument : region.arguments())
      if (is_half(argument.get())) values_.push_back(argument.get());
  }

  kir::Kernel& kernel_;
  std::vector<Value*> values_;
  std::vector<Op*> objects_;
  std::vector<Computing> computing_;
};

}  // namespace

kir::Result<bool> legalize_half(kir::Module& module) {
  bool changed = false;
  for (const auto& constant : module.constants) {
    if (constant->attr.element != Type::f16()) continue;
    constant->attr.element = Type::i16();
    changed = true;
  }
  for (const auto& kernel : module.kernels) changed |= HalfLegalizer(*kernel).run();
  return changed;
}

}  // namespace spirea::spirv
