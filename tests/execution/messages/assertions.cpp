// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assert: the launch fails with the line and the invocation, the failed invocation does nothing more, the
// process and the device go on.
#undef NDEBUG
#include <cassert>
#include <cstdio>
#include <cstdlib>

#include "tests/execution/harness.h"

#ifndef __SPIREA_DEVICE__
#include "tests/execution/messages/printed.h"
#endif

namespace {

using u32 = std::uint32_t;

constexpr u32 kAssertLine = __LINE__ + 4;
[[spirea::kernel]] void asserts_small(std::span<const u32> in, std::span<u32> out) {
  const auto i = spirea::global_id().x;
  std::printf("looks at %u\n", i);
  assert(in[i] < 100 && "100% is too much");
  out[i] = in[i];
}

constexpr u32 kDeepLine = __LINE__ + 1;
u32 half_of(u32 x) { return assert(x % 2 == 0), x / 2; }

[[spirea::kernel]] void asserts_in_a_function(std::span<const u32> in, std::span<u32> out) {
  const auto i = spirea::global_id().x;
  if (i < out.size()) out[i] = half_of(in[i]) + half_of(in[i] + 2);
}

[[spirea::kernel]] [[spirea::workgroup_size(64)]] void asserts_before_a_barrier(std::span<const u32> in,
                                                                                std::span<u32> out) {
  [[spirea::shared]] static u32 values[64];
  const u32 l = spirea::local_id().x;
  const u32 i = spirea::global_id().x;
  values[l] = in[i];
  assert(in[i] != 1000);
  spirea::workgroup_barrier();
  u32 sum = 0;
  for (u32 k = 0; k < 64; ++k) {
    assert(values[k] <= 1000);
    sum += values[k];
  }
  spirea::workgroup_barrier();
  out[i] = sum;
}

[[spirea::kernel]] void aborts(std::span<const u32> in, std::span<u32> out) {
  const auto i = spirea::global_id().x;
  if (in[i] == 3) std::abort();
  if (in[i] == 4) __builtin_trap();
  out[i] = 1;
}

}  // namespace

#ifndef __SPIREA_DEVICE__

namespace {

using execution::cause_of;
using execution::failure;
using execution::on_every_device;
using execution::Printed;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::MatchesRegex;

std::string at(u32 line) { return "messages/assertions.cpp:" + std::to_string(line) + ": "; }

std::vector<u32> iota(u32 n) {
  std::vector<u32> values(n);
  for (u32 i = 0; i < n; ++i) values[i] = i;
  return values;
}

TEST(Execution, assertion_that_fails) {
  on_every_device([](spirea::device& device) {
    std::vector<u32> values = iota(64);
    values[37] = 100;
    const spirea::buffer<u32> in(device, values);
    spirea::buffer<u32> out(device, 64);
    out.fill(77);
    Printed printed(device);
    const auto grid = spirea::grid(64).workgroup(16);
    EXPECT_THAT(failure<asserts_small>(device, grid, in, out),
                AllOf(HasSubstr(at(kAssertLine) + "assertion 'in[i] < 100 && \"100% is too much\"' failed"),
                      EndsWith(" in invocation (37, 0, 0)")));
    EXPECT_EQ(printed.of(37), "looks at 37\n");
    EXPECT_EQ(out.to_vector()[37], 77u);
    // The device goes on.
    values[37] = 5;
    const spirea::buffer<u32> good(device, values);
    EXPECT_EQ(failure<asserts_small>(device, grid, good, out), "");
    EXPECT_EQ(out.to_vector(), values);
  });
}

TEST(Execution, assertion_that_fails_often) {
  on_every_device([](spirea::device& device) {
    spirea::buffer<u32> in(device, 32), out(device, 32);
    in.fill(3);
    const std::string text = failure<asserts_in_a_function>(device, spirea::grid(32).workgroup(8), in, out);
    EXPECT_THAT(text, HasSubstr(at(kDeepLine) + "assertion 'x % 2 == 0' failed in invocation ("));
    if (device.backend() == spirea::backend_kind::interp) return;  // ends at the first
    EXPECT_THAT(text, EndsWith(", 0, 0), and 31 more checks failed"));
  });
}

/// Each invocation that has not failed reaches the barriers, and sees what the others have done.
TEST(Execution, assertion_before_a_barrier) {
  on_every_device([](spirea::device& device) {
    std::vector<u32> values = iota(128);
    values[70] = 1000;
    const spirea::buffer<u32> in(device, values);
    spirea::buffer<u32> out(device, 128);
    out.fill(77);
    EXPECT_THAT(failure<asserts_before_a_barrier>(device, spirea::grid(128), in, out),
                AllOf(HasSubstr("assertion 'in[i] != 1000' failed"), EndsWith("in invocation (70, 0, 0)")));
    const std::vector<u32> got = out.to_vector();
    EXPECT_EQ(got[70], 77u);
    if (device.backend() == spirea::backend_kind::interp) return;  // ends at the failure
    for (u32 i = 0; i < 64; ++i) EXPECT_EQ(got[i], 63u * 32) << i;
    u32 sum = 0;
    for (u32 i = 64; i < 128; ++i) sum += values[i];
    for (u32 i = 64; i < 128; ++i) EXPECT_EQ(got[i], i == 70 ? 77 : sum) << i;
  });
}

TEST(Execution, abort_and_trap) {
  on_every_device([](spirea::device& device) {
    spirea::buffer<u32> out(device, 8);
    const auto grid = spirea::grid(8).workgroup(8);
    const spirea::buffer<u32> aborting(device, {1u, 1u, 3u, 1u, 1u, 1u, 1u, 1u});
    const spirea::buffer<u32> trapping(device, {1u, 1u, 1u, 1u, 4u, 1u, 1u, 1u});
    EXPECT_THAT(failure<aborts>(device, grid, aborting, out),
                EndsWith("abort() was called in invocation (2, 0, 0)"));
    EXPECT_THAT(failure<aborts>(device, grid, trapping, out),
                EndsWith("__builtin_trap() was reached in invocation (4, 0, 0)"));
  });
}

/// Whoever waits hears of it, once, whatever comes between.
TEST(Execution, assertion_that_nobody_waits_for) {
  on_every_device([](spirea::device& device) {
    spirea::buffer<u32> bad(device, 8), out(device, 8);
    bad.fill(200);
    const auto grid = spirea::grid(8).workgroup(8);
    Printed printed(device);
    spirea::launch<asserts_small>(device, grid, bad, out);
    bad.fill(1);
    EXPECT_THAT(cause_of([&] { device.wait(); }), HasSubstr(at(kAssertLine)));
    EXPECT_EQ(cause_of([&] { device.wait(); }), "");

    bad.fill(200);
    spirea::launch<asserts_small>(device, grid, bad, out);
    EXPECT_THAT(cause_of([&] { out.to_vector(); }), HasSubstr(at(kAssertLine)));
    EXPECT_EQ(cause_of([&] { out.to_vector(); }), "");

    spirea::event first = spirea::launch<asserts_small>(device, grid, bad, out);
    spirea::launch<asserts_small>(device, grid, bad, out);
    spirea::launch<asserts_small>(device, grid, bad, out);
    EXPECT_THAT(cause_of([&] { first.wait(); }), HasSubstr(at(kAssertLine)));
    EXPECT_THAT(cause_of([&] { first.wait(); }), HasSubstr(at(kAssertLine)));
    EXPECT_THAT(cause_of([&] { device.wait(); }), EndsWith("; 1 later launch failed, too"));
    EXPECT_EQ(cause_of([&] { device.wait(); }), "");
  });
}

}  // namespace

#endif
