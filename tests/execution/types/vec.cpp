// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>

#include "tests/execution/harness.h"

using namespace execution;
using namespace spirea;

namespace {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using i32 = std::int32_t;

template <class V>
u32 hash_of(const V& v) {
  u32 hash = 1;
  for (std::size_t i = 0; i < V::size(); ++i) hash = mix(hash, static_cast<u32>(v[i]));
  return hash;
}

template <class T>
u32 vec_integers(u32 seed) {
  using V = vec<T, 3>;
  const V a(static_cast<T>(seed), static_cast<T>(seed >> 8), static_cast<T>(seed >> 16));
  const V b(static_cast<T>(seed >> 5 | 1), static_cast<T>(seed >> 11 | 1), static_cast<T>(seed >> 19 | 1));
  u32 hash = mix(hash_of(a + b), hash_of(a - b));
  hash = mix(hash, hash_of(a * b));
  hash = mix(hash, hash_of((a & T(63)) / max(b & T(31), V(1))));
  hash = mix(hash, hash_of((a & T(63)) % max(b & T(31), V(1))));
  hash = mix(hash, mix(hash_of(a & b), mix(hash_of(a | b), hash_of(a ^ ~b))));
  hash = mix(hash, mix(hash_of(a << T(2)), hash_of((a & T(127)) >> T(1))));
  hash = mix(hash, mix(hash_of(T(5) - a), hash_of(-(a & T(63)))));
  V c = a;
  c += b;
  c ^= T(21);
  hash = mix(hash, mix(hash_of(c), hash_of(min(a, b))));
  hash = mix(hash, mix(hash_of(less(a, b)), hash_of(equal(a, V(static_cast<T>(seed))))));
  hash = mix(hash, hash_of(select(greater_equal(a, b), a, b)));
  return mix(hash, any(less(a, b)) + 2 * all(not_equal(a, b)) + 4 * (a == b) + 8 * (a != b));
}

u32 vec_swizzles(u32 seed) {
  const uint4 v(seed, seed >> 3, seed >> 7, seed >> 13);
  u32 hash = mix(hash_of(v.xy()), hash_of(v.wzyx()));
  hash = mix(hash, mix(hash_of(v.xxx()), hash_of(v.zw().yx())));
  const uint3 three(v.yz(), v.w);
  hash = mix(hash, mix(hash_of(three), hash_of(uint4(three, 5u))));
  auto [x, y, z] = three.zxy();
  hash = mix(hash, x + 3 * y + 5 * z + v.r() + v.a());
  uint4 w = v;
  w[seed % 4] = 9;
  w.y = 4;
  return mix(hash, hash_of(w));
}

[[spirea::kernel]] void vec_floats(std::span<const float> in, std::span<float> out) {
  const u32 i = global_id().x;
  const float3 a(in[i], in[i] * 0.5f, 2), b(1, in[i], -3);
  const float4 four = float4(a, 1) * 2 + 1.0;
  out[8 * i] = dot(a, b);
  out[8 * i + 1] = length(a);
  out[8 * i + 2] = normalize(b).y;
  const float3 c = cross(a, b);
  out[8 * i + 3] = c.x + 2 * c.y - c.z;
  out[8 * i + 4] = dot(four, float4(four.wzyx()));
  out[8 * i + 5] = mix(a, b, 0.25f).x + clamp(b, -1.0f, 1.0f).z + abs(b).z;
  out[8 * i + 6] = static_cast<float>(hash_of(int3(a * 8.0f)) & 0xffff);
  out[8 * i + 7] = static_cast<float>(double2(a.xy()).y / 3);
}

[[spirea::kernel]] void vec_halves(std::span<const half4> in, std::span<half4> out, half by) {
  const u32 i = global_id().x;
  out[i] = in[i] * by + in[i].wzyx() - half(0.25f);
  out[i].y = dot(in[i], half4(half(1)));
  out[i].z = length(in[i].xy());
}

struct Particle {
  float3 position;
  u8 kind;
  float2 speed;
  vec<u8, 4> color;
  friend bool operator==(const Particle&, const Particle&) = default;
};
struct Settings {
  float4 weights;
  int2 by;
};
[[spirea::kernel, spirea::workgroup_size(64)]] void vec_in_memory(std::span<const Particle> in,
                                                                  std::span<Particle> out, Settings s,
                                                                  float2 offset) {
  [[spirea::shared]] static float3 tile[64];
  [[spirea::shared]] static Particle particles[64];
  const u32 i = global_id().x, l = local_index();
  tile[l] = in[i].position;
  particles[63 - l] = in[i];
  workgroup_barrier();
  Particle p = particles[l];
  p.position += tile[(l + 5) % 64] * s.weights.z;
  p.speed = p.speed.yx() + offset;
  p.color = p.color + static_cast<u8>(s.by.x);
  p.color[l % 4] = 1;
  p.kind = static_cast<u8>(p.kind + s.by.y);
  out[i] = p;
}
[[spirea::kernel]] void vec_take_apart(std::span<const Particle> in, std::span<float> out) {
  const u32 i = global_id().x;
  const Particle& p = in[i];
  out[i] =
      p.position.x + p.position.y * 3 + p.position.z * 5 + p.speed.x * 7 + p.speed.y * 9 + p.kind + p.color.w;
}

[[spirea::kernel, spirea::workgroup_size(64)]] void vec_in_subgroups(std::span<u32> out) {
  const u32 n = subgroup_size(), lane = subgroup_lane();
  u32 wrong = 0;
  const auto expect = [&](bool is_right) { wrong += is_right ? 0 : 1; };
  expect(subgroup_add(uint3(1, lane, 2)) == uint3(n, n * (n - 1) / 2, 2 * n));
  expect(subgroup_max(int2(static_cast<i32>(lane), -static_cast<i32>(lane))) ==
         int2(static_cast<i32>(n) - 1, 0));
  expect(subgroup_inclusive_add(float4(1, 2, 0.5f, 0)) == float4(1, 2, 0.5f, 0) * (lane + 1));
  expect(subgroup_exclusive_add(half2(half(1), half(2))) == half2(half(lane), half(2 * lane)));
  expect(subgroup_shuffle(uint3(lane, 5, lane * lane), (lane + 1) % n) ==
         uint3((lane + 1) % n, 5, ((lane + 1) % n) * ((lane + 1) % n)));
  expect(subgroup_broadcast_first(vec<u8, 4>(1, 2, 3, static_cast<u8>(lane))) == vec<u8, 4>(1, 2, 3, 0));
  expect(subgroup_or(uint2(1, 1u << (lane % 32))).x == 1);
  out[global_id().x] = wrong;
}

Array<Particle> particles(std::size_t n) {
  Array<Particle> result;
  for (std::size_t i = 0; i < n; ++i) {
    const float x = static_cast<float>(i);
    result.values.push_back(
        {{x, x * 0.5f, -x}, static_cast<u8>(i), {x + 1, x - 1}, {1, 2, 3, static_cast<u8>(i)}});
  }
  return result;
}

}  // namespace

