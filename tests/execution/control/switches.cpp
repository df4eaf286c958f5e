// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// switch over every type and shape, from two cases to a thousand.
#include "tests/execution/harness.h"

using namespace execution;

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

u32 switch_on_signed(u32 x) {
  switch (static_cast<int>(x % 9) - 4) {
    case -4: return 1;
    case -1: return x >> 2;
    case 0: return 3;
    case 2: return x * 7;
    case 4: return 11;
    default: return x ^ 5;
  }
}

u64 switch_on_64_bits(u64 x) {
  switch (x & 0x8000000100000003u) {
    case 0: return 1;
    case 1: return x >> 40;
    case 0x100000000u: return 3;
    case 0x8000000100000000u: return x ^ 4;
    case 0x8000000100000003u: return 5;
    case 0x8000000000000002u: return x * 6;
    default: return 7;
  }
}

u32 switch_on_char(u32 x) {
  switch (static_cast<char>('a' + x % 26)) {
    case 'a':
    case 'e':
    case 'i':
    case 'o':
    case 'u': return 1;
    case 'y': return 2;
    case 'p' ... 's': return 3;
    default: return 0;
  }
}

enum class Color : std::uint8_t { Red, Green = 4, Blue = 200 };

u32 switch_on_enum(u32 x) {
  const Color all[3] = {Color::Red, Color::Green, Color::Blue};
  switch (all[x % 3]) {
    case Color::Red: return x + 1;
    case Color::Green: return x * 3;
    case Color::Blue: return x >> 1;
  }
  return 99;
}

u32 switch_sparse(u32 x) {
  switch (x % 1000 * 1000) {
    case 0: return 5;
    case 7000: return 6;
    case 15000: return 8;
    case 100000: return 10;
    case 500000: return 12;
    case 999000: return 14;
    default: return (x >> 3) + 1;
  }
}

u32 switch_with_default_in_the_middle(u32 x) {
  u32 v = 0;
  switch (x % 6) {
    case 4: v += 1; [[fallthrough]];
    case 2: v += 10; break;
    default: v += 100; [[fallthrough]];
    case 0: v += 1000; [[fallthrough]];
    case 5: v += 10000;
  }
  return v + x % 6;
}

u32 nested_switches(u32 x) {
  u32 v = x;
  switch (x % 4) {
    case 0:
      switch (x >> 2 & 3) {
        case 1: v = 5; break;
        case 2: v *= 3; [[fallthrough]];
        default: v += 1;
      }
      [[fallthrough]];
    case 1: v ^= 0x77; break;
    case 2:
      if (x > 50) {
        switch (v % 3) {
          case 0: return 1;
          case 1: break;
          case 2: v = mix(v, 2);
        }
        break;
      }
      v = 3;
      break;
  }
  return v;
}

u32 switch_with_values_merged(u32 x) {
  u32 a, b;
  switch (x % 5) {
    case 0: a = 1, b = x; break;
    case 1: a = x, b = 2; break;
    case 2: a = b = 3; break;
    case 3: a = x >> 4, b = ~x; break;
    default: a = 9, b = 8;
  }
  return mix(a, b);
}

u32 switch_in_nested_loops(u32 x) {
  u32 hash = 0;
  for (u32 i = 0; i < 5; ++i)
    for (u32 j = 0; j < 5; ++j) {
      switch ((x >> (i + j)) % 6) {
        case 0: continue;
        case 1: goto next;
        case 2: hash = mix(hash, j); break;
        case 3:
          if (hash % 7 == 3) return hash;
          [[fallthrough]];
        case 4: hash += i; break;
        default: j += 1;
      }
      hash = mix(hash, i * 5 + j);
    }
next:
  return hash;
}

u32 switch_with_initializer(u32 x) {
  switch (const u32 low = x & 15; low >> 1) {
    case 0: return low + 100;
    case 3: return low * 5;
    case 7: return low << 8;
    default: return low;
  }
}

