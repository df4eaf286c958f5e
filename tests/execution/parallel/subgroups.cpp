// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Subgroup operations. How large a subgroup is, only the device knows, so the kernels compare themselves:
// each invocation puts its value into workgroup memory, computes from there what the operation should give,
// and counts the differences. A device is right if there are none.
#include <limits>
#include <string>
#include <type_traits>

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

constexpr u32 kGroup = 64;
constexpr u32 kSlots = 256;  // lanes of all subgroups, inactive ones included

/// A value of an invocation: small, of both signs, no two neighbours alike. A plain conversion, broadcast,
/// makes Mesa 22.3 (LLVM 15) abort in its code generator.
template <class T>
T value_of(u32 seed) {
  const u32 bits = mix(seed, 0x9e37u) >> 7;
  if constexpr (std::is_floating_point_v<T>)
    return T(0.5) * static_cast<T>(static_cast<i32>(bits % 41) - 20);  // exact in sums of any order
  else
    return static_cast<T>(bits);
}

/// What the invocations of the workgroup have, by subgroup and lane.
template <class T>
struct Lanes {
  const T* values;
  const u8* active;
  u32 first, size, lane;

  bool has(u32 other) const { return other < size && active[first + other] != 0; }
  T operator[](u32 other) const { return values[first + other]; }
};

/// Publishes the values of those that take part.
template <class T>
Lanes<T> publish(T value, bool takes_part) {
  [[spirea::shared]] static T values[kSlots];
  [[spirea::shared]] static u8 active[kSlots];
  const u32 size = spirea::subgroup_size(), first = spirea::subgroup_id() * size;
  spirea::workgroup_barrier();
  for (u32 i = spirea::local_index(); i < kSlots; i += kGroup) active[i] = 0;
  spirea::workgroup_barrier();
  values[first + spirea::subgroup_lane()] = value;
  active[first + spirea::subgroup_lane()] = takes_part;
  spirea::workgroup_barrier();
  return {values, active, first, size, spirea::subgroup_lane()};
}

template <class T, class F>
T over(const Lanes<T>& lanes, u32 from, u32 to, T identity, F&& combine) {
  T result = identity;
  for (u32 lane = from; lane < to; ++lane)
    if (lanes.has(lane)) result = combine(result, lanes[lane]);
  return result;
}

template <class T>
constexpr T largest() {
  return std::is_floating_point_v<T> ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
}
template <class T>
constexpr T smallest() {
  return std::is_floating_point_v<T> ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::min();
}

/// An operation: its identity, how it combines `a` and `b`, and the size of clusters that it is tested with.
#define OPERATION(Name, name, identity_value, combined, cluster) \
  struct Name {                                                  \
    template <class T>                                           \
    static T identity() {                                        \
      return static_cast<T>(identity_value);                     \
    }                                                            \
    template <class T>                                           \
    static T combine(T a, T b) {                                 \
      return static_cast<T>(combined);                           \
    }                                                            \
    template <class T>                                           \
    static T all(T v) {                                          \
      return spirea::subgroup_##name(v);                         \
    }                                                            \
    template <class T>                                           \
    static T inclusive(T v) {                                    \
      return spirea::subgroup_inclusive_##name(v);               \
    }                                                            \
    template <class T>                                           \
    static T exclusive(T v) {                                    \
      return spirea::subgroup_exclusive_##name(v);               \
    }                                                            \
    template <class T>                                           \
    static T clustered(T v) {                                    \
      return spirea::subgroup_clustered_##name<cluster>(v);      \
    }                                                            \
  };
OPERATION(Add, add, 0, a + b, 4)
OPERATION(Mul, mul, 1, a* b, 2)
OPERATION(Min, min, largest<T>(), b < a ? b : a, 4)
OPERATION(Max, max, smallest<T>(), b > a ? b : a, 2)
OPERATION(And, and, ~T(0), a& b, 4)
OPERATION(Or, or, 0, a | b, 4)
OPERATION(Xor, xor, 0, a ^ b, 2)
#undef OPERATION

