// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bodies that are deep or long: 200 levels of statements in each other, 10,000 operations one after the
// other, hundreds of accesses of one array.
#include <cstring>
#include <type_traits>
#include <utility>

#include "tests/execution/harness.h"

using namespace execution;

namespace {

using u32 = std::uint32_t;

#define LOOP(n, inner)                        \
  for (;;) {                                  \
    if (fuel == 0 || x % (n + 9) == 1) break; \
    --fuel;                                   \
    x = mix(x, n);                            \
    inner if ((x >> 9 & 1) != 0) break;       \
    if ((x >> 12 & 7) == 0) continue;         \
    x += 7;                                   \
  }
#define LOOP_10(n, inner)   \
  LOOP(                     \
      n + 0,                \
      LOOP(n + 1,           \
           LOOP(n + 2,      \
                LOOP(n + 3, \
                     LOOP(n + 4, LOOP(n + 5, LOOP(n + 6, LOOP(n + 7, LOOP(n + 8, LOOP(n + 9, inner))))))))))

u32 loops_50_deep(u32 x) {
  u32 fuel = 300;
  LOOP_10(0, LOOP_10(10, LOOP_10(20, LOOP_10(30, LOOP_10(40, x ^= fuel;)))))
  return mix(x, fuel);
}

#define OUTER_LOOP(n, inner)                          \
  for (u32 turn = 0; turn < 2 && fuel != 0; ++turn) { \
    --fuel;                                           \
    if (x % (n + 5) == 2) goto out;                   \
    inner x += n;                                     \
  }
#define OUTER_LOOP_10(n, inner)             \
  OUTER_LOOP(                               \
      n + 0,                                \
      OUTER_LOOP(                           \
          n + 1,                            \
          OUTER_LOOP(                       \
              n + 2,                        \
              OUTER_LOOP(                   \
                  n + 3,                    \
                  OUTER_LOOP(               \
                      n + 4,                \
                      OUTER_LOOP(           \
                          n + 5,            \
                          OUTER_LOOP(n + 6, \
                                     OUTER_LOOP(n + 7, OUTER_LOOP(n + 8, OUTER_LOOP(n + 9, inner))))))))))

u32 goto_out_of_40_loops(u32 x) {
  u32 fuel = 200;
  OUTER_LOOP_10(0, OUTER_LOOP_10(10, OUTER_LOOP_10(20, OUTER_LOOP_10(30, x = mix(x, fuel);))))
  x ^= 0x5555;
out:
  return mix(x, fuel);
}

#define STEP(n)                       \
  a = (a ^ b) * 0x9e3779b1u + n;      \
  b = (b << 7 | b >> 25) + (a >> 11); \
  c = c - a * 3 + (b & 0xffff);       \
  a ^= c >> 5;
#define STEP_10(n) \
  STEP(n)          \
  STEP(n + 1) STEP(n + 2) STEP(n + 3) STEP(n + 4) STEP(n + 5) STEP(n + 6) STEP(n + 7) STEP(n + 8) STEP(n + 9)
#define STEP_100(n) \
  STEP_10(n)        \
  STEP_10(n + 10)   \
  STEP_10(n + 20)   \
  STEP_10(n + 30)   \
  STEP_10(n + 40) STEP_10(n + 50) STEP_10(n + 60) STEP_10(n + 70) STEP_10(n + 80) STEP_10(n + 90)

u32 body_of_10000_operations(u32 x) {  // 13 a step
  u32 a = x, b = ~x, c = x >> 3;
  STEP_100(0)
  STEP_100(100)
  STEP_100(200)
  STEP_100(300) STEP_100(400) STEP_100(500) STEP_100(600) STEP_100(700) return mix(mix(a, b), c);
}

u32 many_live_values(u32 x) {
  u32 v[48];
  for (u32 k = 0; k < 48; ++k) v[k] = x = x * 1664525u + 1013904223u;
  for (u32 round = 0; round < 3; ++round)
    for (u32 k = 0; k < 48; ++k) v[k] ^= v[(k + 17) % 48] + v[47 - k];
  u32 hash = 0;
  for (u32 k = 0; k < 48; ++k) hash = mix(hash, v[k]);
  return hash;
}

/// step(0), step(1), ..., each in a place of its own.
template <u32... k>
void each_of(std::integer_sequence<u32, k...>, auto step) {
  (step(std::integral_constant<u32, k>{}), ...);
}

u32 many_accesses_of_an_array(u32 x) {
  u32 values[64] = {}, seen[64] = {1, 2, 3, 5, 8, 13};
  u32* last = values;
  each_of(std::make_integer_sequence<u32, 300>{}, [&](auto k) {
    values[(x + k) & 63] += x * (2 * k + 1);
    last = &values[(x >> (k % 20 + 3)) & 63];
    x ^= *last + seen[(x >> 7) & 63];
    if constexpr (k % 50 == 49) std::memcpy(seen + 8, values + (x & 15), 16 * sizeof(u32));
  });
  *last += 3;
  for (u32 k = 0; k < 64; ++k) x = mix(x, values[k] - seen[k]);
  return x;
}

u32 many_accesses_of_a_constant_array(u32 x) {
  static constexpr u32 primes[16] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};
  u32 copy[16];
  std::memcpy(copy, primes, sizeof copy);
  each_of(std::make_integer_sequence<u32, 300>{}, [&](auto k) { x = x * copy[(x >> (k % 28)) & 15] + k; });
  return x;
}

}  // namespace

EXECUTION_TEST(loops_50_deep) { run_map<loops_50_deep>(); }
EXECUTION_TEST(goto_out_of_40_loops) { run_map<goto_out_of_40_loops>(); }
EXECUTION_TEST(body_of_10000_operations) { run_map<body_of_10000_operations>(); }
EXECUTION_TEST(many_live_values) { run_map<many_live_values>(); }
EXECUTION_TEST(many_accesses_of_an_array) { run_map<many_accesses_of_an_array>(); }
EXECUTION_TEST(many_accesses_of_a_constant_array) { run_map<many_accesses_of_a_constant_array>(); }
