// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Workgroup memory and barriers.
#include <array>

#include "tests/execution/harness.h"

using namespace execution;

namespace {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u32 kGroup = 48;  // no multiple of what subgroups have

[[spirea::kernel, spirea::workgroup_size(kGroup)]] void reverse(std::span<const u32> in, std::span<u32> out) {
  [[spirea::shared]] static u32 tile[kGroup];
  const u32 l = spirea::local_index(), i = spirea::global_id().x;
  tile[l] = in[i];
  spirea::workgroup_barrier();
  out[i] = tile[kGroup - 1 - l];
}

[[spirea::kernel, spirea::workgroup_size(64)]] void reduce(std::span<const float> in, std::span<float> out) {
  [[spirea::shared]] static float tile[64];
  const u32 l = spirea::local_index(), i = spirea::global_id().x;
  tile[l] = i < in.size() ? in[i] : 0.0f;
  spirea::workgroup_barrier();
  for (u32 half = 32; half != 0; half /= 2) {
    if (l < half) tile[l] += tile[l + half];
    spirea::workgroup_barrier();
  }
  if (l == 0) out[spirea::workgroup_id().x] = tile[0];
}

struct Particle {
  float position[3];
  u16 charge;
  u8 kind;
  u64 id;
};

[[spirea::kernel, spirea::workgroup_size(kGroup)]] void structs(std::span<const u32> in, std::span<u64> out) {
  [[spirea::shared]] static Particle particles[kGroup];
  const u32 l = spirea::local_index(), i = spirea::global_id().x;
  particles[l] = {
      {float(in[i] & 255), 1.5f, -2.0f}, static_cast<u16>(in[i]), static_cast<u8>(l), in[i] * u64{3}};
  spirea::workgroup_barrier();
  const Particle& p = particles[(l + 7) % kGroup];
  out[i] = p.id + p.charge + p.kind + static_cast<u64>(p.position[0] + p.position[1] - p.position[2]);
}

/// Each instance of a template has its own.
template <class T>
T neighbour(T value, u32 distance) {
  [[spirea::shared]] static T exchange[kGroup];
  const u32 l = spirea::local_index();
  exchange[l] = value;
  spirea::workgroup_barrier();
  const T result = exchange[(l + distance) % kGroup];
  spirea::workgroup_barrier();
  return result;
}

[[spirea::kernel, spirea::workgroup_size(kGroup)]] void in_called_templates(std::span<const u32> in,
                                                                            std::span<u64> out) {
  const u32 i = spirea::global_id().x;
  const u32 a = neighbour<u32>(in[i], 1);
  const u8 b = neighbour<u8>(static_cast<u8>(in[i] >> 3), 5);
  const u64 c = neighbour<u64>(in[i] * u64{0x100000001}, 9);
  const u32 d = neighbour<u32>(a ^ b, 2);
  out[i] = a + u64{b} * 3 + c * 5 + d * u64{7};
}

[[spirea::shared]] u32 at_namespace_scope[kGroup];
[[spirea::shared]] static bool flags[kGroup];

[[spirea::kernel, spirea::workgroup_size(kGroup)]] void namespace_scope(std::span<const u32> in,
                                                                        std::span<u32> out) {
  const u32 l = spirea::local_index(), i = spirea::global_id().x;
  at_namespace_scope[l] = in[i];
  flags[l] = in[i] % 3 == 0;
  spirea::workgroup_barrier();
  u32 sum = 0;
  for (u32 j = 0; j < kGroup; ++j)
    if (flags[j]) sum += at_namespace_scope[j];
  out[i] = sum;
}

/// Neighbours write to bytes of one word at the same time.
[[spirea::kernel, spirea::workgroup_size(kGroup)]] void bytes(std::span<const u32> in, std::span<u32> out) {
  [[spirea::shared]] static u8 small[kGroup];
  [[spirea::shared]] static u16 half[kGroup];
  const u32 l = spirea::local_index(), i = spirea::global_id().x;
  small[l] = static_cast<u8>(in[i]);
  half[kGroup - 1 - l] = static_cast<u16>(in[i] >> 8);
  spirea::workgroup_barrier();
  u32 hash = 0;
  for (u32 j = 0; j < kGroup; ++j) hash = mix(hash, small[j] * 65537u + half[j]);
  out[i] = hash;
}

/// Written as words, read as bytes.
[[spirea::kernel, spirea::workgroup_size(kGroup)]] void punned(std::span<const u32> in, std::span<u32> out) {
  [[spirea::shared]] static u32 words[kGroup];
  const u32 l = spirea::local_index(), i = spirea::global_id().x;
  words[l] = in[i];
  spirea::workgroup_barrier();
  const auto* byte = reinterpret_cast<const u8*>(words);
  u32 sum = 0;
  for (u32 j = l; j < 4 * kGroup; j += kGroup) sum = sum * 31 + byte[j];
  out[i] = sum;
}

/// Barriers in uniform loops and conditions, with exits; values and a local array that live across them.
[[spirea::kernel, spirea::workgroup_size(kGroup)]] void uniform_control_flow(std::span<const u32> in,
                                                                             std::span<u32> out, u32 rounds,
                                                                             u32 limit) {
  [[spirea::shared]] static u32 tile[kGroup];
  const u32 l = spirea::local_index(), i = spirea::global_id().x;
  u32 mine[4] = {in[i], in[i] * 3, in[i] ^ 0x55u, l};
  double weight = 0.25 * l;
  u32 hash = in[i];
  for (u32 round = 0; round < rounds; ++round) {
    tile[l] = hash;
    spirea::workgroup_barrier();
    if (round % 3 == 1) {
      const u32 other = tile[(l + round) % kGroup];
      spirea::workgroup_barrier();
      tile[l] = other + mine[round % 4];
      spirea::workgroup_barrier();
      for (u32 inner = 0;; ++inner) {
        mine[(inner + l) % 4] += tile[(l * 7 + inner) % kGroup];
        spirea::workgroup_barrier();
        if (inner == round) break;
        tile[(l + inner) % kGroup] = mine[inner % 4];
        spirea::workgroup_barrier();
      }
    } else if (round == limit) {
      spirea::workgroup_barrier();
      break;
    }
    hash = mix(hash, tile[kGroup - 1 - l]);
    weight += hash & 3;
    spirea::workgroup_barrier();
  }
  out[i] = mix(hash, mine[l % 4]) + static_cast<u32>(weight * 4);
}

/// The whole workgroup returns before the barrier, or none of it.
[[spirea::kernel, spirea::workgroup_size(kGroup)]] void uniform_return(std::span<const u32> in,
                                                                       std::span<u32> out) {
  [[spirea::shared]] static u32 tile[kGroup];
  const u32 l = spirea::local_index(), i = spirea::global_id().x;
  if (spirea::workgroup_id().x % 2 == 1) {
    out[i] = 5;
    return;
  }
  tile[l] = in[i];
  spirea::workgroup_barrier();
  out[i] = tile[l ^ 1];
}

/// Some invocations leave a loop early and wait at the barrier behind it.
[[spirea::kernel, spirea::workgroup_size(kGroup)]] void divergence_between_barriers(std::span<const u32> in,
                                                                                    std::span<u32> out) {
  [[spirea::shared]] static u32 tile[kGroup];
  const u32 l = spirea::local_index(), i = spirea::global_id().x;
  u32 steps = 0;
  for (u32 n = in[i] % 97 + 1; n != 1; n = n % 2 == 0 ? n / 2 : 3 * n + 1) {
    if (++steps > 40) break;
    if (n == 8) continue;
    steps += n & 1;
  }
  tile[l] = steps;
  spirea::workgroup_barrier();
  u32 most = 0;
  for (const u32 s : tile) most = s > most ? s : most;
  out[i] = most * 100 + steps;
}

[[spirea::kernel, spirea::workgroup_size(6, 4, 2)]] void three_dimensions(std::span<const u32> in,
                                                                          std::span<u32> out) {
  [[spirea::shared]] static u32 tile[2][4][6];
  const auto l = spirea::local_id();
  const auto g = spirea::global_id(), size = spirea::global_size();
  const u32 i = (g.z * size.y + g.y) * size.x + g.x;
  tile[l.z][l.y][l.x] = in[i];
  spirea::workgroup_barrier();
  out[i] = tile[1 - l.z][3 - l.y][5 - l.x];
}

template <class T>
u32 sum_of(const T* values, u32 n) {
  u32 sum = 0;
  for (u32 i = 0; i < n; ++i) sum += static_cast<u32>(values[i]) * (i + 1);
  return sum;
}

/// One function for all kinds of memory.
[[spirea::kernel, spirea::workgroup_size(kGroup)]] void pointers_to_any_memory(std::span<const u32> in,
                                                                               std::span<u32> out) {
  [[spirea::shared]] static u32 tile[kGroup];
  const u32 l = spirea::local_index(), i = spirea::global_id().x;
  u32 local[5] = {l, in[i], 3, 4, 5};
  tile[l] = in[i] + 1;
  spirea::workgroup_barrier();
  out[i] = sum_of(local, 5) + sum_of(tile, kGroup) * 3 + sum_of(in.data() + i / kGroup * kGroup, 7) * 5;
}

/// Which memory, only the data says.
[[spirea::kernel, spirea::workgroup_size(kGroup)]] void pointers_chosen_by_data(std::span<const u32> in,
                                                                                std::span<u32> out) {
  [[spirea::shared]] static u32 tile[kGroup];
  const u32 l = spirea::local_index(), i = spirea::global_id().x;
  u32 local[8];
  for (u32 j = 0; j < 8; ++j) local[j] = in[i] + j;
  tile[l] = in[i] * 7;
  spirea::workgroup_barrier();
  const u32* from = in.data();
  if (in[i] % 3 == 1) from = local;
  if (in[i] % 3 == 2) from = tile + 4;
  out[i] = from[1] * 3 + from[7];
}

[[spirea::kernel]] void dynamic(std::span<const u32> in, std::span<u64> out) {
  u64* wide = spirea::dynamic_shared<u64>();
  const u32 l = spirea::local_index(), n = spirea::workgroup_size().x, i = spirea::global_id().x;
  wide[l] = in[i] * u64{0x1000000001};
  spirea::workgroup_barrier();
  out[i] = wide[n - 1 - l] + reinterpret_cast<const u32*>(spirea::dynamic_shared<u64>())[2 * l + 1];
}

[[spirea::kernel, spirea::workgroup_size(64)]] void dynamic_beside_static(std::span<const u32> in,
                                                                          std::span<u32> out) {
  [[spirea::shared]] static u8 odd[3];
  [[spirea::shared]] static u32 tile[64];
  u32* more = spirea::dynamic_shared<u32>();
  const u32 l = spirea::local_index(), i = spirea::global_id().x;
  if (l < 3) odd[l] = static_cast<u8>(in[i]);
  tile[l] = in[i];
  more[l] = in[i] + 1;
  spirea::workgroup_barrier();
  out[i] = tile[63 - l] * 3 + more[l ^ 5] * 5 + odd[l % 3];
}

}  // namespace