/// Differences of one operation, over those that take part.
template <class Op, class T>
u32 differences(const Lanes<T>& lanes, T value) {
  const auto expected = [&](u32 from, u32 to) {
    return over(lanes, from, to, Op::template identity<T>(), [](T a, T b) { return Op::combine(a, b); });
  };
  u32 wrong = Op::all(value) != expected(0, lanes.size);
  wrong += Op::inclusive(value) != expected(0, lanes.lane + 1);
  wrong += Op::exclusive(value) != expected(0, lanes.lane);
  return wrong;
}

/// Clusters of 2 and 4, which the smallest subgroups of devices have room for. On the host, a subgroup has
/// one.
template <class Op, class T>
u32 clustered_differences(const Lanes<T>& lanes, T value, u32 size) {
  if (lanes.size < size) return 0;
  const u32 from = lanes.lane / size * size;
  const T expected =
      over(lanes, from, from + size, Op::template identity<T>(), [](T a, T b) { return Op::combine(a, b); });
  return Op::clustered(value) != expected;
}

template <class T>
u32 all_differences(const Lanes<T>& lanes, T value) {
  u32 wrong =
      differences<Add>(lanes, value) + differences<Min>(lanes, value) + differences<Max>(lanes, value);
  wrong += clustered_differences<Add>(lanes, value, 4) + clustered_differences<Min>(lanes, value, 4) +
           clustered_differences<Max>(lanes, value, 2);
  if constexpr (std::is_integral_v<T>) {
    wrong += differences<Mul>(lanes, value) + differences<And>(lanes, value) + differences<Or>(lanes, value) +
             differences<Xor>(lanes, value);
    wrong += clustered_differences<Mul>(lanes, value, 2) + clustered_differences<And>(lanes, value, 4) +
             clustered_differences<Or>(lanes, value, 4) + clustered_differences<Xor>(lanes, value, 2);
  }
  return wrong;
}

template <class T>
[[spirea::kernel, spirea::workgroup_size(kGroup)]] void reductions(std::span<u32> wrong) {
  const u32 i = spirea::global_id().x;
  const Lanes<T> everyone = publish(value_of<T>(i), true);
  const T value = everyone[everyone.lane];
  wrong[i] = all_differences(everyone, value);
}

/// The same among those of a branch that others do not take.
template <class T>
[[spirea::kernel, spirea::workgroup_size(kGroup)]] void reductions_in_a_branch(std::span<u32> wrong) {
  const u32 i = spirea::global_id().x;
  const bool takes_part = mix(i, 3) % 3 != 0;
  const Lanes<T> some = publish(value_of<T>(i), takes_part);
  const T value = some[some.lane];
  u32 count = 0;
  if (takes_part) count = all_differences(some, value);
  wrong[i] = count;
}

/// The product of many would be no exact float.
template <class T>
[[spirea::kernel, spirea::workgroup_size(kGroup)]] void float_products(std::span<u32> wrong) {
  const u32 i = spirea::global_id().x;
  const T value = i % 5 == 0 ? T(-1) : i % 3 == 0 ? T(2) : i % 3 == 1 ? T(0.5) : T(1);
  const Lanes<T> everyone = publish(value, true);
  u32 count = differences<Mul>(everyone, value);
  wrong[i] = count + clustered_differences<Mul>(everyone, value, 2);
}

template <class T>
bool same(const T& a, const T& b) {
  return a == b;
}

template <class T>
[[spirea::kernel, spirea::workgroup_size(kGroup)]] void moves(std::span<u32> wrong) {
  const u32 i = spirea::global_id().x;
  const Lanes<T> lanes = publish(value_of<T>(i), true);
  const T value = lanes[lanes.lane];
  const u32 lane = lanes.lane, size = lanes.size;
  u32 count = 0;
  const auto expect = [&](const T& got, u32 from) { count += lanes.has(from) && !same(got, lanes[from]); };
  expect(spirea::subgroup_broadcast_first(value), 0);
  expect(spirea::subgroup_broadcast(value, 0), 0);
  const u32 any = (lane * 5 + 3) % size;
  expect(spirea::subgroup_shuffle(value, any), any);
  expect(spirea::subgroup_shuffle_xor(value, 1), lane ^ 1);
  const T below = spirea::subgroup_shuffle_up(value, 1);
  if (lane >= 1) expect(below, lane - 1);
  const T above = spirea::subgroup_shuffle_down(value, 2);
  if (lane + 2 < size) expect(above, lane + 2);
  expect(spirea::subgroup_rotate(value, 3), (lane + 3) % size);
  if (size >= 4) {
    expect(spirea::subgroup_clustered_rotate<4>(value, 1), (lane & ~3u) | ((lane + 1) & 3));
    expect(spirea::quad_broadcast(value, 2), (lane & ~3u) | 2);
    expect(spirea::quad_swap_horizontal(value), lane ^ 1);
    expect(spirea::quad_swap_vertical(value), lane ^ 2);
    expect(spirea::quad_swap_diagonal(value), lane ^ 3);
  }
  wrong[i] = count;
}

