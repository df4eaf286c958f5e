// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>
#include <cstdint>
#include <span>
#include <spirea/spirea.hpp>

#include "tests/runtime/other_object.h"

namespace {

struct Mixed {
  std::int8_t a;
  std::uint16_t b;
  bool c;
  std::int64_t d;
  float e;
  double f;
  std::array<std::int32_t, 3> g;
};

[[spirea::kernel]] void take_values(std::span<double> out, bool a, std::int8_t b, std::uint16_t c,
                                    std::int32_t d, std::int64_t e, float f, double g, Mixed m) {
  if (spirea::global_id().x != 0) return;
  const double all[] = {a ? 1.0 : 0.0,
                        static_cast<double>(b),
                        static_cast<double>(c),
                        static_cast<double>(d),
                        static_cast<double>(e),
                        static_cast<double>(f),
                        g,
                        static_cast<double>(m.a),
                        static_cast<double>(m.b),
                        m.c ? 1.0 : 0.0,
                        static_cast<double>(m.d),
                        static_cast<double>(m.e),
                        m.f,
                        static_cast<double>(m.g[0] + m.g[1] * 10 + m.g[2] * 100)};
  for (std::size_t i = 0; i < 14; ++i) out[i] = all[i];
}

struct Large {
  std::array<std::uint32_t, 64> values;
};

[[spirea::kernel]] void take_large(std::span<std::uint32_t> out, Large large, std::uint32_t factor) {
  const auto i = spirea::global_id().x;
  if (i < out.size()) out[i] = large.values[i % 64] * factor;
}

[[spirea::kernel]] void take_pointers(const int* in, int* out, int n) {
  const auto i = static_cast<int>(spirea::global_id().x);
  if (i < n) out[i] = in[i] + 1;
}

[[spirea::kernel]] void take_array(std::span<const int, 4> in, std::span<int> out) {
  if (spirea::global_id().x == 0) out[0] = in[0] + in[1] + in[2] + in[3];
}

[[spirea::kernel]] void count_invocations(std::span<std::uint32_t> out) {
  const auto id = spirea::global_id(), size = spirea::global_size();
  const std::uint32_t at = (id.z * size.y + id.y) * size.x + id.x;
  if (at < out.size()) out[at] += 1;
}

[[spirea::kernel]] [[spirea::workgroup_size(16, 4)]] void sized(std::span<std::uint32_t> out) {
  const auto id = spirea::global_id(), size = spirea::global_size(), group = spirea::workgroup_size();
  const std::uint32_t at = id.y * size.x + id.x;
  if (at < out.size()) out[at] = group.x * 100 + group.y;
}

[[spirea::kernel]] void shift(std::span<const int> in, std::span<int> out) noexcept {
  const auto i = spirea::global_id().x;
  if (i < out.size()) out[i] = in[i] * 2;
}

[[spirea::kernel]] void shift_in_place([[spirea::may_alias]] std::span<const int> in,
                                       [[spirea::may_alias]] std::span<int> out) {
  const auto i = spirea::global_id().x;
  if (i < out.size()) out[i] = in[i] * 2;
}

}  // namespace

#ifndef __SPIREA_DEVICE__

#include <numeric>

#include "tests/runtime/conformance.h"

