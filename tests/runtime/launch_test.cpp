// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments of a launch: how they become the argument block, and what is refused.
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spirea/spirea.hpp>

#include "tests/runtime/artifacts.h"
#include "tests/runtime/null_backend.h"

namespace runtime_test {
namespace {

namespace abi = spirea::abi;
using testing::HasSubstr;

struct Pair {
  std::int8_t small;
  double large;
};
enum class Color : std::uint16_t { Green = 0xBEEF };

void copy(std::span<const float>, std::span<float>) {}
void values(bool, std::int8_t, Color, std::uint32_t, std::int64_t, float, double, Pair) {}
void pointers(const int*, int*) {}
void four(std::span<const int, 4>) {}
void aliasing(std::span<const int>, std::span<int>) {}
void half_marked(std::span<const int>, std::span<int>) {}
void quiet(std::span<int>) noexcept {}
void converted(std::span<const float>, float, unsigned) {}
void changed_layout(Pair) {}
void changed_element(std::span<const int>) {}
void changed_count(int) {}
void changed_kind(int) {}

abi::Param pair_param() {
  abi::Param param = value_param("pair", abi::Scalar::F64);
  param.size = sizeof(Pair);
  param.align = alignof(Pair);
  param.leaves = {{abi::Scalar::I8, 0, 0}, {abi::Scalar::F64, 0, 8}};
  return param;
}

abi::Param pointer_param(std::string name, abi::Access access) {
  abi::Param param = span_param(std::move(name), access, 4);
  param.size = 8;
  param.leaves.pop_back();
  return param;
}

/// All kernels of this file, once.
void register_kernels() {
  using abi::Scalar;
  constexpr auto read = abi::Access::Read, write = abi::Access::ReadWrite;
  abi::Param array = span_param("in", read, 4);
  array.size = 8;
  array.type = "std::span<const int, 4>";
  array.leaves.pop_back();
  ArtifactBuilder builder;
  builder.kernel(manifest_of<copy>("copy", {span_param("in", read, 4), span_param("out", write, 4)}))
      .kernel(manifest_of<values>("values", {value_param("a", Scalar::I1), value_param("b", Scalar::I8),
                                             value_param("c", Scalar::I16), value_param("d", Scalar::I32),
                                             value_param("e", Scalar::I64), value_param("f", Scalar::F32),
                                             value_param("g", Scalar::F64), pair_param()}))
      .kernel(manifest_of<pointers>("pointers", {pointer_param("in", read), pointer_param("out", write)}))
      .kernel(manifest_of<four>("four", {array}))
      .kernel(manifest_of<aliasing>("aliasing",
                                    {span_param("in", read, 4, true), span_param("out", write, 4, true)}))
      .kernel(manifest_of<half_marked>("half_marked",
                                       {span_param("in", read, 4), span_param("out", write, 4, true)}))
      .kernel(manifest_of<quiet>("quiet", {span_param("out", write, 4)}))
      .kernel(manifest_of<converted>("converted", {span_param("in", read, 4), value_param("x", Scalar::F32),
                                                   value_param("n", Scalar::I32)}))
      .kernel(manifest_of<changed_layout>("changed_layout", {value_param("pair", Scalar::F64)}))
      .kernel(manifest_of<changed_element>("changed_element", {span_param("in", read, 8)}))
      .kernel(manifest_of<changed_count>("changed_count",
                                         {value_param("a", Scalar::I32), value_param("b", Scalar::I32)}))
      .kernel(manifest_of<changed_kind>("changed_kind", {pointer_param("a", read)}));
  register_artifact(builder.build());
}

class Launch : public testing::Test {
 protected:
  static void SetUpTestSuite() { register_kernels(); }
  Launch() {
    reset();
    machine = {{}};
  }

