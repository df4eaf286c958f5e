// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen-spirv/legalize/state_machine.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "codegen-spirv/legalize/pieces.h"

namespace spirea::spirv {
namespace {

using kir::Builder;
using kir::Op;
using kir::Opcode;
using kir::Region;
using kir::Type;
using kir::Value;

/// A row of pieces, and of loops with rows of their own.
struct Row {
  struct Item {
    Piece* piece = nullptr;
    std::unique_ptr<Row> loop;
    std::uint32_t first() const { return piece != nullptr ? piece->number : loop->first; }
  };
  std::vector<Item> items;
  std::size_t depth = 0;    ///< loops around it
  bool repeats = false;     ///< some piece leads back
  std::uint32_t first = 0;  ///< numbers of its pieces
  std::uint32_t count = 0;
};

/// The kernel taken apart: which pieces there are, and which is next when.
class Plan {
 public:
  Plan(Region& body, const Cuts& cuts, PieceValues& values, std::size_t loops)
      : cuts_(cuts), values_(values), loops_(loops) {
    start = region(body, row);
    end = number(row, 0);
  }

  /// The number of the piece at the region's start, and of that behind the construct.
  std::uint32_t entry(const Region& region) const { return resolve(entries_.at(&region)); }
  std::uint32_t behind(const Op* construct) const { return resolve(behind_.at(construct)); }

  Row row;
  std::deque<Piece> pieces;
  Piece* start;
  std::uint32_t end = 0;  ///< the state in which nothing is left to do

 private:
  Piece* add(Row& row) {
    Piece& piece = pieces.emplace_back();
    row.items.push_back({&piece, nullptr});
    return &piece;
  }

  Piece* region(Region& region, Row& row) {
    Piece* const entry = add(row);
    Piece* piece = entry;
    for (Op* op = region.first(); op != nullptr;) {
      Op* next = op->next();
      if (op->is(Opcode::Object) || op->is(Opcode::DynamicShared)) {  // only in the body, and stay there
      } else if (is_terminator(op->opcode())) {
        piece->end = region.remove(op);
      } else if (cuts_.contains(op)) {
        piece->end = region.remove(op);
        values_.take_apart(*op);
        construct(*op, row);
        piece = behind_[op] = add(row);
      } else {
        piece->ops.push_back(region.remove(op));
      }
      op = next;
    }
    return entry;
  }

  void construct(Op& op, Row& row) {
    Row* inner = &row;
    if (op.is(Opcode::Loop)) {
      if (row.depth < loops_) {
        inner = row.items.emplace_back(Row::Item{nullptr, std::make_unique<Row>()}).loop.get();
        inner->depth = row.depth + 1;
      }
      inner->repeats = true;
    }
    for (const auto& each : op.regions()) entries_[each.get()] = region(*each, *inner);
    if (op.is(Opcode::Loop)) entries_[&op.region()]->is_header = true;
  }

  /// A piece that only leads on needs no number.
  bool is_trivial(const Piece& piece) const {
    if (piece.is_header || &piece == start || !piece.ops.empty()) return false;
    return piece.end->is(Opcode::Return) || piece.end->is(Opcode::Trap) ||
           (piece.end->is(Opcode::Break) && piece.end->num_operands() == 0);
  }

  std::uint32_t resolve(const Piece* piece) const {
    while (is_trivial(*piece)) {
      if (!piece->end->is(Opcode::Break)) return end;
      piece = behind_.at(piece->end->target());
    }
    return piece->number;
  }

  std::uint32_t number(Row& row, std::uint32_t next) {
    std::erase_if(row.items,
                  [&](const auto& item) { return item.piece != nullptr && is_trivial(*item.piece); });
    row.first = next;
    for (Row::Item& item : row.items) {
      if (item.piece != nullptr)
        item.piece->number = next++;
      else
        next = number(*item.loop, next);
    }
    row.count = next - row.first;
    return next;
  }

  const Cuts& cuts_;
  PieceValues& values_;
  std::size_t loops_;
  std::unordered_map<const Region*, Piece*> entries_;
  std::unordered_map<const Op*, Piece*> behind_;
};

/// The same ops in their new places.
class Writer {
 public:
  Writer(Region& body, Plan& plan, PieceValues& values) : body_(body), plan_(plan), values_(values) {}

  /// The first piece stands before the row, where all others see its values.
  void run() {
    Value* state = place(*plan_.start, body_);
    plan_.row.items.erase(plan_.row.items.begin());
    if (state != nullptr) {
      if (plan_.row.repeats)
        loop(plan_.row, body_, state);
      else
        pass_through(plan_.row, body_, state);
      Builder(body_).ret();
    }
    values_.connect(placed_);
    for (Piece& piece : plan_.pieces) piece.end->drop_operands();
  }