namespace runtime_test {
namespace {

using spirea::buffer;
using spirea::grid;
using spirea::groups;
using testing::Each;
using testing::ElementsAre;

class LaunchConformance : public Conformance {
 protected:
  /// How many of the elements were counted once, all others not at all.
  std::size_t count(const grid& shape, std::size_t size) {
    buffer<std::uint32_t> out(device(), std::vector<std::uint32_t>(size));
    spirea::launch<count_invocations>(device(), shape, out);
    const auto result = out.to_vector();
    const auto n = static_cast<std::size_t>(std::count(result.begin(), result.end(), 1u));
    EXPECT_EQ(static_cast<std::size_t>(std::count(result.begin(), result.end(), 0u)), size - n);
    return n;
  }
};
SPIREA_CONFORMANCE(LaunchConformance);

TEST_P(LaunchConformance, values_of_every_type) {
  buffer<double> out(device(), 14);
  spirea::launch<take_values>(device(), grid(1), out, true, std::int8_t{-100}, std::uint16_t{60000},
                              -2000000000, std::int64_t{-1} << 40, 1.25f, 1e-300,
                              Mixed{-7, 0xfff0, true, std::int64_t{1} << 50, -0.5f, 3e200, {1, 2, 3}});
  EXPECT_THAT(out.to_vector(), ElementsAre(1, -100, 60000, -2000000000.0, -1099511627776.0, 1.25, 1e-300, -7,
                                           65520, 1, 1125899906842624.0, -0.5, 3e200, 321));
}

TEST_P(LaunchConformance, more_arguments_than_push_constants_hold) {
  Large large{};
  std::iota(large.values.begin(), large.values.end(), 1u);
  buffer<std::uint32_t> a(device(), 64), b(device(), 64);
  // Both on their way at once: each has arguments of its own.
  spirea::launch<take_large>(device(), grid(64), a, large, 3u);
  large.values.fill(5);
  spirea::launch<take_large>(device(), grid(64), b, large, 7u);
  std::vector<std::uint32_t> expected(64);
  for (std::uint32_t i = 0; i < 64; ++i) expected[i] = (i + 1) * 3;
  EXPECT_EQ(a.to_vector(), expected);
  EXPECT_THAT(b.to_vector(), Each(35u));
}

TEST_P(LaunchConformance, pointers_and_parts_of_buffers) {
  std::vector<int> numbers(100);
  std::iota(numbers.begin(), numbers.end(), 0);
  buffer<int> data(device(), numbers);
  spirea::launch<take_pointers>(device(), grid(10), data.subspan(3, 10), data.subspan(50, 10), 10);
  auto expected = numbers;
  for (int i = 0; i < 10; ++i) expected[50 + i] = i + 4;
  EXPECT_EQ(data.to_vector(), expected);
}

TEST_P(LaunchConformance, spans_of_static_extent) {
  buffer<int> in(device(), {1, 2, 3, 4}), out(device(), 1), wrong(device(), 5);
  spirea::launch<take_array>(device(), grid(1), in, out);
  EXPECT_THAT(out.to_vector(), ElementsAre(10));
  EXPECT_THAT(cause_of([&] { spirea::launch<take_array>(device(), grid(1), wrong, out); }),
              testing::HasSubstr("argument 1 ('in') has 5 elements"));
}

TEST_P(LaunchConformance, grids_are_rounded_up_to_workgroups) {
  EXPECT_EQ(count(grid(1), 1000), 64u);
  EXPECT_EQ(count(grid(65), 1000), 128u);
  EXPECT_EQ(count(grid(100).workgroup(7), 1000), 105u);
  EXPECT_EQ(count(grid(9, 3), 1000), 16 * 8u);
  EXPECT_EQ(count(grid(5, 4, 3), 1000), 8 * 4 * 4u);
  EXPECT_EQ(count(grid(9, 3).workgroup(5, 2), 1000), 10 * 4u);
}

TEST_P(LaunchConformance, groups_count_workgroups) {
  EXPECT_EQ(count(groups(3), 1000), 3 * 64u);
  EXPECT_EQ(count(groups(3, 2).workgroup(5, 4), 1000), 15 * 8u);
  EXPECT_EQ(count(groups(2, 1, 2).workgroup(1, 3, 5), 1000), 2 * 3 * 10u);
}

TEST_P(LaunchConformance, empty_grids) {
  EXPECT_EQ(count(grid(0), 100), 0u);
  EXPECT_EQ(count(grid(10, 0), 100), 0u);
  EXPECT_EQ(count(groups(0, 3), 100), 0u);
}

TEST_P(LaunchConformance, workgroups_up_to_the_devices_limit) {
  EXPECT_EQ(count(grid(2048).workgroup(1024), 4096), 2048u);
  EXPECT_EQ(count(grid(1, 1, 1).workgroup(1, 1, 64), 4096), 64u);
  EXPECT_THAT(cause_of([&] { count(grid(1).workgroup(1 << 20), 1); }),
              testing::HasSubstr("a workgroup of 1048576x1x1 is too large: the device allows"));
}

TEST_P(LaunchConformance, one_kernel_with_several_workgroup_sizes) {
  for (const std::uint32_t size : {1u, 32u, 8u, 32u, 1u}) EXPECT_EQ(count(grid(32).workgroup(size), 64), 32u);
}

TEST_P(LaunchConformance, the_attribute_decides) {
  buffer<std::uint32_t> out(device(), 32 * 8);
  spirea::launch<sized>(device(), grid(17, 5), out);
  EXPECT_THAT(out.to_vector(), Each(1604u));
  EXPECT_THAT(cause_of([&] { spirea::launch<sized>(device(), grid(17, 5).workgroup(8, 8), out); }),
              testing::HasSubstr("the kernel has [[spirea::workgroup_size]] 16x4x1"));
}

TEST_P(LaunchConformance, a_chain_longer_than_what_can_be_on_its_way) {
  buffer<int> a(device(), std::vector<int>(100, 1)), b(device(), 100);
  spirea::event last;
  for (int i = 0; i < 10; ++i) {
    for (int k = 0; k < 10; ++k) {
      spirea::launch<shift>(device(), grid(100), a, b);
      last = spirea::launch<shift>(device(), grid(100), b, a);
    }
    a.fill(1);
    spirea::launch<shift>(device(), grid(100), a, b);
  }
  EXPECT_THAT(b.to_vector(), Each(2));
  last.wait();
}

TEST_P(LaunchConformance, overlap) {
  buffer<int> data(device(), std::vector<int>(20, 3));
  const spirea::error error = error_of([&] { spirea::launch<shift>(device(), grid(20), data, data); });
  EXPECT_THAT(error.cause(), testing::HasSubstr("argument 1 ('in') and argument 2 ('out') overlap"));
  EXPECT_EQ(error.device(), device().name());
  EXPECT_THAT(error.kernel(), testing::HasSubstr("shift"));
  EXPECT_THAT(data.to_vector(), Each(3));
  spirea::launch<shift>(device(), grid(10), data.subspan(0, 10), data.subspan(10, 10));
  spirea::launch<shift_in_place>(device(), grid(10), data.subspan(0, 10), data.subspan(0, 10));
  EXPECT_THAT(data.to_vector(), Each(6));
}

TEST_P(LaunchConformance, events) {
  buffer<int> a(device(), std::vector<int>(50000, 1)), b(device(), 50000);
  spirea::event event = spirea::launch<shift>(device(), grid(a.size()), a, b);
  event.wait();
  EXPECT_TRUE(event.done());
  EXPECT_GT(event.duration().count(), 0);
  EXPECT_LT(event.duration(), std::chrono::seconds(60));
  spirea::event copy = event;
  EXPECT_EQ(copy.duration(), event.duration());
}

TEST_P(LaunchConformance, an_event_outlives_all_else) {
  spirea::event event;
  {
    spirea::device another(GetParam());
    buffer<int> a(another, std::vector<int>(100, 1)), b(another, 100);
    event = spirea::launch<shift>(another, grid(100), a, b);
  }
  event.wait();
  EXPECT_TRUE(event.done());
}

TEST_P(LaunchConformance, one_template_in_two_objects) {
  buffer<int> data(device(), std::vector<int>(10, 1));
  spirea::launch<scale_all<int>>(device(), grid(10), data, 2);
  scale_by_three(device(), data);
  EXPECT_THAT(data.to_vector(), Each(6));
}

}  // namespace
}  // namespace runtime_test

#endif
