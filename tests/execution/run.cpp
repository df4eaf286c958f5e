// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/execution/run.h"

#include <cstdlib>
#include <memory>
#include <sstream>

namespace execution {
namespace {

std::string setting(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : otherwise;
}

TestDevice open_device(const std::string& selector) {
  TestDevice entry{selector};
  try {
    entry.device = new spirea::device(selector);  // lives until the process ends
  } catch (const std::exception& e) {
    entry.missing = e.what();
  }
  return entry;
}

/// An interpreter with another setting, for the tests in files of such a name: it reads the variable when it
/// is opened.
TestDevice open_interpreter(const char* variable, const std::string& value, const char* only_for) {
  const std::string before = setting(variable, "");
  ::setenv(variable, value.c_str(), 1);
  TestDevice entry = open_device("interp");
  ::setenv(variable, before.c_str(), 1);
  entry.selector += "-" + value;
  entry.only_for = only_for;
  return entry;
}

std::vector<TestDevice> open_devices() {
  std::vector<TestDevice> result;
  std::stringstream list(setting("SPIREA_TEST_DEVICES", "interp,host,vulkan"));
  for (std::string selector; std::getline(list, selector, ',');) {
    result.push_back(open_device(selector));
    if (selector != "interp" || result.back().device == nullptr) continue;
    for (const char* size : {"4", "8", "64"})  // it has 32
      result.push_back(open_interpreter("SPIREA_INTERP_SUBGROUP", size, "/parallel/"));
    result.push_back(open_interpreter("SPIREA_INTERP_SUBNORMALS", "flush", "/math.cpp"));
  }
  return result;
}

}  // namespace

std::vector<TestDevice>& test_devices() {
  static std::vector<TestDevice> devices = open_devices();
  return devices;
}

bool runs_here(const TestDevice& device) {
  const std::string file = ::testing::UnitTest::GetInstance()->current_test_info()->file();
  return file.find(device.only_for) != std::string::npos;
}

bool has(Needs needs, const spirea::device& device) {
  return needs == Needs::nothing || device.keeps_subnormals_f32();
}

int failures_so_far() {
  return ::testing::UnitTest::GetInstance()->current_test_info()->result()->total_part_count();
}

void record_result(TestDevice& device, int failures_before) {
  const std::string test = ::testing::UnitTest::GetInstance()->current_test_info()->name();
  if (failures_so_far() != failures_before) device.failed = test;
  ::testing::Test::RecordProperty(device.selector, device.failed == test ? "no" : "yes");
}

std::uint64_t next_random(std::uint64_t& state) {
  if (state == 0) state = 0x9e3779b97f4a7c15;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state * 0x2545f4914f6cdd1d;
}

// A missing device is a skip on a user's machine and a failure where all of them are promised.
TEST(Execution, devices_are_present) {
  const bool required = setting("SPIREA_REQUIRE_DEVICES", "0") == "1";
  for (const TestDevice& entry : test_devices()) {
    if (entry.device != nullptr) continue;
    if (required)
      ADD_FAILURE() << entry.selector << ": " << entry.missing;
    else
      GTEST_SKIP() << entry.selector << ": " << entry.missing;
  }
}

}  // namespace execution
