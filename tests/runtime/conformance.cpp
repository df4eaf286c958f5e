// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/runtime/conformance.h"

#include <cstdlib>
#include <sstream>

namespace runtime_test {
namespace {

std::string setting(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : otherwise;
}

}  // namespace

std::vector<std::string> tested_devices() {
  std::vector<std::string> result;
  std::stringstream list(setting("SPIREA_TEST_DEVICES", "interp,host,vulkan"));
  for (std::string selector; std::getline(list, selector, ',');) result.push_back(selector);
  return result;
}

void Conformance::SetUp() {
  try {
    device_.emplace(GetParam());
  } catch (const spirea::error& error) {
    if (setting("SPIREA_REQUIRE_DEVICES", "0") == "1") FAIL() << GetParam() << ": " << error.what();
    GTEST_SKIP() << GetParam() << ": " << error.what();
  }
}

}  // namespace runtime_test
