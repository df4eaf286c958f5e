// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <functional>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "codegen-spirv/legalize/legalize.h"
#include "ir/core/builder.h"

namespace spirea::spirv {
namespace {

using kir::Op;
using kir::Opcode;
using kir::Type;
using kir::Value;

bool is_switch(const Op& op) { return op.is(Opcode::Switch) || op.is(Opcode::Block); }

void wrap_if(Op* op, const std::vector<Op*>& breaks) {
  kir::Builder builder(op);
  builder.set_location(op->location);
  std::vector<Type> types;
  for (const auto& result : op->results()) types.push_back(result->type());
  Op* block = builder.block(types);
  for (std::size_t i = 0; i < op->num_results(); ++i) {
    block->result(i)->name = op->result(i)->name;
    op->result(i)->replace_all_uses_with(block->result(i));
  }
  while (op->num_results() != 0) op->erase_result(op->num_results() - 1);
  block->region().append(op->parent()->remove(op));
  for (Op* exit : breaks) exit->attr = kir::TargetAttr{block};
  kir::Builder(block->region()).unreachable();
}

/// An if that is left from within a nested construct becomes a block around the if.
bool wrap_ifs(kir::Region& body) {
  std::unordered_map<Op*, std::vector<Op*>> breaks;
  std::vector<Op*> wrapped;
  std::unordered_set<Op*> seen;
  kir::walk(body, [&](Op& op) {
    if (!op.is(Opcode::Break) || !op.target()->is(Opcode::If)) return;
    breaks[op.target()].push_back(&op);
    if (op.parent_op() != op.target() && seen.insert(op.target()).second) wrapped.push_back(op.target());
  });
  for (Op* op : wrapped) wrap_if(op, breaks[op]);
  return !wrapped.empty();
}

/// All exits of one kind to one target: a number, by which a selector names them, and what they carry.
struct Outlet {
  Opcode kind;
  Op* target;
  std::vector<Type> types;
};

/// Values that exits of a construct carry, by type: exits to different targets share them, since only one is
/// taken.
class Slots {
 public:
  /// The positions of values of these types.
  std::vector<std::size_t> place(const std::vector<Type>& types) {
    std::vector<std::pair<Type, std::size_t>> used;
    std::vector<std::size_t> result;
    for (const Type type : types) {
      std::vector<std::size_t>& known = entry(positions_, type, {});
      std::size_t& at = entry(used, type, std::size_t{0});
      if (at == known.size()) {
        known.push_back(types_.size());
        types_.push_back(type);
      }
      result.push_back(known[at++]);
    }
    return result;
  }
  const std::vector<Type>& types() const { return types_; }

 private:
  template <class T>
  static T& entry(std::vector<std::pair<Type, T>>& table, Type type, T initial) {
    for (auto& [key, value] : table)
      if (key == type) return value;
    return table.emplace_back(type, std::move(initial)).second;
  }

  std::vector<Type> types_;
  std::vector<std::pair<Type, std::vector<std::size_t>>> positions_;
};

/// An exit within an open construct. A relay leaves its target only to go on to one of several outlets: it
/// carries a selector and slots of the construct that it comes from, and gets its operands when the target is
/// closed.
struct Exit {
  Op* op;
  std::vector<std::uint32_t> outlets;  // a relay's
  std::vector<Value*> carried;         // a relay's: the selector, then its slots
};

/// Goes through a kernel once, inner constructs before outer ones. An exit that SPIR-V does not allow leaves
/// the first construct that stands in its way with a selector, which is tested behind it.
class ExitLegalizer {
 public:
  bool run(kir::Region& body) {
    frames_.push_back({nullptr, 0, 0, {}});
    region(body);
    frames_.pop_back();
    return changed_;
  }

 private:
  struct Frame {
    Op* op;
    std::size_t loop;       // depth of the innermost loop, this one or around it; 0: none
    std::size_t selection;  // the same for switches and blocks
    std::vector<Exit> exits;
  };

