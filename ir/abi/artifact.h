// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an object made by spireac hands to the runtime when the program starts. C structs of fixed layout: an
// object of one Spirea version must be refused, not misread, by a runtime of another.
#pragma once

#include <cstdint>

extern "C" {

/// Code that the host runs: workgroups [first, last) of the grid, in linear order (x fastest).
struct spirea_host_grid {
  std::uint32_t num_workgroups[3];
  std::uint32_t workgroup_size[3];
  std::uint64_t dynamic_shared;  ///< bytes
  /// Called at most once by each call of a kernel: memory for one workgroup at a time, aligned to 4096 bytes,
  /// which is the kernel's until it returns. Null if there is none; the kernel then runs nothing. Kernels
  /// without workgroup memory and barriers do not call it.
  void* (*workgroup_memory)(std::uint64_t bytes);
};
typedef void (*spirea_host_kernel)(const void* argument_block, const spirea_host_grid* grid,
                                   std::uint64_t first, std::uint64_t last);

/// The kernels of one object. `data` is a serialized artifact (compiler/artifact.h writes it,
/// runtime/artifact.h reads it); `host_kernels[i]` is the host code of its i-th kernel, null where none was
/// asked for.
struct spirea_registration {
  std::uint32_t magic;  ///< spirea_registration_magic
  std::uint32_t abi;    ///< spirea_abi_version
  const void* data;
  std::uint64_t size;
  const spirea_host_kernel* host_kernels;
  std::uint64_t num_host_kernels;
};

enum : std::uint32_t { spirea_registration_magic = 0x52525053u /* "SPRR" */, spirea_abi_version = 2 };

/// Called by each object's constructor. Does not throw: what is wrong is reported by the first launch.
void spirea_register(const spirea_registration*);
}

namespace spirea::abi {

/// A serialized artifact is: ArtifactHeader, then `num_sections` SectionHeaders, then the sections' bytes.
/// Offsets are from the start of the artifact, little-endian, 8-byte aligned.
struct ArtifactHeader {
  char magic[8];      ///< "SPIREA\0\1"
  std::uint32_t abi;  ///< spirea_abi_version
  std::uint32_t num_sections;
  std::uint64_t size;      ///< of the whole artifact, bytes
  std::uint64_t checksum;  ///< XXH3-64 of everything after this header
};

enum class SectionKind : std::uint32_t {
  Manifest = 1,  ///< text, ir/abi/manifest.h; one for each kernel
  Kir = 2,       ///< text, zstd; the module of all kernels (kernel == ~0u)
  /// Words, zstd; a module with the kernel as its only entry point. A kernel may have several, in order of
  /// preference: a device takes the first that needs nothing it lacks. The last is the one for all devices.
  SpirvVulkan = 3,
};

struct SectionHeader {
  SectionKind kind;
  std::uint32_t kernel;  ///< index of the kernel; ~0u: all
  std::uint64_t offset;
  std::uint64_t size;      ///< stored bytes
  std::uint64_t raw_size;  ///< bytes after decompression; equal to size where the section is not compressed
};

inline constexpr char kArtifactMagic[8] = {'S', 'P', 'I', 'R', 'E', 'A', 0, 1};

}  // namespace spirea::abi
