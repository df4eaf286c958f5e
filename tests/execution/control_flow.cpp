// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/execution/harness.h"

using namespace execution;

namespace {

using u32 = std::uint32_t;

[[spirea::kernel]] void if_chain(std::span<const int> in, std::span<int> out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  const int v = in[i] % 50;
  if (v < -20)
    out[i] = v * 3;
  else if (v < 0) {
    if (v % 2 == 0)
      out[i] = -v;
    else
      out[i] = v + 1000;
  } else if (v == 0)
    out[i] = 12345;
  else if (v < 30 && v % 3 != 0 && (v & 4))
    out[i] = v << 3;
  else if (v > 40 || v % 7 == 1)
    out[i] = v ^ 0x55;
  else
    out[i] = -1;
}

[[spirea::kernel]] void early_returns(std::span<const int> in, std::span<int> out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  out[i] = 1;
  if (in[i] % 3 == 0) return;
  out[i] = 2;
  for (int k = 0; k < 10; ++k) {
    if ((in[i] >> k) % 5 == 0) {
      out[i] = 100 + k;
      return;
    }
    for (int m = 0; m < k; ++m) {
      if (((in[i] >> m) & 15) == k) {
        out[i] = 200 + m * 10 + k;
        return;
      }
    }
  }
  out[i] = 3;
}

[[spirea::kernel]] void nested_break_continue(std::span<const u32> in, std::span<u32> out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  u32 sum = 0;
  for (u32 a = 0; a < 8; ++a) {
    if ((in[i] >> a & 3) == 2) continue;
    for (u32 b = 0;; ++b) {
      if (b * a > in[i] % 37) break;
      if ((a ^ b) % 3 == 0) continue;
      sum = sum * 31 + a * 10 + b;
      if (b > 6) break;
    }
    if (sum % 11 == 4) break;
  }
  out[i] = sum;
}

[[spirea::kernel]] void goto_out_of_three_loops(std::span<const u32> in, std::span<u32> out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  u32 trace = 7;
  for (u32 a = 0; a < 5; ++a) {
    for (u32 b = 0; b < 5; ++b) {
      for (u32 c = 0; c < 5; ++c) {
        trace = trace * 33 + a + b * 5 + c * 25;
        if (trace % 61 == in[i] % 61) goto found;
        if (trace % 17 == 3) goto next_a;
        if (trace % 13 == 5) break;
      }
      if (trace % 19 == 1) break;
    }
  next_a:
    trace += a;
  }
  out[i] = trace;
  return;
found:
  out[i] = ~trace;
}

[[spirea::kernel]] void goto_backwards(std::span<const u32> in, std::span<u32> out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  u32 n = in[i] % 1000 + 1, steps = 0;
again:
  if (n == 1) goto done;
  n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  ++steps;
  if (steps < 500) goto again;
done:
  out[i] = steps * 1000 + n;
}

[[spirea::kernel]] void goto_into_loop(std::span<const u32> in, std::span<u32> out) {  // irreducible
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  u32 x = in[i] % 64, trace = 1;
  if (x % 2 == 0) goto middle;
top:
  trace = trace * 3 + x;
  x += 5;
middle:
  trace = trace * 7 + x;
  x += 3;
  if (x < 100) goto top;
  out[i] = trace;
}

[[spirea::kernel]] void switch_fallthrough(std::span<const int> in, std::span<int> out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  int r = 0;
  switch (in[i] % 12) {
    case 0: r += 1; [[fallthrough]];
    case 1: r += 10; break;
    case 2:
      if (in[i] % 24 == 2) break;
      r += 3;
      [[fallthrough]];
    case 3:
    case 4: r += 100; break;
    case 7: r = -5; [[fallthrough]];
    default: r *= 2; break;
    case 9: out[i] = 999; return;
    case -3: r = 77;
  }
  out[i] = r;
}

[[spirea::kernel]] void switch_in_loop(std::span<const u32> in,
                                       std::span<u32> out) {  // a small virtual machine
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  u32 a = i, b = 1, pc = in[i];
  for (u32 step = 0; step < 40; ++step) {
    switch (pc & 7) {
      case 0: a += b; break;
      case 1: b = b * 5 + 1; break;
      case 2: a ^= b << 3; continue;
      case 3:
        if (a % 5 == 0) goto out;
        a = a / 3 + 1;
        break;
      case 4:
        for (u32 k = 0; k < (b & 3); ++k) {
          if (a & 1) break;
          a >>= 1;
        }
        break;
      case 5: {
        const u32 t = a;
        a = b, b = t;
        break;
      }
      case 6: pc ^= a; break;
      default: break;
    }
    pc = pc * 1664525 + 1013904223;
    pc = pc >> 3 | pc << 29;
  }
out:
  out[i] = a ^ b * 7;
}

[[spirea::kernel]] void swapped_in_loop(std::span<const u32> in, std::span<u32> out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  u32 a = in[i] % 100000, b = in[(i + 1) % in.size()] % 5000 + 1, f = 0, g = 1;
  while (b != 0) {
    const u32 t = a % b;
    a = b, b = t;
    const u32 h = f + g;
    f = g, g = h;
  }
  out[i] = a * 1000003 + f;
}

[[spirea::kernel]] void do_while_with_two_exits(std::span<const u32> in, std::span<u32> out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  u32 x = in[i], n = 0, result;
  do {
    x = x * 747796405u + 2891336453u;
    if (x >> 28 == 3) {
      result = x;
      goto out;
    }
    ++n;
  } while (n < 9 && x >> 30 != 1);
  result = n;
out:
  out[i] = result;
}

[[spirea::kernel]] void short_circuit(std::span<const u32> in, std::span<u32> out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  u32 calls = 0;
  const auto probe = [&](u32 bit) {
    ++calls;
    return (in[i] >> bit & 1) != 0;
  };
  const bool r = (probe(0) && probe(1)) || (probe(2) && (probe(3) || probe(4))) || !(probe(5) && probe(6));
  out[i] = calls * 2 + (r ? 1 : 0);
}

[[spirea::kernel]] void deep_nest(std::span<const u32> in, std::span<u32> out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  const u32 v = in[i];
  u32 r = 0;
  for (u32 a = 0; a < 3; ++a) {
    r += 1;
    if (v >> a & 1) {
      for (u32 b = 0; b < 3; ++b) {
        r += 10;
        if (v >> (a + b) & 2) {
          for (u32 c = 0; c < 3; ++c) {
            r += 100;
            switch (v >> (a + b + c) & 3) {
              case 0:
                for (u32 d = 0; d < 2; ++d) {
                  if ((v >> d & 5) == 5) goto next_b;
                  if ((v >> d & 9) == 9) goto next_a;
                  r += 1000;
                }
                break;
              case 1: continue;
              case 2:
                if (r > 5000) {
                  out[i] = r;
                  return;
                }
                r = r * 3 + 1;
                break;
              default: goto next_b;
            }
            r ^= 5;
          }
        }
        r += 7;
      next_b:
        r += 2;
      }
    }
  next_a:
    r ^= 0x100;
  }
  out[i] = r + 1;
}

[[spirea::kernel]] void loop_invariant_exit(std::span<const u32> in, std::span<u32> out, u32 limit) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  u32 found = ~0u, visited = 0;
  for (u32 k = 0; k < in.size(); ++k) {
    ++visited;
    if (in[k] % limit == i % limit) {
      found = k;
      break;
    }
  }
  out[i] = found ^ visited << 16;
}

