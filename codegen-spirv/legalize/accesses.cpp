// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <map>
#include <set>
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

bool is_workgroup(const Op* root) {
  return root != nullptr && root->result()->type() == Type::ptr(Space::Workgroup);
}

class AccessLegalizer {
 public:
  AccessLegalizer(kir::Module& module, kir::Kernel& kernel) : module_(module), kernel_(kernel) {}

  bool run() {
    std::vector<Op*> accesses = collect();
    for (Op* op : accesses)
      if (is_workgroup(root_of(op->operand(0))) && accessed_type(*op).is_bool()) as_byte(op);
    accesses = collect();
    for (const Op* op : accesses) look(*op);
    for (Op* op : accesses) access(op);
    kir::walk(kernel_.body, [&](Op& op) {
      if (op.is(Opcode::Object)) make_words(op);
    });
    make_constant_words();
    return changed_;
  }

  /// Local objects that will be words.
  std::vector<const Op*> word_objects() {
    for (const Op* op : collect()) look(*op);
    std::vector<const Op*> result;
    for (const Op& op : kernel_.body)
      if (op.is(Opcode::Object) && (!op.as<kir::ObjectAttr>().element || is_untyped(&op)))
        result.push_back(&op);
    return result;
  }

 private:
  std::vector<Op*> collect() const {
    std::vector<Op*> result;
    kir::walk(kernel_.body, [&](Op& op) {
      if (is_access(op)) result.push_back(&op);
    });
    return result;
  }

  /// Booleans in workgroup memory are bytes there: how large a device makes a boolean is not known.
  void as_byte(Op* op) {
    kir::Builder b(op);
    b.set_location(op->location);
    changed_ = true;
    if (op->is(Opcode::Store)) return op->set_operand(1, to_bits(b, op->operand(1)));
    Value* byte = b.load(Type::i8(), op->operand(0), op->as<kir::MemoryAttr>());
    op->result()->replace_all_uses_with(from_bits(b, byte, Type::i1()));
    op->erase();
  }

  /// The object behind a pointer; the first address of a constant that has several.
  const Op* object_of(const Value* pointer) {
    const Op* root = root_of(pointer);
    if (root == nullptr || !root->is(Opcode::AddressOf)) return root;
    return constants_.try_emplace(root->as<kir::SymbolAttr>().name, root).first->second;
  }

  void look(const Op& op) {
    const Op* root = object_of(op.operand(0));
    if (root == nullptr) return;
    if (root->is(Opcode::DynamicShared)) dynamic_elements_.try_emplace(root, accessed_type(op));
    if (!is_typed(*root, op)) untyped_.insert(root);
    if (is_atomic(op) && accessed_type(op).bits() == 64) wide_.insert(root);
  }

  std::optional<Type> element_of(const Op& root) const {
    if (root.is(Opcode::DynamicShared)) return dynamic_elements_.at(&root);
    if (root.is(Opcode::AddressOf))
      return module_.find_constant(root.as<kir::SymbolAttr>().name)->attr.element;
    auto element = root.as<kir::ObjectAttr>().element;
    if (element == Type::i1() && is_workgroup(&root)) element = Type::i8();
    return element;
  }

  /// The element type of the object makes this access one of an element.
  bool is_typed(const Op& root, const Op& op) const {
    const auto element = element_of(root);
    const Type type = accessed_type(op);
    return element && *element == type &&
           is_multiple_of(op.operand(0), static_cast<std::int64_t>(type.bytes()));
  }

  bool is_untyped(const Op* root) const { return untyped_.count(root) != 0; }
  unsigned word_bytes(const Op* root) const { return wide_.count(root) != 0 ? 8 : 4; }

  void access(Op* op) {
    const Op* root = object_of(op->operand(0));
    const Type type = accessed_type(*op);
    builder_.emplace(op);
    builder_->set_location(op->location);
    if (root == nullptr) {
      if (!is_atomic(*op) && op->as<kir::MemoryAttr>().align < type.bytes())
        split(op, type, op->as<kir::MemoryAttr>().align);
      return;
    }
    if (!is_untyped(root)) return;
    changed_ = true;
    const WordPlace place(*builder_, op->operand(0), word_bytes(root));
    if (is_atomic(*op)) return op->set_operand(0, place.pointer());
    const std::uint32_t align = op->as<kir::MemoryAttr>().align;
    if (op->is(Opcode::Load)) {
      Value* value = load_words(place, type, align);
      op->result()->replace_all_uses_with(from_bits(*builder_, value, type));
    } else {
      store_words(place, to_bits(*builder_, op->operand(1)), align, is_workgroup(root));
    }
    op->erase();
  }

  // ---- global memory, accesses less aligned than their size

