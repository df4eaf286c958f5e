// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// <algorithm> and <numeric> over local arrays and device memory.
#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <span>

#include "tests/execution/harness.h"

using namespace execution;

namespace {

using u32 = std::uint32_t;

template <std::size_t N>
std::array<u32, N> sequence(u32 x, u32 range = 1000) {
  std::array<u32, N> v{};
  for (u32& e : v) e = (x = x * 1664525u + 1013904223u) >> 10, e %= range;
  return v;
}
template <class Range>
u32 hash_of(const Range& range) {
  u32 hash = 0;
  for (const u32 v : range) hash = mix(hash, v);
  return hash;
}

u32 nth_element(u32 x) {
  auto v = sequence<25>(x);
  const auto n = x % 25;
  std::nth_element(v.begin(), v.begin() + n, v.end());
  u32 below = 0;
  for (u32 k = 0; k < n; ++k) below += v[k];
  return mix(v[n], below);
}
u32 partial_sort(u32 x) {
  auto v = sequence<20>(x);
  std::partial_sort(v.begin(), v.begin() + 6, v.end());
  return hash_of(std::span(v).first<6>());
}
u32 heaps(u32 x) {
  auto v = sequence<15>(x);
  std::make_heap(v.begin(), v.end());
  u32 hash = std::is_heap(v.begin(), v.end()) ? 1 : 0;
  std::pop_heap(v.begin(), v.end());
  hash = mix(hash, v.back());
  v.back() = x % 700;
  std::push_heap(v.begin(), v.end());
  std::sort_heap(v.begin(), v.end());
  return mix(hash, hash_of(v));
}
u32 rotate(u32 x) {
  auto v = sequence<11>(x);
  const auto at = std::rotate(v.begin(), v.begin() + x % 12, v.end());
  return mix(hash_of(v), static_cast<u32>(at - v.begin()));
}
u32 reverse_and_swap_ranges(u32 x) {
  auto v = sequence<14>(x);
  std::reverse(v.begin() + x % 4, v.end());
  std::swap_ranges(v.begin(), v.begin() + 5, v.begin() + 7);
  std::array<u32, 14> copy{};
  std::reverse_copy(v.begin(), v.end(), copy.begin());
  std::iter_swap(copy.begin(), copy.begin() + x % 14);
  return hash_of(copy);
}
u32 unique_and_remove(u32 x) {
  auto v = sequence<24>(x, 4);
  auto end = std::unique(v.begin(), v.end());
  end = std::remove_if(v.begin(), end, [x](u32 e) { return e == x % 4; });
  end = std::remove(v.begin(), end, 3u);
  u32 hash = static_cast<u32>(end - v.begin());
  for (auto it = v.begin(); it != end; ++it) hash = mix(hash, *it);
  return hash;
}
u32 partition(u32 x) {
  auto v = sequence<20>(x);
  const auto middle = std::partition(v.begin(), v.end(), [](u32 e) { return e % 3 == 0; });
  u32 sums[2] = {};
  for (auto it = v.begin(); it != v.end(); ++it) sums[it < middle ? 0 : 1] += *it;
  return mix(sums[0], sums[1]) + static_cast<u32>(middle - v.begin());
}
u32 permutations(u32 x) {
  std::array<u32, 6> v{1, 2, 3, 4, 5, 6};
  for (u32 k = 0; k < x % 60; ++k) std::next_permutation(v.begin(), v.end());
  u32 hash = hash_of(v);
  std::prev_permutation(v.begin(), v.end());
  return mix(hash, hash_of(v)) + (std::is_permutation(v.begin(), v.end(), v.rbegin()) ? 1 : 0);
}
u32 minima_and_maxima(u32 x) {
  const auto v = sequence<13>(x);
  const auto [low, high] = std::minmax_element(v.begin(), v.end());
  const auto first = std::min_element(v.begin(), v.end(), [](u32 a, u32 b) { return a % 10 < b % 10; });
  return mix(*low + *high * 3, static_cast<u32>(high - low)) + *first + std::max({x, 5u, v[3]}) +
         std::clamp(x, 3u, 90u);
}
u32 searches(u32 x) {
  const auto v = sequence<20>(x, 6);
  const std::array<u32, 2> pattern{v[9], v[10]};
  u32 hash = static_cast<u32>(std::find(v.begin(), v.end(), 4u) - v.begin());
  hash = mix(hash,
             static_cast<u32>(std::search(v.begin(), v.end(), pattern.begin(), pattern.end()) - v.begin()));
  hash = mix(hash,
             static_cast<u32>(std::find_end(v.begin(), v.end(), pattern.begin(), pattern.end()) - v.begin()));
  hash = mix(hash, static_cast<u32>(std::adjacent_find(v.begin(), v.end()) - v.begin()));
  hash = mix(hash, static_cast<u32>(std::search_n(v.begin(), v.end(), 2, 3u) - v.begin()));
  hash = mix(hash, static_cast<u32>(std::find_first_of(v.begin(), v.end(), pattern.begin(), pattern.end()) -
                                    v.begin()));
  return hash;
}
u32 counts_and_tests(u32 x) {
  const auto v = sequence<20>(x, 50);
  const auto odd = [](u32 e) { return e % 2 == 1; };
  return static_cast<u32>(std::count(v.begin(), v.end(), 7u) + std::count_if(v.begin(), v.end(), odd) * 10) +
         (std::all_of(v.begin(), v.begin() + 2, odd) ? 1000u : 0) +
         (std::any_of(v.begin(), v.begin() + 3, odd) ? 2000u : 0) +
         (std::none_of(v.begin(), v.begin() + 2, odd) ? 4000u : 0) +
         (std::is_sorted(v.begin(), v.begin() + 3) ? 8000u : 0);
}
u32 copies_and_fills(u32 x) {
  const auto v = sequence<10>(x);
  std::array<u32, 24> out{};
  auto to = std::copy(v.begin(), v.end(), out.begin());
  to = std::copy_if(v.begin(), v.end(), to, [](u32 e) { return e % 2 == 0; });
  std::fill_n(to, 2, x);
  std::copy_backward(out.begin(), out.begin() + 8, out.begin() + 12);
  std::replace_if(
      out.begin(), out.end(), [](u32 e) { return e > 900; }, 1u);
  std::generate_n(out.begin() + 20, 3, [n = x]() mutable { return n = n * 3 + 1; });
  return hash_of(out);
}
u32 transforms(u32 x) {
  const auto a = sequence<9>(x), b = sequence<9>(x + 1);
  std::array<u32, 9> out{};
  std::transform(a.begin(), a.end(), b.begin(), out.begin(), std::multiplies<>());
  std::transform(out.begin(), out.end(), out.begin(), [x](u32 v) { return v ^ x; });
  std::for_each(out.begin(), out.end(), [n = 0u](u32& v) mutable { v += n++; });
  return hash_of(out);
}
u32 numeric_folds(u32 x) {
  const auto a = sequence<10>(x), b = sequence<10>(x * 3);
  u32 hash = std::accumulate(a.begin(), a.end(), x, [](u32 s, u32 v) { return s * 3 + v; });
  hash = mix(hash, std::inner_product(a.begin(), a.end(), b.begin(), 7u));
  hash = mix(hash, std::reduce(a.begin(), a.end(), 1u));
  return mix(hash, std::transform_reduce(a.begin(), a.end(), b.begin(), 0u));
}
u32 numeric_scans(u32 x) {
  const auto a = sequence<10>(x);
  std::array<u32, 10> out{};
  std::partial_sum(a.begin(), a.end(), out.begin());
  u32 hash = hash_of(out);
  std::exclusive_scan(a.begin(), a.end(), out.begin(), x);
  hash = mix(hash, hash_of(out));
  std::inclusive_scan(out.begin(), out.end(), out.begin());
  std::adjacent_difference(out.begin(), out.end(), out.begin());
  std::iota(out.begin(), out.begin() + 3, x);
  return mix(hash, hash_of(out));
}
u32 numeric_functions(u32 x) {
  const u32 a = x % 10000 + 1, b = (x >> 7) % 5000 + 1;
  return mix(std::gcd(a, b), std::lcm(a % 300 + 1, b % 300 + 1)) + std::midpoint(a, b) +
         std::midpoint(static_cast<int>(a), -5);
}

u32 sort_of_few(u32 x) {
  auto v = sequence<12>(x);
  std::sort(v.begin(), v.end());
  return hash_of(v);
}

u32 sort_of_many(u32 x) {
  auto v = sequence<50>(x);
  std::sort(v.begin(), v.end(),
            [](u32 a, u32 b) { return a % 100 < b % 100 || (a % 100 == b % 100 && a < b); });
  return hash_of(v);
}

u32 sort_by_greater(u32 x) {
  auto v = sequence<20>(x);
  std::sort(v.begin() + x % 5, v.end() - x % 3, std::greater<>());
  return hash_of(v);
}

u32 binary_searches(u32 x) {
  auto v = sequence<16>(x, 30);
  std::sort(v.begin(), v.end());
  const auto low = std::lower_bound(v.begin(), v.end(), x % 30),
             high = std::upper_bound(v.begin(), v.end(), x % 30);
  const auto [a, b] = std::equal_range(v.begin(), v.end(), 15u);
  return static_cast<u32>((low - v.begin()) * 1000 + (high - low) * 100 + (b - a)) +
         (std::binary_search(v.begin(), v.end(), 7u) ? 50 : 0);
}

u32 merges_and_sets(u32 x) {
  auto a = sequence<8>(x, 20);
  auto b = sequence<10>(~x, 20);
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  std::array<u32, 18> out{};
  std::merge(a.begin(), a.end(), b.begin(), b.end(), out.begin());
  u32 hash = hash_of(out);
  for (u32 k = 0; k < 4; ++k) {
    out.fill(0);
    auto* end = k == 0   ? std::set_union(a.begin(), a.end(), b.begin(), b.end(), out.data())
                : k == 1 ? std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), out.data())
                : k == 2 ? std::set_difference(a.begin(), a.end(), b.begin(), b.end(), out.data())
                         : std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), out.data());
    hash = mix(hash, hash_of(out) + static_cast<u32>(end - out.data()));
  }
  return hash + (std::includes(a.begin(), a.end(), b.begin(), b.begin() + 1) ? 1 : 0);
}

