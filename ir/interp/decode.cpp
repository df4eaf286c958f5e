// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From regions to a flat program: each value gets a slot, each region a place in the code, each exit moves
// and a jump.
#include <algorithm>
#include <unordered_map>

#include "ir/interp/moves.h"
#include "ir/interp/ops/handlers.h"
#include "ir/interp/program.h"

namespace spirea::interp {
namespace {

using kir::Op;
using kir::Opcode;
using kir::Region;
using kir::Value;

class Decoder {
 public:
  Decoder(const kir::Module& module, const kir::Kernel& kernel, Subnormals subnormals)
      : subnormals_(subnormals) {
    program_.module = &module;
    program_.kernel = &kernel;
    program_.frame.emplace_back();  // slot 0: operands that an instruction lacks
    scratch_ = new_slot();
    for (const auto& argument : kernel.body.arguments()) program_.arguments.push_back(slot(argument.get()));
    collect_objects(kernel.body);
    kir::walk(kernel.body, [&](const Op& op) {
      if (kir::info(op.opcode()).effect == kir::OpEffect::Convergent) program_.is_cooperative = true;
    });
    region(kernel.body);
    for (const auto& [instruction, label] : exits_) program_.code[instruction].target = labels_[label];
  }

  Program take() { return std::move(program_); }

 private:
  /// A place that code jumps to: the start of a loop's body or the end of a structured op.
  struct Labels {
    std::uint32_t start, end;
  };

  std::uint32_t here() const { return static_cast<std::uint32_t>(program_.code.size()); }
  std::uint32_t new_slot() {
    program_.frame.emplace_back();
    return static_cast<std::uint32_t>(program_.frame.size() - 1);
  }
  std::uint32_t slot(const Value* value) {
    const auto [it, is_new] = slots_.emplace(value, 0);
    if (is_new) it->second = new_slot();
    return it->second;
  }
  std::uint32_t new_label() {
    labels_.push_back(0);
    return static_cast<std::uint32_t>(labels_.size() - 1);
  }
  void bind(std::uint32_t label) { labels_[label] = here(); }

  Instr& emit(Handler run) {
    Instr& instr = program_.code.emplace_back();
    instr.run = run;
    instr.op = static_cast<std::uint32_t>(program_.ops.size() - 1);
    return instr;
  }
  /// The instruction's target becomes the label's place.
  void emit_to(Handler run, std::uint32_t label, std::uint32_t operand = 0) {
    emit(run).a = operand;
    exits_.emplace_back(program_.code.size() - 1, label);
  }

  // An object is zero to nothing at run time: its address is known before the launch.
  void collect_objects(const Region& body) {
    for (const Op& op : body) {
      if (op.is(Opcode::DynamicShared)) program_.has_dynamic_shared = program_.is_cooperative = true;
      if (!op.is(Opcode::Object)) continue;
      const bool is_shared = op.result()->type().space() == kir::Space::Workgroup;
      std::uint64_t& bytes = is_shared ? program_.workgroup_bytes : program_.private_bytes;
      program_.objects.push_back({&op, bytes, is_shared});
      bytes += op.as<kir::ObjectAttr>().size;
      program_.is_cooperative |= is_shared;
    }
  }

  void region(const Region& region) {
    for (const Op& op : region) {
      program_.ops.push_back(&op);
      this->op(op);
    }
  }

  /// Structured ops, exits and what is known before the launch; all others become one instruction.
  struct Form {
    Opcode opcode;
    void (Decoder::*decode)(const Op&);
  };

  void op(const Op& op) {
    static constexpr Form forms[] = {
        {Opcode::Const, &Decoder::constant},
        {Opcode::Undef, &Decoder::undef},
        {Opcode::Object, &Decoder::object},
        {Opcode::AddressOf, &Decoder::address_of},
        {Opcode::If, &Decoder::if_op},
        {Opcode::Loop, &Decoder::loop},
        {Opcode::Switch, &Decoder::switch_op},
        {Opcode::Block, &Decoder::block},
        {Opcode::Break, &Decoder::break_op},
        {Opcode::Continue, &Decoder::continue_op},
        {Opcode::DynamicShared, &Decoder::dynamic_shared},
    };
    for (const Form& form : forms)
      if (op.is(form.opcode)) return (this->*form.decode)(op);
    if (kir::info(op.opcode()).effect == kir::OpEffect::Convergent) return meeting(op);
    plain(op);
  }

  void constant(const Op& op) { program_.frame[slot(op.result())].bits = op.as<kir::LiteralAttr>().bits; }

