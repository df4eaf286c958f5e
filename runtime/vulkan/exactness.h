// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of a device's instructions round once, to nearest even: measured, since Vulkan promises it of none
// and no driver tells. A small kernel computes what shows a result that is off by a little: quotients and
// roots near the middle of two numbers, products that a sum cancels. The processor has the right results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace spirea::vulkan {

/// Numbers of each row of the kernel's buffer: x, y, z, and for fma(x, y, z), x / y and sqrt(x).
inline constexpr std::uint32_t kExactnessColumns = 6;
inline constexpr std::uint32_t kExactnessWorkgroup = 64;

/// The kernel for numbers of this width, 32 or 64: a SPIR-V module. Its push constant is the buffer's
/// address.
std::vector<std::uint32_t> exactness_module(unsigned width);

/// The rows, of float or double, without results; whole workgroups of them.
template <class T>
std::vector<T> exactness_rows();

struct ExactResults {
  bool fused = true, quotients = true, roots = true;
};
/// Which results of the device are exact in all rows. Subnormal numbers count for quotients and roots; a
/// fused product may treat them as the device's sums do.
template <class T>
ExactResults compare_exactness(const std::vector<T>& rows);

/// Whether the module has a specialization constant that says so (ir/abi/vulkan.h).
bool asks_for_exactness(const std::vector<std::uint32_t>& words);

}  // namespace spirea::vulkan
