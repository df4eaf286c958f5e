// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the runtime makes of a message buffer, whatever a kernel has left in it.
#include "ir/abi/messages.h"

#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spirea/spirea.hpp>

#include "runtime/core/messages.h"
#include "tests/runtime/artifacts.h"
#include "tests/runtime/null_backend.h"

namespace runtime_test {
namespace {

namespace abi = spirea::abi;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

using Words = std::vector<std::uint32_t>;

void prints(std::span<float>) {}
void silent(std::span<float>) {}

abi::Manifest printing_manifest() {
  abi::Param buffer = span_param("spirea_messages", abi::Access::ReadWrite, 4);
  buffer.size = 8;
  buffer.leaves.pop_back();
  auto manifest =
      manifest_of<prints>("prints", {span_param("out", abi::Access::ReadWrite, 4), std::move(buffer)});
  manifest.messages = {
      {abi::MessageKind::Print, "a.cpp", 3, "%d and %s\n", "is"},
      {abi::MessageKind::Print, "a.cpp", 4, "%lld %g %f|%*.*d|%%\n", "lfdiii"},
      {abi::MessageKind::Check, "b.cpp", 5, "index %lld is out of bounds, 100%%", "l"},
      {abi::MessageKind::Print, "a.cpp", 6, "plain\n", ""},
  };
  return manifest;
}

class Messages : public testing::Test {
 protected:
  void SetUp() override {
    static const bool registered = [] {
      register_artifact(
          ArtifactBuilder()
              .kernel(printing_manifest())
              .kernel(manifest_of<silent>("silent", {span_param("out", abi::Access::ReadWrite, 4)}))
              .build());
      return true;
    }();
    ASSERT_TRUE(registered);
    reset();
    unsetenv("SPIREA_PRINTF_BYTES");
    NullDeviceSpec spec;
    spec.kernel_code = [this](const NotedLaunch& launch) { run(launch); };
    machine.push_back(spec);
    device_.emplace();
    out_.emplace(*device_, 4);
    device_->on_message([this](const spirea::kernel_message& m) { texts.emplace_back(m.text); });
  }

  /// The kernel: leaves `header`, but for the capacity, and `records`.
  void run(const NotedLaunch& launch) {
    if (launch.kernel != "prints") return;
    std::uint64_t address = 0;
    std::memcpy(&address, launch.block.data() + launch.block.size() - 8, 8);
    auto* words = reinterpret_cast<std::uint32_t*>(address);
    capacity = words[abi::kCapacityWords];
    std::memcpy(words, header.data(), header.size() * 4);
    if (!spoils_capacity) words[abi::kCapacityWords] = capacity;
    std::memcpy(words + abi::kFirstRecord, records.data(), records.size() * 4);
  }

  /// A record of the first invocation; its length is right.
  void record(std::uint32_t number, const Words& arguments) {
    records.insert(records.end(), {static_cast<std::uint32_t>(5 + arguments.size()), number, 0, 0, 0});
    records.insert(records.end(), arguments.begin(), arguments.end());
    header[abi::kUsedWords] = static_cast<std::uint32_t>(records.size());
  }

  std::string launch() {
    try {
      spirea::launch<prints>(*device_, spirea::grid(1), *out_).wait();
      return {};
    } catch (const spirea::error& e) {
      return e.cause();
    }
  }

