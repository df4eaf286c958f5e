// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/text/names.h"

#include <algorithm>

namespace spirea::kir {
namespace {

const std::string kUnknown = "?";

bool is_number(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// A name without the ".N" that made it unique, so that printing is stable under parsing.
std::string base_name(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == name.size()) return name;
  return is_number(name.substr(dot + 1)) ? name.substr(0, dot) : name;
}

}  // namespace

Names::Names(const Kernel& kernel) { add_region(kernel.body); }

void Names::add(const Value* value) {
  if (value->name.empty() || is_number(value->name)) {
    values_[value] = std::to_string(next_value_++);
    return;
  }
  std::string name = value->name;
  if (!taken_.insert(name).second) {
    const std::string base = base_name(value->name);
    unsigned& suffix = suffixes_[base];
    do name = base + "." + std::to_string(++suffix);
    while (!taken_.insert(name).second);
  }
  values_[value] = std::move(name);
}

void Names::add_region(const Region& region) {
  for (const auto& argument : region.arguments()) add(argument.get());
  for (const Op& op : region) {
    for (std::size_t i = 0; i < op.num_results(); ++i) add(op.result(i));
    if (is_structured(op.opcode())) labels_[&op] = "l" + std::to_string(next_label_++);
    for (const auto& child : op.regions()) add_region(*child);
  }
}

const std::string& Names::of(const Value* value) const {
  const auto it = values_.find(value);
  return it == values_.end() ? kUnknown : it->second;
}

const std::string& Names::label(const Op* op) const {
  const auto it = labels_.find(op);
  return it == labels_.end() ? kUnknown : it->second;
}

}  // namespace spirea::kir
