// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// goto in every direction: what no structured statement can say.
#include "tests/execution/harness.h"

using namespace execution;

namespace {

using u32 = std::uint32_t;

u32 irreducible_loop_of_two_entries(u32 x) {
  u32 hash = x, n = 0;
  if (x % 2 == 0) goto second;
first:
  hash = mix(hash, n);
  if (++n > 9) return hash;
second:
  hash = mix(hash, 100 + n);
  if ((hash & 3) == 0) {
    n += 2;
    if (n > 9) return hash ^ 1;
    goto second;
  }
  goto first;
}

u32 irreducible_loop_of_three_entries(u32 x) {
  u32 hash = 0, n = x % 3;
  switch (x % 4) {
    case 0: goto a;
    case 1: goto b;
    case 2: goto c;
    default: break;
  }
  hash = 9;
a:
  hash = mix(hash, 1 + n);
  if (++n > 12) goto done;
  if (hash % 3 == 0) goto c;
b:
  hash = mix(hash, 2);
  if (++n > 12) goto done;
c:
  hash = mix(hash, 3 * n);
  if (++n > 12) goto done;
  if (hash % 2 == 0) goto b;
  goto a;
done:
  return hash + n;
}

u32 nested_irreducible_loops(u32 x) {
  u32 hash = x, outer = 0, inner = 0;
  if ((x & 8) != 0) goto middle;
top:
  inner = 0;
  if ((hash & 1) != 0) goto odd;
even:
  hash = mix(hash, inner);
  if (++inner > 4) goto middle;
odd:
  hash = mix(hash, inner + 50);
  if (++inner > 4) goto middle;
  if (hash % 5 != 0) goto even;
  goto odd;
middle:
  hash ^= outer;
  if (++outer < 4) goto top;
  return hash;
}

u32 gotos_as_a_state_machine(u32 x) {
  u32 hash = 1, at = 0;
start:
  if (at >= 24) return hash;
  if ((x >> at++ & 1) != 0) goto ones;
  hash = mix(hash, 0);
  goto start;
ones:
  hash += 3;
  if (at >= 24) goto out;
  if ((x >> at++ & 1) == 0) goto start;
more:
  hash = mix(hash, 7);
  if (at < 24 && (x >> at++ & 1) != 0) goto more;
  if (hash % 2 == 0) goto ones;
  goto start;
out:
  return ~hash;
}

u32 duffs_device(u32 x) {
  const u32 count = x % 37 + 1;
  u32 sum = x, rounds = (count + 3) / 4;
  switch (count % 4) {
    case 0:
      do {
        sum = sum * 3 + 1;
        [[fallthrough]];
        case 3: sum ^= sum >> 5; [[fallthrough]];
        case 2: sum += 17; [[fallthrough]];
        case 1: sum = mix(sum, rounds);
      } while (--rounds > 0);
  }
  return sum;
}

u32 goto_into_a_block(u32 x) {
  u32 v = x;
  if (x % 3 == 0) goto inside;
  v += 10;
  if (x % 3 == 1) {
    v *= 2;
  inside:
    v ^= 0x1f;
    if (v % 7 == 0) goto end;
  }
  v -= 1;
end:
  return v;
}

u32 goto_over_destructors(u32 x) {
  u32 log = 0;
  struct Guard {
    u32& log;
    u32 id;
    ~Guard() { log = log * 10 + id; }
  };
  u32 n = 0;
again : {
  Guard a{log, 1};
  if (++n < 4 && (x >> n & 1) != 0) goto again;
  {
    Guard b{log, 2};
    if ((x & 1) != 0) goto out;
    log = mix(log, n);
  }
}
out:
  return log;
}

u32 goto_out_of_a_switch_in_a_loop(u32 x) {
  u32 n = 0;
  for (;; ++n) {
    switch ((x >> n) & 7) {
      case 0: goto leave;
      case 1: n += 2; continue;
      case 2:
        if (n > 3) goto leave;
        break;
      case 5: x ^= n; break;
      default: break;
    }
    x += 3;
    if (n > 20) break;
  }
  x *= 5;
leave:
  return x + n;
}

u32 goto_as_retry(u32 x) {
  u32 tries = 0;
retry:
  const u32 v = mix(x, tries);
  if (v % 4 != 0 && tries < 10) {
    ++tries;
    goto retry;
  }
  return v ^ tries;
}

}  // namespace

EXECUTION_TEST(irreducible_loop_of_two_entries) { run_map<irreducible_loop_of_two_entries>(); }
EXECUTION_TEST(irreducible_loop_of_three_entries) { run_map<irreducible_loop_of_three_entries>(); }
EXECUTION_TEST(nested_irreducible_loops) { run_map<nested_irreducible_loops>(); }
EXECUTION_TEST(gotos_as_a_state_machine) { run_map<gotos_as_a_state_machine>(); }
EXECUTION_TEST(duffs_device) { run_map<duffs_device>(); }
EXECUTION_TEST(goto_into_a_block) { run_map<goto_into_a_block>(); }
EXECUTION_TEST(goto_over_destructors) { run_map<goto_over_destructors>(); }
EXECUTION_TEST(goto_out_of_a_switch_in_a_loop) { run_map<goto_out_of_a_switch_in_a_loop>(); }
EXECUTION_TEST(goto_as_retry) { run_map<goto_as_retry>(); }
