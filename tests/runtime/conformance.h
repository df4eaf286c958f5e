// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every device must do alike. A test is written once and run on each device in SPIREA_TEST_DEVICES
// (default "interp,host,vulkan"): the fixture skips a device that this machine lacks, by name, or fails where
// SPIREA_REQUIRE_DEVICES=1 promises them all.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>
#include <spirea/spirea.hpp>
#include <string>

#include "tests/runtime/artifacts.h"

namespace runtime_test {

class Conformance : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override;
  spirea::device& device() { return *device_; }

 private:
  std::optional<spirea::device> device_;
};

/// Selectors of the devices to test.
std::vector<std::string> tested_devices();

}  // namespace runtime_test

#define SPIREA_CONFORMANCE(suite)                                               \
  INSTANTIATE_TEST_SUITE_P(Devices, suite, testing::ValuesIn(tested_devices()), \
                           [](const auto& info) { return info.param; })
