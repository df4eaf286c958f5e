// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/ir/random_kernel.h"

#include <array>
#include <bit>
#include <limits>
#include <random>
#include <vector>

#include "ir/core/builder.h"

namespace spirea::kir::test {
namespace {

constexpr unsigned kMaxDepth = 5;
constexpr unsigned kMaxStructured = 24;

constexpr Type kTypes[] = {Type::i1(),  Type::i8(),  Type::i16(), Type::i32(),
                           Type::i64(), Type::f32(), Type::f64()};

constexpr std::size_t kNumIntTypes = 5;

constexpr Opcode kIntBinary[] = {Opcode::Add,  Opcode::Sub,  Opcode::Mul,    Opcode::And,
                                 Opcode::Or,   Opcode::Xor,  Opcode::SMin,   Opcode::SMax,
                                 Opcode::UMin, Opcode::UMax, Opcode::UMulHi, Opcode::SMulHi};
constexpr Opcode kDivisions[] = {Opcode::UDiv, Opcode::SDiv, Opcode::URem, Opcode::SRem};
constexpr Opcode kShifts[] = {Opcode::Shl, Opcode::LShr, Opcode::AShr};
constexpr Opcode kIntUnary[] = {Opcode::IAbs,     Opcode::Clz,        Opcode::Ctz,
                                Opcode::Popcount, Opcode::BitReverse, Opcode::Freeze};
constexpr Opcode kIntCompare[] = {Opcode::IEq, Opcode::INe, Opcode::ULt, Opcode::ULe, Opcode::UGt,
                                  Opcode::UGe, Opcode::SLt, Opcode::SLe, Opcode::SGt, Opcode::SGe};
constexpr Opcode kFloatBinary[] = {Opcode::FAdd, Opcode::FSub, Opcode::FMul, Opcode::FDiv};
constexpr Opcode kFloatUnary[] = {Opcode::FNeg,   Opcode::FAbs,  Opcode::Floor,    Opcode::Ceil,
                                  Opcode::FTrunc, Opcode::Round, Opcode::RoundEven};
constexpr Opcode kFloatCompare[] = {Opcode::FOEq, Opcode::FONe, Opcode::FOLt, Opcode::FOGe, Opcode::FOrd,
                                    Opcode::FUno, Opcode::FUEq, Opcode::FUNe, Opcode::FULt, Opcode::FUGe};

class Generator {
 public:
  Generator(std::uint32_t seed, bool with_floats)
      : random_(seed),
        num_types_(with_floats ? std::size(kTypes) : kNumIntTypes),
        module_(std::make_unique<Module>()) {}

  std::unique_ptr<Module> module() {
    auto kernel = std::make_unique<Kernel>();
    manifest(kernel->manifest);
    Value* p = kernel->body.add_argument(Type::ptr(Space::Global), "p");
    kernel->body.add_argument(Type::i64(), "p_size");
    values_.push_back(kernel->body.add_argument(Type::i32(), "n"));
    Value* x = kernel->body.add_argument(Type::f32(), "x");
    if (num_types_ > kNumIntTypes) values_.push_back(x);
    Builder b(kernel->body);
    Value* id = b.dim(Opcode::GlobalId, Dim::X);
    slots_ = b.offset(p, b.binary(Opcode::Mul, id, b.i32(kRandomSlots)), 4);
    private_slots(b);
    ops(b, 6);
    statements(b, 4);
    show(b, 0);
    b.ret();
    module_->kernels.push_back(std::move(kernel));
    return std::move(module_);
  }

 private:
  std::uint32_t below(std::uint32_t n) { return random_() % n; }
  bool chance(std::uint32_t percent) { return below(100) < percent; }
  template <class T, std::size_t N>
  T pick(const T (&list)[N]) {
    return list[below(N)];
  }

  Type any_type() { return kTypes[below(num_types_)]; }

  static void manifest(abi::Manifest& m) {
    m.name = m.key = "k";
    m.display = "k()";
    m.file = "random.cpp";
    m.line = 1;
    m.params.push_back({"p",
                        abi::ParamKind::Buffer,
                        "std::span<int>",
                        16,
                        8,
                        "int",
                        4,
                        4,
                        abi::Access::ReadWrite,
                        false,
                        {{abi::Scalar::Ptr, 0, 0}, {abi::Scalar::I64, 0, 8}}});
    m.params.push_back({"n",
                        abi::ParamKind::Value,
                        "int",
                        4,
                        4,
                        "",
                        0,
                        1,
                        abi::Access::ReadWrite,
                        false,
                        {{abi::Scalar::I32, 0, 0}}});
    m.params.push_back({"x",
                        abi::ParamKind::Value,
                        "float",
                        4,
                        4,
                        "",
                        0,
                        1,
                        abi::Access::ReadWrite,
                        false,
                        {{abi::Scalar::F32, 0, 0}}});
    abi::assign_block_offsets(m);
  }

