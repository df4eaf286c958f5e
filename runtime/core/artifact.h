// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ir/abi/artifact.h"
#include "ir/abi/manifest.h"

namespace spirea::detail {

/// A part of an artifact: where its stored bytes are, and how large it is once decompressed.
struct ArtifactSection {
  std::span<const std::byte> stored;
  std::uint64_t raw_size = 0;
  bool exists() const { return raw_size != 0; }
};

struct ArtifactKernel {
  abi::Manifest manifest;
  std::vector<ArtifactSection> spirv_vulkan;  ///< in order of preference
};

/// The layout of a serialized artifact (ir/abi/artifact.h), checked: magic, version, checksum, bounds,
/// manifests.
struct Artifact {
  std::uint64_t checksum = 0;
  std::vector<ArtifactKernel> kernels;
  ArtifactSection kir;
};

/// False and a reason in `error` for bytes that are not an artifact; any input is safe. The bytes must
/// outlive the result.
bool read_artifact(std::span<const std::byte> bytes, Artifact& artifact, std::string& error);

/// The section's bytes, decompressed; false and a reason if they are damaged.
bool decompress(const ArtifactSection&, std::vector<std::byte>& raw, std::string& error);

/// The artifact inside an ELF64 object file (its .spirea section); empty and a reason if there is none.
std::span<const std::byte> find_artifact_in_object(std::span<const std::byte> object, std::string& error);

}  // namespace spirea::detail
