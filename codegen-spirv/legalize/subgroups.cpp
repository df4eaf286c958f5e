// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rotations and operations over clusters, which few devices have, as shuffles, which nearly all have.
#include <bit>
#include <vector>

#include "codegen-spirv/legalize/legalize.h"
#include "ir/core/atomics.h"
#include "ir/core/builder.h"

namespace spirea::spirv {
namespace {

using kir::Builder;
using kir::GroupAttr;
using kir::Op;
using kir::Opcode;
using kir::Type;
using kir::Value;

bool is_clustered(const Op& op) {
  return kir::info(op.opcode()).attr == kir::AttrKind::Group &&
         op.as<GroupAttr>().kind == GroupAttr::Kind::Clustered;
}

class SubgroupLegalizer {
 public:
  explicit SubgroupLegalizer(Op& op) : op_(op), b_(&op), value_(op.operand(0)) {
    b_.set_location(op.location);
  }

  Value* run() { return op_.is(Opcode::SubgroupRotate) ? rotated() : combined(); }

 private:
  static Value* query(Builder& b, Opcode opcode) {
    return b.create(opcode, {}, std::array{Type::i32()})->result();
  }
  static Value* exchanged(Builder& b, Opcode opcode, Value* value, Value* number) {
    return b.create(opcode, std::array{value, number}, std::array{value->type()})->result();
  }
  Value* combine(Builder& b, Value* x, Value* y) const {
    return b.binary(*kir::combining_op(op_.opcode()), x, y);
  }

  /// Lanes that go together: those of the subgroup, or of a cluster.
  Value* width() {
    Value* subgroup = query(b_, Opcode::SubgroupSize);
    return is_clustered(op_) ? b_.binary(Opcode::UMin, subgroup, b_.i32(op_.as<GroupAttr>().size)) : subgroup;
  }
  /// The first lane of this one's.
  Value* first_lane(Value* lane, Value* mask) {
    Value* others = b_.binary(Opcode::Xor, mask, b_.i32(~0u));
    return b_.binary(Opcode::And, lane, others);
  }

  Value* rotated() {
    Value* lanes = width();
    Value* mask = b_.binary(Opcode::Sub, lanes, b_.i32(1));
    Value* lane = query(b_, Opcode::SubgroupLane);
    Value* sum = b_.binary(Opcode::Add, lane, op_.operand(1));
    Value* wrapped = b_.binary(Opcode::And, sum, mask);
    Value* from = b_.binary(Opcode::Or, first_lane(lane, mask), wrapped);
    return exchanged(b_, Opcode::SubgroupShuffle, value_, from);
  }

  /// In pairs, pairs of pairs and so on where all lanes are active; one lane after the other where not.
  Value* combined() {
    const Type type = value_->type();
    Value* active =
        b_.create(Opcode::SubgroupBallot, std::array{b_.i1(true)}, std::array{Type::i64()})->result();
    Value* are_all = b_.compare(Opcode::IEq, active, all_lanes());
    Op* choice = b_.if_op(are_all, {&type, 1});
    Builder pairs(choice->region(0)), each(choice->region(1));
    pairs.set_location(op_.location);
    each.set_location(op_.location);
    Value* fast = in_pairs(pairs);
    pairs.break_to(choice, {&fast, 1});
    Value* slow = one_by_one(each, active);
    each.break_to(choice, {&slow, 1});
    return choice->result();
  }

  Value* all_lanes() {
    Value* subgroup = query(b_, Opcode::SubgroupSize);
    Value* spare = b_.binary(Opcode::Sub, b_.i32(64), subgroup);
    Value* ones = b_.i64(~std::uint64_t{0});
    return b_.binary(Opcode::LShr, ones, b_.convert(Opcode::ZExt, spare, Type::i64()));
  }

  Value* in_pairs(Builder& b) const {
    Value *result = value_, *subgroup = query(b, Opcode::SubgroupSize);
    for (std::uint32_t distance = 1; distance < op_.as<GroupAttr>().size; distance *= 2) {
      Value* mask = b.i32(distance);
      Value* is_inside = b.compare(Opcode::ULt, mask, subgroup);
      Value* both = combine(b, result, exchanged(b, Opcode::SubgroupXor, result, mask));
      result = b.select(is_inside, both, result);
    }
    return result;
  }

  /// loop (i, sum, is_any): lane i of the cluster, if it is active
  Value* one_by_one(Builder& b, Value* active) {
    Value* subgroup = query(b, Opcode::SubgroupSize);
    Value* n = b.binary(Opcode::UMin, subgroup, b.i32(op_.as<GroupAttr>().size));
    Value* lane = query(b, Opcode::SubgroupLane);
    Value* mask = b.binary(Opcode::Sub, n, b.i32(1));
    Value* offset = b.binary(Opcode::And, lane, mask);
    Value* first = b.binary(Opcode::Sub, lane, offset);
    const Type type = value_->type();
    std::vector<Value*> start = {b.i32(0)};
    start.push_back(b.constant(type, 0));
    start.push_back(b.i1(false));
    Op* loop = b.loop(start, {&type, 1});
    Builder body(loop->region());
    body.set_location(op_.location);
    Value *i = loop->region().argument(0), *sum = loop->region().argument(1),
          *is_any = loop->region().argument(2);
    Value* from = body.binary(Opcode::Add, first, i);
    Value* value = exchanged(body, Opcode::SubgroupShuffle, value_, from);
    Value* bits = body.binary(Opcode::LShr, active, body.convert(Opcode::ZExt, from, Type::i64()));
    Value* is_active = body.convert(Opcode::Trunc, bits, Type::i1());
    Value* with = body.select(is_any, combine(body, sum, value), value);
    sum = body.select(is_active, with, sum);
    is_any = body.binary(Opcode::Or, is_any, is_active);
    i = body.binary(Opcode::Add, i, body.i32(1));
    Op* more = body.if_op(body.compare(Opcode::ULt, i, n));
    body.unreachable();
    Builder(more->region(0)).continue_to(loop, std::array{i, sum, is_any});
    Builder(more->region(1)).break_to(loop, {&sum, 1});
    return loop->result();
  }

  Op& op_;
  Builder b_;
  Value* value_;
};

}  // namespace

kir::Result<bool> legalize_subgroups(kir::Module& module) {
  bool changed = false;
  for (const auto& kernel : module.kernels) {
    std::vector<Op*> ops;
    kir::walk(kernel->body, [&](Op& op) {
      if (op.is(Opcode::SubgroupRotate) || is_clustered(op)) ops.push_back(&op);
    });
    for (Op* op : ops) {
      op->result()->replace_all_uses_with(SubgroupLegalizer(*op).run());
      op->erase();
    }
    changed |= !ops.empty();
  }
  return changed;
}

}  // namespace spirea::spirv
