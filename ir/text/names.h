// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "ir/core/module.h"

namespace spirea::kir {

/// Unique names of a kernel's values and labels, as the text form shows them (without '%' and '@').
class Names {
 public:
  explicit Names(const Kernel&);

  /// The value's name; "?" for one that is not defined in the kernel.
  const std::string& of(const Value*) const;
  /// The structured op's label; "?" for one that is not in the kernel.
  const std::string& label(const Op*) const;

 private:
  void add(const Value*);
  void add_region(const Region&);

  std::unordered_map<const Value*, std::string> values_;
  std::unordered_map<const Op*, std::string> labels_;
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, unsigned> suffixes_;
  unsigned next_value_ = 0;
  unsigned next_label_ = 0;
};

}  // namespace spirea::kir
