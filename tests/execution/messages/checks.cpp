// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels compiled with -fsanitize=bounds,unreachable,signed-integer-overflow,shift: each check names the
// line, the values and the invocation, and the faulty access is not done.
#include <array>

#include "tests/execution/harness.h"

#ifndef __SPIREA_DEVICE__
#include "tests/execution/messages/printed.h"
#endif

namespace {

using u32 = std::uint32_t;

constexpr u32 kSpanLine = __LINE__ + 2;
[[spirea::kernel]] void indexes_a_span(std::span<const u32> in, std::span<u32> out) {
  out[in[spirea::global_id().x]] = 1;
}

constexpr u32 kSubspanLine = __LINE__ + 2;
[[spirea::kernel]] void takes_a_subspan(std::span<const u32> in, std::span<u32> out) {
  out.subspan(0, in[spirea::global_id().x])[0] = 1;
}

constexpr u32 kArrayLine = __LINE__ + 6;
[[spirea::kernel]] void indexes_an_array(std::span<const u32> in, std::span<u32> out) {
  std::array<u32, 5> table{};
  const u32 i = spirea::global_id().x;
  for (u32 k = 0; k < 5; ++k) table[k] = in[i] + k;
  u32 sum = 0;
  for (u32 k = 0; k < 2; ++k) sum += table[in[i] * (k + 1)];
  out[i] = sum;
}

constexpr u32 kLocalLine = __LINE__ + 5;
[[spirea::kernel]] void indexes_a_local_array(std::span<const u32> in, std::span<u32> out) {
  float table[8];
  const u32 i = spirea::global_id().x;
  for (u32 k = 0; k < 8; ++k) table[k] = static_cast<float>(in[k % in.size()] + k);
  out[i] = static_cast<u32>(table[in[i]]);
}

constexpr u32 kNegativeLine = __LINE__ + 5;
[[spirea::kernel]] void indexes_below_zero(std::span<const u32> in, std::span<u32> out) {
  constexpr int kTable[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
  const u32 i = spirea::global_id().x;
  const int row = static_cast<int>(in[i]) - 3;
  out[i] = static_cast<u32>(kTable[(row + 3) & 1][row + 3]);
}

struct Record {
  u32 count;
  u32 items[4];
};
constexpr u32 kMemberLine = __LINE__ + 4;
[[spirea::kernel]] void indexes_a_member(std::span<const u32> in, Record* records, std::span<u32> out) {
  const u32 i = spirea::global_id().x;
  Record& record = records[i];
  record.items[in[i]] = 7;
  record.count = 1;
  out[i] = 1;
}

constexpr u32 kUnreachableLine = __LINE__ + 6;
[[spirea::kernel]] void comes_to_the_unreachable(std::span<const u32> in, std::span<u32> out) {
  const u32 i = spirea::global_id().x;
  switch (in[i] % 4) {
    case 0: out[i] = 5; return;
    case 1: out[i] = 9; return;
    default: __builtin_unreachable();
  }
}

constexpr u32 kOverflowLine = __LINE__ + 3;
[[spirea::kernel]] void overflows(std::span<const u32> in, std::span<u32> out) {
  const int i = static_cast<int>(spirea::global_id().x);
  const int sum = 2147483600 + static_cast<int>(in[static_cast<u32>(i)]) * -1 + 100;
  out[static_cast<u32>(i)] = static_cast<u32>(sum);
}

constexpr u32 kShiftLine = __LINE__ + 3;
[[spirea::kernel]] void shifts_far(std::span<const u32> in, std::span<u32> out) {
  const u32 i = spirea::global_id().x;
  out[i] = 9u << in[i];
}

}  // namespace

#ifndef __SPIREA_DEVICE__

namespace {

using execution::failure;
using execution::on_every_device;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;

using Buffer = spirea::buffer<u32>;

/// Launches, by a function that says why it fails, over eight values, of which number 5 is the bad one, then
/// with a good one there.
template <class Launch>
void expect_check_of(Launch&& launch, u32 bad, u32 line, const std::string& text,
                     const std::vector<u32>& want) {
  on_every_device([&](spirea::device& device) {
    const auto grid = spirea::grid(8).workgroup(4);
    std::vector<u32> values = {0, 1, 0, 1, 0, bad, 1, 0};
    const Buffer in(device, values);
    Buffer out(device, 8);
    out.fill(77);
    EXPECT_THAT(launch(device, grid, in, out),
                AllOf(HasSubstr("messages/checks.cpp:" + std::to_string(line) + ": " + text),
                      EndsWith(" in invocation (5, 0, 0)")));
    EXPECT_EQ(out.to_vector()[5], 77u);
    values[5] = 0;
    const Buffer good(device, values);
    EXPECT_EQ(launch(device, grid, good, out), "");
    EXPECT_EQ(out.to_vector(), want);
  });
}

template <auto Kernel>
void expect_check(u32 bad, u32 line, const std::string& text, const std::vector<u32>& want) {
  const auto launch = [](spirea::device& device, spirea::grid grid, const Buffer& in, Buffer& out) {
    return failure<Kernel>(device, grid, in, out);
  };
  expect_check_of(launch, bad, line, text, want);
}

/// Of the fifth record nothing is written if its check fails.
std::string launch_on_records(spirea::device& device, spirea::grid grid, const Buffer& in, Buffer& out) {
  spirea::buffer<Record> records(device, 8);
  records.fill({0, {3, 3, 3, 3}});
  const std::string result = failure<indexes_a_member>(device, grid, in, records, out);
  const Record fifth = records.to_vector()[5];
  EXPECT_EQ(fifth.count, result.empty() ? 1u : 0u);
  for (u32 k = 0; k < 4; ++k) EXPECT_EQ(fifth.items[k], result.empty() && k == 0 ? 7u : 3u);
  return result;
}

TEST(Execution, bounds_of_a_span) {
  expect_check<indexes_a_span>(8, kSpanLine, "assertion '__idx < size()' of the standard library failed",
                               {1, 1, 77, 77, 77, 77, 77, 77});
}
TEST(Execution, bounds_of_a_subspan) {
  on_every_device([](spirea::device& device) {
    const spirea::buffer<u32> in(device, {1u, 9u}), good(device, {1u, 8u});
    spirea::buffer<u32> out(device, 8);
    const auto grid = spirea::grid(2).workgroup(2);
    EXPECT_THAT(failure<takes_a_subspan>(device, grid, in, out),
                AllOf(HasSubstr("messages/checks.cpp:" + std::to_string(kSubspanLine) + ": assertion '"),
                      EndsWith(" in invocation (1, 0, 0)")));
    EXPECT_EQ(failure<takes_a_subspan>(device, grid, good, out), "");
  });
}
TEST(Execution, bounds_of_std_array) {
  expect_check<indexes_an_array>(5, kArrayLine,
                                 "assertion '__n < this->size()' of the standard library failed",
                                 {0, 5, 0, 5, 0, 0, 5, 0});
}
TEST(Execution, bounds_of_a_local_array) {
  expect_check<indexes_a_local_array>(12, kLocalLine, "index 12 is out of bounds for 'float[8]'",
                                      {0, 2, 0, 2, 0, 0, 2, 0});
}
TEST(Execution, bounds_below_zero) {
  expect_check<indexes_below_zero>(0xfffffffeu, kNegativeLine, "index -2 is out of bounds for 'const int[4]'",
                                   {1, 6, 1, 6, 1, 1, 6, 1});
}
TEST(Execution, bounds_of_a_member) {
  expect_check_of(launch_on_records, 1000000, kMemberLine, "index 1000000 is out of bounds for 'u32[4]'",
                  {1, 1, 1, 1, 1, 1, 1, 1});
}
TEST(Execution, builtin_unreachable) {
  expect_check<comes_to_the_unreachable>(2, kUnreachableLine, "unreachable code was reached",
                                         {5, 9, 5, 9, 5, 5, 9, 5});
}
TEST(Execution, overflow_of_signed_integers) {
  constexpr u32 kBase = 2147483600u + 100;
  on_every_device([&](spirea::device& device) {
    const spirea::buffer<u32> in(device, {60u, 200u, 30u, 53u}), good(device, {60u, 200u, 100u, 53u});
    spirea::buffer<u32> out(device, 4);
    const auto grid = spirea::grid(4).workgroup(4);
    EXPECT_THAT(failure<overflows>(device, grid, in, out),
                AllOf(HasSubstr("messages/checks.cpp:" + std::to_string(kOverflowLine) +
                                ": 2147483570 + 100 overflows 'int' in invocation (2, 0, 0)")));
    EXPECT_EQ(failure<overflows>(device, grid, good, out), "");
    EXPECT_EQ(out.to_vector(), (std::vector<u32>{kBase - 60, kBase - 200, kBase - 100, kBase - 53}));
  });
}
TEST(Execution, shift_that_is_too_far) {
  expect_check<shifts_far>(32, kShiftLine, "a shift of 9, of type 'unsigned int', by 32 has no result",
                           {9, 18, 9, 18, 9, 9, 18, 9});
}

}  // namespace

#endif
