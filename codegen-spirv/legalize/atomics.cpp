// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is left are atomic accesses of 32- and 64-bit integers in global and workgroup memory:
// - of floats: loads and stores as integers, the others as loops around a compare-exchange. With native
//   additions these stay, also in a workgroup object: it has the float for its element then, since Vulkan has
//   no pointers there that see a float as an integer. Minima and maxima do not: what the instructions for
//   them (VK_EXT_shader_atomic_float2) make of NaNs is left to the device;
// - of 8 and 16 bits: such loops on the 32-bit word around them, or on the 64-bit word in a workgroup object
// that
//   also has 64-bit atomic accesses, where the same holds for those of 32 bits;
// - of private memory, which no other invocation sees: plain loads and stores.
#include <array>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "codegen-spirv/legalize/legalize.h"
#include "codegen-spirv/legalize/memory.h"

namespace spirea::spirv {
namespace {

using kir::AtomicAttr;
using kir::Builder;
using kir::Op;
using kir::Opcode;
using kir::Order;
using kir::Space;
using kir::Type;
using kir::Value;

/// The value after the op, from the one before.
Value* updated(Builder& b, const Op& op, Value* old) {
  if (op.is(Opcode::AtomicSet) || op.is(Opcode::AtomicSwap)) return op.operand(1);
  if (op.is(Opcode::AtomicCas))
    return b.select(b.compare(Opcode::IEq, old, op.operand(1)), op.operand(2), old);
  const auto plain = kir::combining_op(op.opcode());
  return plain ? b.binary(*plain, old, op.operand(1)) : old;
}

/// A value in the word around it.
struct Lane {
  Value* pointer;   ///< to the word
  Value* position;  ///< in bits; null if the value fills the word
  Type word, type;

  Value* read(Builder& b, Value* bits) const {
    if (position != nullptr) {
      bits = shifted(b, Opcode::LShr, bits, position);
      bits = b.convert(Opcode::Trunc, bits, Type::integer(type.bits()));
    }
    return from_bits(b, bits, type);
  }
  /// The value at its place, zeros around it.
  Value* placed(Builder& b, Value* value) const {
    value = to_bits(b, value);
    if (position == nullptr) return value;
    return shifted(b, Opcode::Shl, b.convert(Opcode::ZExt, value, word), position);
  }
  /// Ones around the place of the value.
  Value* around(Builder& b) const {
    Value* ones = b.constant(word, (std::uint64_t{1} << type.bits()) - 1);
    Value* hole = shifted(b, Opcode::Shl, ones, position);
    return b.binary(Opcode::Xor, hole, b.constant(word, ~std::uint64_t{0}));
  }
  Value* write(Builder& b, Value* bits, Value* value) const {
    Value* in_place = placed(b, value);
    if (position == nullptr) return in_place;
    return b.binary(Opcode::Or, b.binary(Opcode::And, bits, around(b)), in_place);
  }
};

/// A load, a store or an addition that can be one of this float: of its size, at whole elements.
bool can_be_of(const Op& op, Type number) {
  const Type type = accessed_type(op);
  const bool is_copy =
      op.is(Opcode::Load) || op.is(Opcode::Store) || op.is(Opcode::AtomicGet) || op.is(Opcode::AtomicSet);
  if (!(op.is(Opcode::AtomicFAdd) && type == number) && !is_copy) return false;
  return !type.is_ptr() && type.bits() == number.bits() && is_multiple_of(op.operand(0), number.bytes());
}

void make_of(Op& op, Type number) {
  if (accessed_type(op) == number) return;
  Builder b(&op);
  b.set_location(op.location);
  if (op.num_operands() > 1) return op.set_operand(1, b.convert(Opcode::Bitcast, op.operand(1), number));
  Value* loaded = op.is(Opcode::Load) ? b.load(number, op.operand(0), op.as<kir::MemoryAttr>())
                                      : b.create(op.opcode(), std::array{op.operand(0)}, std::array{number},
                                                 op.as<AtomicAttr>())
                                            ->result();
  op.result()->replace_all_uses_with(b.convert(Opcode::Bitcast, loaded, op.result()->type()));
  op.erase();
}

/// Workgroup objects of floats that are added to atomically, and nothing else that a device has no
/// instruction for.
class FloatObjects {
 public:
  explicit FloatObjects(kir::Kernel& kernel) {
    kir::walk(kernel.body, [&](Op& op) {
      if (is_access(op) && op.operand(0)->type().space() == Space::Workgroup) accesses_.push_back(&op);
    });
    for (const Op* op : accesses_)
      if (op->is(Opcode::AtomicFAdd) && accessed_type(*op).bits() >= 32)
        numbers_.try_emplace(root_of(op->operand(0)), accessed_type(*op));
    for (const Op* op : accesses_)
      if (const auto found = numbers_.find(root_of(op->operand(0)));
          found != numbers_.end() && !can_be_of(*op, found->second))
        numbers_.erase(found);
    std::erase_if(numbers_, [](const auto& row) {
      return row.first->is(Opcode::Object) &&
             row.first->template as<kir::ObjectAttr>().size % row.second.bytes() != 0;
    });
  }

