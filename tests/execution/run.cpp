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

/// An interpreter with subgroups of this size: it reads the variable when it is opened.
TestDevice open_interpreter(const char* subgroup_size) {
  const std::string before = setting("SPIREA_INTERP_SUBGROUP", "");
  ::setenv("SPIREA_INTERP_SUBGROUP", subgroup_size, 1);
  TestDevice entry = open_device("interp");
  ::setenv("SPIREA_INTERP_SUBGROUP", before.c_str(), 1);
  entry.selector += std::string("-") + subgroup_size;
  entry.is_for_parallel = true;
  return entry;
}

std::vector<TestDevice> open_devices() {
  std::vector<TestDevice> result;
  std::stringstream list(setting("SPIREA_TEST_DEVICES", "interp,host,vulkan"));
  for (std::string selector; std::getline(list, selector, ',');) {
    result.push_back(open_device(selector));
    if (selector == "interp" && result.back().device != nullptr)
      for (const char* size : {"4", "8", "64"}) result.push_back(open_interpreter(size));  // it has 32
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
  return !device.is_for_parallel || file.find("/parallel/") != std::string::npos;
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