 private:
  /// The piece at the end of the region; returns the next state, or null if it ends with unreachable.
  Value* place(Piece& piece, Region& region) {
    piece.home = &region;
    if (&piece != plan_.start) placed_.push_back(&piece);
    for (auto& op : piece.ops) region.append(std::move(op));
    Builder builder(region);
    builder.set_location(piece.end->location);
    return next(*piece.end, builder);
  }

  Value* next(const Op& end, Builder& builder) {
    switch (end.opcode()) {
      case Opcode::If: {
        Value* first = builder.i32(plan_.entry(end.region(0)));
        Value* second = builder.i32(plan_.entry(end.region(1)));
        return builder.select(end.operand(0), first, second);
      }
      case Opcode::Switch: return choose(end, builder);
      case Opcode::Block: return builder.i32(plan_.entry(end.region()));
      case Opcode::Loop:
      case Opcode::Continue: {
        const Region& body = end.is(Opcode::Loop) ? end.region() : end.target()->region();
        for (std::size_t i = 0; i < end.num_operands(); ++i)
          values_.store(body.argument(i), end.operand(i), builder);
        return builder.i32(plan_.entry(body));
      }
      case Opcode::Break:
        for (std::size_t i = 0; i < end.num_operands(); ++i)
          values_.store(end.target()->result(i), end.operand(i), builder);
        return builder.i32(plan_.behind(end.target()));
      case Opcode::Unreachable: builder.unreachable(); return nullptr;
      default: return builder.i32(plan_.end);  // return; so is trap, for Vulkan
    }
  }

  Value* choose(const Op& end, Builder& builder) {
    Op* choice = builder.switch_op(end.operand(0), end.as<kir::CasesAttr>(), std::vector{Type::i32()});
    for (std::size_t i = 0; i < end.num_regions(); ++i) {
      Builder inner(choice->region(i));
      Value* state = inner.i32(plan_.entry(end.region(i)));
      inner.break_to(choice, std::vector{state});
    }
    return choice->result();
  }

  /// `if condition { write(...) } else { state }`
  template <class F>
  Value* guarded(Region& region, Value* condition, Value* state, F&& write) {
    Op* guard = Builder(region).if_op(condition, std::vector{Type::i32()});
    if (Value* changed = write(guard->region(0)); changed != nullptr)
      Builder(guard->region(0)).break_to(guard, std::vector{changed});
    Builder(guard->region(1)).break_to(guard, std::vector{state});
    return guard->result();
  }

  /// Runs what the state names in the row, from its start to its end; returns the state then. A long row is
  /// split, so that most of it is passed at once.
  Value* pass_through(Row& row, Region& region, Value* state) {
    constexpr std::size_t kShort = 8;
    const std::size_t size = row.items.size();
    if (size <= kShort) return pass(row, 0, size, region, state);
    const auto step = static_cast<std::size_t>(std::sqrt(static_cast<double>(size))) + 1;
    for (std::size_t from = 0; from < size; from += step) {
      const std::size_t to = std::min(size, from + step);
      Builder builder(region);
      Value* bound = builder.i32(to < size ? row.items[to].first() : row.first + row.count);
      Value* is_before = builder.compare(Opcode::ULt, state, bound);
      state =
          guarded(region, is_before, state, [&](Region& group) { return pass(row, from, to, group, state); });
    }
    return state;
  }

  Value* pass(Row& row, std::size_t from, std::size_t to, Region& region, Value* state) {
    for (std::size_t i = from; i < to; ++i) {
      Row::Item& item = row.items[i];
      Builder builder(region);
      Value* number = builder.i32(item.first());
      Value* is_next = builder.compare(Opcode::IEq, state, number);
      state = guarded(region, is_next, state, [&](Region& inner) {
        return item.piece != nullptr ? place(*item.piece, inner) : loop(*item.loop, inner, state);
      });
    }
    return state;
  }

  /// Repeats the row while the state is in it.
  Value* loop(Row& row, Region& region, Value* state) {
    Op* loop = Builder(region).loop(std::vector{state}, std::vector{Type::i32()});
    Region& inner = loop->region();
    Value* changed = pass_through(row, inner, inner.argument(0));
    Builder builder(inner);
    Value* first = builder.i32(row.first);
    Value* place = builder.binary(Opcode::Sub, changed, first);
    Value* count = builder.i32(row.count);
    Op* again = builder.if_op(builder.compare(Opcode::ULt, place, count));
    Builder(again->region(0)).break_to(again);
    Builder(again->region(1)).break_to(loop, std::vector{changed});
    builder.continue_to(loop, std::vector{changed});
    return loop->result();
  }

  Region& body_;
  Plan& plan_;
  PieceValues& values_;
  std::vector<Piece*> placed_;
};

}  // namespace

void build_state_machine(kir::Kernel& kernel, const Cuts& cuts, std::size_t loops) {
  PieceValues values(kernel.body);
  Plan plan(kernel.body, cuts, values, loops);
  Writer(kernel.body, plan, values).run();
}

}  // namespace spirea::spirv
