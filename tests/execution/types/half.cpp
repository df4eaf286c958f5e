// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spirea::half. Results are compared as bits, so that zeros and subnormals count; all NaNs are one.
#include <cmath>
#include <limits>

#include "tests/execution/harness.h"

using namespace execution;
using spirea::half;

namespace {

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
using u64 = std::uint64_t;

/// The bits of a number; one NaN for all.
u32 bits_of(half h) { return h == h ? h.bits() : 0x7e00u; }
u32 bits_of(float f) { return f == f ? __builtin_bit_cast(u32, f) : 0x7fc00000u; }

/// Two halves of a number, many of them subnormal, special or near 1.
half first_of(u32 seed) { return half::from_bits(static_cast<u16>(seed)); }
half second_of(u32 seed) {
  const u32 bits = seed >> 16;
  return half::from_bits(static_cast<u16>((seed & 3) == 0 ? (bits & 0x83ff) | 0x3c00 : bits));
}

[[spirea::kernel]] void every_half_and_back(std::span<u32> wide, std::span<u32> back,
                                            std::span<double> doubles) {
  const u32 i = spirea::global_id().x;
  const half h = half::from_bits(static_cast<u16>(i));
  const float f = h;
  wide[i] = bits_of(f);
  back[i] = bits_of(half(f)) << 16 | bits_of(half(static_cast<double>(f)));
  doubles[i] = h == h ? static_cast<double>(h) : 0.0;
}

/// f32 around the middle between each half and the next, and random ones.
[[spirea::kernel]] void half_from_floats(std::span<const u32> noise, std::span<u32> out) {
  const u32 i = spirea::global_id().x;
  const u32 low = __builtin_bit_cast(u32, static_cast<float>(half::from_bits(static_cast<u16>(i))));
  u32 hash = 0;
  for (u32 k = 0; k < 8; ++k) {
    const u32 step = (i & 0x7c00) == 0 || (i & 0x7c00) == 0x7c00 ? 0 : k < 6 ? 0xffe + k : noise[i] >> 8;
    const float f = __builtin_bit_cast(float, k == 7 ? noise[i] : low + step);
    hash = mix(hash, bits_of(half(f)));
    hash = mix(hash, bits_of(half(static_cast<double>(f) * (1.0 + 0x1p-40))));
  }
  out[i] = hash;
}

u32 half_arithmetic(u32 seed) {
  const half a = first_of(seed), b = second_of(seed);
  u32 hash = mix(bits_of(a + b), bits_of(a - b));
  hash = mix(hash, bits_of(a * b));
  hash = mix(hash, bits_of(a / b));
  hash = mix(hash, bits_of(-a));
  half c = a;
  c += b;
  c *= b;
  c -= a;
  c /= half(3);
  return mix(hash, bits_of(c));
}
u32 half_comparisons(u32 seed) {
  const half a = first_of(seed), b = (seed & 64) != 0 ? a : second_of(seed);
  return (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5 |
         std::isnan(static_cast<float>(a)) << 6;
}
u32 half_functions(u32 seed) {
  const half a = first_of(seed);
  u32 hash = mix(bits_of(half(std::floor(a))), bits_of(half(std::trunc(a))));
  hash = mix(hash, bits_of(half(std::fabs(a))));
  hash = mix(hash, bits_of(half(std::fmax(float(a), 1.0f))));
  return mix(hash, bits_of(half(std::copysign(float(a), float(second_of(seed))))));
}
u32 half_mixed_types(u32 seed) {
  const half a = first_of(seed % 0x7c00);
  static_assert(std::is_same_v<decltype(a + a), half> && std::is_same_v<decltype(a + 1.0f), float> &&
                std::is_same_v<decltype(a * 2), float> && std::is_same_v<decltype(a + 1.0), double>);
  return mix(bits_of(a + 1.5f), bits_of(half((a + 2) * 0.5)));
}

[[spirea::kernel]] void half_integers(std::span<const u64> in, std::span<u32> from, std::span<i64> to) {
  const u32 i = spirea::global_id().x;
  const u64 v = in[i] >> (i % 61);
  u32 hash = mix(bits_of(half(static_cast<std::int8_t>(v))), bits_of(half(static_cast<std::uint8_t>(v))));
  hash = mix(hash, bits_of(half(static_cast<std::int16_t>(v))));
  hash = mix(hash, bits_of(half(static_cast<u16>(v))));
  hash = mix(hash, bits_of(half(static_cast<i32>(v))));
  hash = mix(hash, bits_of(half(static_cast<u32>(v))));
  hash = mix(hash, bits_of(half(static_cast<i64>(v))));
  from[i] = mix(hash, bits_of(half(v)));
  const half h = half(static_cast<i32>(v % 65000));
  to[i] = static_cast<i64>(-h) + static_cast<u16>(h) + static_cast<i32>(h) * 3;
}

struct Settings {
  half scale, list[3];
  float offset;
};
[[spirea::kernel]] void half_in_arguments(std::span<const half> in, std::span<half> out, Settings s,
                                          half bias) {
  const u32 i = spirea::global_id().x;
  if (i < out.size()) out[i] = in[i] * s.scale + s.list[i % 3] + bias + half(s.offset);
}

struct Pair {
  half a;
  u16 b;
};
[[spirea::kernel, spirea::workgroup_size(64)]] void half_in_workgroup_memory(std::span<const half> in,
                                                                             std::span<half> out) {
  [[spirea::shared]] static half tile[64];
  [[spirea::shared]] static Pair pairs[64];
  const u32 i = spirea::global_id().x, l = spirea::local_index();
  tile[l] = in[i];
  pairs[63 - l] = {in[i] * in[i], static_cast<u16>(l)};
  spirea::workgroup_barrier();
  half local[4] = {tile[63 - l], pairs[l].a, half(pairs[l].b), tile[(l + 1) % 64]};
  out[i] = local[l % 4] + local[(l + 1) % 4];
}

/// Counts what differs: the size of a subgroup is the device's.
[[spirea::kernel, spirea::workgroup_size(64)]] void half_in_subgroups(std::span<u32> out) {
  const u32 n = spirea::subgroup_size(), lane = spirea::subgroup_lane(), i = spirea::global_id().x;
  const half mine = half(static_cast<i32>(lane) - 3);
  u32 wrong = 0;
  const auto expect = [&](half got, i32 want) { wrong += got == half(want) ? 0 : 1; };
  const i32 count = static_cast<i32>(n);
  expect(spirea::subgroup_add(mine), count * (count - 1) / 2 - 3 * count);
  expect(spirea::subgroup_min(mine), -3);
  expect(spirea::subgroup_max(mine), count - 4);
  expect(spirea::subgroup_inclusive_add(half(1)), static_cast<i32>(lane) + 1);
  expect(spirea::subgroup_exclusive_add(half(1)), static_cast<i32>(lane));
  expect(spirea::subgroup_broadcast_first(mine), -3);
  expect(spirea::subgroup_shuffle_xor(mine, 0), static_cast<i32>(lane) - 3);
  expect(spirea::subgroup_shuffle(mine, (lane + 1) % n), static_cast<i32>((lane + 1) % n) - 3);
  out[i] = wrong;
}

// _Float16 itself, in kernels; g++ 12 computes with more digits than it has, so the host takes half.
#ifdef __SPIREA_DEVICE__
using Raw = _Float16;
Raw root_of(Raw a) { return __builtin_sqrtf16(a); }
Raw fused(Raw a, Raw b, Raw c) { return __builtin_fmaf16(a, b, c); }
#else
using Raw = half;
Raw root_of(Raw a) { return half(std::sqrt(float(a))); }
Raw fused(Raw a, Raw b, Raw c) { return half(double(a) * double(b) + double(c)); }  // the product is exact
#endif

Raw raw_from(u32 bits) { return __builtin_bit_cast(Raw, static_cast<u16>(bits)); }
u32 raw_bits(Raw h) { return h == h ? __builtin_bit_cast(u16, h) : 0x7e00u; }

u32 raw_float16(u32 seed) {
  const Raw a = raw_from(seed), b = raw_from((seed & 3) == 0 ? (seed >> 16 & 0x83ff) | 0x3c00 : seed >> 16);
  const Raw middle = raw_from((seed & 0x83ff) | 0x3c00), tiny = raw_from(seed >> 16 & 0x83ff);
  Raw list[3] = {a, b, static_cast<Raw>(1.5f)};
  list[seed % 3] = static_cast<Raw>(a * b);
  u32 hash = mix(raw_bits(list[0] + list[1]), raw_bits(list[1] / list[2]));
  hash = mix(hash, raw_bits(root_of(a)) << 16 | raw_bits(fused(a, b, list[2])));
  hash = mix(hash, raw_bits(fused(middle, list[2], tiny)));
  hash = mix(hash, (a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 | !(a >= b) << 4 | (a != a) << 5);
  const float wide = a + 0.25f;
  return mix(hash,
             raw_bits(static_cast<Raw>(wide)) + raw_bits(static_cast<Raw>(static_cast<i32>(seed >> 18))));
}

Array<half> half_halves(std::size_t n, std::uint64_t seed) {
  Array<half> result;
  for (std::size_t i = 0; i < n; ++i)
    result.values.push_back(half(static_cast<float>(static_cast<i32>(next_random(seed) >> 40) % 400) / 8.0f));
  return result;
}
Array<half> no_halves(std::size_t n) { return {std::vector<half>(n, half(77))}; }

}  // namespace

EXECUTION_TEST(half_converts_to_float_and_back) {
  run_everywhere<every_half_and_back>(shape(65536), output<u32>(65536), output<u32>(65536),
                                      output<double>(65536));
}
EXECUTION_TEST(half_from_floats_rounds_to_nearest_even) {
  run_everywhere<half_from_floats>(shape(65536), random_integers<u32>(65536, 5), output<u32>(65536));
}
EXECUTION_TEST(half_arithmetic_is_correctly_rounded) {
  run_everywhere<map_elements<half_arithmetic, u32, u32>>(shape(16384), random_integers<u32>(16384, 3),
                                                          output<u32>(16384));
}
EXECUTION_TEST(half_comparisons) {
  run_everywhere<map_elements<half_comparisons, u32, u32>>(shape(4096), random_integers<u32>(4096, 4),
                                                           output<u32>(4096));
}
EXECUTION_TEST(half_functions) {
  run_everywhere<map_elements<half_functions, u32, u32>>(shape(4096), random_integers<u32>(4096, 9),
                                                         output<u32>(4096));
}
EXECUTION_TEST(half_with_other_types) {
  run_everywhere<map_elements<half_mixed_types, u32, u32>>(shape(4096), random_integers<u32>(4096, 6),
                                                           output<u32>(4096));
}
EXECUTION_TEST(half_and_integers) {
  run_everywhere<half_integers>(shape(4096), random_integers<u64>(4096, 7), output<u32>(4096),
                                output<i64>(4096));
}
EXECUTION_TEST(half_as_arguments) {
  run_everywhere<half_in_arguments>(shape(192), half_halves(192, 1), no_halves(190),
                                    Settings{half(1.5f), {half(1), half(-2), half(0.25f)}, 3.5f},
                                    half(-0.5f));
}
EXECUTION_TEST(half_in_workgroup_memory) {
  Shape s = shape(128);
  s.attribute = true;
  run_everywhere<half_in_workgroup_memory>(s, half_halves(128, 2), no_halves(128));
}
EXECUTION_TEST(raw_float16) {
  run_everywhere<map_elements<raw_float16, u32, u32>>(shape(16384), random_integers<u32>(16384, 8),
                                                      output<u32>(16384));
}
EXECUTION_TEST(half_in_subgroups) {
  Shape s = shape(128);
  s.attribute = true;
  run_everywhere<half_in_subgroups>(s, output<u32>(128));
}
