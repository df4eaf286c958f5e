// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime's host and interpreter back ends, without the rest of the runtime.
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <numeric>

#include "runtime/core/backend.h"

namespace {

namespace detail = spirea::detail;

class FakeKernel : public detail::KernelCode {
 public:
  explicit FakeKernel(spirea_host_kernel host, std::string kir = {}) : host_(host), kir_(std::move(kir)) {
    manifest_.name = "k";
  }
  const spirea::abi::Manifest& manifest() const override { return manifest_; }
  std::uint64_t id() const override { return 1; }
  const detail::SpirvModules& spirv() const override { return spirv_; }
  const std::string& kir() const override { return kir_; }
  std::uint64_t object_id() const override { return 2; }
  spirea_host_kernel host() const override { return host_; }

 private:
  spirea::abi::Manifest manifest_;
  detail::SpirvModules spirv_;
  spirea_host_kernel host_;
  std::string kir_;
};

/// The cause of the error that the call throws.
template <class F>
std::string cause_of(F&& call) {
  try {
    call();
  } catch (const spirea::error& error) {
    return error.cause();
  }
  return "(no error)";
}

/// The back end's one candidate.
detail::Candidate only(std::vector<detail::Candidate> candidates) {
  EXPECT_EQ(candidates.size(), 1u);
  return std::move(candidates.at(0));
}

struct CountBlock {
  std::uint64_t counts;  ///< address of a 32-bit number for each workgroup
};

/// Adds the workgroup's size, x + 10 y + 100 z, to its count.
void count_workgroups(const void* block, const spirea_host_grid* grid, std::uint64_t first,
                      std::uint64_t last) {
  auto* counts = reinterpret_cast<std::uint32_t*>(static_cast<const CountBlock*>(block)->counts);
  for (; first < last; ++first)
    counts[first] += grid->workgroup_size[0] + 10 * grid->workgroup_size[1] + 100 * grid->workgroup_size[2];
}

TEST(HostDevice, SaysWhatItIs) {
  const detail::Candidate host = only(spirea::host::enumerate());
  EXPECT_EQ(host.info.backend, spirea::backend_kind::host);
  EXPECT_TRUE(host.info.is_usable && host.info.is_software);
  EXPECT_FALSE(host.info.name.empty());
  EXPECT_EQ(host.info.properties.at(0).first, "threads");
  EXPECT_GE(std::stoi(host.info.properties.at(0).second), 1);
}

TEST(HostDevice, BadThreadCountIsAReason) {
  setenv("SPIREA_HOST_THREADS", "many", 1);
  const detail::Candidate host = only(spirea::host::enumerate());
  unsetenv("SPIREA_HOST_THREADS");
  EXPECT_FALSE(host.info.is_usable || host.open);
  EXPECT_EQ(host.info.reason, "SPIREA_HOST_THREADS is 'many', not a number from 1 to 1024");
}

TEST(HostDevice, MemoryIsAligned) {
  const auto device = only(spirea::host::enumerate()).open();
  for (const std::uint64_t align : {1u, 8u, 64u, 4096u}) {
    const std::uint64_t address = device->allocate(100, align);
    EXPECT_EQ(address % std::max<std::uint64_t>(align, 64), 0u);
    std::array<char, 100> out{}, in{};
    std::iota(in.begin(), in.end(), 'a');
    device->write(address, in.data(), in.size());
    device->read(address + 10, out.data(), 90);
    EXPECT_EQ(std::memcmp(in.data() + 10, out.data(), 90), 0);
    device->release(address);
  }
}

TEST(HostDevice, TooMuchMemoryIsAnError) {
  const auto device = only(spirea::host::enumerate()).open();
  for (const std::uint64_t bytes : {device->limits().max_buffer_bytes + 1, ~std::uint64_t{0}})
    EXPECT_EQ(cause_of([&] { device->allocate(bytes, 16); }),
              "cannot allocate " + std::to_string(bytes) + " bytes of host memory");
}

TEST(HostDevice, RunsEachWorkgroupOnce) {
  const auto device = only(spirea::host::enumerate()).open();
  const FakeKernel kernel(count_workgroups);
  constexpr std::uint32_t count = 7 * 11 * 13;
  const std::uint64_t counts = device->allocate(count * 4, 4);
  const std::vector<std::uint32_t> zeros(count);
  device->write(counts, zeros.data(), count * 4);
  // Also where the argument block is not aligned.
  alignas(8) std::byte bytes[sizeof(CountBlock) + 4];
  std::memcpy(bytes + 4, &counts, sizeof counts);
  const auto done = device->launch({&kernel, std::span(bytes).subspan(4), {7, 11, 13}, {4, 2, 1}});
  EXPECT_TRUE(done->done());
  EXPECT_GT(done->duration().count(), 0);
  std::vector<std::uint32_t> out(count);
  device->read(counts, out.data(), count * 4);
  EXPECT_EQ(out, std::vector<std::uint32_t>(count, 4 + 20 + 100));
  device->release(counts);
}

TEST(HostDevice, RefusesWhatItCannotRun) {
  const auto device = only(spirea::host::enumerate()).open();
  const FakeKernel without_code(nullptr), kernel(count_workgroups);
  EXPECT_NE(cause_of([&] {
              device->launch({&without_code, {}, {1, 1, 1}, {1, 1, 1}});
            }).find("no host code"),
            std::string::npos);
  EXPECT_EQ(cause_of([&] {
              device->launch({&kernel, {}, {1, 1u << 27, 1}, {1, 32, 1}});
            }),
            "a grid of 4294967296 invocations in dimension y; the most is 4294967295");
  EXPECT_EQ(cause_of([&] {
              device->launch({&kernel, {}, {~0u, ~0u, ~0u}, {1, 1, 1}});
            }),
            "a grid of more than 2^63 workgroups");
}

TEST(HostDevice, HasSubgroupsOfOneInvocation) {
  const auto device = only(spirea::host::enumerate()).open();
  EXPECT_EQ(device->limits().min_subgroup_size, 1u);
  EXPECT_EQ(device->limits().max_subgroup_size, 1u);
}

/// Counts the workgroups that find themselves in memory of their own.
void use_workgroup_memory(const void* block, const spirea_host_grid* grid, std::uint64_t first,
                          std::uint64_t last) {
  auto* counts = reinterpret_cast<std::uint32_t*>(static_cast<const CountBlock*>(block)->counts);
  const std::uint64_t words = grid->dynamic_shared / 8;
  auto* memory = static_cast<std::uint64_t*>(grid->workgroup_memory(grid->dynamic_shared));
  if (memory == nullptr || reinterpret_cast<std::uintptr_t>(memory) % 4096 != 0) return;
  for (; first < last; ++first) {
    for (std::uint64_t i = 0; i < words; ++i) memory[i] = first + i;
    counts[first] = 1;
    for (std::uint64_t i = 0; i < words; ++i)
      if (memory[i] != first + i) counts[first] = 2;
  }
}

TEST(HostDevice, GivesEachThreadWorkgroupMemory) {
  const auto device = only(spirea::host::enumerate()).open();
  EXPECT_EQ(device->limits().max_shared_bytes, 1u << 20);
  const FakeKernel kernel(use_workgroup_memory);
  constexpr std::uint32_t count = 300;
  const std::uint64_t counts = device->allocate(count * 4, 4);
  for (const std::uint32_t bytes : {0u, 16u, 1u << 20, 4096u, 8u << 20, 8192u}) {
    const std::vector<std::uint32_t> zeros(count);
    device->write(counts, zeros.data(), count * 4);
    const CountBlock block{counts};
    device->launch({&kernel, std::as_bytes(std::span(&block, 1)), {count, 1, 1}, {1, 1, 1}, bytes});
    std::vector<std::uint32_t> out(count);
    device->read(counts, out.data(), count * 4);
    EXPECT_EQ(out, std::vector<std::uint32_t>(count, 1)) << bytes;
  }
  device->release(counts);
}

TEST(HostDevice, TooMuchWorkgroupMemoryIsAnError) {
  const auto device = only(spirea::host::enumerate()).open();
  const FakeKernel kernel([](const void*, const spirea_host_grid* grid, std::uint64_t, std::uint64_t) {
    EXPECT_EQ(grid->workgroup_memory(~std::uint64_t{0}), nullptr);
  });
  const auto launch = [&] { device->launch({&kernel, {}, {1, 1, 1}, {1, 1, 1}}); };
  EXPECT_EQ(cause_of(launch),
            "cannot allocate 18446744073709551615 bytes for what the invocations of a workgroup keep");
}

/// Sets SPIREA_INTERP_LIBRARY for a test.
class Interpreter : public ::testing::Test {
 protected:
  void use_library(const char* path) { setenv("SPIREA_INTERP_LIBRARY", path, 1); }
  void SetUp() override { use_library(SPIREA_TEST_INTERP_LIBRARY); }
  void TearDown() override { unsetenv("SPIREA_INTERP_LIBRARY"); }
};

constexpr const char* kStoreOne = R"kir(kir 1
loc !1 "store.cpp" 7 3 "k"
kernel @k key "k" display "k()" file "store.cpp" line 6 {
  param buffer "out" type "std::span<int>" size 16 align 8 element "int" 4 4 access readwrite leaves (%out: ptr at 0 from 0, %n: i64 at 8 from 8)
body {
  %x = global_id x : i32
  %p = offset %out, %x scale 4 disp 0 : ptr<global>
  %one = const 1 : i32
  store %p, %one align 4 !1
  return
}
}
)kir";

