// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A generic pointer is a 64-bit number: the address of global memory, or, with bit 62 set and bit 63 clear,
// a place in local memory; 0 is null. (An address is canonical: its two highest bits are equal.) Local memory
// that numbers point to is one object after the pass behind this one, private or constant before it alike.
#include <unordered_map>
#include <vector>

#include "codegen-spirv/legalize/legalize.h"
#include "ir/core/builder.h"

namespace spirea::spirv {
namespace {

using kir::Op;
using kir::Opcode;
using kir::Space;
using kir::Type;
using kir::Value;

constexpr std::uint64_t kLocalTag = std::uint64_t{1} << 62;

bool is_generic(const Value* value) { return value->type() == Type::ptr(Space::Generic); }
bool is_local(const Value* value) {
  return value->type().is_ptr() &&
         (value->type().space() == Space::Private || value->type().space() == Space::Constant);
}

class GenericLegalizer {
 public:
  explicit GenericLegalizer(kir::Kernel& kernel) : kernel_(kernel) {}

  bool run() {
    std::vector<Op*> ops;
    kir::walk(kernel_.body, [&](Op& op) { ops.push_back(&op); });
    for (Op* op : ops) pointers_in_memory(*op);
    ops.clear();
    kir::walk(kernel_.body, [&](Op& op) { ops.push_back(&op); });
    for (Op* op : ops)
      if (touches(*op)) generic_.push_back(op);
    for (Op* op : generic_) rewrite(op);
    retype();
    return changed_;
  }

 private:
  static bool touches(const Op& op) {
    for (const Value* operand : op.operands())
      if (is_generic(operand)) return true;
    for (std::size_t i = 0; i < op.num_results(); ++i)
      if (is_generic(op.result(i))) return true;
    return false;
  }

  kir::Builder before(Op& op) {
    changed_ = true;
    kir::Builder builder(&op);
    builder.set_location(op.location);
    return builder;
  }

  /// Pointers to local memory are generic ones in memory, and as such numbers.
  void pointers_in_memory(Op& op) {
    if (op.is(Opcode::Store) && is_local(op.operand(1))) {
      kir::Builder b = before(op);
      op.set_operand(1, number(b, op.operand(1)));
    } else if (op.is(Opcode::Load) && is_local(op.result())) {
      kir::Builder b = before(op);
      Value* bits = b.load(Type::i64(), op.operand(0), op.as<kir::MemoryAttr>());
      replace(op, b.convert(Opcode::IntToPtr, place(b, bits), op.result()->type()));
    }
  }

  /// The number of a local pointer.
  static Value* number(kir::Builder& b, Value* pointer) {
    Value* at = b.convert(Opcode::PtrToInt, pointer, Type::i64());
    Value* is_null = b.compare(Opcode::IEq, at, b.i64(0));
    return b.select(is_null, b.i64(0), b.binary(Opcode::Or, at, b.i64(kLocalTag)));
  }
  /// And back, without the tag.
  static Value* place(kir::Builder& b, Value* number) {
    return b.binary(Opcode::And, number, b.i64(kLocalTag - 1));
  }

  void replace(Op& op, Value* value) {
    op.result()->replace_all_uses_with(value);
    op.erase();
    changed_ = true;
  }

  /// Generic operands are numbers from here on, though their type says so only when all is done.
  void rewrite(Op* op) {
    kir::Builder b = before(*op);
    switch (op->opcode()) {
      case Opcode::ToGeneric: {
        Value* from = op->operand(0);
        return forward(*op,
                       is_local(from) ? number(b, from) : b.convert(Opcode::PtrToInt, from, Type::i64()));
      }
      case Opcode::IntToPtr:
      case Opcode::PtrToInt: return forward(*op, op->operand(0));
      case Opcode::Offset: return offset(*op, b);
      case Opcode::Load:
      case Opcode::Store:
        if (is_generic(op->operand(0))) access(*op, b);
        return;
      default: return;  // moves it, or compares it
    }
  }

  /// The result has another type than its uses: they are of the pass's own making, or will be retyped.
  void forward(Op& op, Value* value) {
    order_.push_back(op.result());
    forwarded_[op.result()] = value;
    dead_.push_back(&op);
  }

  void offset(Op& op, kir::Builder& b) {
    const auto scale = op.as<kir::ScaleAttr>();
    Value* index = op.operand(1);
    if (index->type() == Type::i32()) index = b.convert(Opcode::SExt, index, Type::i64());
    Value* bytes = b.binary(Opcode::Mul, index, b.i64(static_cast<std::uint64_t>(scale.scale)));
    bytes = b.binary(Opcode::Add, bytes, b.i64(static_cast<std::uint64_t>(scale.displacement)));
    Op* sum = b.create(Opcode::Add, std::array{op.operand(0), bytes}, std::array{Type::i64()});
    forward(op, sum->result());
  }

  void access(Op& op, kir::Builder& b) {
    Value* pointer = op.operand(0);
    const auto attr = op.as<kir::MemoryAttr>();
    const bool is_load = op.is(Opcode::Load);
    Op* high = b.create(Opcode::LShr, std::array{pointer, b.i64(62)}, std::array{Type::i64()});
    Value* is_local = b.compare(Opcode::IEq, high->result(), b.i64(kLocalTag >> 62));
    const Type type = is_load ? op.result()->type() : Type();
    Op* choice = b.if_op(is_local, is_load ? std::span(&type, 1) : std::span<const Type>());
    for (const bool local : {true, false}) {
      kir::Builder arm(choice->region(local ? 0 : 1));
      arm.set_location(op.location);
      Value* bits = pointer;
      if (local)
        bits = arm.create(Opcode::And, std::array{pointer, arm.i64(kLocalTag - 1)}, std::array{Type::i64()})
                   ->result();
      Value* to = arm.create(Opcode::IntToPtr, std::array{bits},
                             std::array{Type::ptr(local ? Space::Private : Space::Global)})
                      ->result();
      if (is_load) {
        Value* value = arm.load(type, to, attr);
        arm.break_to(choice, {&value, 1});
      } else {
        arm.store(to, op.operand(1), attr);
        arm.break_to(choice);
      }
    }
    if (is_load) op.result()->replace_all_uses_with(choice->result());
    dead_.push_back(&op);
  }

  void retype() {
    const auto retype_value = [&](Value* value) {
      if (is_generic(value)) value->set_type(Type::i64());
    };
    kir::walk(kernel_.body, [&](Op& op) {
      for (std::size_t i = 0; i < op.num_results(); ++i) retype_value(op.result(i));
      for (const auto& region : op.regions())
        for (const auto& argument : region->arguments()) retype_value(argument.get());
    });
    for (Value* from : order_) {
      Value* to = forwarded_[from];
      while (forwarded_.contains(to)) to = forwarded_[to];
      from->replace_all_uses_with(to);
    }
    for (Op* op : dead_) op->erase();
  }

  kir::Kernel& kernel_;
  std::vector<Op*> generic_, dead_;
  std::vector<Value*> order_;
  std::unordered_map<Value*, Value*> forwarded_;
  bool changed_ = false;
};

}  // namespace

kir::Result<bool> legalize_generic_pointers(kir::Module& module) {
  bool changed = false;
  for (const auto& kernel : module.kernels) changed |= GenericLegalizer(*kernel).run();
  return changed;
}

}  // namespace spirea::spirv
