// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spirea/spirea.hpp>

#include "tests/runtime/artifacts.h"
#include "tests/runtime/null_backend.h"

namespace runtime_test {
namespace {

using spirea::buffer;
using testing::ElementsAre;
using testing::HasSubstr;

static_assert(std::is_nothrow_move_constructible_v<buffer<int>> &&
              std::is_nothrow_move_assignable_v<buffer<int>>);
static_assert(!std::is_copy_constructible_v<buffer<int>> && !std::is_copy_assignable_v<buffer<int>>);
static_assert(!std::is_convertible_v<int, spirea::grid>);

class Buffer : public testing::Test {
 protected:
  Buffer() {
    reset();
    machine = {{}};
    device.emplace();
  }
  std::optional<spirea::device> device;
};

TEST_F(Buffer, from_any_contiguous_range) {
  const std::vector<int> vector = {1, 2};
  const std::array<int, 2> array = {3, 4};
  const int plain[] = {5, 6};
  std::vector<int> writable = {7, 8};
  EXPECT_THAT(buffer<int>(*device, vector).to_vector(), ElementsAre(1, 2));
  EXPECT_THAT(buffer<int>(*device, array).to_vector(), ElementsAre(3, 4));
  EXPECT_THAT(buffer<int>(*device, plain).to_vector(), ElementsAre(5, 6));
  EXPECT_THAT(buffer<int>(*device, std::span(writable)).to_vector(), ElementsAre(7, 8));
  EXPECT_THAT(buffer<int>(*device, {9, 10, 11}).to_vector(), ElementsAre(9, 10, 11));
  EXPECT_THAT(buffer(*device, vector).to_vector(), ElementsAre(1, 2));
  EXPECT_EQ(buffer<int>(*device, 3).size(), 3u);  // a size, not a range
}

TEST_F(Buffer, reads_and_writes_parts) {
  buffer<int> data(*device, {0, 1, 2, 3, 4, 5});
  data.write(std::array{10, 20}, 3);
  std::array<int, 3> part{};
  data.read(part, 2);
  EXPECT_THAT(part, ElementsAre(2, 10, 20));
  EXPECT_THAT(data.to_vector(), ElementsAre(0, 1, 2, 10, 20, 5));
}

TEST_F(Buffer, refuses_what_lies_outside) {
  buffer<int> data(*device, 4);
  std::array<int, 3> part{};
  EXPECT_EQ(cause_of([&] { data.read(part, 2); }), "read of 3 elements from 2 on goes beyond the buffer's 4");
  EXPECT_EQ(cause_of([&] { data.write(part, 5); }),
            "write of 3 elements from 5 on goes beyond the buffer's 4");
  EXPECT_EQ(cause_of([&] { data.subspan(1, 4); }),
            "subspan of 4 elements from 1 on goes beyond the buffer's 4");
  EXPECT_THAT(cause_of([&] { data.subspan(~std::size_t{0}, 2); }), HasSubstr("goes beyond"));
}

TEST_F(Buffer, fills) {
  struct Three {
    std::uint8_t bytes[3];
  };
  buffer<Three> small(*device, 1000);
  small.fill({{1, 2, 3}});
  for (const Three& three : small.to_vector()) EXPECT_THAT(three.bytes, ElementsAre(1, 2, 3));
  buffer<std::uint32_t> large(*device, (1 << 19) + 3);  // more than one part
  large.fill(0xabcd1234);
  EXPECT_THAT(large.to_vector(), testing::Each(0xabcd1234));
  buffer<int>(*device, 0).fill(1);
}

TEST_F(Buffer, of_truth_values) {
  buffer<bool> data(*device, {true, false, true});
  EXPECT_THAT(data.to_vector(), ElementsAre(true, false, true));
  data.fill(false);
  EXPECT_THAT(data.to_vector(), ElementsAre(false, false, false));
}

TEST_F(Buffer, of_elements_without_default) {
  struct Wrapped {
    explicit Wrapped(int n) : n(n) {}
    int n;
  };
  buffer<Wrapped> data(*device, 5);
  data.fill(Wrapped(3));
  std::vector<Wrapped> back(5, Wrapped(0));
  data.read(back);
  EXPECT_EQ(back[4].n, 3);
}

TEST_F(Buffer, of_no_elements_takes_no_memory) {
  buffer<int> empty(*device, 0), from_empty(*device, std::vector<int>());
  EXPECT_EQ(num_allocations, 0);
  EXPECT_TRUE(empty.to_vector().empty());
  empty.write({});
  empty.subspan(0, 0);
  EXPECT_THAT(cause_of([&] { empty.write(std::array{1}); }), HasSubstr("goes beyond"));
}

TEST_F(Buffer, releases_its_memory_once) {
  {
    buffer<int> a(*device, {1, 2, 3});
    buffer<int> b = std::move(a);
    EXPECT_EQ(a.size(), 0u);
    EXPECT_THAT(b.to_vector(), ElementsAre(1, 2, 3));
    buffer<int> c(*device, 7);
    EXPECT_EQ(num_allocations, 2);
    c = std::move(b);
    EXPECT_EQ(num_allocations, 1);
    EXPECT_EQ(c.size(), 3u);
    auto& self = c;
    c = std::move(self);
    EXPECT_THAT(c.to_vector(), ElementsAre(1, 2, 3));
  }
  EXPECT_EQ(num_allocations, 0);
}

TEST_F(Buffer, keeps_its_device_open) {
  buffer<int> data(*device, {1, 2, 3});
  device.reset();
  EXPECT_THAT(data.to_vector(), ElementsAre(1, 2, 3));
}

TEST_F(Buffer, larger_than_the_device_allows) {
  device.reset();
  machine[0].limits.max_buffer_bytes = 1000;
  device.emplace();
  buffer<int> largest(*device, 250);
  const spirea::error error = error_of([&] { buffer<int>(*device, 251); });
  EXPECT_EQ(error.cause(), "a buffer of 1004 bytes is too large: the device allows 1000");
  EXPECT_EQ(error.device(), "null");
  // A number of bytes that no 64-bit number holds must not come out as a small one.
  EXPECT_THAT(cause_of([&] { buffer<std::uint64_t>(*device, (std::size_t{1} << 61) + 1); }),
              HasSubstr("is too large"));
}

}  // namespace
}  // namespace runtime_test
