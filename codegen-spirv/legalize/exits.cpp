// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <unordered_map>
#include <unordered_set>

#include "codegen-spirv/legalize/legalize.h"
#include "ir/core/builder.h"

namespace spirea::spirv {
namespace {

using kir::Op;
using kir::Opcode;
using kir::Type;
using kir::Value;

bool is_switch(const Op& op) { return op.is(Opcode::Switch) || op.is(Opcode::Block); }

/// An if that is left from within a nested construct becomes a block around the if.
bool wrap_ifs(kir::Region& body) {
  std::vector<Op*> wrapped;
  std::unordered_set<Op*> seen;
  kir::walk(body, [&](Op& op) {
    if (!op.is(Opcode::Break) || !op.target()->is(Opcode::If) || op.parent_op() == op.target()) return;
    if (seen.insert(op.target()).second) wrapped.push_back(op.target());
  });
  for (Op* op : wrapped) {
    kir::Builder builder(op);
    builder.set_location(op->location);
    std::vector<Type> types;
    for (std::size_t i = 0; i < op->num_results(); ++i) types.push_back(op->result(i)->type());
    Op* block = builder.block(types);
    for (std::size_t i = 0; i < op->num_results(); ++i) {
      block->result(i)->name = op->result(i)->name;
      op->result(i)->replace_all_uses_with(block->result(i));
    }
    while (op->num_results() != 0) op->erase_result(op->num_results() - 1);
    block->region().append(op->parent()->remove(op));
    kir::walk(op->region(0), [&](Op& inner) {
      if (inner.is(Opcode::Break) && inner.target() == op) inner.attr = kir::TargetAttr{block};
    });
    kir::walk(op->region(1), [&](Op& inner) {
      if (inner.is(Opcode::Break) && inner.target() == op) inner.attr = kir::TargetAttr{block};
    });
    kir::Builder(block->region()).unreachable();
  }
  return !wrapped.empty();
}

/// The construct that the exit must leave first, because SPIR-V cannot leave it and the rest at once; null if
/// the exit is legal as it is.
Op* obstacle(const Op& exit) {
  const Op* target = exit.target();
  Op* crossed_switch = nullptr;
  for (Op* op = exit.parent_op(); op != target; op = op->parent_op()) {
    if (op->is(Opcode::Loop)) return op;
    if (is_switch(*op) && crossed_switch == nullptr) crossed_switch = op;
  }
  return is_switch(*target) ? crossed_switch : nullptr;
}

/// All exits of one construct to one outer target: they get a selector value and places for the values they
/// carry.
struct Outlet {
  Opcode kind;
  Op* target;
  std::uint32_t selector;
  std::size_t first_result;  // among the construct's results
  std::vector<Op*> exits;
};

class ExitLegalizer {
 public:
  /// Rewrites the exits that must leave `construct` first.
  void run(Op* construct, const std::vector<Op*>& exits) {
    original_results_ = construct->num_results();
    const std::size_t selector = original_results_;
    construct->add_result(Type::i32(), "exit");
    group(construct, exits);
    extend_breaks(construct);
    for (const Outlet& outlet : outlets_)
      for (Op* exit : outlet.exits) redirect(construct, outlet, exit);
    dispatch(construct, construct->result(selector));
  }

 private:
  void group(Op* construct, const std::vector<Op*>& exits) {
    for (Op* exit : exits) {
      Outlet* outlet = nullptr;
      for (Outlet& known : outlets_)
        if (known.target == exit->target() && known.kind == exit->opcode()) outlet = &known;
      if (outlet == nullptr) {
        outlets_.push_back({exit->opcode(),
                            exit->target(),
                            static_cast<std::uint32_t>(outlets_.size() + 1),
                            construct->num_results(),
                            {}});
        outlet = &outlets_.back();
        for (std::size_t i = 0; i < exit->num_operands(); ++i)
          construct->add_result(exit->operand(i)->type());
      }
      outlet->exits.push_back(exit);
    }
  }

  /// The construct's own breaks: selector 0 and nothing to carry.
  void extend_breaks(Op* construct) {
    std::vector<Op*> breaks;
    for (const auto& region : construct->regions())
      kir::walk(*region, [&](Op& op) {
        if (op.is(Opcode::Break) && op.target() == construct) breaks.push_back(&op);
      });
    for (Op* op : breaks) {
      kir::Builder builder(op);
      op->add_operand(builder.i32(0));
      for (std::size_t i = original_results_ + 1; i < construct->num_results(); ++i)
        op->add_operand(builder.undef(construct->result(i)->type()));
    }
  }

  void redirect(Op* construct, const Outlet& outlet, Op* exit) {
    kir::Builder builder(exit);
    builder.set_location(exit->location);
    std::vector<Value*> values;
    for (std::size_t i = 0; i < original_results_; ++i)
      values.push_back(builder.undef(construct->result(i)->type()));
    values.push_back(builder.i32(outlet.selector));
    for (std::size_t i = original_results_ + 1; i < construct->num_results(); ++i) {
      const bool carried = i >= outlet.first_result && i < outlet.first_result + exit->num_operands();
      values.push_back(carried ? exit->operand(i - outlet.first_result)
                               : builder.undef(construct->result(i)->type()));
    }
    builder.break_to(construct, values);
    exit->erase();
  }

  /// Behind the construct: if the selector says so, go on to the target.
  void dispatch(Op* construct, Value* selector) {
    Op* next = construct->next();
    kir::Builder builder(next);
    for (const Outlet& outlet : outlets_) {
      builder.set_before(next);
      Value* number = builder.i32(outlet.selector);
      Op* test = builder.if_op(builder.compare(Opcode::IEq, selector, number));
      std::vector<Value*> values;
      const std::size_t n =
          outlet.kind == Opcode::Break ? outlet.target->num_results() : outlet.target->num_operands();
      for (std::size_t i = 0; i < n; ++i) values.push_back(construct->result(outlet.first_result + i));
      builder.set_end(test->region(0));
      if (outlet.kind == Opcode::Break)
        builder.break_to(outlet.target, values);
      else
        builder.continue_to(outlet.target, values);
      builder.set_end(test->region(1));
      builder.break_to(test);
    }
  }

  std::size_t original_results_ = 0;
  std::vector<Outlet> outlets_;
};

/// One round: the innermost constructs that stand in the way. False if none does.
bool legalize_once(kir::Kernel& kernel) {
  std::unordered_map<Op*, std::vector<Op*>> blocked;
  std::vector<Op*> order;
  kir::walk(kernel.body, [&](Op& op) {
    if (!op.is(Opcode::Break) && !op.is(Opcode::Continue)) return;
    Op* construct = obstacle(op);
    if (construct == nullptr) return;
    auto& exits = blocked[construct];
    if (exits.empty()) order.push_back(construct);
    exits.push_back(&op);
  });
  for (Op* construct : order) ExitLegalizer().run(construct, blocked[construct]);
  return !order.empty();
}

}  // namespace

kir::Result<bool> legalize_exits(kir::Module& module) {
  bool changed = false;
  for (const auto& kernel : module.kernels) {
    bool again = true;
    while (again) {
      changed |= wrap_ifs(kernel->body);
      again = legalize_once(*kernel);
      changed |= again;
    }
  }
  return changed;
}

}  // namespace spirea::spirv