  void undef(const Op& op) {
    const kir::Type type = op.result()->type();
    const std::uint64_t mask = low_bits(type.bits());
    constexpr std::uint64_t pattern = 0xcdcdcdcdcdcdcdcd;
    set_undefined(program_.frame[slot(op.result())], pattern & mask, mask,
                  static_cast<std::uint32_t>(program_.ops.size() - 1));
  }

  void object(const Op& op) {
    const auto found = std::find_if(program_.objects.begin(), program_.objects.end(),
                                    [&](const Program::Object& object) { return object.op == &op; });
    const auto index = static_cast<std::size_t>(found - program_.objects.begin());
    Slot& address = program_.frame[slot(op.result())];
    address.bits = slot_address(kFirstObject + index);
    address.window = program_.object_window(index);
  }

  void dynamic_shared(const Op& op) {
    Slot& address = program_.frame[slot(op.result())];
    address.bits = slot_address(kFirstObject + program_.objects.size());
    address.window = program_.dynamic_window();
  }

  void meeting(const Op& op) {
    const std::uint32_t a = op.num_operands() > 0 ? slot(op.operand(0)) : 0;
    const std::uint32_t b = op.num_operands() > 1 ? slot(op.operand(1)) : 0;
    const std::uint32_t result = op.num_results() > 0 ? slot(op.result()) : 0;
    Instr& instr = emit(wait_for_others);
    instr.a = a;
    instr.b = b;
    instr.result = result;
    instr.immediate = static_cast<std::int64_t>(program_.meetings.size());
    program_.meetings.push_back({&op, loops_});
  }

  void address_of(const Op& op) {
    const auto& constants = program_.module->constants;
    const std::string& name = op.as<kir::SymbolAttr>().name;
    const auto found =
        std::find_if(constants.begin(), constants.end(), [&](const auto& c) { return c->name == name; });
    const auto index = static_cast<std::size_t>(found - constants.begin());
    Slot& address = program_.frame[slot(op.result())];
    address.bits = slot_address(kFirstConstant + index);
    address.window = program_.constant_window(index);
  }

  std::vector<std::uint32_t> results_of(const Op& op) {
    std::vector<std::uint32_t> slots;
    for (std::size_t i = 0; i < op.num_results(); ++i) slots.push_back(slot(op.result(i)));
    return slots;
  }
  std::vector<std::uint32_t> arguments_of(const Op& loop) {
    std::vector<std::uint32_t> slots;
    for (const auto& argument : loop.region().arguments()) slots.push_back(slot(argument.get()));
    return slots;
  }

  /// All targets take their values at once.
  void move_operands(const Op& op, const std::vector<std::uint32_t>& targets) {
    std::vector<Move> moves;
    for (std::size_t i = 0; i < targets.size(); ++i) moves.push_back({targets[i], slot(op.operand(i))});
    for (const Move& move : in_sequence(moves, scratch_)) {
      Instr& instr = emit(move_value);
      instr.result = move.to;
      instr.a = move.from;
    }
  }

  void break_op(const Op& op) {
    move_operands(op, results_of(*op.target()));
    emit_to(jump, labels_of_.at(op.target()).end);
  }

  void continue_op(const Op& op) {
    move_operands(op, arguments_of(*op.target()));
    if (program_.is_cooperative) emit(next_iteration).immediate = loop_numbers_.at(op.target());
    emit_to(jump, labels_of_.at(op.target()).start);
  }

  Labels enter(const Op& op) {
    const std::uint32_t start = new_label(), end = new_label();
    return labels_of_[&op] = {start, end};
  }

  void if_op(const Op& op) {
    const auto [otherwise, end] = enter(op);
    emit_to(jump_unless, otherwise, slot(op.operand(0)));
    region(op.region(0));
    bind(otherwise);
    region(op.region(1));
    bind(end);
  }

  void loop(const Op& op) {
    const auto [start, end] = enter(op);
    move_operands(op, arguments_of(op));
    const std::uint32_t number = program_.num_loops++;
    loop_numbers_[&op] = number;
    if (program_.is_cooperative) emit(begin_loop).immediate = number;
    bind(start);
    loops_.push_back(number);
    region(op.region());
    loops_.pop_back();
    bind(end);
  }

  void block(const Op& op) {
    const auto [start, end] = enter(op);
    bind(start);
    region(op.region());
    bind(end);
  }

