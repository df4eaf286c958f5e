// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constant data: tables of every kind, string literals, pointers in tables, static members.
#include <array>
#include <cstring>
#include <string_view>

#include "tests/execution/harness.h"

using namespace execution;

namespace {

using u8 = unsigned char;
using u32 = std::uint32_t;

const u32 kGrid[3][4] = {{1, 2, 3, 4}, {50, 60, 70, 80}, {900, 1000, 1100, 1200}};

u32 constant_grid(u32 x) { return kGrid[x % 3][(x >> 2) % 4] + kGrid[(x >> 4) % 3][1]; }

struct Opcode {
  char name[4];
  u8 size;
  u32 mask;
  float weight;
};
constexpr Opcode kOpcodes[] = {
    {"add", 2, 0xff, 0.5f}, {"sub", 4, 0xff00, 1.5f}, {"mul", 8, 0xf0f0, 2.5f}, {"jmp", 1, ~0u, -8.f}};

u32 constant_structs(u32 x) {
  const Opcode& op = kOpcodes[x % 4];
  return mix((x & op.mask) + op.size,
             static_cast<u32>(op.name[(x >> 2) % 3]) + static_cast<u32>(op.weight * 2 + 100));
}

const char* const kNames[] = {"zero", "one", "two", "three", "a longer name than the others"};

constexpr u32 kShort[] = {1, 2};
constexpr u32 kLong[] = {10, 20, 30, 40, 50};
struct Row {
  const u32* values;
  u32 size;
};
constexpr Row kRows[] = {{kShort, 2}, {kLong, 5}, {kLong + 2, 3}};

constexpr auto kSquares = [] {
  std::array<u32, 64> table{};
  for (u32 k = 0; k < 64; ++k) table[k] = k * k ^ (k << 3);
  return table;
}();

u32 constant_table_computed(u32 x) { return kSquares[x % 64] + kSquares[(x >> 6) % 64] * 3; }

u32 constant_static_local(u32 x) {
  static const std::int16_t offsets[] = {-5, 3, -700, 9, 32000};
  static constexpr std::int64_t wide[] = {1ll << 40, -(1ll << 50), 3};
  return static_cast<u32>(offsets[x % 5]) + static_cast<u32>(wide[x % 3] >> 20);
}

struct Traits {
  static constexpr u32 factor = 11;
  static constexpr double scales[] = {0.5, 4, 16};
  static const u32 late;
};
const u32 Traits::late = 12;

u32 constant_static_members(u32 x) {
  const u32* factor = x % 2 == 0 ? &Traits::factor : &Traits::late;
  return *factor * 100 + static_cast<u32>(Traits::scales[x % 3] * 2);
}

u32 string_literals_chosen(u32 x) {
  const char* s = x % 3 == 0 ? "abc" : x % 3 == 1 ? "defgh" : "";
  u32 n = 0;
  while (*s != 0) n = n * 31 + static_cast<u32>(*s++);
  return n;
}

u32 wide_string_literals(u32 x) {
  constexpr std::u16string_view text = u"\u00e4\u20ac\u4e2d";
  constexpr std::u32string_view more = U"\U0001f300z";
  return text[x % 3] * 3u + static_cast<u32>(more[x % 2]);
}

inline constexpr struct {
  float a[4];
  bool b[8];
} kMixed{{1.5f, -2, 0.25f, 1e6f}, {true, false, true, true, false, false, true, false}};

u32 constant_floats_and_booleans(u32 x) {
  return static_cast<u32>(static_cast<std::int32_t>(kMixed.a[x % 4] * 4)) + (kMixed.b[(x >> 2) % 8] ? 7 : 0);
}

u32 constant_table_of_strings(u32 x) {
  u32 hash = 0;
  for (const char* p = kNames[x % 5]; *p != 0; ++p) hash = mix(hash, static_cast<u32>(*p));
  return hash;
}

u32 constant_table_of_pointers(u32 x) {
  const Row& row = kRows[x % 3];
  u32 sum = 0;
  for (u32 k = 0; k < row.size; ++k) sum = sum * 3 + row.values[k];
  return sum;
}

u32 constant_or_local_table(u32 x) {
  const u32 local[4] = {x, x + 1, x + 2, x + 3};
  const u32* table = x % 2 == 0 ? local : kGrid[1];
  return mix(table[(x >> 1) % 4], table[3]);
}

[[spirea::kernel]] void constant_or_device_table(const u32* in, u32* out, u32 n) {
  const auto i = spirea::global_id().x;
  if (i + 4 > n) return;
  const u32* table = in[i] % 2 == 0 ? in + i : kGrid[2];
  out[i] = table[(in[i] >> 3) % 4];
}

u32 string_literal_length(u32 x) {
  char text[16] = "spirea kernels";
  text[x % 15] = 0;
  return static_cast<u32>(std::strlen(text)) + static_cast<u32>(sizeof "abc");
}

}  // namespace

EXECUTION_TEST(constant_grid) { run_map<constant_grid>(); }
EXECUTION_TEST(constant_structs) { run_map<constant_structs>(); }
EXECUTION_TEST(constant_table_computed) { run_map<constant_table_computed>(); }
EXECUTION_TEST(constant_static_local) { run_map<constant_static_local>(); }
EXECUTION_TEST(constant_static_members) { run_map<constant_static_members>(); }
EXECUTION_TEST(string_literals_chosen) { run_map<string_literals_chosen>(); }
EXECUTION_TEST(wide_string_literals) { run_map<wide_string_literals>(); }
EXECUTION_TEST(constant_floats_and_booleans) { run_map<constant_floats_and_booleans>(); }
EXECUTION_TEST(string_literal_length) { run_map<string_literal_length>(); }
EXECUTION_TEST(constant_table_of_strings) { run_map<constant_table_of_strings>(); }
EXECUTION_TEST(constant_table_of_pointers) { run_map<constant_table_of_pointers>(); }
EXECUTION_TEST(constant_or_local_table) { run_map<constant_or_local_table>(); }
EXECUTION_TEST(constant_or_device_table) {
  run_everywhere<constant_or_device_table>(shape(70), random_integers<u32>(80, 1), output<u32>(80), 80u);
}
