// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How deep conditions are nested, as a driver that predicates sees it (Mesa's llvmpipe keeps 80 of them, and
// takes what lies deeper for always true; 80 loops, too), and what of a kernel must be taken apart so that
// none is nested too deep.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <unordered_set>

#include "ir/core/exits.h"
#include "ir/core/module.h"

namespace spirea::spirv {

struct NestingLimits {
  std::size_t most = 48;  ///< a kernel with more levels is taken apart
  std::size_t kept = 32;  ///< constructs of up to this many levels stay in one piece even then
  std::size_t loops = 4;  ///< loops around each other that stay loops; those below share one
};

/// Levels of conditions. An if, a switch and a loop are one. What follows a construct that may be left for
/// good - a return, a break of a switch or block around it - is one level deeper, since the driver turns it
/// into `if (not left)`. Breaks and continues of loops only take invocations away.
class Nesting {
 public:
  explicit Nesting(const kir::Region& body);

  std::size_t levels() const { return levels_of_body_; }
  std::size_t levels(const kir::Op* construct) const { return levels_.at(construct); }

 private:
  void exit(const kir::Op& op);
  std::size_t measure(const kir::Region& region);

  std::unordered_set<const kir::Op*> left_;  ///< what follows them is predicated
  std::unordered_map<const kir::Op*, std::size_t> levels_;
  std::size_t levels_of_body_ = 0;
};

/// The constructs to take apart: those with more levels than may stay, and those from within which an exit
/// leads out of the former, or out of the kernel. What is around one of them is one of them, too.
class Cuts {
 public:
  Cuts(const kir::Region& body, const Nesting& nesting, std::size_t kept);

  bool contains(const kir::Op* op) const { return cut_.count(op) != 0; }

 private:
  void add(const kir::Op* op);
  void add_path(const kir::Op* exit, const kir::Op* target);

  kir::Exits exits_;
  std::unordered_set<const kir::Op*> cut_;
};

/// legalize_nesting() for one kernel.
bool bound_nesting(kir::Kernel&, const NestingLimits&);

}  // namespace spirea::spirv
