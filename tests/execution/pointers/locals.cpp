// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers to local objects as values: merged, chosen, carried around loops, compared, subtracted.
#include <array>
#include <utility>

#include "tests/execution/harness.h"

using namespace execution;

namespace {

using u32 = std::uint32_t;

u32 pointer_in_phi(u32 x) {
  u32 a = x, b = x * 3 + 1, c = ~x;
  u32* p = &a;
  if (x % 3 == 1) {
    b ^= x >> 3;
    p = &b;
  } else if (x % 3 == 2) {
    c += 5;
    p = &c;
  }
  *p = *p * 7 + 1;
  return mix(mix(a, b), c);
}

u32 pointer_in_select(u32 x) {
  u32 a[4] = {x, x + 1, x + 2, x + 3}, b[4] = {5, x, 7, x * x};
  u32* p = (x & 4) != 0 ? a : b;
  p[x & 3] += 100;
  p[(x >> 3) & 3] ^= p[(x >> 1) & 3];
  u32 hash = 0;
  for (u32 k = 0; k < 4; ++k) hash = mix(mix(hash, a[k]), b[k]);
  return hash;
}

u32 pointer_in_loop(u32 x) {
  u32 values[10];
  for (u32 k = 0; k < 10; ++k) values[k] = x * k + (x >> k);
  u32 hash = 0;
  for (u32* p = values; p != values + 10; ++p) {
    if (*p % 2 == 0 && p > values) *p += *(p - 1);
    hash = mix(hash, *p);
  }
  return hash;
}

u32 two_objects_in_loop(u32 x) {
  u32 a[8] = {}, b[8] = {};
  u32 *to = a, *from = b;
  for (u32 k = 0; k < 8; ++k) {
    to[k] = x >> k;
    from[7 - k] += to[k] * 3;
    if ((x >> k & 1) != 0) std::swap(to, from);
  }
  u32 hash = 0;
  for (u32 k = 0; k < 8; ++k) hash = mix(hash, a[k] * 5 + b[k]);
  return hash;
}

u32 pointers_walking_backwards(u32 x) {
  u32 values[9];
  for (u32& v : values) v = x = x * 1103515245u + 12345u;
  u32 hash = 0;
  for (const u32* p = values + 9; p-- != values;) hash = mix(hash, *p);
  return hash;
}

u32 two_cursors_meeting(u32 x) {
  std::uint8_t text[12];
  for (u32 k = 0; k < 12; ++k) text[k] = static_cast<std::uint8_t>(x >> k);
  for (std::uint8_t *low = text, *high = text + 11; low < high; ++low, --high) std::swap(*low, *high);
  u32 hash = 0;
  for (const std::uint8_t c : text) hash = mix(hash, c);
  return hash;
}

u32 merge_by_pointers(u32 x) {
  u32 a[5], b[5], merged[10];
  for (u32 k = 0; k < 5; ++k) a[k] = k * (x % 13), b[k] = k * (x % 7) + 3;
  const u32 *p = a, *q = b;
  for (u32* to = merged; to != merged + 10;) {
    const bool first = q == b + 5 || (p != a + 5 && *p <= *q);
    const u32*& from = first ? p : q;
    *to++ = *from++;
  }
  u32 hash = 0;
  for (const u32 v : merged) hash = mix(hash, v);
  return hash;
}

u32 pointer_difference(u32 x) {
  u32 values[32];
  for (u32 k = 0; k < 32; ++k) values[k] = (x ^ k * 5) % 32;
  const u32* p = &values[x % 32];
  const u32* q = &values[*p];
  const std::ptrdiff_t d = q - p;
  return mix(static_cast<u32>(d), static_cast<u32>(p - values) * 100 + static_cast<u32>(values + 32 - q));
}

u32 pointer_comparison(u32 x) {
  std::int16_t values[16] = {};
  const std::int16_t *p = values + x % 16, *q = values + (x >> 4) % 16;
  return (p < q ? 1u : 0u) | (p <= q ? 2u : 0u) | (p == q ? 4u : 0u) | (p != q ? 8u : 0u) |
         (p > q ? 16u : 0u) | (p >= q ? 32u : 0u) | static_cast<u32>(*p + *q);
}

u32* larger(u32* a, u32* b) { return *a > *b ? a : b; }

u32 pointer_returned(u32 x) {
  u32 a = x % 1000, b = x >> 5, c = 500;
  *larger(larger(&a, &b), &c) -= 1;
  return mix(mix(a, b), c);
}

u32& at(std::array<u32, 6>& values, u32 x) { return values[x % 6]; }

u32 reference_returned(u32 x) {
  std::array<u32, 6> values{1, 2, 3, 4, 5, 6};
  at(values, x) += x;
  u32& same = at(values, x >> 3);
  same *= 3;
  at(values, x >> 6) ^= same;
  u32 hash = 0;
  for (const u32 v : values) hash = mix(hash, v);
  return hash;
}

u32 pointer_to_row(u32 x) {
  u32 grid[4][5];
  for (u32 k = 0; k < 20; ++k) grid[k / 5][k % 5] = x + k * k;
  u32(*row)[5] = &grid[x % 4];
  (*row)[x % 5] = 7;
  row = row == &grid[3] ? grid : row + 1;
  (*row)[(x >> 4) % 5] += (*row)[1];
  u32 hash = 0;
  for (const auto& line : grid)
    for (const u32 v : line) hash = mix(hash, v);
  return hash;
}

u32 pointer_to_field(u32 x) {
  struct Record {
    u32 a;
    std::uint8_t b;
    std::uint16_t c;
    u32 d;
  } record{x, 2, 3, x >> 1};
  u32* field = x % 2 == 0 ? &record.a : &record.d;
  *field += 9;
  std::uint16_t* half = &record.c;
  *half = static_cast<std::uint16_t>(*half + record.b + *field);
  return mix(mix(record.a, record.d), record.c);
}

u32 pointer_to_const_made_mutable(u32 x) {
  u32 value = x;
  const u32* p = &value;
  *const_cast<u32*>(p) += 3;
  return *p;
}

u32 void_pointer(u32 x) {
  u32 number = x;
  float real = static_cast<float>(x % 1000);
  const void* p = x % 2 == 0 ? static_cast<const void*>(&number) : static_cast<const void*>(&real);
  if (x % 2 == 0) return *static_cast<const u32*>(p) + 1;
  return static_cast<u32>(*static_cast<const float*>(p)) + 2;
}

u32 pointer_as_number(u32 x) {
  u32 values[8] = {};
  const auto first = reinterpret_cast<std::uintptr_t>(&values[0]);
  const auto other = reinterpret_cast<std::uintptr_t>(&values[x % 8]);
  values[(other - first) / sizeof(u32)] = 5;
  return values[x % 8] + static_cast<u32>(other - first);
}

u32 distances_as_numbers(u32 x) {
  u32 values[16];
  for (u32 k = 0; k < 16; ++k) values[k] = x >> k;
  auto first = reinterpret_cast<std::uintptr_t>(&values[x % 16]);
  auto second = reinterpret_cast<std::uintptr_t>(&values[x / 16 % 16]);
  if (x % 3 == 0) first += 8;
  for (u32 k = 0; k < x % 5; ++k) second += values[k] % 4;
  return static_cast<u32>(x % 7 == 0 ? first - second : second - first) + values[x / 256 % 16];
}

void exchange(u32* a, u32* b, bool really) {
  if (really) std::swap(*a, *b);
}

u32 pointer_arguments(u32 x) {
  u32 v[6] = {x, x ^ 21, x * 5, x >> 4, x + 77, 12};
  for (u32 round = 0; round < 6; ++round)
    for (u32 k = round % 2; k + 1 < 6; k += 2) exchange(v + k, v + k + 1, v[k] > v[k + 1]);
  u32 hash = 0;
  for (const u32 value : v) hash = mix(hash, value);
  return hash;
}

u32 null_pointer_to_local(u32 x) {
  u32 a = x, b = x ^ 0xff;
  u32* found = nullptr;
  for (u32 k = 0; k < 6; ++k)
    if ((x >> k) % 5 == 3) found = k % 2 == 0 ? &a : &b;
  if (found != nullptr) *found += 17;
  return mix(a, b) + (found ? 1 : 0);
}

}  // namespace

