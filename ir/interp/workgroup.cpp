// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/interp/workgroup.h"

#include <algorithm>
#include <cstring>

#include "ir/interp/faults.h"

namespace spirea::interp {

Workgroup::Workgroup(const Program& program, std::uint32_t invocations, std::uint32_t subgroup_size)
    : program_(program), subgroup_size_(subgroup_size), lanes_(invocations) {
  for (std::uint32_t i = 0; i < invocations; ++i) {
    Lane& lane = lanes_[i];
    lane.memory.resize(program.private_bytes);
    lane.undefined.resize(program.private_bytes);
    lane.iterations.resize(program.num_loops);
    lane.lane = i % subgroup_size;
  }
}

const Program::Meeting& Workgroup::meeting(const Lane& lane) const {
  return program_.meetings[static_cast<std::size_t>(lane.waits->immediate)];
}

bool Workgroup::run(Invocation& v, std::uint64_t& steps) {
  start(v);
  for (;;) {
    for (Lane& lane : lanes_)
      if (lane.next != nullptr && lane.waits == nullptr && !advance(lane, v, steps)) return false;
    bool met = false;
    for (std::size_t first = 0; first < lanes_.size(); first += subgroup_size_) {
      const std::size_t count = std::min<std::size_t>(subgroup_size_, lanes_.size() - first);
      met |= meet_in_subgroup(std::span(lanes_).subspan(first, count), v);
      if (!v.fault) return false;
    }
    if (met) continue;
    if (std::all_of(lanes_.begin(), lanes_.end(), [](const Lane& lane) { return lane.next == nullptr; }))
      return true;
    if (!meet_in_workgroup(v)) return false;
  }
}

void Workgroup::start(Invocation& v) {
  const auto& size = v.position[4];
  const std::uint32_t first = v.number + 1, count = static_cast<std::uint32_t>(lanes_.size());
  const std::uint32_t now = ++*v.clock;
  for (std::uint32_t i = 0; i < count; ++i) {
    Lane& lane = lanes_[i];
    lane.frame.assign(v.initial_frame, v.initial_frame + program_.frame.size());
    std::fill(lane.memory.begin(), lane.memory.end(), 0xcd);
    std::fill(lane.undefined.begin(), lane.undefined.end(), 0xff);
    lane.local = {i % size[0], i / size[0] % size[1], i / size[0] / size[1]};
    lane.number = first + i;
    lane.next = program_.code.data();
    lane.waits = nullptr;
    const std::uint32_t near_first = first + i / subgroup_size_ * subgroup_size_;
    lane.order = {now, first,      first + count - 1,
                  0,   near_first, std::min(near_first + subgroup_size_, first + count) - 1,
                  0,   0,          v.released};
  }
  v.number += count;
}

/// Makes the invocation this lane.
void Workgroup::enter(Lane& lane, Invocation& v) {
  auto& [global, local, group, groups, size, global_size] = v.position;
  local = lane.local;
  for (int d = 0; d < 3; ++d) global[d] = group[d] * size[d] + local[d];
  v.frame = lane.frame.data();
  v.iterations = lane.iterations.data();
  v.number = lane.number;
  v.order = lane.order;
  const auto index = static_cast<std::uint32_t>(&lane - lanes_.data());
  const auto count = static_cast<std::uint32_t>(lanes_.size());
  v.subgroup = {subgroup_size_, lane.lane, index / subgroup_size_,
                (count + subgroup_size_ - 1) / subgroup_size_};
  for (std::size_t i = 0; i < program_.objects.size(); ++i) {
    if (program_.objects[i].is_shared) continue;
    Window& window = v.windows[program_.object_window(i)];
    window.data = lane.memory.data() + program_.objects[i].offset;
    window.undefined = lane.undefined.data() + program_.objects[i].offset;
  }
}

bool Workgroup::advance(Lane& lane, Invocation& v, std::uint64_t& steps) {
  const std::uint32_t last = v.number;
  enter(lane, v);
  v.waits_at = nullptr;
  interp::run(lane.next, v, steps);
  lane.waits = v.waits_at;
  lane.next = v.waits_at;
  lane.order = v.order;
  if (!v.fault) return false;
  v.number = last;
  return true;
}

/// Who is further behind in the program: negative if `a` is.
int Workgroup::compare(const Lane& a, const Lane& b) const {
  const auto &loops = meeting(a).loops, &others = meeting(b).loops;
  for (std::size_t k = 0; k < std::min(loops.size(), others.size()) && loops[k] == others[k]; ++k)
    if (a.iterations[loops[k]] != b.iterations[loops[k]])
      return a.iterations[loops[k]] < b.iterations[loops[k]] ? -1 : 1;
  return a.waits == b.waits ? 0 : a.waits < b.waits ? -1 : 1;
}

bool Workgroup::meet_in_subgroup(std::span<Lane> lanes, Invocation& v) {
  const Lane* behind = nullptr;
  for (const Lane& lane : lanes)
    if (lane.waits != nullptr && (behind == nullptr || compare(lane, *behind) < 0)) behind = &lane;
  if (behind == nullptr) return false;
  const auto* sync = std::get_if<kir::SyncAttr>(&meeting(*behind).op->attr);
  if (sync != nullptr && sync->scope != kir::Scope::Subgroup) return false;
  together_.clear();
  const Instr* at = behind->waits;
  for (Lane& lane : lanes)
    if (lane.waits != nullptr && compare(lane, *behind) == 0) together_.push_back(&lane);
  if (sync != nullptr) {
    if (!subgroup_barrier(lanes, together_, v)) return false;
  } else if (!execute_together(at, together_, subgroup_size_, v)) {
    enter(*together_.front(), v);
    return false;
  }
  for (Lane* lane : together_) {
    lane->waits = nullptr;
    lane->next = at + 1;
  }
  return true;
}

bool Workgroup::subgroup_barrier(std::span<Lane> lanes, std::span<Lane* const> together, Invocation& v) {
  if (together.size() != lanes.size()) {
    const auto missing = std::find_if(lanes.begin(), lanes.end(), [&](Lane& lane) {
      return std::find(together.begin(), together.end(), &lane) == together.end();
    });
    return report_divergence(*together.front(), *missing, "the subgroup", v);
  }
  const std::uint32_t now = ++*v.clock;
  for (Lane* lane : together) lane->order.now = lane->order.near_sync = now;
  return true;
}

bool Workgroup::meet_in_workgroup(Invocation& v) {
  const auto first =
      std::find_if(lanes_.begin(), lanes_.end(), [](const Lane& lane) { return lane.waits != nullptr; });
  for (const Lane& lane : lanes_)
    if (lane.waits == nullptr || compare(lane, *first) != 0)
      return report_divergence(*first, lane, "the workgroup", v);
  const std::uint32_t now = ++*v.clock;
  for (Lane& lane : lanes_) {
    lane.order.now = lane.order.sync = now;
    lane.next = lane.waits + 1;
    lane.waits = nullptr;
  }
  return true;
}

bool Workgroup::report_divergence(const Lane& waits, const Lane& other, const char* who, Invocation& v) {
  enter(lanes_[static_cast<std::size_t>(&waits - lanes_.data())], v);
  divergence_fault(waits.waits, v, who, other.number, other.waits);
  return false;
}

}  // namespace spirea::interp
