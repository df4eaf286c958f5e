// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/analysis/barriers.h"

#include <optional>

#include "ir/analysis/uniformity.h"
#include "ir/transform/fold.h"

namespace spirea::kir {
namespace {

using Position = std::array<std::uint32_t, 3>;

/// Computes values that follow from the position in a workgroup of known size.
class Evaluator {
 public:
  Evaluator(const Position& size, const Position& local) : size_(size), local_(local) {}

  std::optional<std::uint64_t> operator()(const Value* value) {
    const auto [known, is_new] = values_.try_emplace(value);
    if (!is_new) return known->second;
    const auto result = compute(value->def());
    return values_[value] = result;
  }

 private:
  std::optional<std::uint64_t> compute(const Op* op) {
    if (op == nullptr) return std::nullopt;
    switch (op->opcode()) {
      case Opcode::Const: return op->as<LiteralAttr>().bits;
      case Opcode::LocalId: return local_[static_cast<std::size_t>(op->as<Dim>())];
      case Opcode::WorkgroupSize: return size_[static_cast<std::size_t>(op->as<Dim>())];
      default: break;
    }
    if (!is_pure(op->opcode()) || op->num_results() != 1 || op->num_operands() == 0) return std::nullopt;
    std::vector<std::uint64_t> operands;
    for (const Value* operand : op->operands()) {
      const auto bits = (*this)(operand);
      if (!bits) return std::nullopt;
      operands.push_back(*bits);
    }
    if (op->is(Opcode::Select)) return operands[0] != 0 ? operands[1] : operands[2];
    return fold(*op, operands);
  }

  const Position size_, local_;
  std::unordered_map<const Value*, std::optional<std::uint64_t>> values_;
};

/// Whether all invocations of the workgroup compute the same; nothing where that cannot be known.
std::optional<bool> is_same_for_all(const Value* value, const Kernel& kernel) {
  if (!kernel.manifest.workgroup_size) return std::nullopt;
  const Position size = *kernel.manifest.workgroup_size;
  std::optional<std::uint64_t> first;
  Position local{};
  for (local[2] = 0; local[2] < size[2]; ++local[2])
    for (local[1] = 0; local[1] < size[1]; ++local[1])
      for (local[0] = 0; local[0] < size[0]; ++local[0]) {
        const auto bits = Evaluator(size, local)(value);
        if (!bits) return std::nullopt;
        if (first && *first != *bits) return false;
        first = bits;
      }
  return true;
}

bool leaves(const Op& exit, const Region& region) {
  if (exit.is(Opcode::Return)) return true;
  if (!exit.is(Opcode::Break) && !exit.is(Opcode::Continue)) return false;
  for (const Op* around = region.parent(); around != nullptr; around = around->parent_op())
    if (exit.target() == around) return true;
  return false;
}

bool fails_from(const Region&, const Op* first);

/// Whether what follows the exit is a trap, for whoever takes it.
bool fails(const Op& exit) {
  if (exit.is(Opcode::Trap) || exit.is(Opcode::Unreachable)) return true;
  return exit.is(Opcode::Break) && fails_from(*exit.target()->parent(), exit.target()->next());
}

/// Whether all invocations that come to `first`, an op of the region, end in a trap there or behind it. They
/// have failed a check, and the launch with them: that they miss a barrier is no fault of its own.
bool fails_from(const Region& region, const Op* first) {
  if (first == nullptr || !fails(*region.last())) return false;
  bool all = true;
  for (const Op* op = first; op != nullptr && all; op = op->next()) {
    const auto check = [&](const Op& exit) { all = all && (!leaves(exit, region) || fails(exit)); };
    check(*op);
    for (const auto& nested : op->regions()) walk(*nested, check);
  }
  return all;
}

class Checker {
 public:
  Checker(const Module& module, const Kernel& kernel, const std::function<LocId(LocId)>& users_place)
      : module_(module), kernel_(kernel), users_place_(users_place), uniformity_(kernel) {}

  void barrier(const Op& op, std::vector<Diagnostic>& out) {
    reason_ = nullptr;
    is_certain_ = false;
    decide(op);
    if (reason_ == nullptr) return;
    const char* text =
        is_certain_ ? "barrier in divergent control flow: some invocations of the workgroup do not reach it"
                    : "barrier in control flow that may diverge: invocations of a workgroup may differ in "
                      "whether they reach it";
    Diagnostic result = Diagnostic::error_at(module_.locations, users_place_(op.location), text);
    if (!is_certain_) result.severity = Severity::Warning;
    result.notes.insert(result.notes.begin(), {Severity::Note,
                                               is_certain_ ? "this condition differs between them"
                                                           : "this condition may differ between them",
                                               module_.locations[users_place_(reason_->location)],
                                               {}});
    out.push_back(std::move(result));
  }

 private:
  /// All that decides whether the op is executed: the conditions around it, and the exits that leave before
  /// it.
  void decide(const Op& barrier) {
    for (const Op* at = &barrier; at != nullptr; at = at->parent_op()) {
      const Region& region = *at->parent();
      exits(region, *at);
      const Op* around = region.parent();
      if (around != nullptr && uniformity_.condition(*around) == Uniformity::Varying &&
          !others_fail(*around, region))
        consider(*around);
    }
  }

  /// Whether all that take another arm have failed a check.
  static bool others_fail(const Op& around, const Region& arm) {
    for (const auto& other : around.regions())
      if (other.get() != &arm && !fails_from(*other, other->first())) return false;
    return true;
  }

  /// Exits out of the region from ops before this one; in a loop's body, also those behind it that end the
  /// loop.
  void exits(const Region& region, const Op& before) {
    bool is_behind = false;
    for (const Op& op : region) {
      if (&op == &before) {
        is_behind = true;
        if (region.parent() == nullptr || !region.parent()->is(Opcode::Loop)) return;
        continue;
      }
      for (const auto& nested : op.regions())
        walk(*nested, [&](const Op& exit) {
          if (!leaves(exit, region) || fails(exit) || (is_behind && exit.is(Opcode::Continue))) return;
          const auto [level, by] = uniformity_.path(exit, region);
          if (level == Uniformity::Varying) consider(*by);
        });
    }
  }

  void consider(const Op& op) {
    if (is_certain_) return;
    const auto same = is_same_for_all(op.operand(0), kernel_);
    if (same == true) return;
    reason_ = &op;
    is_certain_ = same == false;
  }

  const Module& module_;
  const Kernel& kernel_;
  const std::function<LocId(LocId)>& users_place_;
  const UniformityAnalysis uniformity_;
  const Op* reason_ = nullptr;
  bool is_certain_ = false;
};

bool is_workgroup_barrier(const Op& op) {
  return op.is(Opcode::Barrier) && op.as<SyncAttr>().scope == Scope::Workgroup;
}

}  // namespace

std::vector<Diagnostic> check_barriers(const Module& module, const std::function<LocId(LocId)>& users_place) {
  std::vector<Diagnostic> result;
  for (const auto& kernel : module.kernels) {
    std::vector<const Op*> barriers;
    walk(kernel->body, [&](const Op& op) {
      if (is_workgroup_barrier(op)) barriers.push_back(&op);
    });
    if (barriers.empty()) continue;
    Checker checker(module, *kernel, users_place);
    for (const Op* op : barriers) checker.barrier(*op, result);
  }
  return result;
}

}  // namespace spirea::kir
