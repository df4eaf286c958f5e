// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdint>
#include <span>
#include <spirea/spirea.hpp>

namespace {

[[spirea::kernel]] void add_one(std::span<std::uint32_t> data) {
  const auto i = spirea::global_id().x;
  if (i < data.size()) data[i] += 1;
}

[[spirea::kernel]] void invert_bytes(std::span<const std::uint8_t> in, std::span<std::uint8_t> out) {
  const auto i = spirea::global_id().x;
  if (i < out.size()) out[i] = static_cast<std::uint8_t>(~in[i]);
}

}  // namespace

#ifndef __SPIREA_DEVICE__

#include <thread>

#include "tests/runtime/conformance.h"

namespace runtime_test {
namespace {

using spirea::buffer;
using testing::Each;
using testing::ElementsAre;

class BufferConformance : public Conformance {};
SPIREA_CONFORMANCE(BufferConformance);

std::vector<std::uint8_t> pattern(std::size_t n) {
  std::vector<std::uint8_t> result(n);
  for (std::size_t i = 0; i < n; ++i) result[i] = static_cast<std::uint8_t>(i * 31 + i / 251);
  return result;
}

TEST_P(BufferConformance, any_number_of_bytes_comes_back) {
  for (const std::size_t n : {1, 2, 3, 4, 5, 7, 63, 64, 65, 4095, 4097, 65537}) {
    const auto bytes = pattern(n);
    EXPECT_EQ(buffer<std::uint8_t>(device(), bytes).to_vector(), bytes) << n;
  }
}

TEST_P(BufferConformance, more_bytes_than_one_transfer_takes) {
  const auto bytes = pattern((9 << 20) + 5);
  buffer<std::uint8_t> data(device(), bytes);
  EXPECT_TRUE(data.to_vector() == bytes);
  std::vector<std::uint8_t> part((5 << 20) + 1);
  data.read(part, 12345);
  EXPECT_TRUE(std::equal(part.begin(), part.end(), bytes.begin() + 12345));
}

TEST_P(BufferConformance, parts_at_odd_offsets) {
  buffer<std::uint8_t> data(device(), pattern(100));
  data.write(std::vector<std::uint8_t>{1, 2, 3}, 7);
  auto expected = pattern(100);
  expected[7] = 1;
  expected[8] = 2;
  expected[9] = 3;
  EXPECT_EQ(data.to_vector(), expected);
  std::vector<std::uint8_t> part(5);
  data.read(part, 5);
  EXPECT_THAT(part, ElementsAre(expected[5], expected[6], 1, 2, 3));
}

TEST_P(BufferConformance, fills) {
  buffer<std::uint32_t> data(device(), 300001);
  data.fill(0x12345678);
  EXPECT_THAT(data.to_vector(), Each(0x12345678u));
}

TEST_P(BufferConformance, of_no_elements) {
  buffer<std::uint32_t> empty(device(), 0);
  spirea::launch<add_one>(device(), spirea::grid(10), empty).wait();
  EXPECT_TRUE(empty.to_vector().empty());
}

TEST_P(BufferConformance, kernels_see_sizes_that_are_no_multiple_of_words) {
  for (const std::size_t n : {1, 3, 5, 130}) {
    const auto bytes = pattern(n);
    buffer<std::uint8_t> in(device(), bytes), out(device(), n);
    spirea::launch<invert_bytes>(device(), spirea::grid(n), in, out);
    const auto result = out.to_vector();
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(result[i], bytes[i] ^ 0xff) << i;
  }
}

TEST_P(BufferConformance, reads_and_writes_are_ordered_with_launches) {
  buffer<std::uint32_t> data(device(), 1000);
  for (std::uint32_t round = 0; round < 5; ++round) {
    data.fill(round * 100);
    for (int i = 0; i < 30; ++i) spirea::launch<add_one>(device(), spirea::grid(1000), data);
    data.write(std::vector<std::uint32_t>{7}, 999);  // after the launches before, before those that follow
    for (int i = 0; i < 3; ++i) spirea::launch<add_one>(device(), spirea::grid(1000), data);
    const auto result = data.to_vector();
    EXPECT_EQ(result[0], round * 100 + 33);
    EXPECT_EQ(result[998], round * 100 + 33);
    EXPECT_EQ(result[999], 10u);
  }
}

TEST_P(BufferConformance, released_while_a_launch_uses_it) {
  for (int i = 0; i < 20; ++i) {
    buffer<std::uint32_t> data(device(), 100000);
    spirea::launch<add_one>(device(), spirea::grid(data.size()).workgroup(128), data);
  }
  device().wait();
}

TEST_P(BufferConformance, outlives_the_device_object) {
  std::optional<buffer<std::uint32_t>> data;
  {
    spirea::device another(GetParam());
    data.emplace(another, std::vector<std::uint32_t>(10, 5));
    spirea::launch<add_one>(another, spirea::grid(10), *data);
  }
  EXPECT_THAT(data->to_vector(), Each(6u));
}

TEST_P(BufferConformance, is_shared_by_all_objects_of_a_device) {
  spirea::device another(GetParam());
  buffer<std::uint32_t> data(device(), std::vector<std::uint32_t>(10, 5));
  spirea::launch<add_one>(another, spirea::grid(10), data);
  EXPECT_THAT(data.to_vector(), Each(6u));
}

TEST_P(BufferConformance, over_aligned_elements) {
  struct alignas(256) Wide {
    int value;
  };
  buffer<Wide> data(device(), 3);
  EXPECT_EQ(data.address() % 256, 0u);
}

TEST_P(BufferConformance, too_large_for_the_device) {
  const spirea::error absurd = error_of([&] { buffer<double>(device(), std::size_t{1} << 60); });
  EXPECT_THAT(absurd.cause(),
              testing::MatchesRegex("a buffer of 9223372036854775808 bytes is too large: the device "
                                    "allows [0-9]+"));
  EXPECT_EQ(absurd.device(), device().name());
  // The device works on.
  EXPECT_THAT(buffer<int>(device(), {1, 2}).to_vector(), ElementsAre(1, 2));
}

TEST_P(BufferConformance, threads_share_the_device) {
  std::vector<std::thread> threads;
  std::vector<std::uint32_t> sums(4);
  for (std::uint32_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      buffer<std::uint32_t> data(device(), std::vector<std::uint32_t>(256, t));
      for (int i = 0; i < 25; ++i) spirea::launch<add_one>(device(), spirea::grid(256), data);
      for (const std::uint32_t n : data.to_vector()) sums[t] += n;
    });
  for (std::thread& thread : threads) thread.join();
  for (std::uint32_t t = 0; t < 4; ++t) EXPECT_EQ(sums[t], 256 * (t + 25));
}

}  // namespace
}  // namespace runtime_test

#endif
