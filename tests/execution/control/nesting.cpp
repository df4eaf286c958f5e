// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions and loops in each other, and returns after each other, deeper than drivers can nest them.
#include "tests/execution/harness.h"

using namespace execution;

namespace {

using u32 = std::uint32_t;

#define IF(n, inner)        \
  if (x % (n + 60) != 17) { \
    x = mix(x, n);          \
    inner x += n;           \
  } else {                  \
    x ^= n * 77;            \
  }
#define IF_5(n, inner) IF(n, IF(n + 1, IF(n + 2, IF(n + 3, IF(n + 4, inner)))))
#define IF_25(n, inner) IF_5(n, IF_5(n + 5, IF_5(n + 10, IF_5(n + 15, IF_5(n + 20, inner)))))
#define IF_100(n, inner) IF_25(n, IF_25(n + 25, IF_25(n + 50, IF_25(n + 75, inner))))

u32 ifs_200_deep(u32 x) {
  IF_100(0, IF_100(100, x ^= 0x5a5a5a5a;))
  return x;
}

u32 ifs_200_deep_in_loops(u32 x) {
  u32 sum = 0;
  for (u32 a = 0; a < 3; ++a) {
    for (u32 b = 0; b <= (x & 3); ++b) {
      IF_100(0, if (x % 5 == b) break; IF_100(100, if (x % 7 == a) continue; sum += x;))
      sum = mix(sum, x);
    }
    if (sum % 11 == 4) break;
  }
  return mix(x, sum);
}

#define RETURN(n) \
  x = mix(x, n);  \
  if (x % 250 == n % 250) return x + n;
#define RETURN_5(n) RETURN(n) RETURN(n + 1) RETURN(n + 2) RETURN(n + 3) RETURN(n + 4)
#define RETURN_25(n) RETURN_5(n) RETURN_5(n + 5) RETURN_5(n + 10) RETURN_5(n + 15) RETURN_5(n + 20)
#define RETURN_100(n) RETURN_25(n) RETURN_25(n + 25) RETURN_25(n + 50) RETURN_25(n + 75)

u32 returns_300(u32 x) {
  RETURN_100(0)
  RETURN_100(100)
  RETURN_100(200)
  return ~x;
}

[[spirea::kernel]] void kernel_returns_300(std::span<const u32> in, std::span<u32> out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  u32 x = in[i];
#undef RETURN
#define RETURN(n) \
  x = mix(x, n);  \
  out[i] = x;     \
  if (x % 250 == n % 250) return;
  RETURN_100(0)
  RETURN_100(100)
  RETURN_100(200)
  out[i] = ~x;
}

u32 switches_100_deep(u32 x) {
#define SWITCH(n, inner)              \
  switch (x % (n + 70)) {             \
    case 3: x += 5; break;            \
    case 4: x ^= 99; [[fallthrough]]; \
    case 5: x = mix(x, n); break;     \
    default:                          \
      x = mix(x, n + 1);              \
      if (x % 97 == 5) break;         \
      inner x += n;                   \
  }
#define SWITCH_5(n, inner) SWITCH(n, SWITCH(n + 1, SWITCH(n + 2, SWITCH(n + 3, SWITCH(n + 4, inner)))))
#define SWITCH_25(n, inner) \
  SWITCH_5(n, SWITCH_5(n + 5, SWITCH_5(n + 10, SWITCH_5(n + 15, SWITCH_5(n + 20, inner)))))
  SWITCH_25(0, SWITCH_25(25, SWITCH_25(50, SWITCH_25(75, x ^= 0x3c3c;))))
  return x;
}

// One trip or two; left for the next, behind itself, to the next turn of a loop five levels out, and for
// good.
#define LOOP(n, leave, inner)                                                \
  for (u32 turn = x % 23 == n % 23 ? 0 : 1; turn < 2 && fuel != 0; ++turn) { \
    --fuel;                                                                  \
    x = mix(x, n);                                                           \
    if (x % 151 == 4) break;                                                 \
    if (x % 157 == 5) continue;                                              \
    if (x % 163 == 6) goto leave;                                            \
    inner x += n;                                                            \
    if (x % 401 == 7) goto out;                                              \
  }
#define LOOP_5(n, leave, inner)                                                                              \
  LOOP(n, leave, LOOP(n + 1, leave, LOOP(n + 2, leave, LOOP(n + 3, leave, LOOP(n + 4, leave, inner)))) leave \
       : x ^= n;)
#define LOOP_25(n, leave, inner) \
  LOOP_5(n, leave##0,            \
         LOOP_5(n + 5, leave##1, \
                LOOP_5(n + 10, leave##2, LOOP_5(n + 15, leave##3, LOOP_5(n + 20, leave##4, inner)))))

u32 loops_200(u32 x) {
  u32 fuel = 500;
  LOOP_25(
      0, a,
      LOOP_25(
          25, b,
          LOOP_25(50, c,
                  LOOP_25(75, d,
                          LOOP_25(100, e,
                                  LOOP_25(125, f, LOOP_25(150, g, LOOP_25(175, h, x = mix(x, fuel);))))))))
  x ^= 0x5555;
out:
  return mix(x, fuel);
}

}  // namespace

EXECUTION_TEST(ifs_200_deep) { run_map<ifs_200_deep>(); }
EXECUTION_TEST(ifs_200_deep_in_loops) { run_map<ifs_200_deep_in_loops>(); }
EXECUTION_TEST(returns_300) { run_map<returns_300>(); }
EXECUTION_TEST(kernel_returns_300) {
  run_everywhere<kernel_returns_300>(shape(200), random_integers<u32>(200, 5), output<u32>(200));
}
EXECUTION_TEST(switches_100_deep) { run_map<switches_100_deep>(); }
EXECUTION_TEST(loops_200) { run_map<loops_200>(); }