u32 bytecode_interpreter(u32 x) {
  constexpr std::uint8_t code[] = {1, 7, 2, 3, 4, 0, 6, 5, 2, 1, 9, 4, 3, 8};
  u32 a = x, b = 1, steps = 0;
  for (u32 pc = 0; pc < sizeof code && steps < 40; ++pc, ++steps) {
    switch (code[pc]) {
      case 0: a += 3; break;
      case 1: b = code[++pc]; break;
      case 2: a *= b; break;
      case 3: a ^= a >> 3; break;
      case 4: std::swap(a, b); break;
      case 5:
        if (a % 3 == 0) pc = 1;
        break;
      case 6: b += 1; break;
      case 8:
        if (steps < 30) pc = 5;
        break;
      default: return ~a;
    }
  }
  return mix(a, b) + steps;
}

#define CASES_10(n)                        \
  case n + 0: return x ^ (n + 0) * 7u;     \
  case n + 1: return x + (n + 1) * 31u;    \
  case n + 2: return x * (n + 2);          \
  case n + 3: return (x >> 3) + n;         \
  case n + 4: hash = mix(hash, n); break;  \
  case n + 5: return hash - n;             \
  case n + 6: hash = mix(n + 6, x); break; \
  case n + 7: return n;                    \
  case n + 8: hash ^= n; [[fallthrough]];  \
  case n + 9:                              \
    hash += n;                             \
    break;
#define CASES_100(n) \
  CASES_10(n)        \
  CASES_10(n + 10)   \
  CASES_10(n + 20)   \
  CASES_10(n + 30)   \
  CASES_10(n + 40) CASES_10(n + 50) CASES_10(n + 60) CASES_10(n + 70) CASES_10(n + 80) CASES_10(n + 90)

u32 switch_of_100_cases(u32 x) {
  u32 hash = x;
  switch (x % 110) { CASES_100(0) }
  return hash * 3;
}

u32 switch_of_1000_cases(u32 x) {
  u32 hash = x;
  switch (x % 1010) {
    CASES_100(0)
    CASES_100(100)
    CASES_100(200)
    CASES_100(300)
    CASES_100(400)
    CASES_100(500)
    CASES_100(600)
    CASES_100(700)
    CASES_100(800)
    CASES_100(900)
    default: hash = 5;
  }
  return hash * 3;
}

#define FALLING_4(n)                                  \
  case n + 0: a = mix(a, n + x); [[fallthrough]];     \
  case n + 1: b = b * 5 + a; [[fallthrough]];         \
  case n + 2:                                         \
    for (u32 i = 0; i < (b & 3); ++i) a ^= mix(b, i); \
    [[fallthrough]];                                  \
  case n + 3:                                         \
    if (a % 61 == n) break;                           \
    b ^= a >> 3;                                      \
    [[fallthrough]];

u32 switch_whose_cases_all_fall_through(u32 x) {
  u32 a = x, b = x >> 5;
  switch (x % 37) {
    FALLING_4(0)
    FALLING_4(4)
    FALLING_4(8)
    FALLING_4(12)
    FALLING_4(16)
    FALLING_4(20)
    FALLING_4(24)
    FALLING_4(28)
    case 32: a += 11;
  }
  return mix(a, b);
}

}  // namespace

EXECUTION_TEST(switch_on_signed) { run_map<switch_on_signed>(); }
EXECUTION_TEST(switch_on_64_bits) { run_map<switch_on_64_bits>(); }
EXECUTION_TEST(switch_on_char) { run_map<switch_on_char>(); }
EXECUTION_TEST(switch_on_enum) { run_map<switch_on_enum>(); }
EXECUTION_TEST(switch_sparse) { run_map<switch_sparse>(); }
EXECUTION_TEST(switch_with_default_in_the_middle) { run_map<switch_with_default_in_the_middle>(); }
EXECUTION_TEST(nested_switches) { run_map<nested_switches>(); }
EXECUTION_TEST(switch_with_values_merged) { run_map<switch_with_values_merged>(); }
EXECUTION_TEST(switch_in_nested_loops) { run_map<switch_in_nested_loops>(); }
EXECUTION_TEST(switch_with_initializer) { run_map<switch_with_initializer>(); }
EXECUTION_TEST(bytecode_interpreter) { run_map<bytecode_interpreter>(); }
EXECUTION_TEST(switch_of_100_cases) { run_map<switch_of_100_cases>(); }
EXECUTION_TEST(switch_of_1000_cases) { run_map<switch_of_1000_cases>(); }
EXECUTION_TEST(switch_whose_cases_all_fall_through) { run_map<switch_whose_cases_all_fall_through>(); }
