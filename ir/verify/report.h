// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ir/core/module.h"

namespace spirea::kir {

/// What is wrong, and where: an op, or null for the kernel or module.
struct Violation {
  const Op* op;
  std::string message;
};

class Report {
 public:
  void add(const Op* op, std::string message) { violations_.push_back({op, std::move(message)}); }
  const std::vector<Violation>& violations() const { return violations_; }
  bool empty() const { return violations_.empty(); }

 private:
  std::vector<Violation> violations_;
};

void verify_structure(const Module&, Report&);
/// Needs a structurally valid module.
void verify_types(const Module&, Report&);

}  // namespace spirea::kir
