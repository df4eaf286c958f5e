// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One object seen as another type: memcpy, bit_cast, unions, bytes; and memory moved, filled and compared.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "tests/execution/harness.h"

using namespace execution;

namespace {

using u8 = unsigned char;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

u32 memcpy_of_scalar(u32 x) {
  const float f = static_cast<float>(x % 100000) * 0.5f;
  u32 bits;
  std::memcpy(&bits, &f, sizeof bits);
  const double d = f;
  u64 wide;
  std::memcpy(&wide, &d, sizeof wide);
  return mix(bits, static_cast<u32>(wide >> 32));
}

struct Rgba {
  u8 r, g, b, a;
};

u32 bit_cast_of_struct(u32 x) {
  Rgba c = std::bit_cast<Rgba>(x);
  std::swap(c.r, c.b);
  c.a = static_cast<u8>(c.a + c.g);
  const auto halves = std::bit_cast<std::array<u16, 2>>(c);
  return std::bit_cast<u32>(c) ^ static_cast<u32>(halves[1] * 3);
}

u64 bit_cast_of_array(u64 x) {
  auto words = std::bit_cast<std::array<u16, 4>>(x);
  std::rotate(words.begin(), words.begin() + 1, words.end());
  words[x % 4] ^= 0x1234;
  return std::bit_cast<u64>(words);
}

u32 union_of_float_and_bits(u32 x) {
  union {
    float f;
    u32 bits;
    u8 bytes[4];
  } u;
  u.f = static_cast<float>(x >> 8);
  u.bits ^= 0x00400000;
  u.bytes[x % 3] = 7;
  return u.bits;
}

u64 union_of_structs(u64 x) {
  union {
    u64 whole;
    struct {
      u32 low, high;
    } halves;
    std::int16_t parts[4];
  } u{x};
  u.halves.high += u.halves.low;
  u.parts[x % 4] = static_cast<std::int16_t>(-u.parts[(x >> 2) % 4]);
  return u.whole;
}

u32 bytes_by_reinterpret_cast(u32 x) {
  struct Mixed {
    u32 a;
    u16 b;
    u8 c, d;
  } m{x, static_cast<u16>(x >> 3), 5, static_cast<u8>(x)};
  const u8* bytes = reinterpret_cast<const u8*>(&m);
  u32 hash = 0;
  for (u32 k = 0; k < sizeof m; ++k) hash = mix(hash, bytes[k]);
  reinterpret_cast<u8*>(&m)[x % 8] ^= 0xff;
  return mix(mix(hash, m.a), m.b * 65536u + m.c * 256u + m.d);
}

u32 bytes_written_then_words_read(u32 x) {
  alignas(u32) u8 bytes[16];
  for (u32 k = 0; k < 16; ++k) bytes[k] = static_cast<u8>(x >> (k % 24));
  u32 hash = 0;
  for (u32 k = 0; k < 13; ++k) {  // also unaligned
    u32 word;
    std::memcpy(&word, bytes + k, 4);
    hash = mix(hash, word);
  }
  return hash;
}

u32 words_written_then_bytes_read(u32 x) {
  u32 words[5] = {x, ~x, x * 3, 1, x << 9};
  u8 bytes[20];
  std::memcpy(bytes, words, sizeof bytes);
  bytes[x % 20] = 0;
  u32 hash = 0;
  for (const u8 b : bytes) hash = mix(hash, b);
  std::memcpy(words, bytes + 2, 16);
  return mix(hash, words[x % 4]);
}

template <std::size_t N>
u32 copied_bytes(u32 x) {
  u8 from[N + 3], to[N + 5] = {};
  for (std::size_t k = 0; k < sizeof from; ++k) from[k] = static_cast<u8>(x * (k + 1) >> (k % 5));
  std::memcpy(to + 2, from + 1, N);
  u32 hash = static_cast<u32>(N);
  for (const u8 b : to) hash = mix(hash, b);
  return hash;
}

u32 memcpy_of_odd_sizes(u32 x) {
  return copied_bytes<1>(x) ^ copied_bytes<2>(x) ^ copied_bytes<3>(x) ^ copied_bytes<5>(x) ^
         copied_bytes<7>(x) ^ copied_bytes<13>(x);
}
u32 memcpy_of_large_sizes(u32 x) { return copied_bytes<31>(x) ^ copied_bytes<64>(x) ^ copied_bytes<257>(x); }

u32 memcpy_of_run_time_size(u32 x) {
  u32 from[8], to[8] = {};
  for (u32 k = 0; k < 8; ++k) from[k] = x * k + 1;
  std::memcpy(to + x % 3, from, (x >> 4) % 6 * sizeof(u32));
  u8 bytes[32];
  std::memset(bytes, 0xee, sizeof bytes);
  std::memcpy(bytes + 1, to, x % 31);
  u32 hash = 0;
  for (const u8 b : bytes) hash = mix(hash, b);
  return hash;
}

u32 memmove_up(u32 x) {
  u8 v[24];
  for (u32 k = 0; k < 24; ++k) v[k] = static_cast<u8>(x >> (k % 20));
  std::memmove(v + 3, v, 20);
  u32 hash = 0;
  for (const u8 b : v) hash = mix(hash, b);
  return hash;
}

u32 memmove_down(u32 x) {
  u16 v[12];
  for (u32 k = 0; k < 12; ++k) v[k] = static_cast<u16>(x * (k + 3));
  std::memmove(v, v + 1, 22);
  std::memmove(v + x % 4, v + (x >> 2) % 4, x % 17);
  u32 hash = 0;
  for (const u16 b : v) hash = mix(hash, b);
  return hash;
}

u32 memset_of_struct(u32 x) {
  struct Wide {
    u32 a[5];
    u16 b;
    double d;
  } w;
  std::memset(&w, 0, sizeof w);
  w.a[x % 5] = x;
  u32 hash = w.d == 0 ? 1 : 2;
  std::memset(w.a, static_cast<int>(x & 0xff), 10);
  for (const u32 v : w.a) hash = mix(hash, v);
  return hash + w.b;
}

u32 memset_of_run_time_size(u32 x) {
  u32 v[6] = {1, 2, 3, 4, 5, 6};
  std::memset(reinterpret_cast<u8*>(v) + x % 5, static_cast<int>(x >> 8), (x >> 3) % 20);
  u32 hash = 0;
  for (const u32 w : v) hash = mix(hash, w);
  return hash;
}

u32 struct_assignment(u32 x) {
  struct Big {
    u32 v[9];
    u8 tail;
  };
  Big a{}, b{};
  for (u32 k = 0; k < 9; ++k) a.v[k] = x + k;
  a.tail = static_cast<u8>(x);
  b = a;
  b.v[x % 9] = 0;
  Big all[3] = {a, b, a};
  all[x % 3] = b;
  std::swap(all[0], all[2]);
  u32 hash = 0;
  for (const Big& big : all)
    for (const u32 v : big.v) hash = mix(hash, v + big.tail);
  return hash;
}

[[spirea::kernel]] void memcpy_between_device_and_local(std::span<const u8> in, std::span<u8> out) {
  const auto i = spirea::global_id().x;
  if ((i + 1) * 11 > in.size()) return;
  u8 local[11];
  std::memcpy(local, in.data() + i * 11, 11);
  std::reverse(local, local + 11);
  std::memcpy(out.data() + i * 11, local, 4 + i % 8);
  std::memset(out.data() + i * 11, 9, i % 4);
}

[[spirea::kernel]] void unaligned_words_of_device_memory(std::span<const u8> in, std::span<u32> out) {
  const auto i = spirea::global_id().x;
  if (i + 8 > in.size() || i >= out.size()) return;
  u32 a;
  u64 b;
  std::memcpy(&a, in.data() + i, 4);
  std::memcpy(&b, in.data() + i, 8);
  out[i] = mix(a, static_cast<u32>(b >> 24));
}

u32 memcmp_of_locals(u32 x) {
  u8 a[6] = {1, 2, 3, 4, 5, 6}, b[6] = {1, 2, 3, 4, 5, 6};
  a[x % 6] = static_cast<u8>(x >> 3);
  b[(x >> 2) % 6] ^= static_cast<u8>(x & 1);
  const int order = std::memcmp(a, b, 6);
  return (order < 0 ? 1u : order > 0 ? 2u : 3u) + (std::memcmp(a, b, 3) == 0 ? 10 : 0);
}

}  // namespace

