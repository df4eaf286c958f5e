// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Execution modes for floating-point numbers are added as the device has them, and the module stays valid.
#include "runtime/vulkan/float_controls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spirv-tools/libspirv.hpp>

#include "codegen-spirv/spirv.h"
#include "ir/text/parser.h"
#include "tests/codegen-spirv/parallel.h"

namespace spirea::spirv::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Properties = VkPhysicalDeviceVulkan12Properties;

/// A module with numbers of 32 and 64 bits.
std::vector<std::uint32_t> two_widths() {
  const std::string ops =
      "  %a = load %in align 4 : f32\n  %b = fadd %a, %a : f32\n  %c = fpext %b : f64\n  store %out, %c "
      "align "
      "8\n";
  const auto module = kir::parse(ParallelKernel{.ops = ops, .manifest = ""}.text(), "k.kir");
  EXPECT_TRUE(module) << to_string(module.diagnostics());
  auto words = generate(**module, *(*module)->kernels[0], {});
  EXPECT_TRUE(words) << to_string(words.diagnostics());
  return words.take();
}

/// The disassembly for a device, after spirv-val.
std::string adapted(const Properties& device) {
  const auto words = vulkan::with_float_controls(device, two_widths());
  spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_2);
  std::string messages;
  tools.SetMessageConsumer(
      [&](spv_message_level_t, const char*, const spv_position_t&, const char* text) { messages += text; });
  EXPECT_TRUE(tools.Validate(words)) << messages;
  return disassemble(words);
}

TEST(FloatControls, NoneWithoutTheDevices) { EXPECT_THAT(adapted({}), Not(HasSubstr("Preserve"))); }

TEST(FloatControls, EachWidthOfItsOwn) {
  Properties device{};
  device.denormBehaviorIndependence = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL;
  device.shaderDenormPreserveFloat32 = VK_TRUE;
  const std::string text = adapted(device);
  EXPECT_THAT(text, HasSubstr("OpCapability DenormPreserve"));
  EXPECT_THAT(text, HasSubstr("DenormPreserve 32"));
  EXPECT_THAT(text, Not(HasSubstr("DenormPreserve 64")));
  EXPECT_THAT(text, Not(HasSubstr("RoundingModeRTE")));
}

TEST(FloatControls, NotWhereWidthsMustAgreeAndCannot) {
  Properties device{};
  device.roundingModeIndependence = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE;
  device.shaderRoundingModeRTEFloat32 = VK_TRUE;
  EXPECT_THAT(adapted(device), Not(HasSubstr("RoundingModeRTE")));
  device.shaderRoundingModeRTEFloat64 = VK_TRUE;
  const std::string text = adapted(device);
  EXPECT_THAT(text, HasSubstr("RoundingModeRTE 32"));
  EXPECT_THAT(text, HasSubstr("RoundingModeRTE 64"));
}

TEST(FloatControls, WidthsBut32MayHaveToAgree) {
  Properties device{};
  device.denormBehaviorIndependence = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_32_BIT_ONLY;
  device.shaderDenormPreserveFloat32 = VK_TRUE;
  EXPECT_THAT(adapted(device), HasSubstr("DenormPreserve 32"));
}

TEST(FloatControls, BrokenModulesStayAsTheyAre) {
  std::vector<std::uint32_t> words = two_widths();
  words.resize(words.size() - 1);
  words[8] |= 0xfff0000;
  EXPECT_EQ(vulkan::with_float_controls({}, words), words);
}

}  // namespace
}  // namespace spirea::spirv::test
