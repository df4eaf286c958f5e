// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <map>
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

/// Constants that pointers are chosen among are copied to private memory.
enum class Memory : std::uint8_t { Private, Workgroup };
Memory memory_of(const Value* pointer) {
  return pointer->type().space() == Space::Workgroup ? Memory::Workgroup : Memory::Private;
}

/// Sets of local pointers that flow into each other. All pointers of a set are to one kind of memory.
class Flow {
 public:
  explicit Flow(const kir::Kernel& kernel) {
    kir::walk(kernel.body, [&](const Op& op) {
      if (op.is(Opcode::IntToPtr) && is_local(op.result())) number_of(op.result()) = op.result();
    });
    kir::walk(kernel.body, [&](const Op& op) { visit(op); });
    join_dynamic_memory(kernel);
  }
  const Value* set_of(const Value* value) {
    const Value*& parent = parents_.try_emplace(value, value).first->second;
    return parent == value ? value : parent = set_of(parent);
  }
  /// The op at which some pointer of the set is chosen at run time, compared or turned into a number; null if
  /// there is none.
  const Op* reason(const Value* value) {
    const auto known = dynamic_.find(set_of(value));
    return known == dynamic_.end() ? nullptr : known->second;
  }
  bool is_dynamic(const Value* value) { return reason(value) != nullptr; }

 private:
  void join(const Value* a, const Value* b) {
    const Value *x = set_of(a), *y = set_of(b);
    if (x == y) return;
    parents_[x] = y;
    if (const auto known = dynamic_.find(x); known != dynamic_.end()) mark(y, *known->second);
  }
  void mark(const Value* value, const Op& op) {
    const auto [known, is_new] = dynamic_.try_emplace(set_of(value), &op);
    const bool says_little = known->second->is(Opcode::Const) || known->second->is(Opcode::Undef);
    if (!is_new && says_little) known->second = &op;
  }
  const Value*& number_of(const Value* value) { return numbers_[static_cast<std::size_t>(memory_of(value))]; }

  /// What is chosen at run time among other objects lies behind them; only one array can have a length that
  /// is not known, so that it takes in all of them.
  void join_dynamic_memory(const kir::Kernel& kernel) {
    const Value* dynamic = nullptr;
    for (const Op& op : kernel.body)
      if (op.is(Opcode::DynamicShared)) dynamic = op.result();
    if (dynamic == nullptr || !is_dynamic(dynamic)) return;
    for (const Op& op : kernel.body)
      if (op.is(Opcode::Object) && memory_of(op.result()) == Memory::Workgroup) join(dynamic, op.result());
  }

  void visit(const Op& op) {
    switch (op.opcode()) {
      case Opcode::Offset:
        if (is_local(op.result())) join(op.result(), op.operand(0));
        return;
      case Opcode::Loop:
        for (std::size_t i = 0; i < op.num_operands(); ++i) flow(op, op.operand(i), op.region().argument(i));
        return;
      case Opcode::Break:
        for (std::size_t i = 0; i < op.num_operands(); ++i) flow(op, op.operand(i), op.target()->result(i));
        return;
      case Opcode::Continue:
        for (std::size_t i = 0; i < op.num_operands(); ++i)
          flow(op, op.operand(i), op.target()->region().argument(i));
        return;
      case Opcode::Object:
      case Opcode::DynamicShared:
      case Opcode::AddressOf: return;
      default: break;
    }
    if (is_access(op)) return;
    const Value* first = nullptr;
    const auto all = [&](const Value* value) {
      if (!is_local(value)) return;
      mark(value, op);
      if (first != nullptr) join(first, value);
      first = value;
    };
    // A number that becomes a pointer again may be that of any address.
    if (op.is(Opcode::IntToPtr) || op.is(Opcode::PtrToInt)) {
      const Value* pointer = op.is(Opcode::PtrToInt) ? op.operand(0) : op.result();
      if (is_local(pointer) && number_of(pointer) != nullptr) join(pointer, number_of(pointer));
    }
    for (const Value* operand : op.operands()) all(operand);
    for (std::size_t i = 0; i < op.num_results(); ++i) all(op.result(i));
  }

  void flow(const Op& op, const Value* from, const Value* to) {
    if (!is_local(from)) return;
    join(from, to);
    mark(to, op);
  }

  std::array<const Value*, 2> numbers_{};  ///< a pointer that is made from a number, for each Memory
  std::unordered_map<const Value*, const Value*> parents_;
  std::unordered_map<const Value*, const Op*> dynamic_;
};