struct SpanBlock {
  std::uint64_t address, count;
};

detail::LaunchParameters launch_of(const FakeKernel& kernel, const SpanBlock& block,
                                   std::uint32_t workgroups) {
  return {&kernel, std::as_bytes(std::span(&block, 1)), {workgroups, 1, 1}, {1, 1, 1}};
}

TEST_F(Interpreter, RunsKir) {
  const detail::Candidate candidate = only(spirea::interp::enumerate());
  ASSERT_TRUE(candidate.info.is_usable) << candidate.info.reason;
  const auto device = candidate.open();
  const FakeKernel kernel(nullptr, kStoreOne);
  const SpanBlock block{device->allocate(16, 4), 4};
  for (int repeat = 0; repeat < 2; ++repeat)  // the second launch finds the module loaded
    EXPECT_TRUE(device->launch(launch_of(kernel, block, 4))->done());
  std::vector<std::int32_t> out(4);
  device->read(block.address, out.data(), 16);
  EXPECT_EQ(out, std::vector<std::int32_t>(4, 1));
  device->release(block.address);
}

TEST_F(Interpreter, FaultsAreErrorsWithTheLine) {
  const auto device = only(spirea::interp::enumerate()).open();
  const FakeKernel kernel(nullptr, kStoreOne), broken(nullptr, "kir 1\nnonsense"), none(nullptr);
  const SpanBlock block{device->allocate(16, 4), 4};
  const std::string cause = cause_of([&] { device->launch(launch_of(kernel, block, 5)); });
  EXPECT_TRUE(cause.starts_with("store.cpp:7:3: error: ")) << cause;
  EXPECT_NE(cause.find("out of bounds"), std::string::npos) << cause;
  char two[2];
  EXPECT_NE(cause_of([&] { device->read(block.address + 15, two, 2); }), "(no error)");
  EXPECT_NE(cause_of([&] { device->allocate(std::uint64_t{1} << 62, 4); }), "(no error)");
  device->release(block.address);

  const auto another = only(spirea::interp::enumerate()).open();
  EXPECT_NE(cause_of([&] { another->launch(launch_of(broken, {}, 1)); }).find("error: "), std::string::npos);
  EXPECT_EQ(cause_of([&] { another->launch(launch_of(none, {}, 1)); }),
            "its object holds no KIR, which the interpreter runs");
}

