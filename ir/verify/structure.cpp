// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <set>
#include <string>
#include <unordered_set>

#include "ir/verify/report.h"

namespace spirea::kir {
namespace {

/// The alternative of `Attr` that an AttrKind means.
std::size_t attr_index(AttrKind kind) {
  switch (kind) {
    case AttrKind::None: return 0;
    case AttrKind::Literal: return 1;
    case AttrKind::Fast: return 2;
    case AttrKind::Object: return 3;
    case AttrKind::Symbol: return 4;
    case AttrKind::Scale: return 5;
    case AttrKind::Memory: return 6;
    case AttrKind::Dim: return 7;
    case AttrKind::Cases: return 8;
    case AttrKind::Target: return 9;
    case AttrKind::Atomic: return 10;
    case AttrKind::Sync: return 11;
    case AttrKind::Group: return 12;
  }
  return 0;
}

class StructureVerifier {
 public:
  StructureVerifier(const Module& module, Report& report) : report_(report) {
    for (const auto& constant : module.constants) constants_.insert(constant->name);
  }

  void kernel(const Kernel& kernel) {
    if (const std::string problem = abi::find_problem(kernel.manifest); !problem.empty())
      report_.add(nullptr, "manifest of kernel '" + kernel.manifest.name + "': " + problem);
    leaves(kernel);
    visible_.clear();
    region(kernel.body, true);
  }

 private:
  void leaves(const Kernel& kernel) {
    std::size_t index = 0;
    const auto arguments = kernel.body.arguments();
    for (const abi::Param& param : kernel.manifest.params)
      for (const abi::Leaf& leaf : param.leaves) {
        if (index < arguments.size() && arguments[index]->type() != type_of(leaf.scalar))
          report_.add(nullptr, "argument " + std::to_string(index) + " of kernel '" + kernel.manifest.name +
                                   "' has not the type of its leaf");
        ++index;
      }
    if (index != arguments.size())
      report_.add(nullptr, "kernel '" + kernel.manifest.name + "' has " + std::to_string(arguments.size()) +
                               " arguments for " + std::to_string(index) + " leaves");
  }

  void region(const Region& region, bool is_body) {
    std::vector<const Value*> added;
    const auto show = [&](const Value* value) {
      visible_.insert(value);
      added.push_back(value);
    };
    for (const auto& argument : region.arguments()) show(argument.get());
    if (region.terminator() == nullptr)
      report_.add(region.last() != nullptr ? region.last() : region.parent(),
                  "region does not end with a terminator");
    for (const Op& op : region) {
      if (is_terminator(op.opcode()) && &op != region.last())
        report_.add(&op, "terminator in the middle of a region");
      if (op.is(Opcode::Object) && !is_body) report_.add(&op, "object outside of the kernel's body");
      this->op(op);
      for (std::size_t i = 0; i < op.num_results(); ++i) show(op.result(i));
    }
    for (const Value* value : added) visible_.erase(value);
  }

  void op(const Op& op) {
    const OpInfo& row = info(op.opcode());
    if (row.operands >= 0 && op.num_operands() != static_cast<std::size_t>(row.operands))
      report_.add(&op, "expected " + std::to_string(row.operands) + " operands, found " +
                           std::to_string(op.num_operands()));
    if (row.results >= 0 && op.num_results() != static_cast<std::size_t>(row.results))
      report_.add(&op, "expected " + std::to_string(row.results) + " results, found " +
                           std::to_string(op.num_results()));
    if (op.attr.index() != attr_index(row.attr)) {
      report_.add(&op, "operation has not the attribute of its kind");
      return;
    }
    for (std::size_t i = 0; i < op.num_operands(); ++i)
      if (visible_.count(op.operand(i)) == 0)
        report_.add(&op, "operand " + std::to_string(i) + " is not visible here");
    if (row.attr == AttrKind::Target) target(op);
    if (row.attr == AttrKind::Symbol && constants_.count(op.as<SymbolAttr>().name) == 0)
      report_.add(&op, "no constant is named '" + op.as<SymbolAttr>().name + "'");
    regions(op);
  }

  void regions(const Op& op) {
    std::size_t expected = 0;
    if (op.is(Opcode::If))
      expected = 2;
    else if (op.is(Opcode::Loop) || op.is(Opcode::Block))
      expected = 1;
    else if (op.is(Opcode::Switch))
      expected = op.as<CasesAttr>().values.size() + 1;
    if (op.num_regions() != expected) {
      report_.add(&op, "expected " + std::to_string(expected) + " regions, found " +
                           std::to_string(op.num_regions()));
      return;
    }
    const std::size_t arguments = op.is(Opcode::Loop) ? op.num_operands() : 0;
    enclosing_.insert(&op);
    for (const auto& child : op.regions()) {
      if (child->arguments().size() != arguments)
        report_.add(&op, "region has the wrong number of arguments");
      region(*child, false);
    }
    enclosing_.erase(&op);
  }

  void target(const Op& op) {
    const Op* target = op.target();
    if (target == nullptr || enclosing_.count(target) == 0) {
      report_.add(&op, "target does not enclose this operation");
      return;
    }
    if (op.is(Opcode::Continue) && !target->is(Opcode::Loop)) {
      report_.add(&op, "continue of something that is not a loop");
      return;
    }
    const std::size_t expected = op.is(Opcode::Continue) ? target->num_operands() : target->num_results();
    if (op.num_operands() != expected)
      report_.add(&op, "target takes " + std::to_string(expected) + " values, found " +
                           std::to_string(op.num_operands()));
  }

  Report& report_;
  std::unordered_set<std::string> constants_;
  std::unordered_set<const Value*> visible_;
  std::unordered_set<const Op*> enclosing_;
};

}  // namespace

void verify_structure(const Module& module, Report& report) {
  std::set<std::string> names;
  for (const auto& constant : module.constants)
    if (!names.insert(constant->name).second)
      report.add(nullptr, "two constants are named '" + constant->name + "'");
  names.clear();
  for (const auto& kernel : module.kernels)
    if (!names.insert(kernel->manifest.name).second)
      report.add(nullptr, "two kernels are named '" + kernel->manifest.name + "'");
  StructureVerifier verifier(module, report);
  for (const auto& kernel : module.kernels) verifier.kernel(*kernel);
}

}  // namespace spirea::kir