  template <auto Kernel, class... A>
  std::string refusal(A&&... arguments) {
    launches.clear();
    const spirea::error error =
        error_of([&] { spirea::launch<Kernel>(device(), spirea::grid(1), std::forward<A>(arguments)...); });
    EXPECT_TRUE(launches.empty());
    EXPECT_EQ(error.device(), "null");
    EXPECT_FALSE(error.kernel().empty());
    return error.cause();
  }
  spirea::device& device() {
    if (!device_) device_.emplace();
    return *device_;
  }
  /// A number of the last launch's argument block.
  template <class T>
  T in_block(std::size_t offset) {
    T result{};
    EXPECT_LE(offset + sizeof(T), launches.back().block.size());
    std::memcpy(&result, launches.back().block.data() + offset, sizeof(T));
    return result;
  }

 private:
  std::optional<spirea::device> device_;
};

TEST_F(Launch, spans_are_address_and_count) {
  spirea::buffer<float> in(device(), 10), out(device(), 20);
  spirea::launch<copy>(device(), spirea::grid(10), in, out.subspan(5, 7));
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_EQ(launches[0].kernel, "copy");
  ASSERT_EQ(launches[0].block.size(), 32u);
  EXPECT_EQ(in_block<std::uint64_t>(0), in.address());
  EXPECT_EQ(in_block<std::uint64_t>(8), 10u);
  EXPECT_EQ(in_block<std::uint64_t>(16), out.address() + 20);
  EXPECT_EQ(in_block<std::uint64_t>(24), 7u);
}

TEST_F(Launch, values_keep_their_bytes_and_narrow_ones_get_four) {
  spirea::launch<values>(device(), spirea::grid(1), true, std::int8_t{-2}, Color::Green, 0xdeadbeefu,
                         std::int64_t{-5}, 1.5f, 2.25, Pair{-3, 0.125});
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_EQ(in_block<std::uint32_t>(0), 1u);
  EXPECT_EQ(in_block<std::uint32_t>(4), 0xfeu);  // zero-extended
  EXPECT_EQ(in_block<std::uint32_t>(8), 0xbeefu);
  EXPECT_EQ(in_block<std::uint32_t>(12), 0xdeadbeefu);
  EXPECT_EQ(in_block<std::int64_t>(16), -5);
  EXPECT_EQ(in_block<float>(24), 1.5f);
  EXPECT_EQ(in_block<double>(32), 2.25);
  EXPECT_EQ(in_block<std::uint32_t>(40), 0xfdu);
  EXPECT_EQ(in_block<double>(48), 0.125);
  EXPECT_EQ(launches[0].block.size(), 56u);
}

TEST_F(Launch, pointers_are_addresses) {
  spirea::buffer<int> in(device(), 3), out(device(), 3);
  spirea::launch<pointers>(device(), spirea::grid(1), in, out.subspan(1, 2));
  EXPECT_EQ(in_block<std::uint64_t>(0), in.address());
  EXPECT_EQ(in_block<std::uint64_t>(8), out.address() + 4);
}

TEST_F(Launch, arguments_convert_as_in_a_call) {
  spirea::buffer<float> in(device(), 3);
  const short count = 7;
  spirea::launch<converted>(device(), spirea::grid(1), in, 2, count);
  EXPECT_EQ(in_block<float>(16), 2.0f);
  EXPECT_EQ(in_block<std::uint32_t>(20), 7u);
}

TEST_F(Launch, noexcept_kernels_and_queues) {
  spirea::buffer<int> out(device(), 3);
  spirea::queue queue(device());
  spirea::launch<quiet>(queue, spirea::grid(3), out);
  EXPECT_EQ(launches.size(), 1u);
}

TEST_F(Launch, static_extents_must_match) {
  spirea::buffer<int> right(device(), 4), wrong(device(), 3);
  spirea::launch<four>(device(), spirea::grid(1), right);
  EXPECT_EQ(launches.size(), 1u);
  EXPECT_EQ(refusal<four>(wrong),
            "argument 1 ('in') has 3 elements, the kernel's 'std::span<const int, 4>' has 4");
}

TEST_F(Launch, overlapping_buffers_are_refused) {
  spirea::buffer<float> data(device(), 20);
  const std::string expected =
      "argument 1 ('in') and argument 2 ('out') overlap, and the kernel writes to at least one of them; mark "
      "both "
      "parameters [[spirea::may_alias]] if that is intended";
  EXPECT_EQ(refusal<copy>(data, data), expected);
  EXPECT_EQ(refusal<copy>(data.subspan(0, 11), data.subspan(10, 10)), expected);
  EXPECT_EQ(refusal<copy>(data.subspan(10, 10), data.subspan(0, 11)), expected);
  EXPECT_EQ(refusal<copy>(data, data.subspan(5, 1)), expected);
}

TEST_F(Launch, neighbours_and_empty_parts_do_not_overlap) {
  spirea::buffer<float> data(device(), 20);
  spirea::launch<copy>(device(), spirea::grid(1), data.subspan(0, 10), data.subspan(10, 10));
  spirea::launch<copy>(device(), spirea::grid(1), data.subspan(10, 10), data.subspan(0, 10));
  spirea::launch<copy>(device(), spirea::grid(1), data, data.subspan(5, 0));
  EXPECT_EQ(launches.size(), 3u);
}

TEST_F(Launch, marked_parameters_may_overlap) {
  spirea::buffer<int> data(device(), 20);
  spirea::launch<aliasing>(device(), spirea::grid(1), data, data);
  EXPECT_EQ(launches.size(), 1u);
  // The unmarked one is what the compiler takes for unshared.
  EXPECT_THAT(refusal<half_marked>(data, data), HasSubstr("overlap"));
}

TEST_F(Launch, a_buffer_belongs_to_its_device) {
  machine.push_back({spirea::backend_kind::host, "other"});
  spirea::device other("host");
  spirea::buffer<float> here(device(), 4), there(other, 4), empty(other, 0);
  EXPECT_EQ(refusal<copy>(here, there), "argument 2 ('out') is a buffer of another device");
  spirea::launch<copy>(device(), spirea::grid(1), here, empty);
  EXPECT_EQ(launches.size(), 1u);
}

TEST_F(Launch, a_program_and_an_object_that_disagree) {
  EXPECT_EQ(
      refusal<changed_layout>(Pair{}),
      "argument 1 ('pair') has 16 bytes in the program and 8 in the kernel: 'f64' was compiled with two "
      "different layouts");
  spirea::buffer<int> in(device(), 4);
  EXPECT_EQ(refusal<changed_element>(in),
            "argument 1 ('in') has elements of 4 bytes, the kernel's 'T' has 8");
  EXPECT_EQ(refusal<changed_count>(1), "the kernel takes 2 arguments, not 1");
  EXPECT_THAT(refusal<changed_kind>(1),
              HasSubstr("argument 1 ('a') has 4 bytes in the program and 8 in the kernel"));
}

TEST_F(Launch, what_the_back_end_says_is_passed_on) {
  machine[0].launch_failure = "submitting commands failed: VK_ERROR_DEVICE_LOST";
  spirea::buffer<int> out(device(), 3);
  const spirea::error error = error_of([&] { spirea::launch<quiet>(device(), spirea::grid(3), out); });
  EXPECT_EQ(std::string(error.what()),
            "spirea: kernel 'quiet()' on device 'null': submitting commands failed: VK_ERROR_DEVICE_LOST");
  EXPECT_EQ(error.kernel(), "quiet()");
  EXPECT_EQ(error.cause(), machine[0].launch_failure);
}

TEST_F(Launch, events) {
  spirea::buffer<int> out(device(), 3);
  spirea::event event;
  EXPECT_TRUE(event.done());
  event.wait();
  EXPECT_EQ(event.duration().count(), 0);
  event = spirea::launch<quiet>(device(), spirea::grid(3), out);
  event.wait();
  EXPECT_TRUE(event.done());
  EXPECT_EQ(event.duration().count(), 1500);
}

}  // namespace
}  // namespace runtime_test