TEST_F(Interpreter, MissingLibraryIsAReason) {
  use_library("/nonexistent/libspirea-interp.so");
  const detail::Candidate candidate = only(spirea::interp::enumerate());
  EXPECT_FALSE(candidate.info.is_usable);
  EXPECT_FALSE(candidate.open);
  EXPECT_NE(candidate.info.reason.find("/nonexistent/libspirea-interp.so: No such file"), std::string::npos)
      << candidate.info.reason;
  EXPECT_NE(candidate.info.reason.find("SPIREA_INTERP_LIBRARY"), std::string::npos);
  use_library("no-such-library.so");
  EXPECT_NE(only(spirea::interp::enumerate()).info.reason.find("no-such-library.so"), std::string::npos);
}

TEST_F(Interpreter, AnotherLibraryIsAnError) {
  use_library(SPIREA_TEST_OTHER_LIBRARY);
  const detail::Candidate candidate = only(spirea::interp::enumerate());
  ASSERT_TRUE(candidate.open);
  EXPECT_NE(cause_of([&] { candidate.open(); }).find("is not Spirea's interpreter"), std::string::npos);
  use_library("/proc/self/exe");  // no shared library at all
  EXPECT_NE(cause_of([&] { only(spirea::interp::enumerate()).open(); }).find("cannot be loaded"),
            std::string::npos);
}

}  // namespace
