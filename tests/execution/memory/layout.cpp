// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unusual layouts and widths: packed, over-aligned, bit-fields, 24 and 48 bits, vector types, volatile.
#include <bit>
#include <cstring>
#include <utility>

#include "tests/execution/harness.h"

using namespace execution;

namespace {

using u8 = unsigned char;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

struct [[gnu::packed]] PackedRecord {
  u8 tag;
  u32 a;
  u16 b;
  u64 c;
  friend bool operator==(const PackedRecord& x, const PackedRecord& y) {
    return x.tag == y.tag && x.a == y.a && x.b == y.b && x.c == y.c;
  }
};
static_assert(sizeof(PackedRecord) == 15);

u32 packed_local(u32 x) {
  PackedRecord r[3] = {{1, x, 2, 3}, {4, ~x, 5, x}, {7, 8, 9, u64{x} << 20}};
  r[x % 3].a += r[(x >> 2) % 3].b;
  r[(x >> 4) % 3].c ^= r[x % 3].a;
  u32 hash = 0;
  for (const PackedRecord& p : r) hash = mix(mix(hash, p.a + p.tag), static_cast<u32>(p.c >> 8) + p.b);
  return hash;
}

[[spirea::kernel]] void packed_in_buffer(std::span<PackedRecord> data) {
  const auto i = spirea::global_id().x;
  if (i >= data.size()) return;
  PackedRecord& r = data[i];
  r.a += r.tag;
  r.c = r.c * 3 + r.b;
  r.b = static_cast<u16>(r.a >> 7);
}

struct alignas(32) Padded {
  u32 a;
  u8 b;
  friend bool operator==(const Padded&, const Padded&) = default;
};
static_assert(sizeof(Padded) == 32);

u32 over_aligned_local(u32 x) {
  alignas(64) u32 table[6] = {1, 2, x, 4, 5, x};
  Padded p[4] = {{x, 1}, {2, 2}, {x >> 3, 3}, {4, 4}};
  p[x % 4].a += table[x % 6];
  const Padded copy = p[(x >> 2) % 4];
  p[0] = copy;
  u32 hash =
      static_cast<u32>(reinterpret_cast<std::uintptr_t>(&p[1]) - reinterpret_cast<std::uintptr_t>(&p[0]));
  for (const Padded& v : p) hash = mix(hash, v.a + v.b);
  return hash;
}

[[spirea::kernel]] void over_aligned_in_buffer(std::span<Padded> data) {
  const auto i = spirea::global_id().x;
  if (i >= data.size()) return;
  data[i].a = data[i].a * 3 + data[i].b;
  data[i].b = static_cast<u8>(data[i].a);
}

u32 unsigned_bit_fields(u32 x) {
  struct {
    u32 a : 3, b : 7, c : 1, d : 21;
  } f{};
  f.a = x, f.b = x >> 3, f.c = x >> 9, f.d = x;
  ++f.b;
  f.d -= f.a;
  f.c ^= 1;
  return f.a + f.b * 8u + f.c * 1024u + (f.d << 11);
}

u32 signed_bit_fields(u32 x) {
  struct {
    int a : 4, b : 13, c : 2;
  } f{};
  f.a = static_cast<int>(x & 7) - 8;
  f.b = static_cast<int>(x % 4096) - 2048;
  f.c = (x & 1) != 0 ? -1 : 1;
  f.b = f.b / 3 + f.a;
  return mix(mix(static_cast<u32>(f.a), static_cast<u32>(f.b)), static_cast<u32>(f.c));
}

u64 wide_bit_fields(u64 x) {
  struct {
    u64 a : 40, b : 24;
    std::int64_t c : 50;
    bool d : 1;
  } f{};
  f.a = x, f.b = x >> 40, f.d = (x & 1) != 0;
  f.c = static_cast<std::int64_t>(x << 14) >> 14;
  f.a += f.b;
  f.c >>= 3;
  return f.a ^ static_cast<u64>(f.c) ^ (f.d ? u64{1} << 63 : 0);
}

u32 bit_fields_across_bytes(u32 x) {
  struct [[gnu::packed]] {
    u16 a : 12;
    u32 b : 17;
    u8 c : 5;
    u32 d : 30;
  } all[3] = {};
  for (auto& f : all)
    f.a = static_cast<u16>(x & 0xfff), f.b = x >> 12 & 0x1ffff, f.c = x & 31, f.d = x & 0x3fffffff,
    x = x * 5 + 1;
  all[x % 3].b ^= 0x155;
  u32 hash = 0;
  for (const auto& f : all) hash = mix(mix(hash, f.a + (f.b << 12)), f.c + (f.d << 2));
  return hash;
}

struct Bytes3 {
  u8 v[3];
};
struct Halves3 {
  u16 v[3];
  friend bool operator==(const Halves3&, const Halves3&) = default;
};

[[gnu::noinline]] Bytes3 stepped(Bytes3 b, u8 by) {
  return {{static_cast<u8>(b.v[0] + by), b.v[2], static_cast<u8>(b.v[1] ^ by)}};
}

u32 three_bytes_by_value(u32 x) {
  Bytes3 b{{static_cast<u8>(x), static_cast<u8>(x >> 8), static_cast<u8>(x >> 16)}};
  for (u8 k = 0; k < 4; ++k) b = stepped(b, static_cast<u8>(x >> k));
  return b.v[0] | b.v[1] << 8 | b.v[2] << 16;
}

[[spirea::kernel]] void three_halves_in_buffer(std::span<const Halves3> in, std::span<Halves3> out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  Halves3 h = in[i];
  if (h.v[0] % 2 == 0) std::swap(h.v[0], h.v[2]);
  out[in.size() - 1 - i] = h;
}

// 24 and 48 bits as the compiler for devices has them. g++ 12 has no _BitInt in C++; its bit-fields wrap
// alike.
template <int N>
class Signed {
 public:
  explicit Signed(std::int64_t v) {
#ifdef __SPIREA_DEVICE__
    v_ = static_cast<_BitInt(N)>(v);
#else
    v_ = v;
#endif
  }
  std::int64_t get() const { return static_cast<std::int64_t>(v_); }