  void private_slots(Builder& b) {
    object_ = b.object({kRandomSlots * 4, 4, Type::i32()}, "object");
    for (std::uint32_t i = 0; i < kRandomSlots; ++i) {
      Value* pointer = b.offset(object_, b.i64(0), 1, i * 4);
      b.store(pointer, b.i32(random_()), {4, false});
    }
  }

  // ---- values

  Value* constant(Builder& b, Type type) {
    constexpr float floats[] = {0.0f, -0.0f, 1.0f, -1.0f, 0.5f, 3.0f, 8.0f, 1e10f, -2.5f, 1e-10f};
    if (type == Type::f32()) return b.f32(pick(floats));
    if (type == Type::f64()) return b.f64(pick(floats));
    constexpr std::uint64_t integers[] = {0, 1, 2, 3, 7, ~0ull, 1ull << 31, (1ull << 31) - 1, 0x80, 0x8000};
    return b.constant(type, chance(30) ? random_() : pick(integers));
  }

  /// A visible value of the type, or a new constant.
  Value* any(Builder& b, Type type) {
    if (chance(20)) return constant(b, type);
    for (int tries = 0; tries < 12 && !values_.empty(); ++tries) {
      Value* value = values_[values_.size() - 1 - below(std::min<std::uint32_t>(values_.size(), 24))];
      if (value->type() == type) return value;
    }
    return constant(b, type);
  }

  Value* zero(Builder& b, Type type) {
    const double value = chance(50) ? 0.0 : -0.0;
    return type == Type::f32() ? b.f32(static_cast<float>(value)) : b.f64(value);
  }

  FastAttr flags() { return FastAttr{static_cast<std::uint8_t>(chance(10) ? FastAttr::Contract : 0)}; }

  Value* integer(Builder& b, Type type) {
    Value* x = any(b, type);
    switch (below(5)) {
      case 0: return b.unary(pick(kIntUnary), x);
      case 1: {
        if (type.is_bool()) break;
        Value* other = any(b, type);
        Value* positive = b.binary(Opcode::And, other, b.constant(type, 0x7f));
        Value* divisor = b.binary(Opcode::Or, positive, b.constant(type, 1));
        return b.binary(pick(kDivisions), x, divisor);
      }
      case 2: {
        Value* other = any(b, type);
        Value* amount = b.binary(Opcode::And, other, b.constant(type, type.bits() - 1));
        return b.binary(pick(kShifts), x, amount);
      }
      default: break;
    }
    Value* y = any(b, type);
    return b.binary(pick(kIntBinary), x, y);
  }

  Value* floating(Builder& b, Type type) {
    Value* x = any(b, type);
    if (chance(30)) return b.unary(pick(kFloatUnary), x, flags());
    // The sign of a NaN must not be seen: it is taken from a constant.
    if (chance(10)) return b.binary(Opcode::CopySign, x, constant(b, type), flags());
    if (chance(20)) return b.binary(chance(50) ? Opcode::FAdd : Opcode::FSub, x, zero(b, type), flags());
    Value* y = any(b, type);
    return b.binary(pick(kFloatBinary), x, y, flags());
  }

  Value* nan(Builder& b, Type type) {
    const double value = std::numeric_limits<double>::quiet_NaN();
    return type == Type::f32() ? b.f32(static_cast<float>(value)) : b.f64(value);
  }

  /// One of -1, 0, 1, 2; or NaN.
  Value* small(Builder& b, Type type) {
    const Type from = type.is_int() ? type : Type::i32();
    Value* value = any(b, from);
    if (type.is_float() && chance(20)) return nan(b, type);
    Value* low = b.binary(Opcode::And, value, b.constant(from, 3));
    Value* moved = b.binary(Opcode::Sub, low, b.constant(from, 1));
    return converted(b, moved, type);
  }

  Value* comparison(Builder& b) {
    if (chance(25)) return integer(b, Type::i1());
    const Type type = kTypes[1 + below(num_types_ - 1)];
    const bool often_equal = chance(50);
    Value* x = often_equal ? small(b, type) : any(b, type);
    Value* y = often_equal ? small(b, type) : any(b, type);
    Value* result = b.compare(type.is_int() ? pick(kIntCompare) : pick(kFloatCompare), x, y);
    return chance(40) ? b.binary(Opcode::Xor, result, b.i1(true)) : result;
  }

