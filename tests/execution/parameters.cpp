// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>

#include "tests/execution/harness.h"

using namespace execution;

namespace {

using u32 = std::uint32_t;

struct Everything {
  bool flag;
  std::int8_t i8;
  std::uint16_t u16;
  std::int32_t i32;
  std::uint64_t u64;
  float f32;
  double f64;
};

[[spirea::kernel]] void struct_by_value(Everything e, std::span<double> out, std::int8_t negative, bool on,
                                        double last) {
  const auto i = spirea::global_id().x;
  if (i != 0) return;
  out[0] = e.flag ? 1 : 2;
  out[1] = e.i8, out[2] = e.u16, out[3] = e.i32;
  out[4] = static_cast<double>(e.u64), out[5] = e.f32, out[6] = e.f64;
  out[7] = negative, out[8] = on ? 3 : 4, out[9] = last;
}

struct Pair {
  int a, b;
};
struct Floats3 {
  float x, y, z;
};
struct Mixed {
  double d;
  int i;
};
struct Empty {};

// Each of these goes through a different rule of the host's calling convention.
[[spirea::kernel]] void calling_convention(Pair p, Floats3 f, Mixed m, Empty, char c, std::span<float> out) {
  if (spirea::global_id().x != 0) return;
  out[0] = static_cast<float>(p.a * 100 + p.b);
  out[1] = f.x, out[2] = f.y, out[3] = f.z;
  out[4] = static_cast<float>(m.d) + static_cast<float>(m.i);
  out[5] = c;
}

struct Large {
  std::array<u32, 40> table;
  u32 scale;
};

[[spirea::kernel]] void large_parameter(std::span<const u32> in, std::span<u32> out, Large large) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  out[i] = large.table[in[i] % 40] * large.scale + large.table[i % 40];
}

enum class Mode : std::uint8_t { Add, Subtract, Multiply };
enum Plain { first = -1, second = 70000 };

[[spirea::kernel]] void enums(std::span<const u32> in, std::span<u32> out, Mode mode, Plain plain) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  switch (mode) {
    case Mode::Add: out[i] = in[i] + static_cast<u32>(plain); break;
    case Mode::Subtract: out[i] = in[i] - static_cast<u32>(plain); break;
    case Mode::Multiply: out[i] = in[i] * static_cast<u32>(plain); break;
  }
}

struct Packed {
  u32 low : 5;
  int middle : 11;
  u32 high : 16;
};
union Word {
  float f;
  u32 u;
};

[[spirea::kernel]] void bit_fields_and_unions(Packed packed, Word word, std::span<u32> out) {
  if (spirea::global_id().x != 0) return;
  out[0] = packed.low;
  out[1] = static_cast<u32>(packed.middle);
  out[2] = packed.high;
  out[3] = word.u;
}

[[spirea::kernel]] void fixed_extent(std::span<const int, 16> in, std::span<int, 16> out) {
  const auto i = spirea::global_id().x;
  if (i < in.size()) out[i] = in[15 - i] * 2 + static_cast<int>(out.size());
}

[[spirea::kernel]] void many_buffers(const int* a, const int* b, const int* c, const int* d, const int* e,
                                     const int* f, const int* g, const int* h, int* out, u32 n, int k1,
                                     int k2) {
  const auto i = spirea::global_id().x;
  if (i < n) out[i] = a[i] + b[i] * 2 - c[i] * 3 + d[i] * k1 - e[i] + (f[i] ^ g[i]) + h[i] * k2;
}

[[spirea::kernel]] void in_place(std::span<u32> data, u32 add) {
  const auto i = spirea::global_id().x;
  if (i < data.size()) data[i] = data[i] * 3 + add;
}

[[spirea::kernel]] void two_outputs(std::span<const double> in, std::span<float> half,
                                    std::span<double> twice) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  half[i] = static_cast<float>(in[i] / 2);
  twice[i] = in[i] * 2;
}

}  // namespace

EXECUTION_TEST(struct_by_value) {
  run_everywhere<struct_by_value>(shape(1), Everything{true, -5, 60000, -123456, 1ull << 40, 1.5f, -2.25},
                                  output<double>(10), static_cast<std::int8_t>(-100), false, 1e100);
}
EXECUTION_TEST(calling_convention) {
  run_everywhere<calling_convention>(shape(1), Pair{-3, 8}, Floats3{1, 2, 3}, Mixed{4.5, -9}, Empty{}, 'x',
                                     output<float>(6));
}
EXECUTION_TEST(large_parameter) {
  Large large{};
  for (u32 k = 0; k < 40; ++k) large.table[k] = k * k + 3;
  large.scale = 17;
  run_everywhere<large_parameter>(shape(100), random_integers<u32>(100, 1), output<u32>(100), large);
}
EXECUTION_TEST(enums) {
  for (const Mode mode : {Mode::Add, Mode::Subtract, Mode::Multiply})
    run_everywhere<enums>(shape(70), random_integers<u32>(70, 2), output<u32>(70), mode,
                          mode == Mode::Add ? first : second);
}
EXECUTION_TEST(bit_fields_and_unions) {
  Word word;
  word.f = -1.25f;
  run_everywhere<bit_fields_and_unions>(shape(1), Packed{21, -300, 0xbeef}, word, output<u32>(4));
}
EXECUTION_TEST(fixed_extent) {
  run_everywhere<fixed_extent>(shape(16), random_integers<int>(16, 3), output<int>(16));
}
EXECUTION_TEST(many_buffers) {
  const auto in = [](std::uint64_t seed) {
    Array<int> a = random_integers<int>(100, seed);
    for (int& v : a.values) v %= 10000;
    return a;
  };
  run_everywhere<many_buffers>(shape(100), in(1), in(2), in(3), in(4), in(5), in(6), in(7), in(8),
                               output<int>(100), 100u, 7, -11);
}
EXECUTION_TEST(in_place) { run_everywhere<in_place>(shape(100), random_integers<u32>(100, 4), 9u); }
EXECUTION_TEST(two_outputs) {
  run_everywhere<two_outputs>(shape(100), random_floats<double>(100, 5, -9, 9), output<float>(100),
                              output<double>(100));
}
