// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which device a program gets on machines that few have at hand.
#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spirea/spirea.hpp>

#include "tests/runtime/artifacts.h"
#include "tests/runtime/null_backend.h"

namespace runtime_test {
namespace {

using spirea::backend_kind;
using testing::HasSubstr;
using testing::Not;

NullDeviceSpec gpu(const char* name) { return {backend_kind::vulkan, name}; }
NullDeviceSpec software(const char* name) { return {backend_kind::vulkan, name, true}; }
NullDeviceSpec unusable(const char* name, const char* reason) {
  return {backend_kind::vulkan, name, false, reason};
}
NullDeviceSpec cpu() { return {backend_kind::host, "Some CPU", true}; }
NullDeviceSpec interpreter() { return {backend_kind::interp, "KIR interpreter", true}; }

class Selection : public testing::Test {
 protected:
  Selection() { reset(); }
  ~Selection() override { reset(); }
};

TEST_F(Selection, a_gpu_comes_before_everything) {
  machine = {software("llvmpipe"), gpu("Some GPU"), cpu(), interpreter()};
  EXPECT_EQ(spirea::device().name(), "Some GPU");
}

TEST_F(Selection, the_first_of_several_gpus) {
  machine = {unusable("Old GPU", "it is old"), gpu("GPU A"), gpu("GPU B"), cpu()};
  EXPECT_EQ(spirea::device().name(), "GPU A");
}

TEST_F(Selection, the_host_comes_before_a_software_driver) {
  machine = {software("llvmpipe"), cpu(), interpreter()};
  EXPECT_EQ(spirea::device().name(), "Some CPU");
}

TEST_F(Selection, the_interpreter_is_never_a_default) {
  machine = {unusable("Old GPU", "it is old"), interpreter()};
  const std::string cause = cause_of([] { spirea::device(); });
  EXPECT_THAT(cause, HasSubstr("no device is usable"));
  EXPECT_THAT(cause, HasSubstr("vulkan:0 Old GPU (not usable: it is old)"));
  EXPECT_THAT(cause, HasSubstr("interp:0 KIR interpreter"));
}

TEST_F(Selection, nothing_at_all) {
  EXPECT_THAT(cause_of([] { spirea::device(); }), HasSubstr("no device is usable"));
}

TEST_F(Selection, lists_best_first_and_unusable_last) {
  machine = {unusable("Old GPU", "it is old"), software("llvmpipe"), gpu("Some GPU"), cpu(), interpreter()};
  std::vector<std::string> names;
  for (const auto& info : spirea::devices()) names.push_back(info.name);
  EXPECT_THAT(names, testing::ElementsAre("Some GPU", "Some CPU", "llvmpipe", "KIR interpreter", "Old GPU"));
}

TEST_F(Selection, by_name) {
  machine = {gpu("GPU A"), gpu("GPU B"), software("llvmpipe (LLVM 15)"), cpu(), interpreter()};
  EXPECT_EQ(spirea::device("vulkan").name(), "GPU A");
  EXPECT_EQ(spirea::device("vulkan:1").name(), "GPU B");
  EXPECT_EQ(spirea::device("vulkan:LLVMPIPE").name(), "llvmpipe (LLVM 15)");
  EXPECT_EQ(spirea::device("vulkan:gpu b").name(), "GPU B");
  EXPECT_EQ(spirea::device("host").name(), "Some CPU");
  EXPECT_EQ(spirea::device("interp").backend(), backend_kind::interp);
}

TEST_F(Selection, the_variable_names_the_default) {
  machine = {gpu("GPU A"), gpu("GPU B"), cpu()};
  setenv("SPIREA_DEVICE", "vulkan:1", 1);
  EXPECT_EQ(spirea::device().name(), "GPU B");
  EXPECT_EQ(spirea::device("host").name(), "Some CPU");  // a name in the program stands
  setenv("SPIREA_DEVICE", "", 1);
  EXPECT_EQ(spirea::device().name(), "GPU A");
}

TEST_F(Selection, an_unknown_name_lists_what_there_is) {
  machine = {gpu("Some GPU"), unusable("Old GPU", "it is old"), cpu()};
  setenv("SPIREA_DEVICE", "cuda:0", 1);
  const std::string cause = cause_of([] { spirea::device(); });
  EXPECT_THAT(cause, HasSubstr("unknown device 'cuda:0'; a device is named vulkan, host or interp"));
  EXPECT_THAT(cause, HasSubstr("\n  vulkan:0 Some GPU\n"));
  EXPECT_THAT(cause, HasSubstr("\n  host:0 Some CPU"));
  EXPECT_THAT(cause, HasSubstr("\n  vulkan:1 Old GPU (not usable: it is old)"));
  EXPECT_THAT(cause_of([] { spirea::device(""); }), HasSubstr("unknown device ''"));
  EXPECT_THAT(cause_of([] { spirea::device("vulkan:7"); }),
              HasSubstr("no device matches 'vulkan:7'. Found:\n"));
  EXPECT_THAT(cause_of([] { spirea::device("vulkan:radeon"); }),
              HasSubstr("no device matches 'vulkan:radeon'"));
  EXPECT_EQ(cause_of([] { spirea::device("vulkan:1"); }),
            "device 'vulkan:1' is not usable because it is old");
}

TEST_F(Selection, an_unusable_match_gives_way_to_a_usable_one) {
  machine = {unusable("GPU X1", "it is old"), gpu("GPU X2")};
  EXPECT_EQ(spirea::device("vulkan:gpu x").name(), "GPU X2");
}

TEST_F(Selection, what_fails_to_open_is_an_error_with_the_device) {
  NullDeviceSpec broken = gpu("Broken GPU");
  broken.open_failure = "creating the device failed: VK_ERROR_DEVICE_LOST";
  machine = {broken, cpu()};
  const spirea::error error = error_of([] { spirea::device(); });
  EXPECT_EQ(error.device(), "Broken GPU");
  EXPECT_EQ(error.cause(), broken.open_failure);
  EXPECT_EQ(std::string(error.what()), "spirea: device 'Broken GPU': " + broken.open_failure);
}

TEST_F(Selection, devices_of_one_name_are_one_device) {
  machine = {gpu("GPU A"), gpu("GPU B"), cpu()};
  {
    spirea::device a, b("vulkan:0"), c("vulkan:1");
    EXPECT_EQ(a.state(), b.state());
    EXPECT_NE(a.state(), c.state());
    EXPECT_EQ(num_opened, 2);
  }
  spirea::device again;  // all were closed
  EXPECT_EQ(num_opened, 3);
}

// In processes of their own, since it is said but once in each.
TEST_F(Selection, falling_back_is_said_once) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  machine = {unusable("Old GPU", "it is old"), cpu()};
  const auto twice = [] {
    spirea::device first;
    std::fprintf(stderr, "[first]");
    spirea::device second;
    std::fprintf(stderr, "[second]");
    std::exit(0);
  };
  unsetenv("SPIREA_QUIET");
  EXPECT_EXIT(twice(), testing::ExitedWithCode(0),
              "^spirea: no GPU is usable, running on host \\(Some CPU\\); vulkan: it is old\n"
              "\\[first\\]\\[second\\]$");
  setenv("SPIREA_QUIET", "1", 1);
  EXPECT_EXIT(twice(), testing::ExitedWithCode(0), "^\\[first\\]\\[second\\]$");
}

TEST_F(Selection, a_name_is_no_fallback) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  machine = {cpu()};
  unsetenv("SPIREA_QUIET");
  const auto named = [] {
    spirea::device device("host");
    std::fprintf(stderr, "[done]");
    std::exit(0);
  };
  EXPECT_EXIT(named(), testing::ExitedWithCode(0), "^\\[done\\]$");
}

}  // namespace
}  // namespace runtime_test