struct Pair {
  double weight;
  u32 index;
  u16 tag;
  friend bool operator==(const Pair&, const Pair&) = default;
};

[[spirea::kernel, spirea::workgroup_size(kGroup)]] void moves_of_structs(std::span<u32> wrong) {
  const u32 i = spirea::global_id().x;
  const Pair value{0.5 * i, i * 3, static_cast<u16>(i ^ 21)};
  const Lanes<u32> lanes = publish(i, true);
  const u32 from = (lanes.lane + 1) % lanes.size;
  const Pair got = spirea::subgroup_shuffle(value, from);
  const u32 j = lanes[from];
  wrong[i] = lanes.has(from) && got != Pair{0.5 * j, j * 3, static_cast<u16>(j ^ 21)};
}

[[spirea::kernel, spirea::workgroup_size(kGroup)]] void votes(std::span<u32> wrong) {
  const u32 i = spirea::global_id().x;
  const bool condition = mix(i, 7) % 4 == 0;
  const Lanes<u32> lanes = publish<u32>(condition, true);
  bool all = true, any = false;
  u64 ballot = 0;
  for (u32 lane = 0; lane < lanes.size; ++lane) {
    if (!lanes.has(lane)) continue;
    all &= lanes[lane] != 0;
    any |= lanes[lane] != 0;
    if (lane < 64) ballot |= u64{lanes[lane]} << lane;
  }
  u32 count = spirea::subgroup_all(condition) != all;
  count += spirea::subgroup_any(condition) != any;
  count += spirea::subgroup_ballot(condition) != ballot;
  count += spirea::subgroup_elect() != (lanes.lane == 0);
  count += !spirea::subgroup_all_equal(lanes.first);
  count += spirea::subgroup_all_equal(lanes.lane) != (lanes.size == 1);
  count += lanes.lane < 64 && spirea::subgroup_inverse_ballot(ballot) != condition;
  count += !spirea::subgroup_all_equal(1.5f) + !spirea::subgroup_all_equal(u64{7});
  wrong[i] = count;
}

[[spirea::kernel, spirea::workgroup_size(kGroup)]] void votes_in_a_branch(std::span<u32> wrong) {
  const u32 i = spirea::global_id().x;
  const bool condition = mix(i, 9) % 2 == 0, takes_part = i % 3 == 1;
  const Lanes<u32> lanes = publish<u32>(condition, takes_part);
  u32 count = 0;
  if (takes_part) {
    u64 ballot = 0;
    u32 first = lanes.size;
    for (u32 lane = lanes.size; lane-- > 0;) {
      if (!lanes.has(lane)) continue;
      first = lane;
      if (lane < 64) ballot |= u64{lanes[lane]} << lane;
    }
    count += spirea::subgroup_ballot(condition) != ballot;
    count += spirea::subgroup_elect() != (lanes.lane == first);
    count += spirea::subgroup_broadcast_first(lanes.lane) != first;
    count += spirea::subgroup_any(condition) != (ballot != 0);
  }
  wrong[i] = count;
}

