// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/vulkan/device.h"

namespace spirea::vulkan {

/// What the module needs and the device lacks, as the cause of an error; empty if there is nothing.
std::string find_unmet_requirement(const PhysicalDevice&, const std::vector<std::uint32_t>& words);

/// The first module that needs nothing that the device lacks. Throws spirea::error with what the last one
/// needs if there is none.
const std::vector<std::uint32_t>& choose_module(const PhysicalDevice&, const detail::SpirvModules&);

/// The smallest and the largest size of subgroups that a kernel may demand.
std::pair<std::uint32_t, std::uint32_t> subgroup_sizes_of_choice(const PhysicalDevice&);

/// How the invocations of a workgroup are put into subgroups.
struct SubgroupChoice {
  std::uint32_t required_size = 0;  ///< 0: the device's usual size
  bool are_full = false;  ///< no lane is empty: the driver must be told where operations count on it
};
/// For a size that is within detail::Limits. Throws spirea::error where the workgroup has too many of them.
SubgroupChoice choose_subgroup(const PhysicalDevice&, const abi::Manifest&,
                               const std::vector<std::uint32_t>& words,
                               const std::array<std::uint32_t, 3>& workgroup_size);

}  // namespace spirea::vulkan
