// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a driver once got wrong, reduced: docs/targets/vulkan.md, "Drivers".
#include "tests/execution/harness.h"

using namespace execution;

namespace {

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using In = std::span<const u64>;
using Out = std::span<u64>;

/// Two loads whose addresses depend on a 64-bit division each.
[[spirea::kernel]] void remainders(In in, Out out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  out[i] = in[(i + 1) % in.size()] + 3 * in[(i + 2) % in.size()];
}
[[spirea::kernel]] void remainders_of_data(In in, Out out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  out[i] = in[in[i] % in.size()] + 3 * in[(in[i] + 1) % in.size()];
}
[[spirea::kernel]] void quotients(In in, Out out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  out[i] = in[i * 3 / in.size()] + 3 * in[i * 7 / in.size()];
}
[[spirea::kernel]] void signed_remainders(In in, Out out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  const auto n = static_cast<std::int64_t>(in.size()), x = static_cast<std::int64_t>(in[i]);
  const auto index = [n](std::int64_t r) { return static_cast<std::size_t>(r < 0 ? r + n : r); };
  out[i] = in[index(x % n)] + 3 * in[index((x + 1) % n)] + in[index(-(x / 16) % n)];
}

/// All sizes of numerator and denominator, below and above 2^32.
[[spirea::kernel]] void wide_division(In in, Out out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  const u64 x = in[i] >> (i % 64), y = (in[(i * 5 + 1) % in.size()] >> (i * 11 % 64)) | 1;
  const auto sx = static_cast<std::int64_t>(x), sy = static_cast<std::int64_t>(y);
  out[i * 4] = x / y;
  out[i * 4 + 1] = x % y;
  out[i * 4 + 2] = static_cast<u64>(-sx / sy);
  out[i * 4 + 3] = static_cast<u64>(sx % -sy);
}

/// A sign-extended operand of a signed 64-bit comparison.
[[spirea::kernel]] void extended_comparison(std::span<const int> in, std::span<std::int64_t> out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  const std::int64_t x = in[i], y = in[(i + 1) % in.size()];
  out[i * 4] = x < -3 ? 1 : x <= 5 ? 2 : 3;
  out[i * 4 + 1] = x < 0 ? -x : x;
  out[i * 4 + 2] = y == 0 ? 0 : x / y;
  out[i * 4 + 3] = (x > y ? x : y) * 3 + (x >= 4 ? 1 : 0);
}

/// Two bytes trade places in an otherwise empty word.
[[spirea::kernel]] void swapped_bytes(In in, Out out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  const u32 x = static_cast<u32>(in[i]);
  out[i * 3] = ((x >> 8) & 255) | ((x & 255) << 8);
  out[i * 3 + 1] = __builtin_bswap16(static_cast<u16>(x));
  out[i * 3 + 2] = ((x >> 24) & 255) | ((x & 255) << 24);
}

/// Each pass of a loop uses what an inner one loaded last, and the invocations leave both at different times.
[[spirea::kernel]] void last_loads(std::span<const u32> in, std::span<u32> out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  u32 sum = i;
  for (u32 pass = 0; pass < 2 + i % 5; ++pass) {
    u32 at = i + pass, value = 0;
    do {
      value = in[at % in.size()];
      at += 3;
    } while (value % 5 != 0 && at < 90);
    sum = mix(sum, value);
  }
  out[i] = sum;
}

/// The same with lists of two nodes, which some invocations leave at the first.
struct Node {
  u32 value;
  Node* next;
};
[[spirea::kernel]] void short_lists(std::span<const u32> in, std::span<u32> out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  Node last{in[i], nullptr}, first{in[(i * 3) % in.size()], &last};
  u32 sum = i;
  for (u32 pass = 0; pass < 2 + i % 3; ++pass)
    for (Node* n = (i + pass) % 2 != 0 ? &first : &last; n != nullptr; n = n->next) {
      sum = sum * 31 + n->value;
      n->value -= sum;
    }
  out[i] = mix(sum, first.value + last.value);
}

}  // namespace

EXECUTION_TEST(driver_loops_in_loops) {
  run_everywhere<last_loads>(shape(60), random_integers<u32>(60, 7), output<u32>(60));
  run_everywhere<short_lists>(shape(60), random_integers<u32>(60, 8), output<u32>(60));
}
EXECUTION_TEST(driver_remainders_in_addresses) {
  run_everywhere<remainders>(shape(60), random_integers<u64>(60, 1), output<u64>(60));
  run_everywhere<remainders_of_data>(shape(60), random_integers<u64>(60, 2), output<u64>(60));
  run_everywhere<signed_remainders>(shape(60), random_integers<u64>(60, 3), output<u64>(60));
}
EXECUTION_TEST(driver_quotients_in_addresses) {
  run_everywhere<quotients>(shape(60), random_integers<u64>(60, 4), output<u64>(60));
}
EXECUTION_TEST(driver_wide_division) {
  run_everywhere<wide_division>(shape(300), random_integers<u64>(300, 5), output<u64>(1200));
}
EXECUTION_TEST(driver_extended_comparison) {
  run_everywhere<extended_comparison>(shape(10), array<int>({-7, 2, -9, 4, 3, 0, -1, 5, 100, -100}),
                                      output<std::int64_t>(40));
}
EXECUTION_TEST(driver_swapped_bytes) {
  run_everywhere<swapped_bytes>(shape(60), random_integers<u64>(60, 6), output<u64>(180));
}
