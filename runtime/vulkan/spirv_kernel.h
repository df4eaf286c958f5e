// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <utility>

#include "runtime/core/backend.h"

namespace spirea::vulkan {

/// A kernel of no object: SPIR-V modules alone. No other kernel on the device may have the id.
class SpirvKernel : public detail::KernelCode {
 public:
  SpirvKernel(std::uint64_t id, abi::Manifest manifest, detail::SpirvModules modules)
      : id_(id), manifest_(std::move(manifest)), modules_(std::move(modules)) {}
  const abi::Manifest& manifest() const override { return manifest_; }
  std::uint64_t id() const override { return id_; }
  const detail::SpirvModules& spirv() const override { return modules_; }
  const std::string& kir() const override { return none_; }
  std::uint64_t object_id() const override { return id_; }
  spirea_host_kernel host() const override { return nullptr; }

 private:
  std::uint64_t id_;
  abi::Manifest manifest_;
  detail::SpirvModules modules_;
  std::string none_;
};

}  // namespace spirea::vulkan