void test(auto run) { run(random_integers<u32>(150, 41), output<u32>(150)); }

}  // namespace

EXECUTION_TEST(if_chain) {
  run_everywhere<if_chain>(shape(300), random_integers<int>(300, 1), output<int>(300));
}
EXECUTION_TEST(early_returns) {
  run_everywhere<early_returns>(shape(300), random_integers<int>(300, 2), output<int>(300));
}
EXECUTION_TEST(nested_break_continue) {
  test([](const auto& in, const auto& out) { run_everywhere<nested_break_continue>(shape(150), in, out); });
}
EXECUTION_TEST(goto_out_of_three_loops) {
  test([](const auto& in, const auto& out) { run_everywhere<goto_out_of_three_loops>(shape(150), in, out); });
}
EXECUTION_TEST(goto_backwards) {
  test([](const auto& in, const auto& out) { run_everywhere<goto_backwards>(shape(150), in, out); });
}
EXECUTION_TEST(goto_into_loop) {
  test([](const auto& in, const auto& out) { run_everywhere<goto_into_loop>(shape(150), in, out); });
}
EXECUTION_TEST(switch_fallthrough) {
  run_everywhere<switch_fallthrough>(shape(200), random_integers<int>(200, 3), output<int>(200));
}
EXECUTION_TEST(switch_in_loop) {
  test([](const auto& in, const auto& out) { run_everywhere<switch_in_loop>(shape(150), in, out); });
}
EXECUTION_TEST(swapped_in_loop) {
  test([](const auto& in, const auto& out) { run_everywhere<swapped_in_loop>(shape(150), in, out); });
}
EXECUTION_TEST(do_while_with_two_exits) {
  test([](const auto& in, const auto& out) { run_everywhere<do_while_with_two_exits>(shape(150), in, out); });
}
EXECUTION_TEST(short_circuit) {
  test([](const auto& in, const auto& out) { run_everywhere<short_circuit>(shape(150), in, out); });
}
EXECUTION_TEST(deep_nest) {
  test([](const auto& in, const auto& out) { run_everywhere<deep_nest>(shape(150), in, out); });
}
EXECUTION_TEST(loop_invariant_exit) {
  test(
      [](const auto& in, const auto& out) { run_everywhere<loop_invariant_exit>(shape(150), in, out, 97u); });
}
