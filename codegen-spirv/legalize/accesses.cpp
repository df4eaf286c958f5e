// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
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

/// The object or constant that a chain of offsets starts at; null for global memory.
const Op* root_of(const Value* pointer) {
  while (pointer->def() != nullptr && pointer->def()->is(Opcode::Offset))
    pointer = pointer->def()->operand(0);
  return pointer->type().space() == Space::Global ? nullptr : pointer->def();
}

class AccessLegalizer {
 public:
  AccessLegalizer(kir::Module& module, kir::Kernel& kernel) : module_(module), kernel_(kernel) {}

  bool run() {
    std::vector<Op*> accesses;
    kir::walk(kernel_.body, [&](Op& op) {
      if (op.is(Opcode::Load) || op.is(Opcode::Store)) accesses.push_back(&op);
    });
    for (const Op* op : accesses)
      if (const Op* root = root_of(op->operand(0)); root != nullptr && !is_typed(*root, *op))
        untyped_.push_back(root);
    std::sort(untyped_.begin(), untyped_.end());
    for (Op* op : accesses) access(op);
    kir::walk(kernel_.body, [&](Op& op) {
      if (op.is(Opcode::Object)) make_words(op);
    });
    make_constant_words();
    return changed_;
  }

 private:
  /// The element type of the object makes this access one of an element.
  bool is_typed(const Op& root, const Op& op) const {
    const auto element = root.is(Opcode::Object)
                             ? root.as<kir::ObjectAttr>().element
                             : module_.find_constant(root.as<kir::SymbolAttr>().name)->attr.element;
    const Type type = op.is(Opcode::Load) ? op.result()->type() : op.operand(1)->type();
    if (!element || *element != type) return false;
    const auto size = static_cast<std::int64_t>(type.bytes());
    for (const Value* at = op.operand(0); at->def()->is(Opcode::Offset); at = at->def()->operand(0)) {
      const auto& scale = at->def()->as<kir::ScaleAttr>();
      const Op* index = at->def()->operand(1)->def();
      const bool zero =
          index != nullptr && index->is(Opcode::Const) && index->as<kir::LiteralAttr>().bits == 0;
      if ((!zero && scale.scale % size != 0) || scale.displacement % size != 0) return false;
    }
    return true;
  }

  bool is_untyped(const Op* root) const { return std::binary_search(untyped_.begin(), untyped_.end(), root); }

  void access(Op* op) {
    const Op* root = root_of(op->operand(0));
    const Type type = op->is(Opcode::Load) ? op->result()->type() : op->operand(1)->type();
    const std::uint32_t align = op->as<kir::MemoryAttr>().align;
    builder_.emplace(op);
    builder_->set_location(op->location);
    const bool is_legal = root == nullptr ? align >= type.bytes() : !is_untyped(root);
    if (is_legal) return;
    changed_ = true;
    if (root == nullptr) return split(op, type, align);
    byte_offset(op->operand(0));
    if (op->is(Opcode::Load)) {
      Value* value = load_words(type, align);
      op->result()->replace_all_uses_with(from_bits(value, type));
    } else {
      store_words(to_bits(op->operand(1)), align);
    }
    op->erase();
  }

  // ---- global memory, accesses less aligned than their size

  /// In pieces as wide as the alignment allows.
  void split(Op* op, Type type, std::uint32_t align) {
    const Type piece = Type::integer(align * 8), whole = Type::integer(type.bits());
    const unsigned n = type.bytes() / align;
    const kir::MemoryAttr attr{align, op->as<kir::MemoryAttr>().is_volatile};
    Value* pointer = op->operand(0);
    const auto place = [&](unsigned i) {
      Value* zero = builder_->i32(0);
      return i == 0 ? pointer : builder_->offset(pointer, zero, 1, i * align);
    };
    if (op->is(Opcode::Load)) {
      Value* sum = nullptr;
      for (unsigned i = 0; i < n; ++i) {
        Value* part = builder_->load(piece, place(i), attr);
        part = builder_->convert(Opcode::ZExt, part, whole);
        part = shift(Opcode::Shl, part, builder_->constant(whole, i * align * 8));
        sum = sum == nullptr ? part : builder_->binary(Opcode::Or, sum, part);
      }
      op->result()->replace_all_uses_with(from_bits(sum, type));
    } else {
      Value* bits = to_bits(op->operand(1));
      for (unsigned i = 0; i < n; ++i) {
        Value* part = shift(Opcode::LShr, bits, builder_->constant(whole, i * align * 8));
        part = builder_->convert(Opcode::Trunc, part, piece);
        builder_->store(place(i), part, attr);
      }
    }
    op->erase();
  }