EXECUTION_TEST(shared_reverse) {
  run_everywhere<reverse>({{kGroup * 7, 1, 1}, {kGroup, 1, 1}, true}, random_integers<u32>(kGroup * 7, 1),
                          output<u32>(kGroup * 7));
}
EXECUTION_TEST(shared_reduce) {
  run_everywhere<reduce>({{1000, 1, 1}, {64, 1, 1}, true}, random_floats<float>(1000, 2, -1, 1),
                         output<float>(16));
}
EXECUTION_TEST(shared_structs) {
  run_everywhere<structs>({{kGroup * 3, 1, 1}, {kGroup, 1, 1}, true}, random_integers<u32>(kGroup * 3, 3),
                          output<u64>(kGroup * 3));
}
EXECUTION_TEST(shared_in_called_templates) {
  run_everywhere<in_called_templates>({{kGroup * 3, 1, 1}, {kGroup, 1, 1}, true},
                                      random_integers<u32>(kGroup * 3, 4), output<u64>(kGroup * 3));
}
EXECUTION_TEST(shared_at_namespace_scope) {
  run_everywhere<namespace_scope>({{kGroup * 3, 1, 1}, {kGroup, 1, 1}, true},
                                  random_integers<u32>(kGroup * 3, 5), output<u32>(kGroup * 3));
}
EXECUTION_TEST(shared_bytes_of_neighbours) {
  run_everywhere<bytes>({{kGroup * 5, 1, 1}, {kGroup, 1, 1}, true}, random_integers<u32>(kGroup * 5, 6),
                        output<u32>(kGroup * 5));
}
EXECUTION_TEST(shared_punned) {
  run_everywhere<punned>({{kGroup * 3, 1, 1}, {kGroup, 1, 1}, true}, random_integers<u32>(kGroup * 3, 7),
                         output<u32>(kGroup * 3));
}
EXECUTION_TEST(barriers_in_uniform_control_flow) {
  run_everywhere<uniform_control_flow>({{kGroup * 3, 1, 1}, {kGroup, 1, 1}, true},
                                       random_integers<u32>(kGroup * 3, 8), output<u32>(kGroup * 3), u32{9},
                                       u32{6});
}
EXECUTION_TEST(barriers_behind_a_uniform_return) {
  run_everywhere<uniform_return>({{kGroup * 5, 1, 1}, {kGroup, 1, 1}, true},
                                 random_integers<u32>(kGroup * 5, 9), output<u32>(kGroup * 5));
}
EXECUTION_TEST(barriers_behind_divergent_loops) {
  run_everywhere<divergence_between_barriers>({{kGroup * 5, 1, 1}, {kGroup, 1, 1}, true},
                                              random_integers<u32>(kGroup * 5, 10), output<u32>(kGroup * 5));
}
EXECUTION_TEST(shared_three_dimensions) {
  run_everywhere<three_dimensions>({{12, 8, 6}, {6, 4, 2}, true}, random_integers<u32>(12 * 8 * 6, 11),
                                   output<u32>(12 * 8 * 6));
}
EXECUTION_TEST(pointers_to_local_workgroup_and_device_memory) {
  run_everywhere<pointers_to_any_memory>({{kGroup * 3, 1, 1}, {kGroup, 1, 1}, true},
                                         random_integers<u32>(kGroup * 3, 12), output<u32>(kGroup * 3));
}
EXECUTION_TEST(pointers_to_memory_that_the_data_chooses) {
  run_everywhere<pointers_chosen_by_data>({{kGroup * 3, 1, 1}, {kGroup, 1, 1}, true},
                                          random_integers<u32>(kGroup * 3, 13), output<u32>(kGroup * 3));
}
EXECUTION_TEST(dynamic_shared) {
  run_everywhere<dynamic>({{40 * 3, 1, 1}, {40, 1, 1}, false, 40 * sizeof(u64)},
                          random_integers<u32>(120, 14), output<u64>(120));
}
EXECUTION_TEST(dynamic_shared_beside_static) {
  run_everywhere<dynamic_beside_static>({{192, 1, 1}, {64, 1, 1}, true, 64 * sizeof(u32)},
                                        random_integers<u32>(192, 15), output<u32>(192));
}