/// What the functions on a ballot say, bit by bit. Bits of lanes that there are not are set, too.
u32 ballot_differences(u64 ballot, u32 size, u32 lane) {
  u32 total = 0, before = 0, lowest = 64, highest = 64;
  for (u32 i = 0; i < size; ++i) {
    if ((ballot >> i & 1) == 0) continue;
    ++total;
    before += i < lane;
    if (lowest == 64) lowest = i;
    highest = i;
  }
  const bool own = (ballot >> lane & 1) != 0;
  if (size < 64) ballot |= ~u64{0} << size;
  u32 count = spirea::subgroup_ballot_bit_count(ballot) != total;
  count += spirea::subgroup_ballot_exclusive_bit_count(ballot) != before;
  count += spirea::subgroup_ballot_inclusive_bit_count(ballot) != before + own;
  count += spirea::subgroup_ballot_find_lsb(ballot) != lowest;
  count += spirea::subgroup_ballot_find_msb(ballot) != highest;
  count += spirea::subgroup_inverse_ballot(ballot) != own;
  for (u32 i = 0; i < size; ++i)
    count += spirea::subgroup_ballot_bit_extract(ballot, i) != ((ballot >> i & 1) != 0);
  return count;
}

[[spirea::kernel, spirea::workgroup_size(kGroup)]] void ballots(std::span<u32> wrong) {
  const u32 i = spirea::global_id().x, size = spirea::subgroup_size(), lane = spirea::subgroup_lane();
  u32 count = 0;
  for (u32 round = 0; round < 4; ++round)
    count += ballot_differences(spirea::subgroup_ballot(mix(i, round) % (round + 2) == 0), size, lane);
  for (const u64 mask : {u64{0}, ~u64{0}, u64{1}, u64{1} << (size - 1), u64{0x8421842184218421}})
    count += ballot_differences(mask, size, lane);
  u64 lt = 0, eq = 0, gt = 0;
  for (u32 other = 0; other < size; ++other) (other < lane ? lt : other > lane ? gt : eq) |= u64{1} << other;
  count += spirea::subgroup_lt_mask() != lt;
  count += spirea::subgroup_le_mask() != (lt | eq);
  count += spirea::subgroup_eq_mask() != eq;
  count += spirea::subgroup_ge_mask() != (gt | eq);
  count += spirea::subgroup_gt_mask() != gt;
  count += spirea::subgroup_lanes_mask() != (lt | eq | gt);
  wrong[i] = count;
}

/// and, or and xor of conditions, also of vectors of them, and the votes of quads.
[[spirea::kernel, spirea::workgroup_size(kGroup)]] void logical_operations(std::span<u32> wrong) {
  const u32 i = spirea::global_id().x;
  const bool condition = mix(i, 11) % 3 != 0;
  const Lanes<u32> lanes = publish<u32>(condition, true);
  const auto expect = [&](u32 from, u32 to, bool all, bool any, bool odd) {
    u32 set = 0;
    for (u32 lane = from; lane < to; ++lane) set += lanes[lane];
    return u32{all != (set == to - from)} + (any != (set != 0)) + (odd != (set % 2 != 0));
  };
  using namespace spirea;
  u32 count = expect(0, lanes.size, subgroup_and(condition), subgroup_or(condition), subgroup_xor(condition));
  count += expect(0, lanes.lane + 1, subgroup_inclusive_and(condition), subgroup_inclusive_or(condition),
                  subgroup_inclusive_xor(condition));
  count += expect(0, lanes.lane, subgroup_exclusive_and(condition), subgroup_exclusive_or(condition),
                  subgroup_exclusive_xor(condition));
  const vec<bool, 2> both = subgroup_or(vec<bool, 2>(condition, false));
  count += both.x != subgroup_any(condition);
  count += both.y;
  const u32 quad = lanes.lane & ~3u;
  if (lanes.size >= 4) {
    count += expect(quad, quad + 4, subgroup_clustered_and<4>(condition), subgroup_clustered_or<4>(condition),
                    subgroup_clustered_xor<4>(condition));
    count += expect(quad, quad + 4, quad_all(condition), quad_any(condition),
                    subgroup_clustered_xor<4>(condition));
  }
  wrong[i] = count;
}

/// Nothing is before the first: the sum is +0 to the bit, though -0 would change no other sum.
template <class T>
[[spirea::kernel, spirea::workgroup_size(kGroup)]] void first_exclusive_sums(std::span<u32> wrong) {
  const T before = spirea::subgroup_exclusive_add(value_of<T>(spirea::global_id().x));
  const auto bits = __builtin_bit_cast(spirea::detail::number_of<T>, before);
  wrong[spirea::global_id().x] = spirea::subgroup_lane() == 0 && bits != 0;
}

