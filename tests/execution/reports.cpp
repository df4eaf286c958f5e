// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels with a mistake, run on the interpreter: the error names the line of this file that makes it.
#include "tests/execution/harness.h"

#ifndef __SPIREA_DEVICE__
#include <gmock/gmock.h>
#endif

namespace {

using u32 = std::uint32_t;

constexpr int kElementLine = __LINE__ + 1;
float element(std::span<const float> values, u32 i) { return values[i]; }

[[spirea::kernel]] void reads_past_the_end(std::span<const float> in, std::span<float> out) {
  const auto i = spirea::global_id().x;
  if (i < out.size()) out[i] = element(in, i) + element(in, i + 1);
}

constexpr int kBeforeLine = __LINE__ + 4;
[[spirea::kernel]] void writes_before_the_start(std::span<u32> out, u32 distance) {
  const auto i = spirea::global_id().x;
  if (i >= out.size()) return;
  out.data()[static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(distance)] = i;
}

constexpr int kLocalLine = __LINE__ + 6;
[[spirea::kernel]] void leaves_a_local_array(std::span<const u32> in, std::span<u32> out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  u32 table[8];
  for (u32 k = 0; k < 8; ++k) table[k] = in[(i + k) % in.size()];
  out[i] = table[in[i]];
}

constexpr int kUninitializedLine = __LINE__ + 4;
[[spirea::kernel]] void decides_by_uninitialized_memory(std::span<const u32> in, std::span<u32> out) {
  const auto i = spirea::global_id().x;
  if (i >= out.size()) return;
  if (in[i] % 3 == 0)
    for (u32 k = 0; k < in[i]; ++k) out[i] = out[i] * 3 + k;
}

constexpr int kDivisionLine = __LINE__ + 3;
[[spirea::kernel]] void divides_by_zero(std::span<const int> in, std::span<int> out) {
  const auto i = spirea::global_id().x;
  if (i < in.size()) out[i] = 1000 / in[i];
}

constexpr int kRaceLine = __LINE__ + 3;
[[spirea::kernel]] void sums_without_atomics(std::span<const u32> in, std::span<u32> sum) {
  const auto i = spirea::global_id().x;
  if (i < in.size()) sum[0] += in[i];
}

}  // namespace

#ifndef __SPIREA_DEVICE__

namespace {

using testing::AllOf;
using testing::HasSubstr;

/// The error of a launch on the interpreter; empty if there is none.
template <auto Kernel, class... Args>
std::string report(spirea::device& device, u32 size, Args&&... args) {
  try {
    spirea::launch<Kernel>(device, spirea::grid(size).workgroup(4), std::forward<Args>(args)...).wait();
    return {};
  } catch (const spirea::error& e) {
    return e.what();
  }
}

std::string at(int line) { return "reports.cpp:" + std::to_string(line) + ":"; }

class Reports : public testing::Test {
 protected:
  spirea::device device{"interp"};
  template <class T>
  spirea::buffer<T> buffer(std::vector<T> values) {
    return {device, values};
  }
};

TEST_F(Reports, out_of_bounds_with_the_call) {
  auto in = buffer<float>({1, 2, 3, 4, 5}), out = buffer<float>({0, 0, 0, 0, 0});
  EXPECT_EQ(report<reads_past_the_end>(device, 4, in, out.subspan(0, 4)), "");
  EXPECT_THAT(
      report<reads_past_the_end>(device, 5, in, out),
      AllOf(HasSubstr(
                "load of 4 bytes out of bounds: just past the end of buffer 'in' (20 bytes, 5 elements of "
                "'float')"),
            HasSubstr(at(kElementLine)), HasSubstr("reads_past_the_end"),
            HasSubstr("in invocation (4, 0, 0)")));
}

TEST_F(Reports, before_the_start) {
  auto out = buffer<u32>({0, 0, 0, 0});
  EXPECT_EQ(report<writes_before_the_start>(device, 4, out, 0u), "");
  EXPECT_THAT(report<writes_before_the_start>(device, 4, out, 2u),
              AllOf(HasSubstr(at(kBeforeLine)), HasSubstr("8 bytes before the start of buffer 'out'")));
}

TEST_F(Reports, out_of_a_local_array) {
  auto in = buffer<u32>({3, 7, 0}), out = buffer<u32>({0, 0, 0});
  EXPECT_EQ(report<leaves_a_local_array>(device, 3, in, out), "");
  auto wrong = buffer<u32>({3, 8, 0});
  EXPECT_THAT(report<leaves_a_local_array>(device, 3, wrong, out),
              AllOf(HasSubstr(at(kLocalLine)), HasSubstr("just past the end of "), HasSubstr("local object"),
                    HasSubstr("in invocation (1, 0, 0)")));
}

TEST_F(Reports, uninitialized_memory) {
  auto out = buffer<u32>({0, 0, 0});
  spirea::buffer<u32> in(device, 3);
  EXPECT_THAT(report<decides_by_uninitialized_memory>(device, 3, in, out),
              AllOf(HasSubstr("depends on an undefined value"), HasSubstr(at(kUninitializedLine)),
                    HasSubstr("the value is read from uninitialized memory here")));
  in.fill(3);
  EXPECT_EQ(report<decides_by_uninitialized_memory>(device, 3, in, out), "");
}

TEST_F(Reports, division_by_zero) {
  auto in = buffer<int>({5, -3, 0}), out = buffer<int>({0, 0, 0});
  EXPECT_EQ(report<divides_by_zero>(device, 3, in.subspan(0, 2), out), "");
  EXPECT_THAT(report<divides_by_zero>(device, 3, in, out),
              AllOf(HasSubstr(at(kDivisionLine)), HasSubstr("error: division by zero"),
                    HasSubstr("in invocation (2, 0, 0)")));
}

TEST_F(Reports, data_race) {
  auto in = buffer<u32>({5, 6}), sum = buffer<u32>({0});
  EXPECT_EQ(report<sums_without_atomics>(device, 1, in.subspan(0, 1), sum), "");
  EXPECT_THAT(report<sums_without_atomics>(device, 2, in, sum),
              AllOf(HasSubstr(at(kRaceLine)), HasSubstr("data race: load from byte 0 of buffer 'sum'"),
                    HasSubstr("written by invocation (0, 0, 0) here")));
}

}  // namespace

#endif