EXECUTION_TEST(vec_of_integers) {
  run_map<vec_integers<i32>>();
  run_map<vec_integers<u32>>();
  run_map<vec_integers<u8>>();
  run_map<vec_integers<std::int16_t>>();
}
EXECUTION_TEST(vec_swizzles) { run_map<vec_swizzles>(); }
EXECUTION_TEST(vec_of_floats) {
  run_everywhere<vec_floats>(shape(256), random_floats<float>(256, 3, -4, 4),
                             output<float>(8 * 256, 4, 2e-5));
}
EXECUTION_TEST(vec_of_halves) {
  Array<half4> in;
  for (i32 i = 0; i < 128; ++i)
    in.values.push_back(half4(half(i), half(i * 0.5f), half(2 - i), half(0.125f)));
  run_everywhere<vec_halves>(shape(128), in, Array<half4>{std::vector<half4>(128, half4(half(77)))},
                             half(1.5f));
}
EXECUTION_TEST(vec_in_structs_arguments_and_workgroup_memory) {
  run_everywhere<vec_take_apart>(shape(128), particles(128), output<float>(128));
  Shape s = shape(128);
  s.attribute = true;
  run_everywhere<vec_in_memory>(s, particles(128), Array<Particle>{std::vector<Particle>(128)},
                                Settings{{1, 2, 0.5f, 3}, {7, 9}}, float2(10, 20));
}
EXECUTION_TEST(vec_in_subgroups) {
  Shape s = shape(128);
  s.attribute = true;
  run_everywhere<vec_in_subgroups>(s, output<u32>(128));
}
