// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <bit>
#include <unordered_set>

#include "ir/core/atomics.h"
#include "ir/verify/report.h"

namespace spirea::kir {
namespace {

/// More than any device has for one invocation; so that no reader of a module need fear to allocate an
/// object.
constexpr std::uint64_t kMaxObjectSize = std::uint64_t{1} << 26;
constexpr std::uint32_t kMaxObjectAlign = 4096;

class TypeVerifier {
 public:
  explicit TypeVerifier(Report& report) : report_(report) {}

  void constant(const ConstantObject& constant) {
    object(nullptr, constant.attr);
    if (constant.bytes.size() != constant.attr.size)
      report_.add(nullptr, "constant '" + constant.name + "' has not as many bytes as its size");
  }

  void op(const Op& op) {
    op_ = &op;
    for (std::size_t i = 0; i < op.num_results(); ++i)
      if (!op.result(i)->type().is_legal()) fail("result type is not legal");
    for (const auto& region : op.regions())
      for (const auto& argument : region->arguments())
        if (!argument->type().is_legal()) fail("argument type is not legal");
    rule();
    attribute();
  }

 private:
  Type in(std::size_t i = 0) const { return op_->operand(i)->type(); }
  Type out() const { return op_->result()->type(); }
  void fail(std::string message) { report_.add(op_, std::move(message)); }
  static bool is_writable(Type type) { return type.is_ptr() && type.space() != Space::Constant; }
  static bool is_number(Type type) { return type.is_int() || type.is_float(); }
  bool same_operands() const {
    for (std::size_t i = 1; i < op_->num_operands(); ++i)
      if (in(i) != in(0)) return false;
    return true;
  }

  void rule() {
    if (!follows_rule())
      fail("types do not follow the rule: " + std::string(rule_text(info(op_->opcode()).rule)));
  }

  bool follows_rule() {
    switch (info(op_->opcode()).rule) {
      case OpRule::Const:
      case OpRule::Undef: return true;
      case OpRule::Same: return out() == in();
      case OpRule::IntUnary:
      case OpRule::IntBinary: return in().is_int() && same_operands() && out() == in();
      case OpRule::FloatUnary:
      case OpRule::FloatBinary:
      case OpRule::FloatTernary: return in().is_float() && same_operands() && out() == in();
      case OpRule::IntCompare: return !in().is_float() && same_operands() && out().is_bool();
      case OpRule::FloatCompare:
      case OpRule::FloatTest: return in().is_float() && same_operands() && out().is_bool();
      case OpRule::Select: return in(0).is_bool() && in(1) == in(2) && out() == in(1);
      case OpRule::Narrow: return in().is_int() && out().is_int() && out().bits() < in().bits();
      case OpRule::Widen: return in().is_int() && out().is_int() && out().bits() > in().bits();
      case OpRule::FloatNarrow: return in().is_float() && out().is_float() && out().bits() < in().bits();
      case OpRule::FloatWiden: return in().is_float() && out().is_float() && out().bits() > in().bits();
      case OpRule::FloatToInt: return in().is_float() && out().is_int();
      case OpRule::IntToFloat: return in().is_int() && out().is_float();
      case OpRule::Bitcast:
        return in().bits() == out().bits() &&
               ((in().is_int() && out().is_float()) || (in().is_float() && out().is_int()));
      case OpRule::PtrToInt: return in().is_ptr() && out() == Type::i64();
      case OpRule::IntToPtr: return in() == Type::i64() && out().is_ptr();
      case OpRule::ToGeneric:
        return in().is_ptr() && in().space() != Space::Generic && out() == Type::ptr(Space::Generic);
      case OpRule::Object: return out() == Type::ptr(Space::Private) || out() == Type::ptr(Space::Workgroup);
      case OpRule::Dynamic: return out() == Type::ptr(Space::Workgroup);
      case OpRule::AddressOf: return out() == Type::ptr(Space::Constant);
      case OpRule::Offset:
        return in(0).is_ptr() && out() == in(0) && (in(1) == Type::i32() || in(1) == Type::i64());
      case OpRule::Load: return in().is_ptr();
      case OpRule::Store: return is_writable(in(0));
      case OpRule::AtomicLoad: return in().is_ptr() && is_number(out()) && out().bits() >= 8;
      case OpRule::AtomicStore: return is_writable(in(0)) && is_number(in(1)) && in(1).bits() >= 8;
      case OpRule::AtomicInt:
      case OpRule::AtomicCas:
        return is_writable(in(0)) && in(1).is_int() && in(1).bits() >= 8 && out() == in(1) &&
               in(op_->num_operands() - 1) == in(1);
      case OpRule::AtomicFloat: return is_writable(in(0)) && in(1).is_float() && out() == in(1);
      case OpRule::Query: return out() == Type::i32();
      case OpRule::Elect: return out().is_bool();
      case OpRule::Vote: return in().is_bool() && out().is_bool();
      case OpRule::VoteEqual: return is_number(in()) && out().is_bool();
      case OpRule::Ballot: return in().is_bool() && out() == Type::i64();
      case OpRule::Broadcast: return is_number(in()) && out() == in();
      case OpRule::GroupInt: return in().is_int() && out() == in();
      case OpRule::GroupFloat: return in().is_float() && out() == in();
      case OpRule::Shuffle: return is_number(in(0)) && in(1) == Type::i32() && out() == in(0);
      case OpRule::DimQuery: return out() == Type::i32();
      case OpRule::If: return in().is_bool();
      case OpRule::Switch: return in().is_int();
      case OpRule::Loop: return matches(op_->region().arguments());
      case OpRule::Break: return matches(op_->target()->results());
      case OpRule::Continue: return matches(op_->target()->region().arguments());
      case OpRule::Effect:
      case OpRule::Block:
      case OpRule::Terminator: return true;
    }
    return false;
  }

