// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations. Which invocation comes first is open, so the tests ask for what does not depend on it.
#include <atomic>

#include "tests/execution/harness.h"

using namespace execution;

namespace {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

constexpr u32 kCount = 1000;

[[spirea::kernel]] void histogram(std::span<const u32> in, std::span<u32> bins) {
  const u32 i = spirea::global_id().x;
  if (i < in.size()) std::atomic_ref(bins[in[i] % bins.size()]).fetch_add(1, std::memory_order_relaxed);
}

/// First in workgroup memory, then one addition for each bin.
[[spirea::kernel, spirea::workgroup_size(64)]] void histogram_by_workgroup(std::span<const u32> in,
                                                                           std::span<u32> bins) {
  [[spirea::shared]] static u32 counts[17];
  const u32 l = spirea::local_index(), i = spirea::global_id().x;
  if (l < 17) counts[l] = 0;
  spirea::workgroup_barrier();
  if (i < in.size())
    spirea::atomic_ref<u32, spirea::memory_scope::workgroup>(counts[in[i] % 17])
        .fetch_add(1, std::memory_order_relaxed);
  spirea::workgroup_barrier();
  if (l < 17 && counts[l] != 0) std::atomic_ref(bins[l]).fetch_add(counts[l]);
}

/// Each operation on an element of its own.
template <class T>
[[spirea::kernel]] void integer_operations(std::span<const T> in, std::span<T> out) {
  const u32 i = spirea::global_id().x;
  if (i >= in.size()) return;
  const T v = in[i];
  std::atomic_ref<T>(out[0]).fetch_add(v);
  std::atomic_ref<T>(out[1]).fetch_sub(v, std::memory_order_relaxed);
  std::atomic_ref<T>(out[2]).fetch_and(static_cast<T>(v | T(3)), std::memory_order_acquire);
  std::atomic_ref<T>(out[3]).fetch_or(static_cast<T>(v & T(0x5a)), std::memory_order_release);
  std::atomic_ref<T>(out[4]).fetch_xor(v, std::memory_order_acq_rel);
  spirea::atomic_ref<T>(out[5]).fetch_min(v);
  spirea::atomic_ref<T>(out[6]).fetch_max(v);
  spirea::atomic_ref<T>(out[7]) += v;
  ++spirea::atomic_ref<T>(out[8]);
  std::atomic_ref<T> product(out[9]);  // no operation of its own: odd numbers, so that nothing is lost
  T before = product.load();
  while (!product.compare_exchange_weak(before, static_cast<T>(before * (v | 1)))) {
  }
}

template <class T>
Array<T> initial() {
  return array<T>({1, 2, static_cast<T>(-1), 0, 5, static_cast<T>(100), static_cast<T>(3), 0, 0, 1});
}

/// Whatever the order, all numbers but the last one come back from an exchange: the last invocation to have
/// done its part puts the two together.
template <class T>
[[spirea::kernel]] void exchanges(std::span<const T> in, std::span<T> out, std::span<u32> done) {
  const u32 i = spirea::global_id().x;
  if (i >= in.size()) return;
  const T last = std::atomic_ref<T>(out[0]).exchange(in[i], std::memory_order_acq_rel);
  std::atomic_ref<T>(out[1]).fetch_xor(last, std::memory_order_acq_rel);
  if (std::atomic_ref(done[0]).fetch_add(1, std::memory_order_acq_rel) + 1 != in.size()) return;
  const T rest = spirea::atomic_ref<T>(out[0]).exchange(0);
  out[2] = static_cast<T>(rest ^ std::atomic_ref<T>(out[1]).load());
  std::atomic_ref<T>(out[1]).store(0);
}

template <class T>
[[spirea::kernel]] void shared_operations(std::span<const T> in, std::span<T> out) {
  [[spirea::shared]] static T memory[6];
  const u32 l = spirea::local_index(), i = spirea::global_id().x;
  if (l < 6) memory[l] = l == 4 ? T(100) : T(0);
  spirea::workgroup_barrier();
  const T v = in[i];
  constexpr auto scope = spirea::memory_scope::workgroup;
  spirea::atomic_ref<T, scope>(memory[0]).fetch_add(v, std::memory_order_relaxed);
  spirea::atomic_ref<T, scope>(memory[1]).fetch_or(static_cast<T>(v & 0x33), std::memory_order_relaxed);
  spirea::atomic_ref<T, scope>(memory[2]).fetch_xor(v, std::memory_order_relaxed);
  spirea::atomic_ref<T, scope>(memory[3]).fetch_max(v);
  spirea::atomic_ref<T, scope>(memory[4]).fetch_min(v);
  spirea::atomic_ref<T, scope> sum(memory[5]);
  T before = sum.load(std::memory_order_relaxed);
  while (!sum.compare_exchange_strong(before, static_cast<T>(before + v * 3))) {
  }
  spirea::workgroup_barrier();
  if (l < 6) out[spirea::workgroup_id().x * 6 + l] = spirea::atomic_ref<T, scope>(memory[l]).load();
}

/// Sums of small integers are exact in any order.
template <class T>
[[spirea::kernel]] void float_operations(std::span<const i32> in, std::span<T> out) {
  const u32 i = spirea::global_id().x;
  if (i >= in.size()) return;
  const T v = static_cast<T>(in[i] % 1000);
  std::atomic_ref<T>(out[0]).fetch_add(v, std::memory_order_relaxed);
  std::atomic_ref<T>(out[1]).fetch_sub(v);
  std::atomic_ref<T>(out[2]) += T(0.5);
  spirea::atomic_ref<T>(out[3]).fetch_add(v);
  spirea::atomic_ref<T>(out[4]).fetch_min(v);
  spirea::atomic_ref<T>(out[5]).fetch_max(v);
  spirea::atomic_ref<T>(out[6]) -= T(0.25);
  std::atomic_ref<T>(out[7]).store(T(4));
  T expected = T(4);
  spirea::atomic_ref<T>(out[7]).compare_exchange_strong(expected, T(4));
  out[8] = T(0);
}

template <class T>
[[spirea::kernel, spirea::workgroup_size(64)]] void shared_float_operations(std::span<const i32> in,
                                                                            std::span<T> out) {
  [[spirea::shared]] static T memory[3];
  const u32 l = spirea::local_index(), i = spirea::global_id().x;
  if (l < 3) memory[l] = T(l);
  spirea::workgroup_barrier();
  const T v = static_cast<T>(in[i] % 1000);
  std::atomic_ref<T>(memory[0]).fetch_add(v, std::memory_order_relaxed);
  spirea::atomic_ref<T, spirea::memory_scope::workgroup>(memory[1]).fetch_min(v);
  spirea::atomic_ref<T, spirea::memory_scope::workgroup>(memory[2]).fetch_max(v);
  spirea::workgroup_barrier();
  if (l < 3) out[spirea::workgroup_id().x * 3 + l] = memory[l];
}

/// Each value is handed out once: the order is open, the set is not.
[[spirea::kernel]] void tickets(std::span<u32> counter, std::span<u32> taken) {
  const u32 ticket = std::atomic_ref(counter[0]).fetch_add(1);
  if (ticket < taken.size()) taken[ticket] = ticket * 3 + 1;
}

/// The workgroup that comes last adds up what all wrote (a release and an acquire by fences).
[[spirea::kernel, spirea::workgroup_size(32)]] void last_workgroup(std::span<const u32> in,
                                                                   std::span<u32> partial,
                                                                   std::span<u32> result) {
  [[spirea::shared]] static u32 sum, order;
  const u32 l = spirea::local_index(), g = spirea::workgroup_id().x;
  if (l == 0) sum = 0;
  spirea::workgroup_barrier();
  std::atomic_ref(sum).fetch_add(in[spirea::global_id().x], std::memory_order_relaxed);
  spirea::workgroup_barrier();
  if (l == 0) {
    std::atomic_ref(partial[g]).store(sum, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    order = std::atomic_ref(result[1]).fetch_add(1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_acquire);
  }
  spirea::workgroup_barrier();
  if (order + 1 != spirea::num_workgroups().x || l != 0) return;
  u32 total = 0;
  for (u32& part : partial) total += std::atomic_ref(part).load(std::memory_order_relaxed);
  result[0] = total;
}

/// Atomics on a local variable are plain accesses.
[[spirea::kernel]] void on_locals(std::span<const u32> in, std::span<u32> out) {
  const u32 i = spirea::global_id().x;
  u32 local[2] = {in[i], 1};
  u32& chosen = local[in[i] & 1];
  const u32 before = std::atomic_ref(chosen).fetch_add(5);
  u32 expected = before + 5;
  const bool swapped = std::atomic_ref(chosen).compare_exchange_strong(expected, 77);
  out[i] = local[0] * 3 + local[1] * 5 + before + swapped;
}

template <class T>
void run_integers() {
  run_everywhere<integer_operations<T>>(shape(kCount), random_integers<T>(kCount, 21), initial<T>());
  run_everywhere<exchanges<T>>(shape(kCount), random_integers<T>(kCount, 29), array(std::vector<T>(3)),
                               array(std::vector<u32>(1)));
}

}  // namespace

EXECUTION_TEST(atomic_histogram) {
  run_everywhere<histogram>(shape(kCount), random_integers<u32>(kCount, 20), array(std::vector<u32>(17)));
}
EXECUTION_TEST(atomic_histogram_by_workgroup) {
  run_everywhere<histogram_by_workgroup>({{kCount, 1, 1}, {64, 1, 1}, true}, random_integers<u32>(kCount, 20),
                                         array(std::vector<u32>(17)));
}
#define INTEGER_TEST(type)                                                                    \
  EXECUTION_TEST(atomic_operations_##type) {                                                  \
    run_everywhere<shared_operations<type>>(shape(64 * 5), random_integers<type>(64 * 5, 22), \
                                            output<type>(30));                                \
    run_integers<type>();                                                                     \
  }
INTEGER_TEST(u8)
INTEGER_TEST(i8)
INTEGER_TEST(u16)
INTEGER_TEST(i16)
INTEGER_TEST(u32)
INTEGER_TEST(i32)
INTEGER_TEST(u64)
INTEGER_TEST(i64)
EXECUTION_TEST(atomic_operations_float) {
  run_everywhere<float_operations<float>>(shape(kCount), random_integers<i32>(kCount, 23),
                                          array(std::vector<float>(9)));
  run_everywhere<shared_float_operations<float>>({{320, 1, 1}, {64, 1, 1}, true},
                                                 random_integers<i32>(320, 24), output<float>(15));
}
EXECUTION_TEST(atomic_operations_double) {
  run_everywhere<float_operations<double>>(shape(kCount), random_integers<i32>(kCount, 25),
                                           array(std::vector<double>(9)));
  run_everywhere<shared_float_operations<double>>({{320, 1, 1}, {64, 1, 1}, true},
                                                  random_integers<i32>(320, 26), output<double>(15));
}
EXECUTION_TEST(atomic_tickets) {
  run_everywhere<tickets>(shape(640), array(std::vector<u32>(1)), output<u32>(600));
}
EXECUTION_TEST(atomic_last_workgroup) {
  run_everywhere<last_workgroup>({{32 * 9, 1, 1}, {32, 1, 1}, true}, random_integers<u32>(32 * 9, 27),
                                 array(std::vector<u32>(9)), array(std::vector<u32>(2)));
}
EXECUTION_TEST(atomics_on_local_variables) {
  run_everywhere<on_locals>(shape(192), random_integers<u32>(192, 28), output<u32>(192));
}