  bool contain(const Value* pointer) const { return numbers_.count(root_of(pointer)) != 0; }

  /// All accesses become those of the float.
  void set_type() {
    for (Op* op : accesses_) {
      const auto found = numbers_.find(root_of(op->operand(0)));
      if (found == numbers_.end()) continue;
      Op* root = root_of(op->operand(0))->result()->def();
      if (root->is(Opcode::Object)) root->as<kir::ObjectAttr>().element = found->second;
      make_of(*op, found->second);
    }
  }

 private:
  std::vector<Op*> accesses_;
  std::map<const Op*, Type> numbers_;
};

class AtomicLegalizer {
 public:
  AtomicLegalizer(kir::Kernel& kernel, bool has_native_add) : has_native_add_(has_native_add) {
    if (has_native_add) {
      float_objects_.emplace(kernel);
      float_objects_->set_type();
    }
    kir::walk(kernel.body, [&](Op& op) {
      if (!is_atomic(op)) return;
      ops_.push_back(&op);
      const Op* root = accessed_type(op).bits() == 64 ? root_of(op.operand(0)) : nullptr;
      if (root != nullptr) wide_.insert(root);
    });
  }

  bool run() {
    bool changed = false;
    for (Op* op : ops_) {
      if (is_native(*op)) continue;
      Builder b(op);
      b.set_location(op->location);
      Value* old = op->operand(0)->type().space() == Space::Private ? in_private(b, *op) : in_words(b, *op);
      if (op->num_results() != 0) op->result()->replace_all_uses_with(old);
      op->erase();
      changed = true;
    }
    return changed;
  }

 private:
  unsigned word_bytes(const Op& op) const {
    const Op* root = root_of(op.operand(0));
    const bool is_wide = root == nullptr ? accessed_type(op).bits() == 64 : wide_.count(root) != 0;
    return is_wide ? 8 : 4;
  }

  bool is_native(const Op& op) const {
    const Type type = accessed_type(op);
    if (has_native_add_ && type.is_float() && type.bits() >= 32) {
      if (op.operand(0)->type().space() == Space::Global) return op.is(Opcode::AtomicFAdd);
      if (float_objects_->contain(op.operand(0))) return true;
    }
    return op.operand(0)->type().space() != Space::Private && type.is_int() && type.bytes() == word_bytes(op);
  }

  static Value* in_private(Builder& b, const Op& op) {
    const Type type = accessed_type(op);
    const kir::MemoryAttr attr{op.as<AtomicAttr>().align, op.as<AtomicAttr>().is_volatile};
    Value* old = op.is(Opcode::AtomicSet) ? nullptr : b.load(type, op.operand(0), attr);
    if (!op.is(Opcode::AtomicGet)) b.store(op.operand(0), updated(b, op, old), attr);
    return old;
  }