  /// A value of any type as this one, sometimes by way of another; nothing that could be poison.
  Value* conversion(Builder& b, Type to) {
    Value* x = any(b, any_type());
    if (chance(50)) x = converted(b, x, any_type());
    return converted(b, x, to);
  }

  Value* converted(Builder& b, Value* x, Type to) {
    const Type from = x->type();
    if (from == to) return x;
    if (from.is_int() && to.is_int()) {
      const Opcode extension = chance(50) ? Opcode::ZExt : Opcode::SExt;
      return b.convert(to.bits() < from.bits() ? Opcode::Trunc : extension, x, to);
    }
    if (from.is_int()) return b.convert(chance(50) ? Opcode::SiToFp : Opcode::UiToFp, x, to);
    if (to.is_float()) return b.convert(to.bits() < from.bits() ? Opcode::FpTrunc : Opcode::FpExt, x, to);
    return bounded_integer(b, x, to);
  }

  /// A float from 0 to 100 (NaN becomes 100) as an integer; i1 and i8 take it by way of i32.
  Value* bounded_integer(Builder& b, Value* x, Type to) {
    const auto limit = [&](double value) {
      return x->type() == Type::f32() ? b.f32(static_cast<float>(value)) : b.f64(value);
    };
    Value* high = limit(100);
    Value* low = limit(0);
    Value* bounded = b.binary(Opcode::FMax, b.binary(Opcode::FMin, x, high), low);
    Value* result = b.convert(chance(50) ? Opcode::FpToSi : Opcode::FpToUi, bounded, Type::i32());
    if (to == Type::i32()) return result;
    return b.convert(to.bits() < 32 ? Opcode::Trunc : Opcode::SExt, result, to);
  }

  void op(Builder& b) {
    const Type type = any_type();
    Value* value = nullptr;
    if (chance(10)) {
      Value* condition = any(b, Type::i1());
      Value* x = any(b, type);
      value = b.select(condition, x, any(b, type));
    } else if (chance(20)) {
      value = conversion(b, type);
    } else if (chance(10)) {
      value = load(b);
    } else if (type.is_bool()) {
      value = comparison(b);
    } else {
      value = type.is_int() ? integer(b, type) : floating(b, type);
    }
    values_.push_back(value);
  }

  void ops(Builder& b, unsigned count) {
    for (unsigned i = 0; i < count; ++i) op(b);
  }

  /// Makes about half of the values from `first` on show in memory.
  void show(Builder& b, std::size_t first) {
    Value* sum = b.i32(17);
    for (std::size_t i = first; i < values_.size(); ++i) {
      if (chance(50)) continue;
      Value* value = as_i32(b, values_[i]);
      sum = b.binary(Opcode::Xor, b.binary(Opcode::Mul, sum, b.i32(31)), value);
    }
    store(b, sum);
  }

  // ---- memory

  /// A pointer to a slot that is chosen at run time, by way of one or two offsets.
  Value* slot(Builder& b) {
    Value* base = chance(60) ? slots_ : object_;
    if (chance(30)) return b.offset(base, b.i64(below(kRandomSlots)), 4);
    const Type type = chance(50) ? Type::i32() : Type::i64();
    Value* value = any(b, type);
    Value* index = b.binary(Opcode::And, value, b.constant(type, kRandomSlots / 2 - 1));
    const std::int64_t displacement = below(kRandomSlots / 4) * 4;
    Value* pointer = b.offset(base, index, 4, displacement);
    return chance(50) ? pointer : b.offset(pointer, b.i32(below(kRandomSlots / 4)), 4);
  }

  Value* load(Builder& b) { return b.load(Type::i32(), slot(b), {4, chance(5)}); }

  /// Mixes the value into a slot, so that the order of stores shows.
  void store(Builder& b, Value* value) {
    Value* pointer = slot(b);
    Value* old = b.load(Type::i32(), pointer, {4, false});
    Value* mixed = b.binary(Opcode::Mul, old, b.i32(31));
    b.store(pointer, b.binary(Opcode::Add, mixed, as_i32(b, value)), {4, false});
  }