  std::optional<spirea::device> device_;
  std::optional<spirea::buffer<float>> out_;
  Words header = Words(abi::kFirstRecord), records;
  std::uint32_t capacity = 0;
  bool spoils_capacity = false;
  std::vector<std::string> texts;
};

constexpr std::uint32_t kTwo = 0x6f7774;  // "two"

TEST_F(Messages, are_formatted) {
  record(1, {7, 3, kTwo});
  record(2, {0xffffffff, 0xffffffff, 0x3fc00000, 0, 0x40000000, 5, 2, 9});
  record(4, {});
  EXPECT_EQ(launch(), "");
  EXPECT_THAT(texts, ElementsAre("7 and two\n", "-1 1.5 2.000000|   09|%\n", "plain\n"));
}

TEST_F(Messages, of_a_failed_check_end_the_launch) {
  header[abi::kFailedChecks] = 4;
  const Words failure = {3, 10, 11, 12, 0xfffffffe, 0xffffffff};
  std::copy(failure.begin(), failure.end(), header.begin() + abi::kFailure);
  EXPECT_EQ(launch(),
            "b.cpp:5: index -2 is out of bounds, 100% in invocation (10, 11, 12), and 3 more checks failed");
  header.assign(header.size(), 0);
  EXPECT_EQ(launch(), "");
}

TEST_F(Messages, of_a_failed_check_that_does_not_exist_still_end_the_launch) {
  header[abi::kFailedChecks] = 1;
  for (const std::uint32_t number : {0u, 5u, 0xffffffffu}) {
    header[abi::kFailure] = number;
    EXPECT_EQ(launch(), "a check of the kernel failed");
  }
}

TEST_F(Messages, that_are_damaged_are_never_read_beyond_their_end) {
  record(1, {7, 0xffffffff, kTwo});
  record(1, {7, 4096, kTwo});
  record(1, {7, 5, kTwo});
  record(1, {7});
  record(1, {});
  record(2, {1, 2, 3});
  record(0, {1});
  record(77, {1});
  record(4, {1, 2, 3});
  EXPECT_EQ(launch(), "");
  ASSERT_EQ(texts.size(), 7u);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_THAT(texts[i], EndsWith("(damaged message)"));
  EXPECT_EQ(texts[6], "plain\n");
}

TEST_F(Messages, end_where_a_length_makes_no_sense) {
  for (const std::uint32_t length : {0u, 4u, 6u, 0x80000000u, 0xffffffffu}) {
    records.clear();
    texts.clear();
    record(4, {});
    record(4, {});
    records[5] = length;
    EXPECT_EQ(launch(), "");
    EXPECT_THAT(texts, ElementsAre("plain\n"));
  }
}

TEST_F(Messages, are_read_within_the_buffer_whatever_it_says_of_its_size) {
  record(4, {});
  spoils_capacity = true;
  header[abi::kUsedWords] = 0xffffffff;
  header[abi::kCapacityWords] = 0xffffffff;
  header[abi::kLostMessages] = 3;
  testing::internal::CaptureStderr();
  EXPECT_EQ(launch(), "");
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("kernel 'prints()': 3 messages of printf were lost: the 1048576 bytes"));
  EXPECT_THAT(texts, ElementsAre("plain\n"));
}

TEST_F(Messages, of_random_words_are_harmless) {
  setenv("SPIREA_PRINTF_BYTES", "4096", 1);
  std::uint64_t state = 99;
  testing::internal::CaptureStderr();
  for (int round = 0; round < 3000; ++round) {
    records.clear();
    for (std::uint32_t& word : header) word = static_cast<std::uint32_t>(next_random(state));
    for (int k = 0; k < 8; ++k) {
      Words arguments(next_random(state) % 10);
      for (std::uint32_t& word : arguments) word = static_cast<std::uint32_t>(next_random(state) % 2000);
      record(static_cast<std::uint32_t>(next_random(state) % 6), arguments);
    }
    records[next_random(state) % records.size()] = static_cast<std::uint32_t>(next_random(state));
    launch();
  }
  EXPECT_EQ(capacity, 1024u);
  testing::internal::GetCapturedStderr();
}

TEST_F(Messages, have_as_many_bytes_as_the_environment_says) {
  for (const char* wrong : {"63", "much", "-1", "4294967296", "1e6", "99999999999999999999"}) {
    setenv("SPIREA_PRINTF_BYTES", wrong, 1);
    EXPECT_EQ(launch(), "SPIREA_PRINTF_BYTES is '" + std::string(wrong) +
                            "', not a number of bytes from 64 to 2147483648");
  }
  setenv("SPIREA_PRINTF_BYTES", "65536", 1);
  EXPECT_EQ(launch(), "");
  EXPECT_EQ(capacity, 16384u);
}

TEST_F(Messages, cost_a_kernel_without_them_nothing) {
  const int before = num_allocations;
  spirea::launch<silent>(*device_, spirea::grid(1), *out_).wait();
  EXPECT_EQ(num_allocations, before);
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_EQ(launches[0].block.size(), 16u);
}

/// Launches in flight have a buffer each, which later ones use again.
TEST_F(Messages, need_a_bounded_number_of_buffers) {
  record(4, {});
  const int before = num_allocations;
  for (int i = 0; i < 100; ++i) spirea::launch<prints>(*device_, spirea::grid(1), *out_);
  EXPECT_LE(num_allocations - before, 17);
  device_->wait();
  EXPECT_EQ(texts.size(), 100u);
  out_.reset();
  device_.reset();
  EXPECT_EQ(num_allocations, 0);
}

TEST_F(Messages, that_nobody_waits_for_come_when_the_device_goes) {
  record(4, {});
  header[abi::kFailedChecks] = 1;
  header[abi::kFailure] = 3;
  spirea::launch<prints>(*device_, spirea::grid(1), *out_);
  EXPECT_THAT(texts, IsEmpty());
  testing::internal::CaptureStderr();
  out_.reset();
  device_.reset();
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("b.cpp:5: index 0 is out of bounds"));
  EXPECT_THAT(texts, ElementsAre("plain\n"));
}

TEST(MessageFormat, what_C_does_not_define_is_refused) {
  for (const char* format :
       {"%", "%5", "%n", "%Lf", "%ls", "%lc", "%y", "%12345d", "%.99999f", "%hhhd", "%lz"}) {
    std::string problem;
    EXPECT_FALSE(abi::parse_format(format, problem)) << format;
    EXPECT_NE(problem, "") << format;
  }
}

}  // namespace
}  // namespace runtime_test
