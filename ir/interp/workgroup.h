// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A workgroup whose invocations meet: at barriers, and at subgroup operations. Each runs until it has to
// wait; then those that wait at the same dynamic instance of an op go on together. Reconvergence is maximal:
// of the invocations of a subgroup, those that are furthest behind in the program go first, and what has
// taken the same turns is together again. (What SPV_KHR_maximal_reconvergence promises.)
#pragma once

#include <span>
#include <vector>

#include "ir/interp/program.h"

namespace spirea::interp {

/// An invocation that can be suspended.
struct Lane {
  std::vector<Slot> frame;
  std::vector<std::uint8_t> memory, undefined;
  std::vector<std::uint32_t> iterations;
  std::array<std::uint32_t, 3> local{};
  std::uint32_t number = 0;
  std::uint32_t lane = 0;  ///< in the subgroup
  Ordering order;
  const Instr* next = nullptr;   ///< where to go on; null at the end
  const Instr* waits = nullptr;  ///< the meeting that it has come to
};

/// The lanes of a subgroup that execute a subgroup op together, in order. Sets their results; false after a
/// fault.
bool execute_together(const Instr*, std::span<Lane* const>, std::uint32_t subgroup_size, Invocation&);

class Workgroup {
 public:
  Workgroup(const Program&, std::uint32_t invocations, std::uint32_t subgroup_size);

  /// Runs the workgroup at v.position; the first invocation gets the number after `v.number`, which becomes
  /// that of the last. False after a fault, which is v's.
  bool run(Invocation& v, std::uint64_t& steps);

 private:
  void start(Invocation&);
  bool advance(Lane&, Invocation&, std::uint64_t& steps);
  /// Lets one group of the subgroup's lanes meet; false if all of them wait for the workgroup, or have ended.
  bool meet_in_subgroup(std::span<Lane> lanes, Invocation&);
  bool meet_in_workgroup(Invocation&);
  bool subgroup_barrier(std::span<Lane> lanes, std::span<Lane* const> together, Invocation&);
  bool report_divergence(const Lane& waits, const Lane& other, const char* who, Invocation&);
  void enter(Lane&, Invocation&);
  int compare(const Lane&, const Lane&) const;
  const Program::Meeting& meeting(const Lane&) const;

  const Program& program_;
  const std::uint32_t subgroup_size_;
  std::vector<Lane> lanes_;
  std::vector<Lane*> together_;
};

}  // namespace spirea::interp
