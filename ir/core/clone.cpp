// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/core/clone.h"

#include <set>
#include <unordered_map>

namespace spirea::kir {
namespace {

class Cloner {
 public:
  void region(const Region& from, Region& to) {
    for (const auto& argument : from.arguments())
      values_[argument.get()] = to.add_argument(argument->type(), argument->name);
    for (const Op& op : from) to.append(copy(op));
  }

 private:
  std::unique_ptr<Op> copy(const Op& from) {
    std::vector<Value*> operands = from.operands();
    for (Value*& operand : operands) operand = values_.at(operand);
    std::vector<Type> results;
    for (std::size_t i = 0; i < from.num_results(); ++i) results.push_back(from.result(i)->type());
    auto to = Op::create(from.opcode(), operands, results, from.attr, from.num_regions(), from.location);
    if (const auto* target = std::get_if<TargetAttr>(&from.attr)) to->attr = TargetAttr{ops_.at(target->op)};
    ops_[&from] = to.get();
    for (std::size_t i = 0; i < from.num_regions(); ++i) region(from.region(i), to->region(i));
    for (std::size_t i = 0; i < from.num_results(); ++i) {
      to->result(i)->name = from.result(i)->name;
      values_[from.result(i)] = to->result(i);
    }
    return to;
  }

  std::unordered_map<const Value*, Value*> values_;
  std::unordered_map<const Op*, Op*> ops_;
};

void add_kernel(Module& to, const Kernel& from) {
  auto kernel = std::make_unique<Kernel>();
  kernel->manifest = from.manifest;
  kernel->location = from.location;
  Cloner().region(from.body, kernel->body);
  to.kernels.push_back(std::move(kernel));
}

}  // namespace

std::unique_ptr<Module> clone(const Module& module) {
  auto result = std::make_unique<Module>();
  result->locations = module.locations;
  for (const auto& constant : module.constants)
    result->constants.push_back(std::make_unique<ConstantObject>(*constant));
  for (const auto& kernel : module.kernels) add_kernel(*result, *kernel);
  return result;
}

std::unique_ptr<Module> extract(const Module& module, const Kernel& kernel) {
  auto result = std::make_unique<Module>();
  result->locations = module.locations;
  std::set<std::string> used;
  walk(kernel.body, [&](const Op& op) {
    if (const auto* symbol = std::get_if<SymbolAttr>(&op.attr)) used.insert(symbol->name);
  });
  for (const auto& constant : module.constants)
    if (used.count(constant->name) != 0)
      result->constants.push_back(std::make_unique<ConstantObject>(*constant));
  add_kernel(*result, kernel);
  return result;
}

}  // namespace spirea::kir