EXECUTION_TEST(pointer_in_phi) { run_map<pointer_in_phi>(); }
EXECUTION_TEST(pointer_in_select) { run_map<pointer_in_select>(); }
EXECUTION_TEST(pointer_in_loop) { run_map<pointer_in_loop>(); }
EXECUTION_TEST(two_objects_in_loop) { run_map<two_objects_in_loop>(); }
EXECUTION_TEST(pointers_walking_backwards) { run_map<pointers_walking_backwards>(); }
EXECUTION_TEST(two_cursors_meeting) { run_map<two_cursors_meeting>(); }
EXECUTION_TEST(merge_by_pointers) { run_map<merge_by_pointers>(); }
EXECUTION_TEST(pointer_difference) { run_map<pointer_difference>(); }
EXECUTION_TEST(pointer_comparison) { run_map<pointer_comparison>(); }
EXECUTION_TEST(pointer_returned) { run_map<pointer_returned>(); }
EXECUTION_TEST(reference_returned) { run_map<reference_returned>(); }
EXECUTION_TEST(pointer_to_row) { run_map<pointer_to_row>(); }
EXECUTION_TEST(pointer_to_field) { run_map<pointer_to_field>(); }
EXECUTION_TEST(pointer_to_const_made_mutable) { run_map<pointer_to_const_made_mutable>(); }
EXECUTION_TEST(void_pointer) { run_map<void_pointer>(); }
EXECUTION_TEST(pointer_as_number) { run_map<pointer_as_number>(); }
EXECUTION_TEST(distances_as_numbers) { run_map<distances_as_numbers>(); }
EXECUTION_TEST(pointer_arguments) { run_map<pointer_arguments>(); }
EXECUTION_TEST(null_pointer_to_local) { run_map<null_pointer_to_local>(); }