  Lane lane_of(Builder& b, const Op& op) const {
    const Type type = accessed_type(op);
    Value* pointer = op.operand(0);
    const unsigned bytes = word_bytes(op);
    const Type word = Type::integer(bytes * 8);
    if (type.bytes() == bytes) return {pointer, nullptr, word, type};
    if (pointer->type().space() == Space::Workgroup) {
      const WordPlace place(b, pointer, bytes);
      Value* to_word = place.pointer();
      return {to_word, place.bit_position(), word, type};
    }
    Value* address = b.convert(Opcode::PtrToInt, pointer, Type::i64());
    Value* start = b.binary(Opcode::And, address, b.i64(~std::uint64_t{bytes - 1}));
    Value* low = b.convert(Opcode::Trunc, address, Type::i32());
    Value* byte = b.binary(Opcode::And, low, b.i32(bytes - 1));
    Value* position = b.binary(Opcode::Shl, byte, b.i32(3));
    return {b.convert(Opcode::IntToPtr, start, pointer->type()), position, word, type};
  }

  static Value* access(Builder& b, Opcode opcode, const Lane& lane, AtomicAttr attr,
                       std::initializer_list<Value*> values) {
    attr.align = std::max(attr.align, lane.word.bytes());
    std::vector<Value*> operands = {lane.pointer};
    operands.insert(operands.end(), values);
    const bool has_result = opcode != Opcode::AtomicSet;
    Op* op = b.create(opcode, operands, std::span(&lane.word, has_result ? 1 : 0), attr);
    return has_result ? op->result() : nullptr;
  }

  /// By one access of the word where there is one that does it; null otherwise.
  static std::optional<Value*> by_one(Builder& b, const Op& op, const Lane& lane) {
    const auto& attr = op.as<AtomicAttr>();
    switch (op.opcode()) {
      case Opcode::AtomicGet: return lane.read(b, access(b, Opcode::AtomicGet, lane, attr, {}));
      case Opcode::AtomicSet:
        if (lane.position != nullptr) return std::nullopt;
        return access(b, Opcode::AtomicSet, lane, attr, {lane.placed(b, op.operand(1))});
      case Opcode::AtomicOr:
      case Opcode::AtomicXor:
        return lane.read(b, access(b, op.opcode(), lane, attr, {lane.placed(b, op.operand(1))}));
      case Opcode::AtomicAnd: {
        Value* kept = lane.around(b);
        Value* mask = b.binary(Opcode::Or, kept, lane.placed(b, op.operand(1)));
        return lane.read(b, access(b, op.opcode(), lane, attr, {mask}));
      }
      default: return std::nullopt;
    }
  }

  static Value* in_words(Builder& b, const Op& op, const Lane& lane) {
    if (const auto value = by_one(b, op, lane)) return *value;
    AtomicAttr relaxed = op.as<AtomicAttr>();
    relaxed.order = Order::Relaxed;
    Value* first = access(b, Opcode::AtomicGet, lane, relaxed, {});
    Op* loop = b.loop({&first, 1}, {&lane.word, 1});
    Builder body(loop->region());
    body.set_location(op.location);
    Value* seen = loop->region().argument(0);
    Value* next = lane.write(body, seen, updated(body, op, lane.read(body, seen)));
    Value* found = access(body, Opcode::AtomicCas, lane, op.as<AtomicAttr>(), {seen, next});
    Op* choice = body.if_op(body.compare(Opcode::IEq, found, seen));
    body.unreachable();
    Builder(choice->region(0)).break_to(loop, {&found, 1});
    Builder(choice->region(1)).continue_to(loop, {&found, 1});
    return lane.read(b, loop->result());
  }
  Value* in_words(Builder& b, const Op& op) const { return in_words(b, op, lane_of(b, op)); }

  bool has_native_add_;
  std::optional<FloatObjects> float_objects_;
  std::vector<Op*> ops_;
  std::set<const Op*> wide_;  ///< workgroup memory with 64-bit atomic accesses
};

bool legalize(kir::Module& module, bool has_native_add) {
  bool changed = false;
  for (const auto& kernel : module.kernels) changed |= AtomicLegalizer(*kernel, has_native_add).run();
  return changed;
}

}  // namespace

kir::Result<bool> legalize_atomics(kir::Module& module) { return legalize(module, false); }
kir::Result<bool> legalize_atomics_with_native_add(kir::Module& module) { return legalize(module, true); }

}  // namespace spirea::spirv
