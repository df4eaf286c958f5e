// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels in SPIR-V for Vulkan and the runtime that launches them agree on, besides the manifest.
#pragma once

#include <cstdint>

namespace spirea::abi {

/// Argument blocks up to this size are push constants; every Vulkan device has that many bytes. Larger ones
/// lie in a buffer whose 8-byte address is the push constant.
inline constexpr std::uint32_t kMaxPushConstantBytes = 128;

/// Specialization constants 0, 1 and 2 are the workgroup's size. This one is a bool, true by default; false
/// makes values leave loops by way of phis (codegen-spirv/select/exit_guard.cpp says which driver needs
/// that).
inline constexpr std::uint32_t kExitGuardSpecId = 3;

/// Bytes of `dynamic_shared` memory, in modules that have any: what the launch gives, rounded up to whole
/// granules, at least one.
inline constexpr std::uint32_t kDynamicSharedSpecId = 4;
inline constexpr std::uint32_t kDynamicSharedGranularity = 16;

/// These are bools, false by default: true if the device's own instruction on such numbers rounds once, to
/// nearest even (codegen-spirv/select/exact.cpp).
inline constexpr std::uint32_t kFusedF32SpecId = 5;
inline constexpr std::uint32_t kFusedF64SpecId = 6;
inline constexpr std::uint32_t kExactDivideF32SpecId = 7;
inline constexpr std::uint32_t kExactDivideF64SpecId = 8;
inline constexpr std::uint32_t kExactSqrtF32SpecId = 9;
inline constexpr std::uint32_t kExactSqrtF64SpecId = 10;

}  // namespace spirea::abi