  /// In pieces as wide as the alignment allows.
  void split(Op* op, Type type, std::uint32_t align) {
    changed_ = true;
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
      op->result()->replace_all_uses_with(from_bits(*builder_, sum, type));
    } else {
      Value* bits = to_bits(*builder_, op->operand(1));
      for (unsigned i = 0; i < n; ++i) {
        Value* part = shift(Opcode::LShr, bits, builder_->constant(whole, i * align * 8));
        part = builder_->convert(Opcode::Trunc, part, piece);
        builder_->store(place(i), part, attr);
      }
    }
    op->erase();
  }

  // ---- local memory as words

  Value* shift(Opcode opcode, Value* value, Value* by) { return shifted(*builder_, opcode, value, by); }
  Value* resized(Value* value, Type to) {
    const unsigned from = value->type().bits();
    if (from == to.bits()) return value;
    return builder_->convert(from < to.bits() ? Opcode::ZExt : Opcode::Trunc, value, to);
  }

  /// The bits of an aligned access of 1, 2, 4 or 8 bytes; of others in aligned pieces.
  Value* load_words(const WordPlace& place, Type type, std::uint32_t align) {
    const unsigned bytes = type.bytes(), word_bytes = place.word().bytes();
    const unsigned piece = std::min({bytes, align, word_bytes});
    const Type whole = Type::integer(bytes * 8);
    Value* sum = nullptr;
    for (unsigned at = 0; at < bytes; at += piece) {
      Value* word = builder_->load(place.word(), place.pointer(at), {word_bytes, false});
      if (piece < word_bytes) {
        word = shift(Opcode::LShr, word, place.bit_position(at));
        if (bytes > piece)
          word = builder_->binary(Opcode::And, word, builder_->constant(place.word(), ones(piece)));
      }
      Value* part = resized(word, whole);
      part = shift(Opcode::Shl, part, builder_->constant(whole, at * 8));
      sum = sum == nullptr ? part : builder_->binary(Opcode::Or, sum, part);
    }
    return sum;
  }

  static std::uint64_t ones(unsigned bytes) { return (std::uint64_t{1} << (bytes * 8)) - 1; }

  void store_words(const WordPlace& place, Value* bits, std::uint32_t align, bool is_shared) {
    const unsigned bytes = bits->type().bytes(), word_bytes = place.word().bytes();
    const unsigned piece = std::min({bytes, align, word_bytes});
    for (unsigned at = 0; at < bytes; at += piece) {
      Value* part = shift(Opcode::LShr, bits, builder_->constant(bits->type(), at * 8));
      part = resized(part, place.word());
      Value* pointer = place.pointer(at);
      if (piece == word_bytes)
        builder_->store(pointer, part, {word_bytes, false});
      else
        store_part(pointer, part, place.bit_position(at), piece, is_shared);
    }
  }

  /// The low `bytes` of `part` to this position of a word. The rest of a word in workgroup memory may be
  /// written by another invocation meanwhile: two atomic operations leave it alone.
  void store_part(Value* pointer, Value* part, Value* position, unsigned bytes, bool is_shared) {
    const Type word = part->type();
    part = builder_->binary(Opcode::And, part, builder_->constant(word, ones(bytes)));
    part = shift(Opcode::Shl, part, position);
    Value* hole = shift(Opcode::Shl, builder_->constant(word, ones(bytes)), position);
    Value* mask = builder_->binary(Opcode::Xor, hole, builder_->constant(word, ~std::uint64_t{0}));
    if (is_shared) {
      const kir::AtomicAttr attr{word.bytes(), kir::Scope::Workgroup, kir::Order::Relaxed};
      builder_->create(Opcode::AtomicAnd, std::array{pointer, mask}, std::array{word}, attr);
      builder_->create(Opcode::AtomicOr, std::array{pointer, part}, std::array{word}, attr);
      return;
    }
    Value* old = builder_->load(word, pointer, {word.bytes(), false});
    old = builder_->binary(Opcode::And, old, mask);
    builder_->store(pointer, builder_->binary(Opcode::Or, old, part), {word.bytes(), false});
  }

  void make_words(Op& op) {
    auto& attr = op.as<kir::ObjectAttr>();
    if (!is_untyped(&op)) {
      if (attr.element == Type::i1() && is_workgroup(&op)) {
        attr.element = Type::i8();
        changed_ = true;
      }
      if (attr.element) return;
    }
    const unsigned bytes = word_bytes(&op);
    attr.size = (attr.size + bytes - 1) / bytes * bytes;
    attr.align = std::max(attr.align, bytes);
    attr.element = Type::integer(bytes * 8);
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
  std::set<const Op*> untyped_, wide_;
  std::map<const Op*, Type> dynamic_elements_;
  std::map<std::string, const Op*> constants_;
  std::optional<kir::Builder> builder_;
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

std::vector<const kir::Op*> word_objects(kir::Module& module, kir::Kernel& kernel) {
  return AccessLegalizer(module, kernel).word_objects();
}

kir::Result<bool> legalize_accesses(kir::Module& module) {
  bool changed = find_constant_elements(module);
  for (const auto& kernel : module.kernels) changed |= AccessLegalizer(module, *kernel).run();
  return changed;
}

}  // namespace spirea::spirv
