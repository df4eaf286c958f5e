// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shared library, as the runtime loads it.
#include <cstdlib>
#include <dlfcn.h>
#include <thread>

#include "ir/abi/artifact.h"
#include "ir/abi/interpreter.h"
#include "tests/interp/support.h"

namespace spirea::interp::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const spirea_interp_functions& api() {
  static const auto* functions = [] {
    void* library = dlopen(SPIREA_INTERP_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw std::runtime_error(dlerror());
    return reinterpret_cast<spirea_interp_api_type>(dlsym(library, "spirea_interp_api"))();
  }();
  return *functions;
}

std::string doubling() {
  KernelText text;
  text.buffer("b");
  return text.with(R"(
    %x = global_id x : i32
    %p = offset %b, %x scale 4 disp 0 : ptr<global> !3
    %v = load %p align 4 : i32 !4
    %w = add %v, %v : i32
    store %p, %w align 4)");
}

struct Device {
  spirea_interp* device = api().create();
  ~Device() { api().destroy(device); }
  operator spirea_interp*() const { return device; }
};

int launch(spirea_interp* device, spirea_interp_module* module, u64 buffer, u64 count, u32 groups,
           const char* kernel = "k") {
  const u64 block[] = {buffer, count};
  const spirea_interp_launch launch{kernel, block, sizeof block, {groups, 1, 1}, {1, 1, 1}};
  return api().launch(device, module, &launch);
}

TEST(Api, runs_a_kernel) {
  EXPECT_EQ(api().abi, spirea_abi_version);
  Device device;
  const std::string text = doubling();
  spirea_interp_module* module = api().load(device, text.data(), text.size());
  ASSERT_NE(module, nullptr) << api().last_error();
  const u64 buffer = api().allocate(device, 12, 16);
  ASSERT_NE(buffer, 0);
  EXPECT_EQ(buffer % 16, 0);
  const std::vector<i32> in{1, 2, 3};
  EXPECT_EQ(api().write(device, buffer, in.data(), 12), 0);
  EXPECT_EQ(launch(device, module, buffer, 3, 3), 0) << api().last_error();
  EXPECT_EQ(launch(device, module, buffer, 3, 2), 0) << api().last_error();
  std::vector<i32> out(3);
  EXPECT_EQ(api().read(device, buffer, out.data(), 12), 0);
  EXPECT_THAT(out, ElementsAre(4, 8, 6));
  EXPECT_EQ(api().release(device, buffer), 0);
  api().unload(module);
}

TEST(Api, failures_leave_a_message) {
  Device device;
  const auto fails = [](auto result, const std::string& part) {
    EXPECT_FALSE(result);
    EXPECT_THAT(api().last_error(), HasSubstr(part));
  };
  fails(api().allocate(device, u64{1} << 50, 1), "larger than the largest possible");
  fails(api().release(device, 5) == 0, "not the start of an allocation");
  fails(api().write(device, 5, "x", 1) == 0, "no device memory");
  const u64 buffer = api().allocate(device, 4, 4);
  char bytes[8];
  fails(api().read(device, buffer, bytes, 8) == 0, "read of 8 bytes outside of an allocation of 4 bytes");
  fails(api().load(device, "nonsense", 8) != nullptr, "kernel.kir:1:1: error:");
  const std::string invalid = "kir 1\nkernel @k key \"k\" display \"\" file \"\" line 0 {\nbody {\n}\n}\n";
  fails(api().load(device, invalid.data(), invalid.size()) != nullptr, "error:");
  const std::string text = doubling();
  spirea_interp_module* module = api().load(device, text.data(), text.size());
  fails(launch(device, module, buffer, 1, 1, "other") == 0, "the module has no kernel 'other'");
  fails(launch(device, module, buffer, 1, 2) == 0,
        "k.cpp:4:1: error: load of 4 bytes out of bounds: just past the end of buffer 'b' (4 bytes, 1 "
        "element of 'T')");
  EXPECT_EQ(api().write(device, buffer, "abcd", 4), 0);
  EXPECT_STREQ(api().last_error(), "");
  EXPECT_EQ(launch(device, module, buffer, 1, 1), 0);
  api().unload(module);
}

TEST(Api, messages_belong_to_their_thread) {
  Device device;
  EXPECT_NE(api().release(device, 5), 0);
  std::thread([&] {
    EXPECT_STREQ(api().last_error(), "");
    EXPECT_EQ(api().allocate(device, u64{1} << 50, 1), 0);
    EXPECT_THAT(api().last_error(), HasSubstr("largest possible"));
  }).join();
  EXPECT_THAT(api().last_error(), HasSubstr("not the start"));
}

TEST(Api, threads_share_a_device) {
  Device device;
  const std::string text = doubling();
  spirea_interp_module* module = api().load(device, text.data(), text.size());
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int round = 0; round < 50; ++round) {
        const u64 buffer = api().allocate(device, 4, 4);
        const i32 value = t * 1000 + round;
        i32 result = 0;
        EXPECT_EQ(api().write(device, buffer, &value, 4), 0);
        EXPECT_EQ(launch(device, module, buffer, 1, 1), 0) << api().last_error();
        EXPECT_EQ(api().read(device, buffer, &result, 4), 0);
        EXPECT_EQ(result, 2 * value);
        EXPECT_EQ(api().release(device, buffer), 0);
      }
    });
  for (std::thread& thread : threads) thread.join();
  api().unload(module);
}

spirea_interp* created(const char* name, const char* value) {
  setenv(name, value, 1);
  spirea_interp* device = api().create();
  unsetenv(name);
  return device;
}

TEST(Api, environment_can_flush_subnormal_numbers) {
  for (const auto& [value, keeps] : {std::pair{"keep", 1}, std::pair{"flush", 0}}) {
    spirea_interp* device = created("SPIREA_INTERP_SUBNORMALS", value);
    ASSERT_NE(device, nullptr) << value;
    EXPECT_EQ(api().keeps_subnormals(device), keeps);
    api().destroy(device);
  }
  EXPECT_EQ(created("SPIREA_INTERP_SUBNORMALS", "zero"), nullptr);
  EXPECT_STREQ(api().last_error(), "error: SPIREA_INTERP_SUBNORMALS is 'zero', expected keep or flush\n");
}

TEST(Api, environment_sets_the_options) {
  for (const char* value : {"off", "on", "strict"}) {
    spirea_interp* device = created("SPIREA_INTERP_RACES", value);
    EXPECT_NE(device, nullptr) << value;
    api().destroy(device);
  }
  EXPECT_EQ(created("SPIREA_INTERP_RACES", "maybe"), nullptr);
  EXPECT_STREQ(api().last_error(), "error: SPIREA_INTERP_RACES is 'maybe', expected off, on or strict\n");
  EXPECT_EQ(created("SPIREA_INTERP_STEPS", "12x"), nullptr);
  EXPECT_EQ(created("SPIREA_INTERP_STEPS", "0"), nullptr);
  EXPECT_STREQ(api().last_error(), "error: SPIREA_INTERP_STEPS is '0', expected a positive number\n");

  spirea_interp* device = created("SPIREA_INTERP_STEPS", "5");
  const std::string text = doubling();
  spirea_interp_module* module = api().load(device, text.data(), text.size());
  const u64 buffer = api().allocate(device, 4, 4);
  EXPECT_EQ(api().write(device, buffer, "abcd", 4), 0);
  EXPECT_NE(launch(device, module, buffer, 1, 1), 0);
  EXPECT_THAT(api().last_error(), HasSubstr("exceeds 5 steps"));
  api().unload(module);
  api().destroy(device);
}

}  // namespace
}  // namespace spirea::interp::test