EXECUTION_TEST(memcpy_of_scalar) { run_map<memcpy_of_scalar>(); }
EXECUTION_TEST(bit_cast_of_struct) { run_map<bit_cast_of_struct>(); }
EXECUTION_TEST(bit_cast_of_array) { run_map<bit_cast_of_array>(); }
EXECUTION_TEST(union_of_float_and_bits) { run_map<union_of_float_and_bits>(); }
EXECUTION_TEST(union_of_structs) { run_map<union_of_structs>(); }
EXECUTION_TEST(bytes_by_reinterpret_cast) { run_map<bytes_by_reinterpret_cast>(); }
EXECUTION_TEST(bytes_written_then_words_read) { run_map<bytes_written_then_words_read>(); }
EXECUTION_TEST(words_written_then_bytes_read) { run_map<words_written_then_bytes_read>(); }
EXECUTION_TEST(memcpy_of_odd_sizes) { run_map<memcpy_of_odd_sizes>(); }
EXECUTION_TEST(memcpy_of_large_sizes) { run_map<memcpy_of_large_sizes>(); }
EXECUTION_TEST(memcpy_of_run_time_size) { run_map<memcpy_of_run_time_size>(); }
EXECUTION_TEST(memmove_up) { run_map<memmove_up>(); }
EXECUTION_TEST(memmove_down) { run_map<memmove_down>(); }
EXECUTION_TEST(memset_of_struct) { run_map<memset_of_struct>(); }
EXECUTION_TEST(memset_of_run_time_size) { run_map<memset_of_run_time_size>(); }
EXECUTION_TEST(struct_assignment) { run_map<struct_assignment>(); }
EXECUTION_TEST(memcpy_between_device_and_local) {
  run_everywhere<memcpy_between_device_and_local>(shape(20), random_integers<u8>(220, 1), output<u8>(220));
}
EXECUTION_TEST(unaligned_words_of_device_memory) {
  run_everywhere<unaligned_words_of_device_memory>(shape(90), random_integers<u8>(97, 2), output<u32>(90));
}
EXECUTION_TEST(memcmp_of_locals) { run_map<memcmp_of_locals>(); }