u32 comparisons_of_ranges(u32 x) {
  const auto a = sequence<8>(x, 2), b = sequence<8>(x / 2, 2);
  const auto [p, q] = std::mismatch(a.begin(), a.end(), b.begin());
  return static_cast<u32>(p - a.begin()) * 10 + (std::equal(a.begin(), a.end(), b.begin()) ? 1 : 0) +
         (std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end()) ? 2 : 0) + (a < b ? 4 : 0) +
         (q == b.end() ? 8 : 0);
}

/// Each invocation works on a block of its own in device memory: what loops load from there leaves them, from
/// nests of loops that each invocation leaves at another time.
constexpr u32 kBlock = 40;
template <auto Algorithm>
[[spirea::kernel]] void blockwise(std::span<u32> data) {
  const auto i = spirea::global_id().x;
  if (i < data.size() / kBlock) Algorithm(data.subspan(i * kBlock, kBlock));
}
template <auto Algorithm>
void run_blockwise() {
  run_everywhere<blockwise<Algorithm>>(shape(48), random_integers<u32>(48 * kBlock, 29));
}
void sort_block(std::span<u32> v) { std::sort(v.begin(), v.end()); }
void sort_block_by_last_digit(std::span<u32> v) {
  std::sort(v.begin(), v.end(), [](u32 a, u32 b) { return a % 10 > b % 10 || (a % 10 == b % 10 && a < b); });
}
void select_in_block(std::span<u32> v) { std::nth_element(v.begin(), v.begin() + 17, v.end()); }
void sort_part_of_block(std::span<u32> v) { std::partial_sort(v.begin(), v.begin() + 11, v.end()); }
void partition_block(std::span<u32> v) {
  const auto middle = std::partition(v.begin(), v.end(), [](u32 x) { return x % 3 == 1; });
  if (middle != v.end()) *middle = static_cast<u32>(middle - v.begin());
}
void heap_block(std::span<u32> v) {
  std::make_heap(v.begin(), v.end());
  std::sort_heap(v.begin(), v.end());
}
void partition_block_stably(std::span<u32> v) {
  for (auto first = v.begin(); first != v.end(); ++first) {
    auto next = std::find_if(first, v.end(), [](u32 x) { return x % 4 < 2; });
    if (next == v.end()) break;
    std::rotate(first, next, next + 1);
  }
}

}  // namespace