  void switch_op(const Op& op) {
    const auto [otherwise, end] = enter(op);
    const std::size_t index = program_.switches.size();
    program_.switches.emplace_back();
    emit_to(jump_by_case, otherwise, slot(op.operand(0)));
    program_.code.back().immediate = static_cast<std::int64_t>(index);
    const auto& values = op.as<kir::CasesAttr>().values;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> cases;
    for (std::size_t i = 0; i < values.size(); ++i) {
      for (const std::uint64_t value : values[i]) cases.emplace_back(value, here());
      region(op.region(i));
    }
    bind(otherwise);
    region(op.region(values.size()));
    bind(end);
    std::sort(cases.begin(), cases.end());
    program_.switches[index].cases = std::move(cases);
  }

  void plain(const Op& op) {
    const std::uint32_t a = op.num_operands() > 0 ? slot(op.operand(0)) : 0;
    const std::uint32_t b = op.num_operands() > 1 ? slot(op.operand(1)) : 0;
    const std::uint32_t c = op.num_operands() > 2 ? slot(op.operand(2)) : 0;
    const std::uint32_t result = op.num_results() > 0 ? slot(op.result()) : 0;
    Instr& instr = emit(select_handler(op, subnormals_));
    instr.a = a;
    instr.b = b;
    instr.c = c;
    instr.result = result;
    attribute(op, instr);
    if (op.is(Opcode::IntToPtr) || (op.is(Opcode::Load) && op.result()->type().is_ptr()))
      program_.has_raw_pointers = true;
    if (kir::info(op.opcode()).attr == kir::AttrKind::Fast) fast_math(op);
  }

  /// What the op's handler expects besides slots.
  static void attribute(const Op& op, Instr& instr) {
    const kir::OpRule rule = kir::info(op.opcode()).rule;
    if (const auto* atomic = std::get_if<kir::AtomicAttr>(&op.attr)) {
      instr.immediate = std::int64_t{atomic->align} - 1;
      instr.displacement = static_cast<std::int64_t>(atomic->order);
    } else if (const auto* sync = std::get_if<kir::SyncAttr>(&op.attr)) {
      instr.displacement = static_cast<std::int64_t>(sync->order);
    } else if (rule == kir::OpRule::Query) {
      instr.a = static_cast<std::uint32_t>(op.opcode()) - static_cast<std::uint32_t>(Opcode::SubgroupSize);
    } else if (const auto* memory = std::get_if<kir::MemoryAttr>(&op.attr)) {
      instr.immediate = std::int64_t{memory->align} - 1;
      if (rule == kir::OpRule::Load) instr.b = static_cast<std::uint32_t>(op.result()->type().space());
    } else if (const auto* step = std::get_if<kir::ScaleAttr>(&op.attr)) {
      instr.immediate = step->scale;
      instr.displacement = step->displacement;
      instr.c = op.operand(1)->type().bits();
    } else if (const auto* dim = std::get_if<kir::Dim>(&op.attr)) {
      instr.a = static_cast<std::uint32_t>(op.opcode()) - static_cast<std::uint32_t>(Opcode::GlobalId);
      instr.b = static_cast<std::uint32_t>(*dim);
    } else if (op.is(Opcode::Select)) {
      instr.immediate = static_cast<std::int64_t>(low_bits(op.result()->type().bits()));
    } else if (op.num_operands() != 0 && op.num_results() != 0) {
      if (rule == kir::OpRule::FloatTest) instr.b = instr.a;
      if (rule == kir::OpRule::IntToPtr) instr.b = static_cast<std::uint32_t>(op.result()->type().space());
      instr.immediate = op.operand(0)->type().bits();
      instr.displacement = op.result()->type().bits();
    }
  }

  void fast_math(const Op& op) {
    const auto fast = op.as<kir::FastAttr>();
    if (!fast.has(kir::FastAttr::NoNan) && !fast.has(kir::FastAttr::NoInf)) return;
    Instr instr = program_.code.back();
    instr.run = check_fast_math;
    instr.immediate = fast.flags;
    instr.target = op.result()->type().bits();
    program_.code.push_back(instr);
  }

  const Subnormals subnormals_;
  Program program_;
  std::unordered_map<const Value*, std::uint32_t> slots_;
  std::unordered_map<const Op*, Labels> labels_of_;
  std::unordered_map<const Op*, std::uint32_t> loop_numbers_;
  std::vector<std::uint32_t> loops_;  ///< around the current op
  std::vector<std::uint32_t> labels_;
  std::vector<std::pair<std::size_t, std::uint32_t>> exits_;
  std::uint32_t scratch_ = 0;
};

}  // namespace

Program decode(const kir::Module& module, const kir::Kernel& kernel, Subnormals subnormals) {
  return Decoder(module, kernel, subnormals).take();
}

}  // namespace spirea::interp
