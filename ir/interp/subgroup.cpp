// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Subgroup operations, on the lanes that execute one together.
#include <algorithm>

#include "ir/core/atomics.h"
#include "ir/interp/ops/combine.h"
#include "ir/interp/ops/floats.h"
#include "ir/interp/ops/handlers.h"
#include "ir/interp/workgroup.h"

namespace spirea::interp {
namespace {

using kir::GroupAttr;
using kir::Opcode;

/// One subgroup op of the lanes that execute it together.
class Together {
 public:
  Together(const Instr* at, std::span<Lane* const> lanes, std::uint32_t size, Invocation& v)
      : at_(at), lanes_(lanes), size_(size), op_(*v.program.ops[at->op]), v_(v) {
    bits_ = op_.num_operands() > 0 ? op_.operand(0)->type().bits() : 1;
  }

  bool run() {
    switch (op_.opcode()) {
      case Opcode::SubgroupElect:
        for (Lane* lane : lanes_) give(*lane, lane == lanes_.front() ? 1 : 0);
        return true;
      case Opcode::SubgroupAll:
      case Opcode::SubgroupAny: return vote();
      case Opcode::SubgroupAllEqual: return all_equal();
      case Opcode::SubgroupBallot: return ballot();
      case Opcode::SubgroupFirst:
        for (std::size_t i = 0; i < lanes_.size(); ++i) take(lanes_.front());
        return give_taken();
      case Opcode::SubgroupShuffle:
        return exchange([](std::int64_t, std::int64_t operand) { return operand; });
      case Opcode::SubgroupXor:
        return exchange([](std::int64_t lane, std::int64_t mask) { return lane ^ mask; });
      case Opcode::SubgroupUp: return exchange([](std::int64_t lane, std::int64_t by) { return lane - by; });
      case Opcode::SubgroupDown:
        return exchange([](std::int64_t lane, std::int64_t by) { return lane + by; });
      case Opcode::SubgroupRotate: return rotate();
      case Opcode::SubgroupBroadcast:
        return is_uniform() && exchange([](std::int64_t, std::int64_t operand) { return operand; });
      case Opcode::QuadBroadcast:
        return is_uniform() &&
               exchange([](std::int64_t lane, std::int64_t operand) { return (lane & ~3) + (operand & 3); });
      case Opcode::QuadSwapHorizontal: return swap(1);
      case Opcode::QuadSwapVertical: return swap(2);
      case Opcode::QuadSwapDiagonal: return swap(3);
      default: return combine();
    }
  }

 private:
  Slot& operand(Lane& lane) const { return lane.frame[at_->a]; }
  void give(Lane& lane, std::uint64_t bits) const { set(lane.frame[at_->result], bits); }
  /// The next lane's result is the operand of this one; poison if there is none.
  void take(const Lane* from) {
    taken_.push_back(from == nullptr ? Slot{0, low_bits(bits_), 0, at_->op} : from->frame[at_->a]);
  }
  bool give_taken() {
    for (std::size_t i = 0; i < lanes_.size(); ++i) lanes_[i]->frame[at_->result] = taken_[i];
    return true;
  }
  const Lane* find(std::int64_t number) const {
    for (const Lane* lane : lanes_)
      if (lane->lane == number) return lane;
    return nullptr;
  }
  bool fault(Lane& lane, const Slot& slot, const char* role) {
    v_.frame = lane.frame.data();
    undefined_fault(at_, v_, slot, role);
    return false;
  }

  /// `source(lane, second operand)` is the lane to read.
  template <class F>
  bool exchange(F&& source) {
    for (Lane* lane : lanes_) {
      const Slot& number = lane->frame[at_->b];
      if (number.undefined != 0) return fault(*lane, number, "lane of a subgroup operation");
      take(find(source(lane->lane, static_cast<std::int64_t>(number.bits))));
    }
    return give_taken();
  }

  bool swap(std::int64_t mask) {
    for (const Lane* lane : lanes_) take(find(lane->lane ^ mask));
    return give_taken();
  }