  /// The operands have the types of these values, of which there are as many.
  bool matches(std::span<const std::unique_ptr<Value>> values) const {
    for (std::size_t i = 0; i < op_->num_operands(); ++i)
      if (in(i) != values[i]->type()) return false;
    return true;
  }

  void attribute() {
    if (op_->is(Opcode::ByteSwap) && in().bits() < 16) fail("operand is not of whole bytes, at least two");
    switch (info(op_->opcode()).attr) {
      case AttrKind::Literal: literal(op_->as<LiteralAttr>().bits); break;
      case AttrKind::Object: object(op_, op_->as<ObjectAttr>()); break;
      case AttrKind::Memory:
        if (!std::has_single_bit(op_->as<MemoryAttr>().align)) fail("alignment is not a power of two");
        break;
      case AttrKind::Cases: cases(); break;
      case AttrKind::Dim:
        if (op_->as<Dim>() > Dim::Z) fail("unknown dimension");
        break;
      case AttrKind::Atomic: atomic(op_->as<AtomicAttr>()); break;
      case AttrKind::Sync: sync(op_->as<SyncAttr>()); break;
      case AttrKind::Group: group(op_->as<GroupAttr>()); break;
      case AttrKind::None:
      case AttrKind::Fast:
      case AttrKind::Symbol:
      case AttrKind::Scale:
      case AttrKind::Target: break;
    }
  }

  void atomic(const AtomicAttr& attr) {
    if (!std::has_single_bit(attr.align)) fail("alignment is not a power of two");
    if (attr.align < accessed_type(*op_).bytes()) fail("an atomic access is aligned to its size");
    if (attr.scope > Scope::System) fail("unknown scope");
    if (attr.order > Order::SeqCst) fail("unknown order");
    if (op_->is(Opcode::AtomicGet) && (attr.order == Order::Release || attr.order == Order::AcqRel))
      fail("a load does not release");
    if (op_->is(Opcode::AtomicSet) && (attr.order == Order::Acquire || attr.order == Order::AcqRel))
      fail("a store does not acquire");
  }

  void sync(const SyncAttr& attr) {
    if (attr.order > Order::SeqCst || (op_->is(Opcode::Fence) && attr.order == Order::Relaxed))
      fail("unknown order");
    if (attr.scope > Scope::System) fail("unknown scope");
    if (op_->is(Opcode::Barrier) && attr.scope != Scope::Subgroup && attr.scope != Scope::Workgroup)
      fail("the scope of a barrier is the subgroup or the workgroup");
  }

  void group(const GroupAttr& attr) {
    using Kind = GroupAttr::Kind;
    if (attr.kind > Kind::Clustered) fail("unknown kind of group operation");
    if (attr.kind == Kind::Clustered ? !std::has_single_bit(attr.size) : attr.size != 0)
      fail("cluster size is not a power of two");
    if (op_->is(Opcode::SubgroupRotate) && attr.kind != Kind::Reduce && attr.kind != Kind::Clustered)
      fail("a rotation is of the subgroup or of clusters");
  }

  void literal(std::uint64_t bits) {
    if (out().is_ptr() ? bits != 0 : out().bits() < 64 && bits >> out().bits() != 0)
      fail("constant does not fit its type");
  }

  void object(const Op* op, const ObjectAttr& attr) {
    if (attr.size == 0 || attr.size > kMaxObjectSize) report_.add(op, "object size is zero or too large");
    if (!std::has_single_bit(attr.align) || attr.align > kMaxObjectAlign)
      report_.add(op, "object alignment is not a power of two, or too large");
    if (!attr.element) return;
    if (!attr.element->is_legal() || attr.size % attr.element->bytes() != 0)
      report_.add(op, "object size is not a multiple of the element's");
  }

  void cases() {
    std::unordered_set<std::uint64_t> seen;
    for (const auto& values : op_->as<CasesAttr>().values) {
      if (values.empty()) fail("case without a value");
      for (const std::uint64_t value : values) {
        if (!seen.insert(value).second) fail("case value " + std::to_string(value) + " appears twice");
        if (in().bits() < 64 && value >> in().bits() != 0)
          fail("case value " + std::to_string(value) + " does not fit the operand");
      }
    }
  }

  Report& report_;
  const Op* op_ = nullptr;
};

}  // namespace

void verify_types(const Module& module, Report& report) {
  TypeVerifier verifier(report);
  for (const auto& constant : module.constants) verifier.constant(*constant);
  for (const auto& kernel : module.kernels) walk(kernel->body, [&](const Op& op) { verifier.op(op); });
}

}  // namespace spirea::kir