 private:
#ifdef __SPIREA_DEVICE__
  _BitInt(N) v_;
#else
  std::int64_t v_ : N;
#endif
};

template <int N>
Signed<N> operator+(Signed<N> a, Signed<N> b) {
  return Signed<N>(a.get() + b.get());
}
template <int N>
Signed<N> operator*(Signed<N> a, Signed<N> b) {
  return Signed<N>(static_cast<std::int64_t>(static_cast<u64>(a.get()) * static_cast<u64>(b.get())));
}

template <int N>
u64 narrow_arithmetic(u64 x) {
  Signed<N> a(static_cast<std::int64_t>(x)), b(static_cast<std::int64_t>(x >> 11));
  Signed<N> all[3] = {a + b, a * b, Signed<N>(a.get() / 7)};
  all[x % 3] = all[(x >> 2) % 3] * Signed<N>(5);
  if (all[0].get() < all[1].get()) std::swap(all[1], all[2]);
  u64 hash = 0;
  for (const Signed<N>& v : all) hash = hash * 31 + static_cast<u64>(v.get());
  return hash;
}

u64 integers_of_24_bits(u64 x) { return narrow_arithmetic<24>(x); }
u64 integers_of_48_bits(u64 x) { return narrow_arithmetic<48>(x); }

using Int4 [[gnu::vector_size(16)]] = int;
using Float4 [[gnu::vector_size(16)]] = float;
using Bytes8 [[gnu::vector_size(8)]] = u8;

u32 vector_extension_integers(u32 x) {
  const int v = static_cast<int>(x % 10000);
  Int4 a = {v, v + 1, 7, -v}, b = {3, v, v ^ 5, 2};
  Int4 c = (a + b) * (a - b) ^ (a >> 2);
  c[x % 4] = 9;
  const Int4 mask = a > b;
  c = (c & mask) | (a & ~mask);
  u32 hash = 0;
  for (int k = 0; k < 4; ++k) hash = mix(hash, static_cast<u32>(c[k]));
  return hash;
}

u32 vector_extension_floats(u32 x) {
  const float v = static_cast<float>(x % 64);
  Float4 a = {v, 1, v * 2, 3}, b = {2, v, 4, v + 1};
  a = a * b;
  a = a + Float4{1, 2, 3, 4};
  return static_cast<u32>(a[0] + a[1] * 2 + a[2] * 3 + a[x % 4]);
}

u32 vector_extension_bytes(u32 x) {
  Bytes8 a = {}, b = {};
  for (u32 k = 0; k < 8; ++k) a[k] = static_cast<u8>(x >> k), b[k] = static_cast<u8>(x * k);
  const Bytes8 c = __builtin_shufflevector(a, b, 7, 15, 0, 8, 3, 11, 12, 4) + (a & b);
  return static_cast<u32>(std::bit_cast<u64>(c) >> 13);
}

u32 volatile_local(u32 x) {
  volatile u32 v = x;
  volatile u32 table[3] = {1, 2, 3};
  for (u32 k = 0; k < 5; ++k) v = v * 3 + table[(x >> k) % 3];
  table[x % 3] = v;
  return v + table[1];
}

[[spirea::kernel]] void volatile_buffer(u32* out, u32 n) {
  const auto i = spirea::global_id().x;
  if (i >= n) return;
  volatile u32* data = out;
  data[i] = data[i] * 2 + 1;
  data[i] = data[i] ^ data[i] >> 3;
}

}  // namespace

