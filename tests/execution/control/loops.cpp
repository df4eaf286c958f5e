// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of every form, and how they end.
#include <array>
#include <utility>

#include "tests/execution/harness.h"

using namespace execution;

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

u32 loop_without_condition(u32 x) {
  u32 n = 0;
  for (;;) {
    x = x % 2 == 0 ? x / 2 : (x >> 1) + 77;
    if (++n == 40 || x < 5) break;
  }
  return x + n * 1000;
}

u32 loop_of_assignments(u32 x) {
  u32 next, n = 0;
  while ((next = x >> 3) != 0 && ++n < 9) x = next;
  return x + n * 100;
}

u32 loop_with_two_variables(u32 x) {
  u32 hash = 0;
  for (u32 low = 0, high = 20 + x % 5; low < high; ++low, high -= 2) hash = mix(hash, low * 32 + high);
  return hash;
}

u32 loop_of_signed_steps(u32 x) {
  u32 hash = 0;
  const int start = static_cast<int>(x % 40) - 20;
  for (int k = start; k >= -30; k -= 7) hash = mix(hash, static_cast<u32>(k));
  for (int k = -3; k <= start; k += 4) hash = mix(hash, static_cast<u32>(k * k));
  return hash;
}

u32 loop_counting_in_8_bits(u32 x) {
  std::uint8_t k = static_cast<std::uint8_t>(x);
  u32 n = 0;
  do n += k ^ 1;
  while (++k != 0);
  return n;
}

u64 loop_counting_in_64_bits(u64 x) {
  u64 sum = 0;
  for (u64 k = x; k - x < 10; ++k) sum += k * k;
  for (std::int64_t k = -5; k < static_cast<std::int64_t>(x % 7); ++k) sum ^= static_cast<u64>(k);
  return sum;
}

u32 loop_with_values_after_it(u32 x) {
  u32 k = 0, last = 0, before = 0;
  for (; k < 30; ++k) {
    before = last;
    last = x >> k;
    if (last < 100) break;
  }
  return mix(mix(k, last), before);
}

u32 do_while_with_continue(u32 x) {
  u32 n = 0, hash = 0;
  do {
    ++n;
    if ((x >> n & 1) != 0) continue;
    hash = mix(hash, n);
  } while (n < 12 && hash % 11 != 5);
  return hash + n;
}

u32 loop_over_an_initializer_list(u32 x) {
  u32 hash = 0;
  for (const u32 v : {x, x + 5, x >> 3, 7u}) hash = mix(hash, v);
  return hash;
}

u32 loop_over_an_array_with_initializer(u32 x) {
  u32 hash = 0;
  for (std::array<u32, 5> values{1, x, 3, x * 2, 5}; u32 & v : values) {
    v += hash;
    hash = mix(hash, v);
  }
  return hash;
}

struct Countdown {
  u32 from;
  struct Iterator {
    u32 at;
    u32 operator*() const { return at; }
    Iterator& operator++() {
      at -= at % 3 == 0 ? 2 : 1;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return at > other.at; }
  };
  Iterator begin() const { return {from}; }
  Iterator end() const { return {2}; }
};

u32 loop_over_a_class(u32 x) {
  u32 hash = 0;
  for (const u32 v : Countdown{x % 40}) hash = mix(hash, v);
  return hash;
}

u32 return_from_three_loops(u32 x) {
  for (u32 a = 1; a < 12; ++a)
    for (u32 b = a; b < 12; ++b)
      for (u32 c = b; c < 15; ++c)
        if (a * a + b * b == c * c && (x + c) % 4 == 0) return a * 10000 + b * 100 + c;
  return 1;
}

u32 break_by_lambda(u32 x) {
  const auto find = [&](u32 wanted) -> u32 {
    for (u32 a = 0; a < 10; ++a)
      for (u32 b = 0; b < 10; ++b)
        if ((a * 7 + b * x) % 31 == wanted) return a * 16 + b;
    return 999;
  };
  return find(x % 31) * 1000 + find(3);
}

u32 conditions_with_effects(u32 x) {
  u32 calls = 0;
  const auto test = [&](u32 bit) {
    ++calls;
    return (x >> bit & 1) != 0;
  };
  u32 v = 0;
  if (test(0) && (test(1) || test(2)) && !test(3)) v = 1;
  if (test(4) || (test(5) && test(6))) v += 2;
  v += test(7) ? (test(8) ? 10 : 20) : test(9) ? 30 : 40;
  while (test(calls % 30) && calls < 25) ++v;
  return v * 100 + calls;
}

u32 comma_and_conditional_lvalues(u32 x) {
  u32 a = x, b = 3;
  (x % 2 == 0 ? a : b) += 5;
  const u32 c = (a ^= b, a + 1);
  ((x & 4) != 0 ? b : a) = c;
  return mix(a, b);
}

u32 loops_that_never_run(u32 x) {
  u32 v = x;
  for (u32 k = x | 1; k == 0; ++k) v = 5;
  while (v + 1 == v) v = 6;
  do v += 1;
  while (false);
  if constexpr (sizeof(u32) == 8)
    while (true) v = 7;
  return v;
}

u32 unreachable_code(u32 x) {
  switch (x % 3) {
    case 0: return 5;
    case 1: return x;
    case 2: return x * 2;
  }
  __builtin_unreachable();
}

u32 likely_branches(u32 x) {
  u32 v = x;
  if (x % 7 == 0) [[unlikely]]
    v = 1;
  else [[likely]]
    v += 9;
  return __builtin_expect(v == 1, 0) ? 3 : v;
}

u32 collatz(u32 x) {
  u64 v = x % 100000 + 1;
  u32 n = 0;
  while (v != 1) v = v % 2 == 0 ? v / 2 : v * 3 + 1, ++n;
  return n;
}

}  // namespace

EXECUTION_TEST(loop_without_condition) { run_map<loop_without_condition>(); }
EXECUTION_TEST(loop_of_assignments) { run_map<loop_of_assignments>(); }
EXECUTION_TEST(loop_with_two_variables) { run_map<loop_with_two_variables>(); }
EXECUTION_TEST(loop_of_signed_steps) { run_map<loop_of_signed_steps>(); }
EXECUTION_TEST(loop_counting_in_8_bits) { run_map<loop_counting_in_8_bits>(); }
EXECUTION_TEST(loop_counting_in_64_bits) { run_map<loop_counting_in_64_bits>(); }
EXECUTION_TEST(loop_with_values_after_it) { run_map<loop_with_values_after_it>(); }
EXECUTION_TEST(do_while_with_continue) { run_map<do_while_with_continue>(); }
EXECUTION_TEST(loop_over_an_initializer_list) { run_map<loop_over_an_initializer_list>(); }
EXECUTION_TEST(loop_over_an_array_with_initializer) { run_map<loop_over_an_array_with_initializer>(); }
EXECUTION_TEST(loop_over_a_class) { run_map<loop_over_a_class>(); }
EXECUTION_TEST(return_from_three_loops) { run_map<return_from_three_loops>(); }
EXECUTION_TEST(break_by_lambda) { run_map<break_by_lambda>(); }
EXECUTION_TEST(conditions_with_effects) { run_map<conditions_with_effects>(); }
EXECUTION_TEST(comma_and_conditional_lvalues) { run_map<comma_and_conditional_lvalues>(); }
EXECUTION_TEST(loops_that_never_run) { run_map<loops_that_never_run>(); }
EXECUTION_TEST(unreachable_code) { run_map<unreachable_code>(); }
EXECUTION_TEST(likely_branches) { run_map<likely_branches>(); }
EXECUTION_TEST(collatz) { run_map<collatz>(); }