/// The object that replaces all objects of a set.
struct Merged {
  Memory memory;
  bool is_dynamic = false;  ///< dynamic_shared memory lies at the end
  Value* object = nullptr;
  std::uint64_t size = 0;
  std::uint32_t align = 4;
};

class Rewriter {
 public:
  Rewriter(kir::Module& module, kir::Kernel& kernel) : module_(module), kernel_(kernel), flow_(kernel) {}

  bool run() {
    std::vector<Op*> ops;
    std::vector<Value*> arguments;
    collect(kernel_.body, ops, arguments);
    for (const Op* op : ops)  // null is 0, where no object may be
      if (op->is(Opcode::Const) || op->is(Opcode::IntToPtr) || op->is(Opcode::PtrToInt))
        merged_of(op->is(Opcode::PtrToInt) ? op->operand(0) : op->result()).size = 4;
    for (Op* op : ops)
      if (op->is(Opcode::Object) || op->is(Opcode::AddressOf)) place(op);
    for (Op* op : ops)
      if (op->is(Opcode::DynamicShared)) place_dynamic(op);
    for (const Value* set : order_) materialize(merged_.at(set));
    for (Value* argument : arguments)
      if (is_local(argument)) argument->set_type(Type::i32());
    for (Op* op : ops) rewrite(op);
    for (auto& [op, base] : bases_) {
      op->result()->replace_all_uses_with(base);
      op->erase();
    }
    return !ops.empty() || !arguments.empty();
  }

 private:
  void collect(kir::Region& region, std::vector<Op*>& ops, std::vector<Value*>& arguments) {
    kir::walk(region, [&](Op& op) {
      bool touched = false;
      const auto look = [&](Value* value) { touched |= is_local(value) && flow_.is_dynamic(value); };
      for (Value* operand : op.operands()) look(operand);
      for (std::size_t i = 0; i < op.num_results(); ++i) look(op.result(i));
      if (touched) ops.push_back(&op);
      for (const auto& child : op.regions())
        for (const auto& argument : child->arguments())
          if (is_local(argument.get()) && flow_.is_dynamic(argument.get()))
            arguments.push_back(argument.get());
    });
    for (Op* op : ops)
      for (std::size_t i = 0; i < op->num_operands(); ++i)
        if (is_access(*op)) sets_[op] = flow_.set_of(op->operand(0));
  }

  std::uint64_t reserve(Merged& merged, std::uint64_t size, std::uint32_t align) {
    merged.align = std::max(merged.align, align);
    const std::uint64_t at = (merged.size + align - 1) / align * align;
    merged.size = at + size;
    return at;
  }

  Merged& merged_of(const Value* pointer) {
    const Value* set = flow_.set_of(pointer);
    const auto [it, is_new] = merged_.try_emplace(set, Merged{memory_of(set)});
    if (is_new) order_.push_back(set);
    return it->second;
  }

  /// A place in the merged object. Constants are copied there at the start of the kernel.
  void place(Op* op) {
    Merged& merged = merged_of(op->result());
    kir::Builder builder(op);
    if (op->is(Opcode::Object)) {
      const auto& attr = op->as<kir::ObjectAttr>();
      bases_.emplace_back(
          op, builder.i32(static_cast<std::uint32_t>(reserve(merged, attr.size, std::max(attr.align, 4u)))));
      return;
    }
    const kir::ConstantObject* constant = module_.find_constant(op->as<kir::SymbolAttr>().name);
    const auto at = reserve(merged, constant->attr.size, std::max(constant->attr.align, 4u));
    bases_.emplace_back(op, builder.i32(static_cast<std::uint32_t>(at)));
    copies_.push_back({&merged, at, constant});
  }

  /// Its length is not known, so that it comes last.
  void place_dynamic(Op* op) {
    Merged& merged = merged_of(op->result());
    kir::Builder builder(op);
    merged.is_dynamic = true;
    const auto at = reserve(merged, 0, std::max(op->as<kir::MemoryAttr>().align, 16u));
    kernel_.manifest.shared_bytes = static_cast<std::uint32_t>(at);
    bases_.emplace_back(op, builder.i32(kernel_.manifest.shared_bytes));
  }

  static Value* memory(kir::Builder& builder, const Merged& merged) {
    const auto space = merged.memory == Memory::Workgroup ? Space::Workgroup : Space::Private;
    const Type type = Type::ptr(space);
    Op* op = merged.is_dynamic
                 ? builder.create(Opcode::DynamicShared, {}, {&type, 1}, kir::MemoryAttr{merged.align, false})
                 : builder.create(Opcode::Object, {}, {&type, 1},
                                  kir::ObjectAttr{std::max<std::uint64_t>((merged.size + 3) / 4 * 4, 4),
                                                  merged.align, std::nullopt});
    op->result()->name = space == Space::Workgroup ? "shared_objects" : "objects";
    return op->result();
  }

