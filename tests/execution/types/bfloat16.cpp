// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spirea::bfloat16, compared as bits; all NaNs are one.
#include <cmath>
#include <limits>

#include "tests/execution/harness.h"

using namespace execution;
using spirea::bfloat16;

namespace {

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;

u32 bits_of(bfloat16 b) { return b == b ? b.bits() : 0x7fc0u; }

/// Exponents in the middle, where neither operands nor results are subnormal bfloat16_floats, which devices
/// may flush.
bfloat16 first_of(u32 seed) { return bfloat16::from_bits(static_cast<u16>((seed & 0x87ff) | 0x3c00)); }
bfloat16 second_of(u32 seed) { return bfloat16::from_bits(static_cast<u16>((seed >> 16 & 0x87ff) | 0x3c00)); }

[[spirea::kernel]] void bfloat16_conversions(std::span<const u32> in, std::span<u32> out) {
  const u32 i = spirea::global_id().x;
  const u32 wide[] = {i << 16, i << 16 | 0x7fff, i << 16 | 0x8000, i << 16 | 0x8001, in[i]};
  u32 hash = 0;
  for (u32 bits : wide) hash = mix(hash, bits_of(bfloat16(__builtin_bit_cast(float, bits))));
  const float f = bfloat16::from_bits(static_cast<u16>(i));
  out[i] = mix(hash, f == f ? __builtin_bit_cast(u32, f) : 1u);
}
u32 bfloat16_arithmetic(u32 seed) {
  const bfloat16 a = first_of(seed), b = second_of(seed);
  u32 hash = mix(bits_of(a + b), bits_of(a - b));
  hash = mix(hash, bits_of(a * b));
  hash = mix(hash, bits_of(-a));
  hash = mix(hash, (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4);
  return mix(hash, bits_of(bfloat16(a + 1.5f)));
}
[[spirea::kernel]] void bfloat16_integers(std::span<const u64> in, std::span<u32> out) {
  const u32 i = spirea::global_id().x;
  const u64 v = in[i] >> (i % 61);
  // Just above the middle between two neighbours, by what double cannot hold.
  const u64 close = (u64{1} << 60) + (u64{1} << 52) + (i & 1);
  u32 hash = mix(bits_of(bfloat16(static_cast<i64>(v))), bits_of(bfloat16(v)));
  hash = mix(hash, bits_of(bfloat16(-static_cast<i64>(close))));
  out[i] = mix(hash, bits_of(bfloat16(static_cast<std::int32_t>(v))));
}
struct Settings {
  bfloat16 scale, list[3];
};
[[spirea::kernel, spirea::workgroup_size(64)]] void bfloat16_in_memory(std::span<const bfloat16> in,
                                                                       std::span<bfloat16> out, Settings s,
                                                                       bfloat16 bias) {
  [[spirea::shared]] static bfloat16 tile[64];
  const u32 i = spirea::global_id().x, l = spirea::local_index();
  tile[l] = in[i] * s.scale;
  spirea::workgroup_barrier();
  out[i] = tile[63 - l] + s.list[l % 3] + bias;
}
[[spirea::kernel, spirea::workgroup_size(64)]] void bfloat16_in_subgroups(std::span<u32> out) {
  const auto n = static_cast<std::int32_t>(spirea::subgroup_size());
  const u32 lane = spirea::subgroup_lane();
  u32 wrong = spirea::subgroup_add(bfloat16(2)) == bfloat16(2 * n) ? 0 : 1;
  wrong += spirea::subgroup_max(bfloat16(static_cast<int>(lane))) == bfloat16(n - 1) ? 0 : 1;
  wrong +=
      spirea::subgroup_shuffle_xor(bfloat16(static_cast<int>(lane)), 0) == bfloat16(static_cast<int>(lane))
          ? 0
          : 1;
  out[spirea::global_id().x] = wrong;
}

Array<bfloat16> numbers(std::size_t n) {
  Array<bfloat16> result;
  for (std::size_t i = 0; i < n; ++i) result.values.push_back(bfloat16(static_cast<float>(i) * 0.37f - 9));
  return result;
}

}  // namespace

EXECUTION_TEST(bfloat16_conversions) {
  run_everywhere<bfloat16_conversions>(shape(65536), random_integers<u32>(65536, 5), output<u32>(65536));
}
EXECUTION_TEST(bfloat16_arithmetic) {
  run_everywhere<map_elements<bfloat16_arithmetic, u32, u32>>(shape(16384), random_integers<u32>(16384, 3),
                                                              output<u32>(16384));
}
EXECUTION_TEST(bfloat16_and_integers) {
  run_everywhere<bfloat16_integers>(shape(4096), random_integers<u64>(4096, 7), output<u32>(4096));
}
EXECUTION_TEST(bfloat16_in_memory) {
  Shape s = shape(128);
  s.attribute = true;
  run_everywhere<bfloat16_in_memory>(
      s, numbers(128), Array<bfloat16>{std::vector<bfloat16>(128, bfloat16(77))},
      Settings{bfloat16(1.5f), {bfloat16(1), bfloat16(-2), bfloat16(0.25f)}}, bfloat16(-0.5f));
}
EXECUTION_TEST(bfloat16_in_subgroups) {
  Shape s = shape(128);
  s.attribute = true;
  run_everywhere<bfloat16_in_subgroups>(s, output<u32>(128));
}