  bool rotate() {
    const auto& attr = op_.as<GroupAttr>();
    const std::int64_t size = attr.kind == GroupAttr::Kind::Clustered ? std::min(attr.size, size_) : size_;
    return exchange([size](std::int64_t lane, std::int64_t by) {
      return (lane & ~(size - 1)) + ((lane + by) & (size - 1));
    });
  }

  /// The second operand is the same in all lanes, as the op demands.
  bool is_uniform() {
    for (Lane* lane : lanes_)
      if (lane->frame[at_->b].bits != lanes_.front()->frame[at_->b].bits) {
        interp::fault(at_, v_, "the lane of a broadcast is not the same in all active invocations");
        return false;
      }
    return true;
  }

  bool vote() {
    const bool all = op_.is(Opcode::SubgroupAll);
    bool result = all;
    for (Lane* lane : lanes_) {
      if (operand(*lane).undefined != 0) return fault(*lane, operand(*lane), "vote");
      const bool value = operand(*lane).bits != 0;
      result = all ? result && value : result || value;
    }
    for (Lane* lane : lanes_) give(*lane, result ? 1 : 0);
    return true;
  }

  bool all_equal() {
    bool result = true;
    const bool is_float = op_.operand(0)->type().is_float();
    for (Lane* lane : lanes_) {
      if (operand(*lane).undefined != 0) return fault(*lane, operand(*lane), "vote");
      result = result && equal(operand(*lane).bits, operand(*lanes_.front()).bits, is_float);
    }
    for (Lane* lane : lanes_) give(*lane, result ? 1 : 0);
    return true;
  }
  bool equal(std::uint64_t a, std::uint64_t b, bool is_float) const {
    if (!is_float) return a == b;
    switch (bits_) {
      case 16: return Half::decode(a) == Half::decode(b);
      case 32: return Single::decode(a) == Single::decode(b);
      default: return Double::decode(a) == Double::decode(b);
    }
  }

  bool ballot() {
    std::uint64_t result = 0;
    for (Lane* lane : lanes_) {
      if (operand(*lane).undefined != 0) return fault(*lane, operand(*lane), "vote");
      if (operand(*lane).bits != 0) result |= std::uint64_t{1} << lane->lane;
    }
    for (Lane* lane : lanes_) give(*lane, result);
    return true;
  }

  bool combine() {
    const Combine combine = combine_of(op_.opcode());
    const auto& attr = op_.as<GroupAttr>();
    const bool scans = attr.kind == GroupAttr::Kind::Inclusive || attr.kind == GroupAttr::Kind::Exclusive;
    const std::uint32_t cluster =
        attr.kind == GroupAttr::Kind::Clustered ? std::min(attr.size, size_) : size_;
    for (const Lane* lane : lanes_) {
      Slot sum{kir::group_identity(op_.opcode(), op_.result()->type()), 0, 0, 0};
      bool is_first = true;
      for (Lane* other : lanes_) {
        if (other->lane / cluster != lane->lane / cluster) continue;
        if (scans && (other->lane > lane->lane ||
                      (other->lane == lane->lane && attr.kind == GroupAttr::Kind::Exclusive)))
          continue;
        const Slot& value = operand(*other);
        sum.bits = is_first ? value.bits : combine(sum.bits, value.bits, bits_) & low_bits(bits_);
        if (value.undefined != 0) {
          sum.undefined = low_bits(bits_);
          sum.origin = value.origin;
        }
        is_first = false;
      }
      taken_.push_back(sum);
    }
    return give_taken();
  }

  const Instr* at_;
  std::span<Lane* const> lanes_;
  std::uint32_t size_;
  const kir::Op& op_;
  Invocation& v_;
  unsigned bits_ = 1;
  std::vector<Slot> taken_;  ///< results, in the order of the lanes
};

}  // namespace

bool execute_together(const Instr* at, std::span<Lane* const> lanes, std::uint32_t size, Invocation& v) {
  return Together(at, lanes, size, v).run();
}

}  // namespace spirea::interp