/// Each component of a vector goes its own way.
[[spirea::kernel, spirea::workgroup_size(kGroup)]] void vectors(std::span<u32> wrong) {
  const u32 i = spirea::global_id().x;
  const spirea::float3 v(value_of<float>(i), value_of<float>(i + 1000), 1.0f);
  const spirea::vec<u16, 4> w(value_of<u16>(i), u16(i), u16(3), u16(i ^ 5));
  const u32 from = (spirea::subgroup_lane() + 1) % spirea::subgroup_size();
  u32 count = 0;
  const auto expect = [&](auto got, auto... parts) {
    count += spirea::any(spirea::not_equal(got, decltype(got)(parts...)));
  };
  expect(spirea::subgroup_add(v), spirea::subgroup_add(v.x), spirea::subgroup_add(v.y),
         spirea::subgroup_add(v.z));
  expect(spirea::subgroup_exclusive_max(w), spirea::subgroup_exclusive_max(w.x),
         spirea::subgroup_exclusive_max(w.y), spirea::subgroup_exclusive_max(w.z),
         spirea::subgroup_exclusive_max(w.w));
  expect(spirea::subgroup_inclusive_xor(w), spirea::subgroup_inclusive_xor(w.x),
         spirea::subgroup_inclusive_xor(w.y), spirea::subgroup_inclusive_xor(w.z),
         spirea::subgroup_inclusive_xor(w.w));
  expect(spirea::subgroup_shuffle(v, from), spirea::subgroup_shuffle(v.x, from),
         spirea::subgroup_shuffle(v.y, from), spirea::subgroup_shuffle(v.z, from));
  expect(spirea::subgroup_broadcast_first(w), spirea::subgroup_broadcast_first(w.x),
         spirea::subgroup_broadcast_first(w.y), spirea::subgroup_broadcast_first(w.z),
         spirea::subgroup_broadcast_first(w.w));
  count += spirea::subgroup_all_equal(v) != (spirea::subgroup_size() == 1);
  wrong[i] = count;
}

/// A scan of the workgroup by scans of its subgroups.
[[spirea::kernel, spirea::workgroup_size(kGroup)]] void workgroup_scan(std::span<const u32> in,
                                                                       std::span<u32> out) {
  [[spirea::shared]] static u32 totals[kGroup];
  const u32 i = spirea::global_id().x;
  const u32 scan = spirea::subgroup_inclusive_add(in[i]);
  const u32 sum = spirea::subgroup_add(in[i]);
  if (spirea::subgroup_elect()) totals[spirea::subgroup_id()] = sum;
  spirea::workgroup_barrier();
  u32 before = 0;
  for (u32 s = 0; s < spirea::subgroup_id(); ++s) before += totals[s];
  out[i] = before + scan;
}

[[spirea::kernel, spirea::workgroup_size(kGroup)]] void subgroup_barriers(std::span<u32> wrong) {
  [[spirea::shared]] static u32 slots[kSlots];
  const u32 i = spirea::global_id().x;
  const u32 size = spirea::subgroup_size(), lane = spirea::subgroup_lane();
  u32* const own = slots + spirea::subgroup_id() * size;
  u32 count = 0;
  for (u32 round = 0; round < 5; ++round) {
    own[lane] = lane * 10 + round;
    spirea::subgroup_barrier();
    const u32 from = (lane + round) % size;
    count += own[from] != from * 10 + round;
    spirea::subgroup_barrier();
  }
  wrong[i] = count;
}

[[spirea::kernel]] void own_size(std::span<u32> out) { out[0] = spirea::subgroup_size(); }

/// The size that a kernel demands is the one that it sees.
template <u32 size>
[[spirea::kernel, spirea::workgroup_size(kGroup), spirea::subgroup_size(size)]] void demands_a_size(
    std::span<u32> out) {
  const u32 lanes = spirea::subgroup_add(u32{1}), id = spirea::subgroup_id() * size + spirea::subgroup_lane();
  out[spirea::global_id().x] = spirea::subgroup_size() == size && lanes == size &&
                               spirea::num_subgroups() == kGroup / size && id == spirea::local_index();
}