  void region(kir::Region& region) {
    for (Op* op = region.first(); op != nullptr;) {
      Op* next = op->next();
      if (op->is(Opcode::Break) || op->is(Opcode::Continue)) frames_.back().exits.push_back({op, {}, {}});
      if (op->num_regions() != 0) construct(op);
      op = next;
    }
  }

  void construct(Op* op) {
    const std::size_t depth = frames_.size();
    const Frame& outer = frames_.back();
    frames_.push_back(
        {op, op->is(Opcode::Loop) ? depth : outer.loop, is_switch(*op) ? depth : outer.selection, {}});
    depth_[op] = depth;
    for (const auto& inner : op->regions()) region(*inner);
    std::vector<Exit> exits = std::move(frames_.back().exits);
    frames_.pop_back();
    close(op, std::move(exits));
  }

  /// The depth of the construct that an exit from the open frames to the target must leave first, because
  /// SPIR-V cannot leave it and the rest at once; 0 if the exit is legal as it is.
  std::size_t obstacle(const Op& target) const {
    const std::size_t limit = depth_.at(&target);
    const Frame& innermost = frames_.back();
    if (innermost.loop > limit) return innermost.loop;
    return is_switch(target) && innermost.selection > limit ? innermost.selection : 0;
  }

  /// Whether an exit in a construct at this depth, which is not open any more, must leave it first.
  bool blocks(const Op& construct, const Op& target) const {
    if (construct.is(Opcode::Loop)) return true;
    return is_switch(construct) && is_switch(target) && frames_.back().loop <= depth_.at(&target);
  }

  void close(Op* op, std::vector<Exit> exits) {
    std::vector<Op*> own;
    std::vector<Exit> blocked, rest;
    for (Exit& exit : exits) {
      if (exit.op->target() == op && exit.carried.empty())
        own.push_back(exit.op);
      else if (exit.op->target() == op || (exit.carried.empty() && blocks(*op, *exit.op->target())))
        blocked.push_back(std::move(exit));
      else
        rest.push_back(std::move(exit));
    }
    if (!blocked.empty()) redirect(op, own, blocked);
    std::vector<Exit>& outer = frames_.back().exits;
    if (outer.size() < rest.size()) std::swap(outer, rest);
    for (Exit& exit : rest) outer.push_back(std::move(exit));
  }

  /// The exits become breaks of `construct` with a selector and slots as additional results.
  void redirect(Op* construct, const std::vector<Op*>& own, std::vector<Exit>& exits) {
    changed_ = true;
    Slots slots;
    std::vector<std::uint32_t> outlets;
    std::vector<std::vector<std::size_t>> places;
    for (Exit& exit : exits) {
      if (exit.carried.empty()) exit.outlets = {outlet(*exit.op)};
      outlets.insert(outlets.end(), exit.outlets.begin(), exit.outlets.end());
      places.push_back(
          slots.place(exit.carried.empty() ? outlets_[exit.outlets[0]].types : carried_types(exit)));
    }
    std::sort(outlets.begin(), outlets.end());
    outlets.erase(std::unique(outlets.begin(), outlets.end()), outlets.end());

    const std::size_t first = construct->num_results();
    construct->add_result(Type::i32(), "exit");
    for (const Type type : slots.types()) construct->add_result(type);
    for (Op* op : own)
      if (op->is(Opcode::Break)) extend_break(op, slots);
    for (std::size_t i = 0; i < exits.size(); ++i) replace(construct, first, exits[i], places[i], slots);
    dispatch(construct, first, outlets, slots);
  }

  static std::vector<Type> carried_types(const Exit& relay) {
    std::vector<Type> types;
    for (std::size_t i = 1; i < relay.carried.size(); ++i) types.push_back(relay.carried[i]->type());
    return types;
  }

  std::uint32_t outlet(const Op& exit) {
    const auto [known, is_new] = numbers_[exit.is(Opcode::Break)].try_emplace(
        exit.target(), static_cast<std::uint32_t>(outlets_.size()));
    if (is_new) {
      Outlet& added = outlets_.emplace_back(Outlet{exit.opcode(), exit.target(), {}});
      for (Value* value : exit.operands()) added.types.push_back(value->type());
    }
    return known->second;
  }

