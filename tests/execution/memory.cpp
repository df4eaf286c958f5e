// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>
#include <utility>

#include "tests/execution/harness.h"

using namespace execution;

namespace {

using u32 = std::uint32_t;

[[spirea::kernel]] void local_array(std::span<const u32> in, std::span<u32> out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  u32 table[16];
  for (u32 k = 0; k < 16; ++k) table[k] = in[i] * (k + 1) >> 3;
  u32 at = in[i] % 16, sum = 0;
  for (u32 k = 0; k < 20; ++k) {
    sum = sum * 5 + table[at];
    table[at] ^= sum;
    at = (at * 7 + table[(at + k) % 16]) % 16;
  }
  out[i] = sum;
}

[[spirea::kernel]] void local_array_2d(std::span<const float> in, std::span<float> out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  float grid[5][7];
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 7; ++x)
      grid[y][x] = in[(i + static_cast<u32>(x * y)) % in.size()] + static_cast<float>(x - y);
  const u32 row = static_cast<u32>(in[i] * 4.9f), column = (i * 3) % 7;
  out[i * 2] = grid[row][column];
  out[i * 2 + 1] = grid[(row + 1) % 5][6 - column];
}

[[spirea::kernel]] void insertion_sort(std::span<const int> in, std::span<int> out) {
  const auto i = spirea::global_id().x;
  if (i * 8 + 8 > in.size()) return;
  int v[8];
  for (u32 k = 0; k < 8; ++k) v[k] = in[i * 8 + k];
  for (int k = 1; k < 8; ++k) {
    const int x = v[k];
    int m = k - 1;
    while (m >= 0 && v[m] > x) {
      v[m + 1] = v[m];
      --m;
    }
    v[m + 1] = x;
  }
  for (u32 k = 0; k < 8; ++k) out[i * 8 + k] = v[k];
}

[[spirea::kernel]] void byte_array(std::span<const u32> in, std::span<u32> out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  std::uint8_t digits[12];
  u32 n = 0, v = in[i];
  do {
    digits[n++] = static_cast<std::uint8_t>('0' + v % 10);
    v /= 10;
  } while (v != 0);
  u32 hash = 2166136261u;
  while (n > 0) hash = (hash ^ digits[--n]) * 16777619u;
  out[i] = hash;
}

struct Particle {
  float x, y;
  std::int16_t kind;
  bool alive;
  std::uint64_t id;
  friend bool operator==(const Particle&, const Particle&) = default;
};

[[spirea::kernel]] void structs_in_buffers(std::span<const Particle> in, std::span<Particle> out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  Particle p = in[i];
  if (p.alive) {
    p.x += 2, p.y -= 1;
    p.kind = static_cast<std::int16_t>(-p.kind);
  }
  p.id = p.id << 3 | (p.alive ? 1 : 0);
  p.alive = p.kind > 0;
  out[in.size() - 1 - i] = p;
  out[in.size() - 1 - i].id ^= 5;
}

struct Matrix {
  std::array<std::array<int, 3>, 3> m;
  friend bool operator==(const Matrix&, const Matrix&) = default;
};
constexpr Matrix operator*(const Matrix& a, const Matrix& b) {
  Matrix r{};
  for (unsigned i = 0; i < 3; ++i)
    for (unsigned j = 0; j < 3; ++j)
      for (unsigned k = 0; k < 3; ++k) r.m[i][j] += a.m[i][k] * b.m[k][j];
  return r;
}

[[spirea::kernel]] void nested_arrays(std::span<const Matrix> in, std::span<Matrix> out, Matrix by) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  out[i] = in[i] * by;
  out[i].m[i % 3][(i + 1) % 3] = by.m[(i + 2) % 3][i % 3];
}

constexpr u32 kPrimes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31};
constexpr double kWeights[4] = {0.5, 0.25, -1.75, 8};
constexpr std::uint8_t kBits[] = {1, 9, 200, 255, 3};

[[spirea::kernel]] void constant_tables(std::span<const u32> in, std::span<u32> out,
                                        std::span<double> weights) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  out[i] = kPrimes[in[i] % 11] * 1000 + kBits[in[i] % 5];
  weights[i] = kWeights[in[i] & 3];
}

[[spirea::kernel]] void string_literal(std::span<const u32> in, std::span<u32> out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  const char* hex = "0123456789abcdef";
  u32 packed = 0;
  for (int k = 0; k < 4; ++k) packed = packed << 8 | static_cast<u32>(hex[in[i] >> (4 * k) & 15]);
  out[i] = packed;
}

void add_and_double(int& a, int* b) {
  a += *b;
  *b *= 2;
}

[[spirea::kernel]] void pointers_to_locals(std::span<const int> in, std::span<int> out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  int a = in[i] % 1000, b = 7;
  int* p = &a;
  for (int k = 0; k < 5; ++k) add_and_double(*p, &b);
  int& r = (a % 2 == 0) ? a : b;
  r += 3;
  std::swap(a, b);
  out[i * 2] = a, out[i * 2 + 1] = b;
}

[[spirea::kernel]] void pointer_walk(const u32* in, u32* out, u32 n) {
  const auto i = spirea::global_id().x;
  if (i * 4 + 4 > n) return;
  u32 sum = 0;
  for (const u32 *p = in + i * 4, *end = p + 4; p != end; ++p) sum = sum * 3 + *p;
  u32* slot = out + i;
  *slot = sum;
  slot[n] = static_cast<u32>(&in[i * 4 + 3] - in);
}