/// Either the device has the size, or it says that it has not.
template <u32 size>
void run_with_size() {
  on_every_device([](spirea::device& device) {
    spirea::buffer<u32> out(device, std::vector<u32>(kGroup * 2));
    try {
      spirea::launch<demands_a_size<size>>(device, spirea::groups(2), out).wait();
    } catch (const spirea::error& e) {
      expect_refused(device, e, "[[spirea::subgroup_size(" + std::to_string(size) + ")]]");
      return;
    }
    expect_near(out.to_vector(), std::vector<u32>(kGroup * 2, 1));
  });
}

constexpr u32 kCount = kGroup * 3;
const Shape kShape{{kCount, 1, 1}, {kGroup, 1, 1}, true};

}  // namespace

#define TYPE_TEST(type)                                                        \
  EXECUTION_TEST(subgroup_operations_##type) {                                 \
    run_everywhere<reductions<type>>(kShape, output<u32>(kCount));             \
    run_everywhere<reductions_in_a_branch<type>>(kShape, output<u32>(kCount)); \
    run_everywhere<moves<type>>(kShape, output<u32>(kCount));                  \
  }
TYPE_TEST(u8)
TYPE_TEST(i8)
TYPE_TEST(u16)
TYPE_TEST(i16)
TYPE_TEST(u32)
TYPE_TEST(i32)
TYPE_TEST(u64)
TYPE_TEST(i64)
TYPE_TEST(float)
TYPE_TEST(double)

EXECUTION_TEST(subgroup_products_of_floats) {
  run_everywhere<float_products<float>>(kShape, output<u32>(kCount));
  run_everywhere<float_products<double>>(kShape, output<u32>(kCount));
}
EXECUTION_TEST(subgroup_sums_before_the_first) {
  run_everywhere<first_exclusive_sums<float>>(kShape, output<u32>(kCount));
  run_everywhere<first_exclusive_sums<double>>(kShape, output<u32>(kCount));
}
EXECUTION_TEST(subgroup_moves_of_structs) { run_everywhere<moves_of_structs>(kShape, output<u32>(kCount)); }
EXECUTION_TEST(subgroup_votes) { run_everywhere<votes>(kShape, output<u32>(kCount)); }
EXECUTION_TEST(subgroup_ballots) { run_everywhere<ballots>(kShape, output<u32>(kCount)); }
EXECUTION_TEST(subgroup_operations_bool) { run_everywhere<logical_operations>(kShape, output<u32>(kCount)); }
EXECUTION_TEST(subgroup_operations_vectors) { run_everywhere<vectors>(kShape, output<u32>(kCount)); }
EXECUTION_TEST(subgroup_votes_in_a_branch) { run_everywhere<votes_in_a_branch>(kShape, output<u32>(kCount)); }
EXECUTION_TEST(subgroup_scan_of_the_workgroup) {
  run_everywhere<workgroup_scan>(kShape, random_integers<u32>(kCount, 31), output<u32>(kCount));
}
EXECUTION_TEST(subgroup_barriers) { run_everywhere<subgroup_barriers>(kShape, output<u32>(kCount)); }
EXECUTION_TEST(subgroup_size_demanded) {
  run_with_size<4>();
  run_with_size<8>();
  run_with_size<16>();
  run_with_size<32>();
  run_with_size<64>();
}

#ifndef __SPIREA_DEVICE__
// Each interpreter that run.cpp opens is a device of its own, and none the first one again.
TEST(Execution, interpreters_have_their_subgroups) {
  std::vector<u32> sizes;
  for (const TestDevice& entry : test_devices()) {
    if (entry.device == nullptr || !runs_here(entry)) continue;
    if (entry.device->backend() != spirea::backend_kind::interp) continue;
    spirea::buffer<u32> out(*entry.device, 1);
    spirea::launch<own_size>(*entry.device, spirea::grid(1), out).wait();
    sizes.push_back(out.to_vector()[0]);
  }
  if (!sizes.empty()) {
    EXPECT_EQ(sizes, (std::vector<u32>{32, 4, 8, 64}));
  }
}
#endif