  Value* as_i32(Builder& b, Value* value) {
    const Type type = value->type();
    if (type == Type::i32()) return value;
    if (type.is_int()) return b.convert(type.bits() < 32 ? Opcode::SExt : Opcode::Trunc, value, Type::i32());
    Value* is_nan = b.test(Opcode::IsNan, value);
    Value* one = type == Type::f32() ? b.f32(1) : b.f64(1);
    Value* number = b.select(is_nan, one, value);
    if (type == Type::f32()) return b.convert(Opcode::Bitcast, number, Type::i32());
    return b.convert(Opcode::Trunc, b.convert(Opcode::Bitcast, number, Type::i64()), Type::i32());
  }

  // ---- control flow

  void statements(Builder& b, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      ops(b, 1 + below(4));
      if (chance(50)) store(b, any(b, any_type()));
      if (chance(70) && around_.size() < kMaxDepth && structured_ < kMaxStructured) structured(b);
    }
  }

  std::vector<Type> result_types() {
    std::vector<Type> types;
    while (chance(40) && types.size() < 3) types.push_back(any_type());
    return types;
  }

  void structured(Builder& b) {
    ++structured_;
    const std::vector<Type> types = result_types();
    Op* op = nullptr;
    switch (below(4)) {
      case 0: op = b.if_op(any(b, Type::i1()), types); break;
      case 1: op = b.block(types); break;
      case 2: op = switch_on(b, types); break;
      default: op = loop(b, types); break;
    }
    for (const auto& region : op->regions()) fill(*op, *region);
    for (std::size_t i = 0; i < op->num_results(); ++i) values_.push_back(op->result(i));
  }

  Op* switch_on(Builder& b, const std::vector<Type>& types) {
    Value* value = any(b, Type::i32());
    Value* operand = b.binary(Opcode::And, value, b.i32(7));
    CasesAttr cases;
    if (chance(80)) cases.values.push_back({0, 3});
    if (chance(60)) cases.values.push_back({1});
    if (chance(30)) cases.values.push_back({5, 6, 7});
    return b.switch_op(operand, cases, types);
  }

  /// The first argument counts; the others are of any type.
  Op* loop(Builder& b, const std::vector<Type>& types) {
    std::vector<Value*> initial{b.i32(0)};
    while (chance(50) && initial.size() < 4) initial.push_back(any(b, any_type()));
    return b.loop(initial, types);
  }

  void fill(Op& op, Region& region) {
    const std::size_t visible = values_.size();
    around_.push_back(&op);
    Builder b(region);
    for (const auto& argument : region.arguments()) values_.push_back(argument.get());
    if (op.is(Opcode::Loop)) end_of_loop(b, op);
    statements(b, 1 + below(2));
    if (chance(60)) show(b, visible);
    leave(b, op);
    around_.pop_back();
    values_.resize(visible);
  }

  /// Leaves the loop after a few iterations, whatever else happens.
  void end_of_loop(Builder& b, Op& loop) {
    Op* check = b.if_op(b.compare(Opcode::UGe, loop.region().argument(0), b.i32(1 + below(3))));
    Builder then(check->region(0));
    then.break_to(&loop, carried(then, loop));
    Builder otherwise(check->region(1));
    otherwise.break_to(check);
  }

  std::vector<Value*> carried(Builder& b, const Op& target) {
    std::vector<Value*> values;
    for (std::size_t i = 0; i < target.num_results(); ++i) values.push_back(any(b, target.result(i)->type()));
    return values;
  }

  void next_iteration(Builder& b, Op& loop) {
    Value* count = loop.region().argument(0);
    std::vector<Value*> values{b.binary(Opcode::Add, count, b.i32(1))};
    for (std::size_t i = 1; i < loop.num_operands(); ++i)
      values.push_back(chance(20) ? loop.region().argument(i) : any(b, loop.operand(i)->type()));
    b.continue_to(&loop, values);
  }

  /// Ends a region: mostly to the op itself, sometimes to one further out.
  void leave(Builder& b, Op& op) {
    Op* target = chance(70) ? &op : around_[below(static_cast<std::uint32_t>(around_.size()))];
    if (chance(2)) {
      store(b, any(b, Type::i32()));
      b.ret();
    } else if (target->is(Opcode::Loop) && chance(70)) {
      next_iteration(b, *target);
    } else {
      b.break_to(target, carried(b, *target));
    }
  }

  std::mt19937 random_;
  std::uint32_t num_types_;
  std::unique_ptr<Module> module_;
  std::vector<Value*> values_;
  std::vector<Op*> around_;
  Value* slots_ = nullptr;
  Value* object_ = nullptr;
  unsigned structured_ = 0;
};

}  // namespace

std::unique_ptr<Module> random_kernel(std::uint32_t seed, bool with_floats) {
  return Generator(seed, with_floats).module();
}

}  // namespace spirea::kir::test