EXECUTION_TEST(sort_in_device_memory) {
  run_blockwise<sort_block>();
  run_blockwise<sort_block_by_last_digit>();
}
EXECUTION_TEST(nth_element_in_device_memory) { run_blockwise<select_in_block>(); }
EXECUTION_TEST(partial_sort_in_device_memory) { run_blockwise<sort_part_of_block>(); }
EXECUTION_TEST(heap_in_device_memory) { run_blockwise<heap_block>(); }
EXECUTION_TEST(partition_in_device_memory) {
  run_blockwise<partition_block>();
  run_blockwise<partition_block_stably>();
}
EXECUTION_TEST(nth_element) { run_map<nth_element>(); }
EXECUTION_TEST(partial_sort) { run_map<partial_sort>(); }
EXECUTION_TEST(heaps) { run_map<heaps>(); }
EXECUTION_TEST(rotate) { run_map<rotate>(); }
EXECUTION_TEST(reverse_and_swap_ranges) { run_map<reverse_and_swap_ranges>(); }
EXECUTION_TEST(unique_and_remove) { run_map<unique_and_remove>(); }
EXECUTION_TEST(partition) { run_map<partition>(); }
EXECUTION_TEST(permutations) { run_map<permutations>(); }
EXECUTION_TEST(minima_and_maxima) { run_map<minima_and_maxima>(); }
EXECUTION_TEST(searches) { run_map<searches>(); }
EXECUTION_TEST(counts_and_tests) { run_map<counts_and_tests>(); }
EXECUTION_TEST(copies_and_fills) { run_map<copies_and_fills>(); }
EXECUTION_TEST(transforms) { run_map<transforms>(); }
EXECUTION_TEST(numeric_folds) { run_map<numeric_folds>(); }
EXECUTION_TEST(numeric_scans) { run_map<numeric_scans>(); }
EXECUTION_TEST(numeric_functions) { run_map<numeric_functions>(); }
EXECUTION_TEST(sort_of_few) { run_map<sort_of_few>(); }
EXECUTION_TEST(sort_of_many) { run_map<sort_of_many>(); }
EXECUTION_TEST(sort_by_greater) { run_map<sort_by_greater>(); }
EXECUTION_TEST(binary_searches) { run_map<binary_searches>(); }
EXECUTION_TEST(merges_and_sets) { run_map<merges_and_sets>(); }
EXECUTION_TEST(comparisons_of_ranges) { run_map<comparisons_of_ranges>(); }
