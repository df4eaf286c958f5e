// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes of code at which other compilers of C++ to SPIR-V are known to fail, each in its smallest form.
#include <array>
#include <cstring>
#include <utility>

#include "tests/execution/harness.h"

using namespace execution;

namespace {

using u8 = unsigned char;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

u32 shape_private_pointer_through_phi(u32 x) {
  u32 a[3] = {x, 1, 2}, b[3] = {4, x, 6};
  u32* p = nullptr;
  if (x % 2 == 0) {
    a[1] += x;
    p = a;
  } else {
    b[2] ^= x;
    p = b;
  }
  for (u32 k = 0; k < 3; ++k) p[(k + x) % 3] += k;
  return mix(mix(a[0], a[1] + a[2]), mix(b[0], b[1] + b[2]));
}

u32 shape_private_pointer_through_select(u32 x) {
  u32 a = x, b = 5;
  u32* const p = x % 3 == 0 ? &a : &b;
  u32* const q = p == &a ? &b : &a;
  *p += 7;
  *q *= *p;
  return mix(a, b);
}

[[spirea::kernel]] void shape_store_to_element_0(u32* out, std::span<std::array<u32, 4>> rows) {
  const auto i = spirea::global_id().x;
  if (i == 0) *out = 42;
  if (i < rows.size()) rows[i][0] = i + 9;
}

u32 shape_bytes_as_word(u32 x) {
  alignas(4) std::int8_t bytes[8];
  for (u32 k = 0; k < 8; ++k) bytes[k] = static_cast<std::int8_t>(x >> k);
  std::int32_t word;
  std::memcpy(&word, bytes + (x & 4), 4);
  return static_cast<u32>(word);
}

u32 shape_pointer_in_private_struct(u32 x) {
  struct Slice {
    u32* data;
    u32 n;
  };
  u32 values[6] = {1, 2, x, 4, x >> 3, 6};
  Slice s{values + x % 3, 3};
  const auto sum = [](const Slice& slice) {
    u32 total = 0;
    for (u32 k = 0; k < slice.n; ++k) total = total * 3 + slice.data[k];
    return total;
  };
  u32 total = sum(s);
  s.data[1] = total;
  s.data = values + total % 4;
  return sum(s);
}

u32 shape_poison_in_phi(u32 x) {  // `v` has a value only where it is used
  u32 v;
  bool set = false;
  if (x % 3 == 0) v = x * 5, set = true;
  u32 r = 1;
  for (u32 k = 0; k < 3; ++k) {
    if (set) r += v + k;
    if (!set && k == 1 && x % 2 == 0) v = k, set = true;
  }
  return r;
}

[[spirea::kernel]] void shape_load_through_phi_of_two_buffers(const u32* a, const u32* b,
                                                              std::span<u32> out) {
  const auto i = spirea::global_id().x;
  if (i >= out.size()) return;
  const u32* p;
  if (a[i] % 2 == 0)
    p = a;
  else
    p = b + 1;
  out[i] = p[i] + p[0];
}

u32 shape_element_of_local_pair(u32 x) {
  std::pair<u32, u32> pair{x, x + 1};
  u32* second = &pair.second;
  *second += 3;
  std::pair<u8, u64> mixed{static_cast<u8>(x), x};
  u64* wide = &mixed.second;
  *wide <<= x % 40;
  if (x % 2 == 0) std::swap(pair.first, *second);
  return mix(mix(pair.first, pair.second), static_cast<u32>(*wide >> 8) + mixed.first);
}

struct Six {
  u16 a, b, c;
};
Six shifted(Six v) { return {v.c, v.a, static_cast<u16>(v.b + 1)}; }

// Six bytes by value are one integer of 48 bits.
u32 shape_memmove(u32 x) {
  u32 v[6] = {x, 1, x >> 2, 3, 4, 5};
  std::memmove(v + 1, v, 5 * sizeof(u32));
  std::memmove(reinterpret_cast<u8*>(v) + 3, reinterpret_cast<u8*>(v) + 5, 11);
  u32 hash = 0;
  for (const u32 w : v) hash = mix(hash, w);
  return hash;
}

[[spirea::kernel]] void shape_endless_loop_with_effect(std::span<u32> data, u32 never) {
  const auto i = spirea::global_id().x;
  if (i >= data.size()) return;
  data[i] += 1;
  if (data[i] == never) {
    volatile u32* place = &data[i];
    for (;;) *place = *place + 1;
  }
  data[i] *= 2;
}

[[spirea::kernel]] void shape_endless_loop_without_effect(std::span<u32> data, u32 never) {
  const auto i = spirea::global_id().x;
  if (i >= data.size()) return;
  data[i] += 1;
  if (data[i] == never)
    for (volatile bool on = true; on;) {
    }
  data[i] *= 2;
}

u32 shape_early_return_from_nested_loops(u32 x) {
  for (u32 a = 0; a < 6; ++a) {
    if ((x >> a) % 7 == 6) return a + 1000;
    for (u32 b = 0; b < 6; ++b) {
      u32 c = b;
      while (c < 8) {
        if (((x >> c) ^ a) % 13 == b + 1) return a * 100 + b * 10 + c;
        c += 1 + a % 2;
      }
      if (b * a == x % 29) break;
    }
  }
  return x;
}

u32 shape_i48(u32 x) {
  Six v{static_cast<u16>(x), static_cast<u16>(x >> 5), static_cast<u16>(x >> 16)};
  Six copies[2] = {v, shifted(v)};
  v = copies[x % 2];
  u64 bits = 0;
  std::memcpy(&bits, &v, sizeof v);
  bits = bits * 3 & 0xffffffffffffu;
  return mix(static_cast<u32>(bits), static_cast<u32>(bits >> 24));
}

}  // namespace

EXECUTION_TEST(shape_private_pointer_through_phi) { run_map<shape_private_pointer_through_phi>(); }
EXECUTION_TEST(shape_private_pointer_through_select) { run_map<shape_private_pointer_through_select>(); }
EXECUTION_TEST(shape_store_to_element_0) {
  run_everywhere<shape_store_to_element_0>(shape(40), output<u32>(3),
                                           Array<std::array<u32, 4>>{std::vector<std::array<u32, 4>>(40)});
}
EXECUTION_TEST(shape_bytes_as_word) { run_map<shape_bytes_as_word>(); }
EXECUTION_TEST(shape_pointer_in_private_struct) { run_map<shape_pointer_in_private_struct>(); }
EXECUTION_TEST(shape_poison_in_phi) { run_map<shape_poison_in_phi>(); }
EXECUTION_TEST(shape_load_through_phi_of_two_buffers) {
  run_everywhere<shape_load_through_phi_of_two_buffers>(shape(70), random_integers<u32>(70, 1),
                                                        random_integers<u32>(71, 2), output<u32>(70));
}
EXECUTION_TEST(shape_element_of_local_pair) { run_map<shape_element_of_local_pair>(); }
EXECUTION_TEST(shape_memmove) { run_map<shape_memmove>(); }
EXECUTION_TEST(shape_endless_loop_with_effect) {
  run_everywhere<shape_endless_loop_with_effect>(shape(70), array<u32>(std::vector<u32>(70, 8)), 7u);
}
EXECUTION_TEST(shape_endless_loop_without_effect) {
  run_everywhere<shape_endless_loop_without_effect>(shape(70), array<u32>(std::vector<u32>(70, 8)), 7u);
}
EXECUTION_TEST(shape_early_return_from_nested_loops) { run_map<shape_early_return_from_nested_loops>(); }
EXECUTION_TEST(shape_i48) { run_map<shape_i48>(); }
