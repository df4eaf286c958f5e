// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole algorithms: what a user's kernels look like.
#include <algorithm>
#include <array>
#include <cmath>

#include "tests/execution/harness.h"

using namespace execution;

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

[[spirea::kernel]] void crc32(std::span<const std::uint8_t> data, std::span<u32> out, u32 block) {
  const auto i = spirea::global_id().x;
  if ((i + 1) * block > data.size()) return;
  u32 crc = ~0u;
  for (const std::uint8_t byte : data.subspan(i * block, block)) {
    crc ^= byte;
    for (int k = 0; k < 8; ++k) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0u);
  }
  out[i] = ~crc;
}

[[spirea::kernel]] void queens(std::span<u32> out, u32 n) {  // solutions with the first queen in column i
  const auto i = spirea::global_id().x;
  if (i >= n) return;
  u32 columns[12] = {}, left[12] = {}, right[12] = {}, open[12] = {};
  const u32 full = (1u << n) - 1;
  u32 row = 1, count = 0;
  columns[1] = 1u << i, left[1] = 2u << i, right[1] = (1u << i) >> 1;
  open[1] = full & ~(columns[1] | left[1] | right[1]);
  while (row > 0) {
    if (open[row] == 0) {
      --row;
      continue;
    }
    const u32 bit = open[row] & -open[row];
    open[row] ^= bit;
    if (row + 1 == n) {
      ++count;
      continue;
    }
    columns[row + 1] = columns[row] | bit;
    left[row + 1] = (left[row] | bit) << 1;
    right[row + 1] = (right[row] | bit) >> 1;
    ++row;
    open[row] = full & ~(columns[row] | left[row] | right[row]);
  }
  out[i] = count;
}

[[spirea::kernel]] void edit_distance(std::span<const char> words, std::span<u32> out, u32 count) {
  const auto i = spirea::global_id().x;
  if (i >= count * count) return;
  const auto a = words.subspan(i / count * 8, 8), b = words.subspan(i % count * 8, 8);
  std::array<std::uint8_t, 9> row;
  for (std::uint8_t k = 0; k < 9; ++k) row[k] = k;
  for (unsigned y = 0; y < 8; ++y) {
    std::uint8_t diagonal = row[0];
    row[0] = static_cast<std::uint8_t>(y + 1);
    for (unsigned x = 0; x < 8; ++x) {
      const auto cost = static_cast<std::uint8_t>(diagonal + (a[y] == b[x] ? 0 : 1));
      diagonal = row[x + 1];
      row[x + 1] = std::min<std::uint8_t>(cost, static_cast<std::uint8_t>(std::min(row[x], row[x + 1]) + 1));
    }
  }
  out[i] = row[8];
}

[[spirea::kernel]] void primes(std::span<u32> out) {
  const auto i = spirea::global_id().x;
  if (i >= out.size()) return;
  u32 found = 0, n = i * 7 + 2;
  for (;; ++n) {
    bool prime = n >= 2;
    for (u32 d = 2; d * d <= n; ++d)
      if (n % d == 0) {
        prime = false;
        break;
      }
    if (prime && ++found == 3) break;
  }
  out[i] = n;
}

[[spirea::kernel]] void modular_power(std::span<const u64> base, std::span<u64> out) {
  const auto i = spirea::global_id().x;
  if (i >= base.size()) return;
  constexpr u64 modulus = 4294967291;
  u64 r = 1, b = base[i] % modulus;
  for (u64 e = 1000003 + i; e != 0; e >>= 1) {
    if (e & 1) r = r * b % modulus;
    b = b * b % modulus;
  }
  out[i] = r;
}