[[spirea::kernel]] void chosen_pointer(std::span<const u32> a, std::span<const u32> b, std::span<u32> out) {
  const auto i = spirea::global_id().x;
  if (i >= a.size()) return;
  const u32* p = a[i] % 2 == 0 ? &a[i] : b.data();
  for (int k = 0; k < 3; ++k)
    if (*p % 5 != 0) p = *p % 3 == 0 ? a.data() + i : b.data() + (i + static_cast<u32>(k)) % b.size();
  out[i] = *p;
}

[[spirea::kernel]] void subspans(std::span<const int> in, std::span<int> out) {
  const auto i = spirea::global_id().x;
  if (i * 10 + 10 > in.size()) return;
  const auto row = in.subspan(i * 10, 10);
  int sum = 0;
  for (const int v : row.first(4)) sum += v % 100;
  for (const int v : row.last<3>()) sum -= v % 10;
  out[i] = sum + row[5] % 7 + static_cast<int>(row.subspan(2).size());
}

[[spirea::kernel]] void small_elements(std::span<const std::int8_t> bytes,
                                       std::span<const std::uint16_t> halves, std::span<std::int16_t> out) {
  const auto i = spirea::global_id().x;
  if (i >= bytes.size()) return;
  out[i] = static_cast<std::int16_t>(bytes[i] * 3 - static_cast<std::int16_t>(halves[i] >> 4));
}

[[spirea::kernel]] void array_of_structs(std::span<const u32> in, std::span<u32> out) {
  struct Entry {
    u32 key;
    u32 value;
  };
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  std::array<Entry, 8> map{};
  for (u32 k = 0; k < 12; ++k) {
    const u32 key = (in[(i + k) % in.size()] >> 5) % 8;
    u32 slot = key;
    while (map[slot].value != 0 && map[slot].key != key) slot = (slot + 1) % 8;
    map[slot].key = key;
    map[slot].value += k + 1;
  }
  u32 hash = 0;
  for (const Entry& e : map) hash = hash * 31 + e.key * 7 + e.value;
  out[i] = hash;
}

}  // namespace

EXECUTION_TEST(local_array) {
  run_everywhere<local_array>(shape(100), random_integers<u32>(100, 1), output<u32>(100));
}
EXECUTION_TEST(local_array_2d) {
  run_everywhere<local_array_2d>(shape(100), random_floats<float>(100, 1, 0, 1), output<float>(200));
}
EXECUTION_TEST(insertion_sort) {
  run_everywhere<insertion_sort>(shape(50), random_integers<int>(400, 2), output<int>(400));
}
EXECUTION_TEST(byte_array) {
  run_everywhere<byte_array>(shape(100), random_integers<u32>(100, 3), output<u32>(100));
}
EXECUTION_TEST(structs_in_buffers) {
  Array<Particle> in;
  std::uint64_t seed = 5;
  for (std::uint64_t k = 0; k < 70; ++k)
    in.values.push_back({static_cast<float>(k), static_cast<float>(k * 2),
                         static_cast<std::int16_t>(next_random(seed)), k % 3 != 0, next_random(seed)});
  run_everywhere<structs_in_buffers>(shape(70), in, Array<Particle>{std::vector<Particle>(70)});
}
EXECUTION_TEST(nested_arrays) {
  Array<Matrix> in;
  for (int k = 0; k < 40; ++k) in.values.push_back({{{{k, 1, 2}, {3, -k, 5}, {6, 7, k * k}}}});
  run_everywhere<nested_arrays>(shape(40), in, Array<Matrix>{std::vector<Matrix>(40)},
                                Matrix{{{{1, 2, 3}, {4, 5, 6}, {7, 8, -9}}}});
}
EXECUTION_TEST(constant_tables) {
  run_everywhere<constant_tables>(shape(100), random_integers<u32>(100, 4), output<u32>(100),
                                  output<double>(100));
}
EXECUTION_TEST(string_literal) {
  run_everywhere<string_literal>(shape(100), random_integers<u32>(100, 5), output<u32>(100));
}
EXECUTION_TEST(pointers_to_locals) {
  run_everywhere<pointers_to_locals>(shape(100), random_integers<int>(100, 6), output<int>(200));
}
EXECUTION_TEST(pointer_walk) {
  run_everywhere<pointer_walk>(shape(64), random_integers<u32>(200, 7), output<u32>(300), 200u);
}
EXECUTION_TEST(chosen_pointer) {
  run_everywhere<chosen_pointer>(shape(90), random_integers<u32>(90, 8), random_integers<u32>(50, 9),
                                 output<u32>(90));
}
EXECUTION_TEST(subspans) {
  run_everywhere<subspans>(shape(20), random_integers<int>(200, 10), output<int>(20));
}
EXECUTION_TEST(small_elements) {
  run_everywhere<small_elements>(shape(101), random_integers<std::int8_t>(101, 11),
                                 random_integers<std::uint16_t>(101, 12), output<std::int16_t>(101));
}
EXECUTION_TEST(array_of_structs) {
  run_everywhere<array_of_structs>(shape(80), random_integers<u32>(80, 13), output<u32>(80));
}
