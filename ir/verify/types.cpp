// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <bit>
#include <unordered_set>

#include "ir/verify/report.h"

namespace spirea::kir {
namespace {

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
  void require(bool condition) {
    if (!condition) fail("types do not follow the rule: " + std::string(rule_text(info(op_->opcode()).rule)));
  }
  bool same_operands() const {
    for (std::size_t i = 1; i < op_->num_operands(); ++i)
      if (in(i) != in(0)) return false;
    return true;
  }

  void rule() {
    switch (info(op_->opcode()).rule) {
      case OpRule::Const:
      case OpRule::Undef: break;
      case OpRule::Same: require(out() == in()); break;
      case OpRule::IntUnary:
        require(in().is_int() && out() == in());
        if (op_->is(Opcode::ByteSwap) && in().bits() < 16)
          fail("operand is not of whole bytes, at least two");
        break;
      case OpRule::IntBinary: require(in().is_int() && same_operands() && out() == in()); break;
      case OpRule::FloatUnary:
      case OpRule::FloatBinary:
      case OpRule::FloatTernary: require(in().is_float() && same_operands() && out() == in()); break;
      case OpRule::IntCompare:
        require((in().is_int() || in().is_ptr()) && same_operands() && out().is_bool());
        break;
      case OpRule::FloatCompare:
      case OpRule::FloatTest: require(in().is_float() && same_operands() && out().is_bool()); break;
      case OpRule::Select: require(in(0).is_bool() && in(1) == in(2) && out() == in(1)); break;
      case OpRule::Narrow: require(in().is_int() && out().is_int() && out().bits() < in().bits()); break;
      case OpRule::Widen: require(in().is_int() && out().is_int() && out().bits() > in().bits()); break;
      case OpRule::FloatNarrow:
        require(in().is_float() && out().is_float() && out().bits() < in().bits());
        break;
      case OpRule::FloatWiden:
        require(in().is_float() && out().is_float() && out().bits() > in().bits());
        break;
      case OpRule::FloatToInt: require(in().is_float() && out().is_int()); break;
      case OpRule::IntToFloat: require(in().is_int() && out().is_float()); break;
      case OpRule::Bitcast:
        require(in().bits() == out().bits() &&
                ((in().is_int() && out().is_float()) || (in().is_float() && out().is_int())));
        break;
      case OpRule::PtrToInt: require(in().is_ptr() && out() == Type::i64()); break;
      case OpRule::IntToPtr: require(in() == Type::i64() && out() == Type::ptr(Space::Global)); break;
      case OpRule::Object: require(out() == Type::ptr(Space::Private)); break;
      case OpRule::AddressOf: require(out() == Type::ptr(Space::Constant)); break;
      case OpRule::Offset:
        require(in(0).is_ptr() && out() == in(0) && (in(1) == Type::i32() || in(1) == Type::i64()));
        break;
      case OpRule::Load: require(in().is_ptr()); break;
      case OpRule::Store: require(in(0).is_ptr() && in(0).space() != Space::Constant); break;
      case OpRule::DimQuery: require(out() == Type::i32()); break;
      case OpRule::If: require(in().is_bool()); break;
      case OpRule::Switch: require(in().is_int()); break;
      case OpRule::Loop:
        for (std::size_t i = 0; i < op_->num_operands(); ++i)
          require(op_->region().argument(i)->type() == in(i));
        break;
      case OpRule::Break:
        for (std::size_t i = 0; i < op_->num_operands(); ++i)
          if (in(i) != op_->target()->result(i)->type())
            fail("value " + std::to_string(i) + " has not the type of the target's result");
        break;
      case OpRule::Continue:
        for (std::size_t i = 0; i < op_->num_operands(); ++i)
          if (in(i) != op_->target()->region().argument(i)->type())
            fail("value " + std::to_string(i) + " has not the type of the loop's argument");
        break;
      case OpRule::Effect:
      case OpRule::Block:
      case OpRule::Terminator: break;
    }
  }

  void attribute() {
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
      case AttrKind::None:
      case AttrKind::Fast:
      case AttrKind::Symbol:
      case AttrKind::Scale:
      case AttrKind::Target: break;
    }
  }

  void literal(std::uint64_t bits) {
    if (out().is_ptr() ? bits != 0 : out().bits() < 64 && bits >> out().bits() != 0)
      fail("constant does not fit its type");
  }

  void object(const Op* op, const ObjectAttr& attr) {
    if (attr.size == 0 || attr.size > std::uint64_t{1} << 40)
      report_.add(op, "object size is zero or too large");
    if (!std::has_single_bit(attr.align)) report_.add(op, "alignment is not a power of two");
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