[[spirea::kernel]] void matrix_product(std::span<const float> a, std::span<const float> b, std::span<float> c,
                                       u32 n) {
  const auto [x, y, z] = spirea::global_id();
  if (x >= n || y >= n) return;
  float sum = 0;
  for (u32 k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

[[spirea::kernel]] void life(std::span<const std::uint8_t> in, std::span<std::uint8_t> out, u32 width,
                             u32 height) {
  const auto [x, y, z] = spirea::global_id();
  if (x >= width || y >= height) return;
  u32 neighbours = 0;
  for (u32 dy = height - 1; dy <= height + 1; ++dy)
    for (u32 dx = width - 1; dx <= width + 1; ++dx)
      if (dx != width || dy != height) neighbours += in[(y + dy) % height * width + (x + dx) % width];
  out[y * width + x] = neighbours == 3 || (neighbours == 2 && in[y * width + x] != 0);
}

[[spirea::kernel]] void heap_sort(std::span<const u32> in, std::span<u32> out) {
  const auto i = spirea::global_id().x;
  constexpr u32 n = 16;
  if ((i + 1) * n > in.size()) return;
  u32 heap[n];
  for (u32 k = 0; k < n; ++k) heap[k] = in[i * n + k];
  const auto sift = [&](u32 root, u32 end) {
    for (u32 child; (child = root * 2 + 1) < end; root = child) {
      if (child + 1 < end && heap[child] < heap[child + 1]) ++child;
      if (heap[root] >= heap[child]) return;
      const u32 t = heap[root];
      heap[root] = heap[child], heap[child] = t;
    }
  };
  for (u32 k = n / 2; k-- > 0;) sift(k, n);
  for (u32 k = n; k-- > 1;) {
    const u32 t = heap[0];
    heap[0] = heap[k], heap[k] = t;
    sift(0, k);
  }
  for (u32 k = 0; k < n; ++k) out[i * n + k] = heap[k];
}

[[spirea::kernel]] void newton_roots(std::span<const double> in, std::span<double> out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  double x = in[i] > 1 ? in[i] : 1;
  for (int k = 0; k < 60; ++k) {
    const double next = 0.5 * (x + in[i] / x);
    if (std::fabs(next - x) < 1e-14 * x) break;
    x = next;
  }
  out[i] = x;
}

}  // namespace

EXECUTION_TEST(crc32) {
  run_everywhere<crc32>(shape(40), random_integers<std::uint8_t>(40 * 33, 1), output<u32>(40), 33u);
}
EXECUTION_TEST(queens) { run_everywhere<queens>(shape(8), output<u32>(8), 8u); }
EXECUTION_TEST(edit_distance) {
  Array<char> words;
  for (std::uint64_t k = 0, seed = 3; k < 12 * 8; ++k)
    words.values.push_back(static_cast<char>('a' + next_random(seed) % 4));
  run_everywhere<edit_distance>(shape(144), words, output<u32>(144), 12u);
}
EXECUTION_TEST(primes) { run_everywhere<primes>(shape(200), output<u32>(200)); }
EXECUTION_TEST(modular_power) {
  run_everywhere<modular_power>(shape(64), random_integers<u64>(64, 2), output<u64>(64));
}
EXECUTION_TEST(matrix_product) {
  run_everywhere<matrix_product>(shape2(24, 24), random_floats<float>(576, 1, -1, 1),
                                 random_floats<float>(576, 2, -1, 1), output<float>(576, 64, 1e-5), 24u);
}
EXECUTION_TEST(life) {
  Array<std::uint8_t> in = random_integers<std::uint8_t>(40 * 30, 4);
  for (std::uint8_t& v : in.values) v %= 2;
  run_everywhere<life>(shape2(40, 30), in, output<std::uint8_t>(1200), 40u, 30u);
}
EXECUTION_TEST(heap_sort) {
  run_everywhere<heap_sort>(shape(20), random_integers<u32>(320, 5), output<u32>(320));
}
EXECUTION_TEST(newton_roots) {
  run_everywhere<newton_roots>(shape(50), random_floats<double>(50, 6, 0.01, 1e6), output<double>(50, 8));
}
