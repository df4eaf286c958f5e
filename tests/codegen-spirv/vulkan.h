// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs KIR on the Vulkan back end and on the interpreter.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ir/core/module.h"

namespace spirea::vulkan {
struct PhysicalDevice;
}

namespace spirea::spirv::test {

using Bytes = std::vector<std::byte>;

/// A launch of a module's first kernel. Its buffer parameters take the buffers in order, its values are in
/// `values`.
struct Launch {
  std::vector<Bytes> buffers;
  std::vector<Bytes>
      values;  ///< of the leaves that are not of buffers, in order, each as in the C++ parameter
  std::array<std::uint32_t, 3> num_workgroups{1, 1, 1};
  std::array<std::uint32_t, 3> workgroup_size{16, 1, 1};
  std::uint32_t dynamic_shared = 0;
};

/// Of a kernel's modules, all, from which the device chooses, or only the one for all devices.
enum class Modules : std::uint8_t { All, Portable };

/// The buffers afterwards; empty, and a test failure, if something goes wrong. With `optimize`, spirv-opt is
/// used; the modules are always validated.
std::vector<Bytes> run_on_vulkan(const kir::Module&, const Launch&, bool optimize = true,
                                 Modules modules = Modules::All);
std::vector<Bytes> run_on_interpreter(const kir::Module&, const Launch&);

/// Why a launch fails on the device; empty if it does not.
std::string vulkan_error(const kir::Module&, const Launch&);
/// The device's description.
const vulkan::PhysicalDevice& physical_device();
/// Invocations in a subgroup of the device: what the interpreter has, too.
std::uint32_t subgroup_size();

/// Compares the two, with and without spirv-opt, with each choice of modules.
void expect_same(const kir::Module&, const Launch&);

template <class T>
Bytes bytes_of(const std::vector<T>& values) {
  const auto* data = reinterpret_cast<const std::byte*>(values.data());
  return Bytes(data, data + values.size() * sizeof(T));
}
template <class T>
std::vector<T> values_of(const Bytes& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::byte*>(values.data()));
  return values;
}

}  // namespace spirea::spirv::test