  /// The construct's own breaks: selector 0 and nothing to carry.
  static void extend_break(Op* op, const Slots& slots) {
    kir::Builder builder(op);
    op->add_operand(builder.i32(0));
    for (const Type type : slots.types()) op->add_operand(builder.undef(type));
  }

  void replace(Op* construct, std::size_t first, const Exit& exit, const std::vector<std::size_t>& places,
               const Slots& slots) {
    kir::Builder builder(exit.op);
    builder.set_location(exit.op->location);
    const bool relay = !exit.carried.empty();
    std::vector<Value*> values;
    for (std::size_t i = 0; i < first; ++i) values.push_back(builder.undef(construct->result(i)->type()));
    values.push_back(relay ? exit.carried[0] : builder.i32(exit.outlets[0] + 1));
    std::vector<Value*> carried(slots.types().size(), nullptr);
    for (std::size_t i = 0; i < places.size(); ++i)
      carried[places[i]] = relay ? exit.carried[i + 1] : exit.op->operand(i);
    for (std::size_t i = 0; i < carried.size(); ++i)
      values.push_back(carried[i] != nullptr ? carried[i] : builder.undef(slots.types()[i]));
    builder.break_to(construct, values);
    exit.op->erase();
  }

  /// Behind the construct: what the selector names follows at once, or behind the next construct in its way.
  void dispatch(Op* construct, std::size_t first, const std::vector<std::uint32_t>& outlets, Slots& slots) {
    Op* next = construct->next();
    Value* selector = construct->result(first);
    std::map<std::size_t, std::vector<std::uint32_t>, std::greater<>> relays;  // by depth
    for (const std::uint32_t number : outlets) {
      const Outlet& outlet = outlets_[number];
      if (const std::size_t depth = obstacle(*outlet.target); depth != 0) {
        relays[depth].push_back(number);
        continue;
      }
      std::vector<Value*> values;
      for (const std::size_t place : slots.place(outlet.types))
        values.push_back(construct->result(first + 1 + place));
      kir::Builder builder = test(next, Opcode::IEq, selector, number + 1);
      frames_.back().exits.push_back({outlet.kind == Opcode::Break
                                          ? builder.break_to(outlet.target, values)
                                          : builder.continue_to(outlet.target, values),
                                      {},
                                      {}});
    }
    std::vector<Value*> carried = {selector};
    for (std::size_t i = 0; i < slots.types().size(); ++i)
      carried.push_back(construct->result(first + 1 + i));
    for (auto relay = relays.begin(); relay != relays.end(); ++relay) {
      Op* target = frames_[relay->first].op;
      if (std::next(relay) == relays.end()) {  // whatever is left
        kir::Builder builder = test(next, Opcode::INe, selector, 0);
        frames_.back().exits.push_back({builder.break_to(target), std::move(relay->second), carried});
        continue;
      }
      for (const std::uint32_t number : relay->second) {
        kir::Builder builder = test(next, Opcode::IEq, selector, number + 1);
        frames_.back().exits.push_back({builder.break_to(target), {number}, carried});
      }
    }
  }

  /// An if before `next` with an empty first body, where the builder stands.
  static kir::Builder test(Op* next, Opcode compare, Value* selector, std::uint32_t number) {
    kir::Builder builder(next);
    Value* constant = builder.i32(number);
    Op* test = builder.if_op(builder.compare(compare, selector, constant));
    builder.set_end(test->region(1));
    builder.break_to(test);
    builder.set_end(test->region(0));
    return builder;
  }

  std::vector<Frame> frames_;
  std::unordered_map<const Op*, std::size_t> depth_;
  std::vector<Outlet> outlets_;
  std::unordered_map<const Op*, std::uint32_t> numbers_[2];  // of outlets: continues, breaks
  bool changed_ = false;
};

}  // namespace

kir::Result<bool> legalize_exits(kir::Module& module) {
  bool changed = false;
  for (const auto& kernel : module.kernels) {
    changed |= wrap_ifs(kernel->body);
    changed |= ExitLegalizer().run(kernel->body);
  }
  return changed;
}

}  // namespace spirea::spirv
