// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Artifacts made by hand, byte by byte, so that the runtime's reader is tested against the layout and not
// against the compiler's writer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <spirea/spirea.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "ir/abi/artifact.h"
#include "ir/abi/manifest.h"

namespace runtime_test {

using Bytes = std::vector<std::byte>;

Bytes to_bytes(std::string_view text);
Bytes to_bytes(const std::vector<std::uint32_t>& words);
Bytes compress(const Bytes&);

class ArtifactBuilder {
 public:
  struct Section {
    spirea::abi::SectionKind kind;
    std::uint32_t kernel;
    Bytes stored;
    std::uint64_t raw_size;
  };

  /// The next kernel; an empty `spirv` is no section.
  ArtifactBuilder& kernel(const spirea::abi::Manifest&, const std::vector<std::uint32_t>& spirv = {});
  ArtifactBuilder& kir(std::string_view text);
  ArtifactBuilder& section(Section section);
  Bytes build() const;

 private:
  std::vector<Section> sections_;
  std::uint32_t num_kernels_ = 0;
};

/// Writes the checksum that the bytes should have, if there is room for one.
void seal(Bytes& artifact);

/// Bytes that end where the process's memory ends: reading one more is a crash, with any compiler and flags.
class GuardedBytes {
 public:
  explicit GuardedBytes(const Bytes&);
  ~GuardedBytes();
  GuardedBytes(const GuardedBytes&) = delete;
  GuardedBytes& operator=(const GuardedBytes&) = delete;
  std::span<const std::byte> span() const { return bytes_; }

 private:
  void* memory_;
  std::size_t memory_size_;
  std::span<std::byte> bytes_;
};

/// xorshift; the state must not be zero.
std::uint64_t next_random(std::uint64_t& state);

/// One to four bits of the bytes flipped, or the bytes cut short. With `near_start`, bits of the first so
/// many bytes.
Bytes mutate(const Bytes&, std::uint64_t& state, std::size_t near_start);

/// Hands an artifact to the runtime, which keeps it: never freed.
void register_artifact(const Bytes&, std::vector<spirea_host_kernel> host_kernels = {});

/// A manifest whose kernel launch<Kernel> finds.
template <auto Kernel>
spirea::abi::Manifest manifest_of(std::string name, std::vector<spirea::abi::Param> params = {}) {
  spirea::abi::Manifest manifest;
  manifest.key = typeid(spirea::detail::kernel_tag<Kernel>).name();
  manifest.display = name + "()";
  manifest.name = std::move(name);
  manifest.file = "kernels.cpp";
  manifest.line = 1;
  manifest.params = std::move(params);
  spirea::abi::assign_block_offsets(manifest);
  return manifest;
}

/// A parameter of type std::span.
spirea::abi::Param span_param(std::string name, spirea::abi::Access access, std::uint32_t element_size,
                              bool may_alias = false);
/// A scalar parameter, or a class whose only member it is.
spirea::abi::Param value_param(std::string name, spirea::abi::Scalar scalar);

/// The error that a call throws; fails the test if it throws none.
template <class F>
spirea::error error_of(F&& call) {
  try {
    call();
  } catch (const spirea::error& error) {
    return error;
  }
  return spirea::error("(no error)");
}
template <class F>
std::string cause_of(F&& call) {
  return error_of(call).cause();
}

}  // namespace runtime_test