  // ---- local memory as words

  /// base_ and offset_: the object and the byte offset (i32) of the pointer.
  void byte_offset(Value* pointer) {
    std::uint32_t fixed = 0;
    Value* sum = nullptr;
    while (pointer->def()->is(Opcode::Offset)) {
      const Op& op = *pointer->def();
      const auto& scale = op.as<kir::ScaleAttr>();
      fixed += static_cast<std::uint32_t>(scale.displacement);
      const Op* constant = op.operand(1)->def();
      if (constant != nullptr && constant->is(Opcode::Const)) {
        fixed += static_cast<std::uint32_t>(constant->as<kir::LiteralAttr>().bits) *
                 static_cast<std::uint32_t>(scale.scale);
      } else {
        Value* term = op.operand(1);
        if (term->type() == Type::i64()) term = builder_->convert(Opcode::Trunc, term, Type::i32());
        if (scale.scale != 1)
          term = builder_->binary(Opcode::Mul, term, builder_->i32(static_cast<std::uint32_t>(scale.scale)));
        sum = sum == nullptr ? term : builder_->binary(Opcode::Add, sum, term);
      }
      pointer = op.operand(0);
    }
    base_ = pointer;
    fixed_ = fixed;
    dynamic_ = sum;
  }

  /// The word that holds the byte at `extra` behind the offset.
  Value* word_pointer(std::uint32_t extra) {
    if (dynamic_ == nullptr) {
      Value* zero = builder_->i32(0);
      return builder_->offset(base_, zero, 4, (fixed_ + extra) / 4 * 4);
    }
    Value* bytes = builder_->binary(Opcode::Add, dynamic_, builder_->i32(fixed_ + extra));
    Value* index = builder_->binary(Opcode::LShr, bytes, builder_->i32(2));
    return builder_->offset(base_, index, 4);
  }

  /// Position in its word, in bits, of the byte at `extra` behind the offset.
  Value* bit_position(std::uint32_t extra) {
    if (dynamic_ == nullptr) return builder_->i32((fixed_ + extra) % 4 * 8);
    Value* bytes = builder_->binary(Opcode::Add, dynamic_, builder_->i32(fixed_ + extra));
    Value* low = builder_->binary(Opcode::And, bytes, builder_->i32(3));
    return builder_->binary(Opcode::Shl, low, builder_->i32(3));
  }

  Value* shift(Opcode opcode, Value* value, Value* by) {
    const Op* constant = by->def();
    if (constant != nullptr && constant->is(Opcode::Const) && constant->as<kir::LiteralAttr>().bits == 0)
      return value;
    return builder_->binary(opcode, value, by);
  }

  /// The bits of an aligned access of 1, 2, 4 or 8 bytes; of others in aligned pieces.
  Value* load_words(Type type, std::uint32_t align) {
    const unsigned bytes = type.bytes();
    const unsigned piece = std::min({bytes, align, 4u});
    const Type whole = Type::integer(bytes * 8);
    Value* sum = nullptr;
    for (unsigned at = 0; at < bytes; at += piece) {
      Value* word = builder_->load(Type::i32(), word_pointer(at), {4, false});
      if (piece < 4) {
        word = shift(Opcode::LShr, word, bit_position(at));
        if (bytes > piece || whole.bits() == 32)
          word = builder_->binary(Opcode::And, word, builder_->i32((1u << (piece * 8)) - 1));
      }
      Value* part = word;
      if (whole.bits() > 32) part = builder_->convert(Opcode::ZExt, part, whole);
      if (whole.bits() < 32) part = builder_->convert(Opcode::Trunc, part, whole);
      part = shift(Opcode::Shl, part, builder_->constant(whole, at * 8));
      sum = sum == nullptr ? part : builder_->binary(Opcode::Or, sum, part);
    }
    return sum;
  }

