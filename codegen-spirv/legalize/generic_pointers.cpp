// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A generic pointer is a 64-bit number: the address of global memory, or, with bit 62 set and bit 63 clear,
// a place in local memory, or, with bit 63 set and bit 62 clear, one in workgroup memory; 0 is null. (An
// address is canonical: its two highest bits are equal.) Local memory that numbers point to is one object
// after the pass behind this one, private or constant before it alike; and so is workgroup memory.
#include <unordered_map>
#include <vector>

#include "codegen-spirv/legalize/legalize.h"
#include "codegen-spirv/legalize/memory.h"

namespace spirea::spirv {
namespace {

using kir::Op;
using kir::Opcode;
using kir::Space;
using kir::Type;
using kir::Value;

constexpr unsigned kTagShift = 62;
constexpr std::uint64_t kLocalTag = 1, kWorkgroupTag = 2;  // in the two highest bits
constexpr std::uint64_t kPlaceMask = (std::uint64_t{1} << kTagShift) - 1;

bool is_generic(const Value* value) { return value->type() == Type::ptr(Space::Generic); }

class GenericLegalizer {
 public:
  explicit GenericLegalizer(kir::Kernel& kernel) : kernel_(kernel) {}

  bool run() {
    std::vector<Op*> ops;
    kir::walk(kernel_.body, [&](Op& op) {
      ops.push_back(&op);
      has_workgroup_memory_ |= (op.is(Opcode::Object) || op.is(Opcode::DynamicShared)) &&
                               op.result()->type() == Type::ptr(Space::Workgroup);
    });
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
    const std::uint64_t tag = pointer->type().space() == Space::Workgroup ? kWorkgroupTag : kLocalTag;
    Value* zero = b.i64(0);
    Value* is_null = b.compare(Opcode::IEq, at, zero);
    return b.select(is_null, zero, b.binary(Opcode::Or, at, b.i64(tag << kTagShift)));
  }
  /// And back, without the tag.
  static Value* place(kir::Builder& b, Value* number) {
    return b.binary(Opcode::And, number, b.i64(kPlaceMask));
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
      default:  // moves it, or compares it
        if (is_access(*op) && is_generic(op->operand(0))) access(*op, b);
        return;
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

  /// Asks which memory the pointer is to: workgroup memory, if the kernel has any, local or global memory.
  void access(Op& op, kir::Builder& b) {
    Value* pointer = op.operand(0);
    Value* tag =
        b.create(Opcode::LShr, std::array{pointer, b.i64(kTagShift)}, std::array{Type::i64()})->result();
    Op* choice = has_workgroup_memory_ ? choose(b, op, tag, kWorkgroupTag) : choose(b, op, tag, kLocalTag);
    if (has_workgroup_memory_) {
      fill(choice->region(0), choice, op, Space::Workgroup);
      kir::Builder other(choice->region(1));
      other.set_location(op.location);
      Op* inner = choose(other, op, tag, kLocalTag);
      leave(other, choice, inner);
      fill_local_and_global(inner, op);
    } else {
      fill_local_and_global(choice, op);
    }
    if (op.num_results() != 0) op.result()->replace_all_uses_with(choice->result());
    dead_.push_back(&op);
  }

  static Op* choose(kir::Builder& b, const Op& op, Value* tag, std::uint64_t expected) {
    const Type type = op.num_results() != 0 ? op.result()->type() : Type();
    Value* is_it = b.compare(Opcode::IEq, tag, b.i64(expected));
    return b.if_op(is_it, std::span(&type, op.num_results()));
  }
  void fill_local_and_global(Op* choice, const Op& op) {
    fill(choice->region(0), choice, op, Space::Private);
    fill(choice->region(1), choice, op, Space::Global);
  }
  static void leave(kir::Builder& b, Op* choice, Op* with) {
    Value* value = with->num_results() != 0 ? with->result() : nullptr;
    b.break_to(choice, std::span(&value, with->num_results()));
  }

  /// The same access of one kind of memory.
  static void fill(kir::Region& arm, Op* choice, const Op& op, Space space) {
    kir::Builder b(arm);
    b.set_location(op.location);
    Value* bits = op.operand(0);
    if (space != Space::Global)
      bits = b.create(Opcode::And, std::array{bits, b.i64(kPlaceMask)}, std::array{Type::i64()})->result();
    std::vector<Value*> operands = op.operands();
    operands[0] = b.create(Opcode::IntToPtr, std::array{bits}, std::array{Type::ptr(space)})->result();
    const Type type = op.num_results() != 0 ? op.result()->type() : Type();
    leave(b, choice, b.create(op.opcode(), operands, std::span(&type, op.num_results()), op.attr));
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
  bool has_workgroup_memory_ = false, changed_ = false;
};

}  // namespace

kir::Result<bool> legalize_generic_pointers(kir::Module& module) {
  bool changed = false;
  for (const auto& kernel : module.kernels) changed |= GenericLegalizer(*kernel).run();
  return changed;
}

}  // namespace spirea::spirv
