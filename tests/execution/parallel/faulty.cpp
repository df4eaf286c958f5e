// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels with a mistake that shows between invocations, and their repaired twins. The interpreter must
// report the line marked `fault`, with the invocation that it finds there, and the line marked `other`, with
// the invocation that is the other half of the pair. The twin, which differs by what is `repaired`, runs
// clean.
#include "tests/execution/parallel/faulty.h"

#include <atomic>
#include <cstdint>
#include <span>

namespace faulty {
namespace {

/// The number of those that were here before. Only memory knows it: the compiler cannot tell which way a
/// branch on it goes, and leaves what is behind it to the interpreter.
u32 ticket(std::span<u32> counter) {
  return std::atomic_ref(counter[spirea::workgroup_id().x]).fetch_add(1, std::memory_order_relaxed);
}

// Races in workgroup memory -----------------------------------------------------------------------------

template <bool repaired>
[[spirea::kernel, spirea::workgroup_size(kGroup)]] void missing_barrier(std::span<u32> out, std::span<u32>) {
  [[spirea::shared]] static u32 tile[kGroup];
  const u32 l = spirea::local_index();
  tile[l] = l + 1;  // other
  if (repaired)
    spirea::workgroup_barrier();
  else
    spirea::subgroup_barrier();
  out[spirea::global_id().x] = tile[kGroup - 1 - l];  // fault
}

template <bool repaired>
[[spirea::kernel, spirea::workgroup_size(kGroup)]] void write_after_read(std::span<u32> out, std::span<u32>) {
  [[spirea::shared]] static u32 tile[kGroup];
  const u32 l = spirea::local_index();
  tile[l] = l + 1;
  spirea::workgroup_barrier();
  const u32 next = tile[(l + 1) % kGroup];  // other
  if (repaired) spirea::workgroup_barrier();
  tile[l] = next * 3 + 50;  // fault
  spirea::workgroup_barrier();
  out[spirea::global_id().x] = tile[l];
}

template <bool repaired>
[[spirea::kernel, spirea::workgroup_size(kGroup)]] void two_writers(std::span<u32> out, std::span<u32>) {
  [[spirea::shared]] static u32 tile[kGroup];
  const u32 l = spirea::local_index();
  tile[repaired ? l : l / 2] = l + 1;  // fault other
  spirea::workgroup_barrier();
  out[spirea::global_id().x] = tile[l / 2];
}

/// The halves that a reduction adds overlap where a step goes without a barrier.
template <bool repaired>
[[spirea::kernel, spirea::workgroup_size(kGroup)]] void reduction(std::span<u32> out, std::span<u32>) {
  [[spirea::shared]] static u32 tile[kGroup];
  const u32 l = spirea::local_index();
  tile[l] = l + 1;
  spirea::workgroup_barrier();
  for (u32 half = kGroup / 2; half != 0; half /= 2) {
    u32 sum = tile[l];
    if (l < half) sum += tile[l + half];  // other
    if (repaired || half != 4) spirea::workgroup_barrier();
    if (l < half) tile[l] = sum;  // fault
    if (repaired || half != 4) spirea::workgroup_barrier();
  }
  out[spirea::global_id().x] = tile[0];
}

template <bool repaired>
[[spirea::kernel, spirea::workgroup_size(kGroup)]] void plain_beside_atomic(std::span<u32> out,
                                                                            std::span<u32>) {
  [[spirea::shared]] static u32 count;
  const u32 l = spirea::local_index();
  if (l == 0) count = 0;
  spirea::workgroup_barrier();
  std::atomic_ref(count).fetch_add(1, std::memory_order_relaxed);  // other
  if (repaired) spirea::workgroup_barrier();
  if (l == kGroup - 1) out[spirea::workgroup_id().x] = count;  // fault
}

/// A subgroup barrier orders its subgroup alone.
template <bool repaired>
[[spirea::kernel, spirea::workgroup_size(kGroup)]] void across_subgroups(std::span<u32> out, std::span<u32>) {
  [[spirea::shared]] static u32 tile[kGroup];
  const u32 l = spirea::local_index();
  tile[l] = l + 1;  // other
  spirea::subgroup_barrier();
  const u32 size = spirea::subgroup_size();
  const u32 from = repaired ? l / size * size + (l + 1) % size : (l + size) % kGroup;
  out[spirea::global_id().x] = tile[from];  // fault
}

// Races in device memory --------------------------------------------------------------------------------

/// A barrier orders its workgroup alone.
template <bool repaired>
[[spirea::kernel, spirea::workgroup_size(kGroup)]] void between_workgroups(std::span<u32> out,
                                                                           std::span<u32> data) {
  const u32 i = spirea::global_id().x;
  const u32 first = spirea::workgroup_id().x * kGroup, l = spirea::local_index();
  data[i] = i + 1;  // fault
  spirea::workgroup_barrier();
  out[i] = data[repaired ? first + (l + 1) % kGroup : (i + kGroup) % (2 * kGroup)];  // other
}

template <bool repaired>
[[spirea::kernel, spirea::workgroup_size(kGroup)]] void same_result_slot(std::span<u32> out, std::span<u32>) {
  const u32 group = spirea::workgroup_id().x;
  if (spirea::local_index() == 3) out[repaired ? group : 0] = group + 100;  // fault other
}

/// The last workgroup reads what the others wrote, without having acquired it.
template <bool repaired>
[[spirea::kernel, spirea::workgroup_size(kGroup)]] void last_one_sums(std::span<u32> out,
                                                                      std::span<u32> data) {
  const u32 group = spirea::workgroup_id().x, l = spirea::local_index();
  constexpr auto order = repaired ? std::memory_order_acq_rel : std::memory_order_relaxed;
  if (l != 0) return;
  data[8 + group] = group + 7;                                                        // other
  if (std::atomic_ref(data[0]).fetch_add(1, order) == 1) out[0] = data[8] + data[9];  // fault
}

template <bool repaired>
[[spirea::kernel, spirea::workgroup_size(kGroup)]] void histogram(std::span<u32> out, std::span<u32>) {
  const u32 i = spirea::global_id().x;
  if (repaired)
    std::atomic_ref(out[i % 5]).fetch_add(1, std::memory_order_relaxed);
  else
    out[i % 5] += 1;  // fault other
}

// Barriers that not all reach ---------------------------------------------------------------------------

template <bool repaired>
[[spirea::kernel, spirea::workgroup_size(kGroup)]] void barrier_in_a_branch(std::span<u32> out,
                                                                            std::span<u32> counter) {
  [[spirea::shared]] static u32 tile[kGroup];
  const u32 l = spirea::local_index(), turn = ticket(counter);
  tile[l] = turn;
  if (repaired)
    spirea::workgroup_barrier();
  else if (turn < 5)
    spirea::workgroup_barrier();  // fault
  out[spirea::global_id().x] = tile[l];
}

template <bool repaired>
[[spirea::kernel, spirea::workgroup_size(kGroup)]] void barrier_after_return(std::span<u32> out,
                                                                             std::span<u32> counter) {
  const u32 turn = ticket(counter);
  if (!repaired && turn == 6) return;
  spirea::workgroup_barrier();  // fault
  out[spirea::global_id().x] = turn;
}

template <bool repaired>
[[spirea::kernel, spirea::workgroup_size(kGroup)]] void barrier_in_a_loop(std::span<u32> out,
                                                                          std::span<u32> counter) {
  const u32 turn = ticket(counter), rounds = repaired ? 3 : 2 + turn / 9;
  u32 sum = 0;
  for (u32 round = 0; round < rounds; ++round) {
    sum += round * turn;
    spirea::workgroup_barrier();  // fault
  }
  out[spirea::global_id().x] = sum;
}

template <bool repaired>
[[spirea::kernel, spirea::workgroup_size(kGroup)]] void barriers_of_a_switch(std::span<u32> out,
                                                                             std::span<u32> counter) {
  const u32 turn = ticket(counter);
  u32 result = 0;
  switch (repaired ? 1 : turn / 4) {
    case 0:
      result = turn * 3;
      spirea::workgroup_barrier();  // fault
      break;
    case 1:
      result = turn + 5;
      spirea::workgroup_barrier();  // other
      break;
    default: result = turn ^ 9; break;
  }
  out[spirea::global_id().x] = result;
}

template <bool repaired>
[[spirea::kernel, spirea::workgroup_size(kGroup)]] void two_barriers(std::span<u32> out,
                                                                     std::span<u32> counter) {
  [[spirea::shared]] static u32 tile[kGroup];
  const u32 l = spirea::local_index(), turn = ticket(counter);
  if (repaired ? turn < 100 : turn < 7) {
    tile[l] = turn;
    spirea::workgroup_barrier();  // fault
  } else {
    tile[l] = turn * 2;
    spirea::workgroup_barrier();  // other
  }
  out[spirea::global_id().x] = tile[l];
}

template <bool repaired>
[[spirea::kernel, spirea::workgroup_size(kGroup)]] void subgroup_barrier_in_a_branch(std::span<u32> out,
                                                                                     std::span<u32> counter) {
  const u32 turn = ticket(counter);
  if (repaired || turn != 9) spirea::subgroup_barrier();  // fault
  out[spirea::global_id().x] = turn;
}

// Memory --------------------------------------------------------------------------------------------------

template <bool repaired>
[[spirea::kernel, spirea::workgroup_size(kGroup)]] void beyond_workgroup_memory(std::span<u32> out,
                                                                                std::span<u32> counter) {
  [[spirea::shared]] static u32 tile[kGroup];
  tile[ticket(counter) + (repaired ? 0 : 3)] = 1;  // fault
  spirea::workgroup_barrier();
  out[spirea::global_id().x] = tile[spirea::local_index()];
}

template <bool repaired>
[[spirea::kernel, spirea::workgroup_size(kGroup)]] void halo_beyond_the_buffer(std::span<u32> out,
                                                                               std::span<u32> data) {
  const u32 i = spirea::global_id().x;
  const u32 next = repaired && i + 1 == data.size() ? i : i + 1;
  out[i] = data[next];  // fault
}

/// Its last element is written by none.
template <bool repaired>
[[spirea::kernel, spirea::workgroup_size(kGroup)]] void uninitialized(std::span<u32> out, std::span<u32>) {
  [[spirea::shared]] static u32 tile[kGroup];
  const u32 l = spirea::local_index();
  if (repaired || l != kGroup - 1) tile[l] = l;
  spirea::workgroup_barrier();
  const u32 seen = tile[kGroup - 1 - l];                 // other
  if (seen % 3 == 1) out[spirea::global_id().x] = seen;  // fault
}

}  // namespace

#define FAULT(name, ...) \
  Kernel { #name, {__VA_ARGS__ }, &run < name < false>, name < true>> }

const std::vector<Kernel>& kernels() {
  static const std::vector<Kernel> all = {
      FAULT(missing_barrier, "data race: load from byte 60", 0, 15, "written by"),
      FAULT(write_after_read, "data race: store to byte 4", 1, 0, "read by"),
      FAULT(two_writers, "data race: store to byte 0", 1, 0, "written by"),
      FAULT(reduction, "data race: store to byte 8", 2, 0, "read by"),
      FAULT(plain_beside_atomic, "data race: load from byte 0", 15, 14, "written by"),
      FAULT(across_subgroups, "data race: load from byte 16", 0, 4, "written by"),
      FAULT(between_workgroups, "data race: store to byte 64 of buffer 'data'", 16, 0, "read by"),
      FAULT(same_result_slot, "data race: store to byte 0 of buffer 'out'", 19, 3, "written by"),
      FAULT(last_one_sums, "data race: load from byte 32 of buffer 'data'", 16, 0, "written by"),
      FAULT(histogram, "data race: load from byte 0 of buffer 'out'", 5, 0, "written by"),
      FAULT(barrier_in_a_branch, "barrier in divergent control flow", 0, 5, "has ended"),
      FAULT(barrier_after_return, "barrier in divergent control flow", 0, 6, "has ended"),
      FAULT(barrier_in_a_loop, "barrier in divergent control flow", 9, 0, "has ended"),
      FAULT(barriers_of_a_switch, "barrier in divergent control flow", 0, 4, "waits here"),
      FAULT(two_barriers, "barrier in divergent control flow", 0, 7, "waits here"),
      FAULT(subgroup_barrier_in_a_branch, "not all invocations of the subgroup reach it", 8, 9, "has ended"),
      FAULT(beyond_workgroup_memory, "store of 4 bytes out of bounds: just past the end of workgroup object",
            13),
      FAULT(halo_beyond_the_buffer, "load of 4 bytes out of bounds: just past the end of buffer 'data'", 31),
      FAULT(uninitialized, "branch depends on an undefined value", 0),
  };
  return all;
}

}  // namespace faulty