EXECUTION_TEST(packed_local) { run_map<packed_local>(); }
EXECUTION_TEST(packed_in_buffer) {
  Array<PackedRecord> data;
  for (u32 k = 0; k < 70; ++k)
    data.values.push_back(
        {static_cast<u8>(k), k * 0x1234567, static_cast<u16>(k * 999), k * 0x123456789abcu});
  run_everywhere<packed_in_buffer>(shape(70), data);
}
EXECUTION_TEST(over_aligned_local) { run_map<over_aligned_local>(); }
EXECUTION_TEST(over_aligned_in_buffer) {
  Array<Padded> data;
  for (u32 k = 0; k < 70; ++k) data.values.push_back({k * 77, static_cast<u8>(k)});
  run_everywhere<over_aligned_in_buffer>(shape(70), data);
}
EXECUTION_TEST(unsigned_bit_fields) { run_map<unsigned_bit_fields>(); }
EXECUTION_TEST(signed_bit_fields) { run_map<signed_bit_fields>(); }
EXECUTION_TEST(wide_bit_fields) { run_map<wide_bit_fields>(); }
EXECUTION_TEST(bit_fields_across_bytes) { run_map<bit_fields_across_bytes>(); }
EXECUTION_TEST(three_bytes_by_value) { run_map<three_bytes_by_value>(); }
EXECUTION_TEST(three_halves_in_buffer) {
  Array<Halves3> in;
  for (u32 k = 0; k < 70; ++k)
    in.values.push_back({{static_cast<u16>(k), static_cast<u16>(k * 500), static_cast<u16>(~k)}});
  run_everywhere<three_halves_in_buffer>(shape(70), in, Array<Halves3>{std::vector<Halves3>(70)});
}
EXECUTION_TEST(integers_of_24_bits) { run_map<integers_of_24_bits>(); }
EXECUTION_TEST(integers_of_48_bits) { run_map<integers_of_48_bits>(); }
EXECUTION_TEST(vector_extension_integers) { run_map<vector_extension_integers>(); }
EXECUTION_TEST(vector_extension_floats) { run_map<vector_extension_floats>(); }
EXECUTION_TEST(vector_extension_bytes) { run_map<vector_extension_bytes>(); }
EXECUTION_TEST(volatile_local) { run_map<volatile_local>(); }
EXECUTION_TEST(volatile_buffer) {
  run_everywhere<volatile_buffer>(shape(70), random_integers<u32>(70, 1), 70u);
}
