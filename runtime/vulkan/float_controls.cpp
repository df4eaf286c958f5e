// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/vulkan/float_controls.h"

#include <cstddef>
#include <iterator>

#include "runtime/vulkan/llvmpipe.h"
#include "runtime/vulkan/words.h"

namespace spirea::vulkan {
namespace {

using Properties = VkPhysicalDeviceVulkan12Properties;

constexpr std::uint32_t kEntryPoint = 15, kExecutionMode = 16, kCapability = 17, kTypeFloat = 22;
constexpr std::uint32_t kWidths[] = {16, 32, 64};

/// One behaviour: SPIR-V's capability and execution mode, and whether the device has it for each width.
struct Control {
  std::uint32_t capability, mode;
  VkBool32 Properties::*has[3];
  /// Whether widths may differ in it; null: they may.
  VkShaderFloatControlsIndependence Properties::*independence;
};
constexpr Control kControls[] = {
    {4464,
     4459,
     {&Properties::shaderDenormPreserveFloat16, &Properties::shaderDenormPreserveFloat32,
      &Properties::shaderDenormPreserveFloat64},
     &Properties::denormBehaviorIndependence},
    {4466,
     4461,
     {&Properties::shaderSignedZeroInfNanPreserveFloat16, &Properties::shaderSignedZeroInfNanPreserveFloat32,
      &Properties::shaderSignedZeroInfNanPreserveFloat64},
     nullptr},
    {4467,
     4462,
     {&Properties::shaderRoundingModeRTEFloat16, &Properties::shaderRoundingModeRTEFloat32,
      &Properties::shaderRoundingModeRTEFloat64},
     &Properties::roundingModeIndependence},
};

/// Where what is added goes, and what the module has. `entry` is 0 for a module that is not understood.
struct Layout {
  std::size_t after_capabilities = kHeaderWords, after_entry_point = 0;
  std::uint32_t entry = 0;
  bool has_width[3] = {};
};

Layout layout_of(const Words& words) {
  Layout result;
  const bool is_whole = for_each_instruction(words, [&](const Instruction& instruction) {
    switch (instruction.opcode()) {
      case kCapability: result.after_capabilities = instruction.end(); break;
      case kEntryPoint:
        result.entry = instruction[2];
        result.after_entry_point = instruction.end();
        break;
      case kTypeFloat:
        for (std::size_t i = 0; i < 3; ++i) result.has_width[i] |= instruction[2] == kWidths[i];
        break;
      default: break;
    }
  });
  return is_whole ? result : Layout{};
}

/// True for a width that may have the behaviour while others have not.
bool is_independent(VkShaderFloatControlsIndependence independence, std::uint32_t width) {
  return independence == VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL ||
         (independence == VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_32_BIT_ONLY && width == 32);
}

/// The widths of the module that can have the behaviour: those that depend on each other all have it, or none
/// has.
std::vector<std::uint32_t> widths(const Control& control, const Properties& device, const Layout& module) {
  const auto independence = control.independence == nullptr ? VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL
                                                            : device.*control.independence;
  std::vector<std::uint32_t> alone, together;
  bool all_have = true;
  for (std::size_t i = 0; i < std::size(kWidths); ++i) {
    if (!module.has_width[i]) continue;
    const bool has = device.*control.has[i] == VK_TRUE;
    const bool independent = is_independent(independence, kWidths[i]);
    if (!independent) all_have &= has;
    if (has) (independent ? alone : together).push_back(kWidths[i]);
  }
  if (all_have) alone.insert(alone.end(), together.begin(), together.end());
  return alone;
}

}  // namespace

bool keeps_subnormals(const Properties& device, unsigned width) {
  const std::size_t i = width == 16 ? 0 : width == 32 ? 1 : 2;
  if (device.*kControls[0].has[i] == VK_TRUE) return true;
  // Some keep them and promise nothing: llvmpipe computes as the processor does, NVIDIA's f64 has no other
  // way.
  return is_llvmpipe(device) || (device.driverID == VK_DRIVER_ID_NVIDIA_PROPRIETARY && width == 64);
}

Words with_float_controls(const Properties& device, const Words& words) {
  const Layout module = layout_of(words);
  if (module.entry == 0) return words;
  Words capabilities, modes;
  for (const Control& control : kControls) {
    const std::vector<std::uint32_t> wanted = widths(control, device, module);
    if (!wanted.empty())
      capabilities.insert(capabilities.end(), {2u << 16 | kCapability, control.capability});
    for (const std::uint32_t width : wanted)
      modes.insert(modes.end(), {4u << 16 | kExecutionMode, module.entry, control.mode, width});
  }
  Words result = words;
  result.insert(result.begin() + static_cast<std::ptrdiff_t>(module.after_entry_point), modes.begin(),
                modes.end());
  result.insert(result.begin() + static_cast<std::ptrdiff_t>(module.after_capabilities), capabilities.begin(),
                capabilities.end());
  return result;
}

}  // namespace spirea::vulkan