  void materialize(Merged& merged) {
    kir::Builder builder(kernel_.body.first());
    merged.object = memory(builder, merged);
    builder.set_before(merged.object->def()->next());
    for (const auto& [target, at, constant] : copies_) {
      if (target != &merged) continue;
      for (std::uint64_t i = 0; i < constant->attr.size; ++i) {
        Value* zero = builder.i32(0);
        Value* place = builder.offset(merged.object, zero, 1, static_cast<std::int64_t>(at + i));
        Value* byte = builder.constant(Type::i8(), constant->bytes[i]);
        builder.store(place, byte, {1, false});
      }
    }
  }

  void rewrite(Op* op) {
    if (is_access(*op)) {
      kir::Builder builder(op);
      builder.set_location(op->location);
      return op->set_operand(0, builder.offset(merged_.at(sets_[op]).object, op->operand(0), 1));
    }
    switch (op->opcode()) {
      case Opcode::Object:
      case Opcode::DynamicShared:
      case Opcode::AddressOf: op->result()->set_type(Type::i32()); return;
      case Opcode::Offset: rewrite_offset(op); return;
      case Opcode::PtrToInt: {
        kir::Builder builder(op);
        op->result()->replace_all_uses_with(builder.convert(Opcode::ZExt, op->operand(0), Type::i64()));
        op->erase();
        return;
      }
      case Opcode::IntToPtr: {
        kir::Builder builder(op);
        builder.set_location(op->location);
        Value* at = builder.convert(Opcode::Trunc, op->operand(0), Type::i32());
        op->result()->set_type(Type::i32());
        op->result()->replace_all_uses_with(at);
        op->erase();
        return;
      }
      default: break;
    }
    for (std::size_t i = 0; i < op->num_results(); ++i)
      if (is_local(op->result(i))) op->result(i)->set_type(Type::i32());
  }

  void rewrite_offset(Op* op) {
    kir::Builder builder(op);
    builder.set_location(op->location);
    const auto scale = op->as<kir::ScaleAttr>();
    Value* index = op->operand(1);
    if (index->type() == Type::i64()) index = builder.convert(Opcode::Trunc, index, Type::i32());
    Value* product = builder.binary(Opcode::Mul, index, builder.i32(static_cast<std::uint32_t>(scale.scale)));
    Value* sum = builder.binary(Opcode::Add, op->operand(0), product);
    Value* result =
        builder.binary(Opcode::Add, sum, builder.i32(static_cast<std::uint32_t>(scale.displacement)));
    op->result()->set_type(Type::i32());
    op->result()->replace_all_uses_with(result);
    op->erase();
  }

  struct Copy {
    Merged* target;
    std::uint64_t at;
    const kir::ConstantObject* constant;
  };

  kir::Module& module_;
  kir::Kernel& kernel_;
  Flow flow_;
  std::map<const Value*, Merged> merged_;
  std::vector<const Value*> order_;  ///< of merged_, the same in every run
  std::map<Op*, const Value*> sets_;
  std::vector<std::pair<Op*, Value*>> bases_;
  std::vector<Copy> copies_;
};

/// All ops for it are the same memory: the first stays.
bool join_dynamic_memory(kir::Kernel& kernel) {
  Op* first = nullptr;
  bool changed = false;
  kir::walk(kernel.body, [&](Op& op) {
    if (!op.is(Opcode::DynamicShared)) return;
    if (first == nullptr) {
      first = &op;
      return;
    }
    auto& align = first->as<kir::MemoryAttr>().align;
    align = std::max(align, op.as<kir::MemoryAttr>().align);
    op.result()->replace_all_uses_with(first->result());
    op.erase();
    changed = true;
  });
  return changed;
}

}  // namespace

std::vector<MergedObject> merged_objects(const kir::Kernel& kernel) {
  Flow flow(kernel);
  std::vector<MergedObject> result;
  for (const Op& op : kernel.body)
    if (op.is(Opcode::Object) && memory_of(op.result()) == Memory::Private && flow.is_dynamic(op.result()))
      result.push_back({&op, flow.set_of(op.result()), flow.reason(op.result())});
  return result;
}

kir::Result<bool> legalize_local_pointers(kir::Module& module) {
  bool changed = false;
  for (const auto& kernel : module.kernels) {
    changed |= join_dynamic_memory(*kernel);
    changed |= Rewriter(module, *kernel).run();
  }
  return changed;
}

}  // namespace spirea::spirv
