// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose invocations have to do with each other, as text.
#pragma once

#include "tests/codegen-spirv/vulkan.h"

namespace spirea::spirv::test {

/// Bytes that an invocation owns in each buffer.
inline constexpr std::uint32_t kOwnBytes = 128;

/// A kernel with three buffers: %in0, random bytes; %cells, zeros; %out0, zeros. %in and %out are this
/// invocation's part of the first and last, %id, %local and %group where it is, %c0 to %c8 constants (i32).
struct ParallelKernel {
  std::string ops;
  std::string manifest;  ///< words of the manifest's line: "shared 64"
  std::uint32_t groups = 2, workgroup = 16, dynamic_shared = 0;

  std::string text() const;
  Launch launch() const;
};

/// Compares Vulkan, with and without spirv-opt, with the interpreter.
void check(const ParallelKernel&);
/// The launch's error on Vulkan.
std::string error_of(const ParallelKernel&);

/// Stores a value of the type to `slot` (of 8 bytes) of %out.
std::string output(const std::string& value, const std::string& type, unsigned slot);
/// The bytes of a type in memory.
unsigned bytes_of_type(const std::string& type);

}  // namespace spirea::spirv::test
