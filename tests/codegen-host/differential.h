// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a kernel on the host and on the interpreter, which is the oracle.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/codegen-host/harness.h"

namespace codegen_host {

/// What one side leaves in a buffer. The host defines every byte.
struct Contents {
  std::vector<std::uint8_t> bytes;
  std::vector<bool> defined;
};

struct Shape {
  Shape(std::uint32_t workgroups) : groups{workgroups, 1, 1} {}
  Shape(Dims workgroups, Dims workgroup_size, std::uint32_t dynamic_bytes = 0)
      : groups(workgroups), size(workgroup_size), dynamic_shared(dynamic_bytes) {}
  Dims groups;
  Dims size{1, 1, 1};
  std::uint32_t dynamic_shared = 0;
};

/// Runs a kernel, with subgroups of one invocation. Its parameters are buffers, with these initial contents,
/// and values behind them. Both throw if the launch fails.
std::vector<Contents> run_on_interpreter(const spirea::kir::Module&, std::size_t kernel,
                                         const std::vector<std::vector<std::uint8_t>>& buffers, const Shape&,
                                         const Arguments& values = {});
std::vector<Contents> run_on_host(const Program&, std::size_t kernel,
                                  const std::vector<std::vector<std::uint8_t>>& buffers, const Shape&,
                                  const Arguments& values = {});

/// A buffer parameter with an address and a count.
spirea::abi::Param buffer_param(const std::string& name, std::uint32_t element_size, spirea::abi::Access);
/// A kernel with these parameters, whose body has their leaves as arguments and no ops. Added to the module.
spirea::kir::Kernel& add_kernel(spirea::kir::Module&, const std::string& name,
                                std::vector<spirea::abi::Param>);

}  // namespace codegen_host