  void store_words(Value* bits, std::uint32_t align) {
    const unsigned bytes = bits->type().bytes();
    const unsigned piece = std::min({bytes, align, 4u});
    for (unsigned at = 0; at < bytes; at += piece) {
      Value* part = shift(Opcode::LShr, bits, builder_->constant(bits->type(), at * 8));
      if (bits->type().bits() > 32) part = builder_->convert(Opcode::Trunc, part, Type::i32());
      if (bits->type().bits() < 32) part = builder_->convert(Opcode::ZExt, part, Type::i32());
      Value* pointer = word_pointer(at);
      if (piece < 4) {
        const std::uint32_t ones = (1u << (piece * 8)) - 1;
        Value* position = bit_position(at);
        part = builder_->binary(Opcode::And, part, builder_->i32(ones));
        part = shift(Opcode::Shl, part, position);
        Value* hole = shift(Opcode::Shl, builder_->i32(ones), position);
        Value* mask = builder_->binary(Opcode::Xor, hole, builder_->i32(~0u));
        Value* old = builder_->load(Type::i32(), pointer, {4, false});
        old = builder_->binary(Opcode::And, old, mask);
        part = builder_->binary(Opcode::Or, old, part);
      }
      builder_->store(pointer, part, {4, false});
    }
  }

  Value* from_bits(Value* bits, Type type) {
    if (type.is_float()) return builder_->convert(Opcode::Bitcast, bits, type);
    if (type.is_bool()) return builder_->convert(Opcode::Trunc, bits, type);
    if (type.is_ptr()) return builder_->convert(Opcode::IntToPtr, bits, type);
    return bits;
  }
  Value* to_bits(Value* value) {
    const Type type = value->type();
    if (type.is_float()) return builder_->convert(Opcode::Bitcast, value, Type::integer(type.bits()));
    if (type.is_bool()) return builder_->convert(Opcode::ZExt, value, Type::i8());
    if (type.is_ptr()) return builder_->convert(Opcode::PtrToInt, value, Type::i64());
    return value;
  }

  void make_words(Op& op) {
    auto& attr = op.as<kir::ObjectAttr>();
    if (attr.element && !is_untyped(&op)) return;
    attr.size = (attr.size + 3) / 4 * 4;
    attr.align = std::max(attr.align, 4u);
    attr.element = Type::i32();
    changed_ = true;
  }

  /// Constants that are read in several ways become arrays of words.
  void make_constant_words() {
    for (const Op* root : untyped_) {
      if (!root->is(Opcode::AddressOf)) continue;
      kir::ConstantObject* constant = module_.find_constant(root->as<kir::SymbolAttr>().name);
      constant->attr.size = (constant->attr.size + 3) / 4 * 4;
      constant->bytes.resize(constant->attr.size, 0);
      constant->attr.element = Type::i32();
      changed_ = true;
    }
  }

  kir::Module& module_;
  kir::Kernel& kernel_;
  std::vector<const Op*> untyped_;
  std::optional<kir::Builder> builder_;
  Value* base_ = nullptr;
  Value* dynamic_ = nullptr;
  std::uint32_t fixed_ = 0;
  bool changed_ = false;
};

/// Constants get the type of all their loads, as objects do when they are imported.
bool find_constant_elements(kir::Module& module) {
  bool changed = false;
  for (const auto& constant : module.constants) {
    std::optional<Type> type;
    for (const auto& kernel : module.kernels)
      kir::walk(kernel->body, [&](const Op& op) {
        if (type || !op.is(Opcode::Load)) return;
        const Op* root = root_of(op.operand(0));
        if (root != nullptr && root->is(Opcode::AddressOf) &&
            root->as<kir::SymbolAttr>().name == constant->name)
          type = op.result()->type();
      });
    if (!type || type->is_ptr() || type->is_bool()) type = Type::i32();
    if (constant->attr.element == type && constant->attr.size % type->bytes() == 0) continue;
    changed = true;
    constant->attr.size = (constant->attr.size + type->bytes() - 1) / type->bytes() * type->bytes();
    constant->bytes.resize(constant->attr.size, 0);
    constant->attr.element = type;
  }
  return changed;
}

}  // namespace

kir::Result<bool> legalize_accesses(kir::Module& module) {
  bool changed = find_constant_elements(module);
  for (const auto& kernel : module.kernels) changed |= AccessLegalizer(module, *kernel).run();
  return changed;
}

}  // namespace spirea::spirv
