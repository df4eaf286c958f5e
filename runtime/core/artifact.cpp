// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/artifact.h"

#include <cstring>
#include <elf.h>
#include <xxhash.h>
#include <zstd.h>

namespace spirea::detail {
namespace {

constexpr std::uint64_t kMaxRawSize = std::uint64_t{1} << 30;
constexpr std::uint64_t kMaxManifestSize = 1 << 20;

bool contains(std::uint64_t size, std::uint64_t offset, std::uint64_t count) {
  return offset <= size && count <= size - offset;
}

bool add_section(const abi::SectionHeader& header, std::uint32_t num_sections,
                 std::span<const std::byte> stored, Artifact& artifact, std::string& error) {
  const ArtifactSection section{stored, header.raw_size};
  const std::uint64_t limit = header.kind == abi::SectionKind::Manifest ? kMaxManifestSize : kMaxRawSize;
  if (header.raw_size == 0 || header.raw_size > limit) {
    error = "a section has an impossible size";
    return false;
  }
  switch (header.kind) {
    case abi::SectionKind::Kir: artifact.kir = section; return true;
    case abi::SectionKind::Manifest:
    case abi::SectionKind::SpirvVulkan: break;
    default: return true;  // of a later version, and not needed to launch
  }
  if (header.kernel >= num_sections) {  // each kernel has a section of its own
    error = "a section belongs to no kernel";
    return false;
  }
  if (header.kernel >= artifact.kernels.size()) artifact.kernels.resize(header.kernel + 1);
  ArtifactKernel& kernel = artifact.kernels[header.kernel];
  if (header.kind == abi::SectionKind::SpirvVulkan) {
    if (header.raw_size % 4 != 0) {
      error = "a section of SPIR-V is not made of words";
      return false;
    }
    kernel.spirv_vulkan.push_back(section);
    return true;
  }
  std::vector<std::byte> raw;
  if (!decompress(section, raw, error)) return false;
  auto manifest = abi::parse_manifest({reinterpret_cast<const char*>(raw.data()), raw.size()}, error);
  if (!manifest) return false;
  kernel.manifest = std::move(*manifest);
  return true;
}

}  // namespace

bool read_artifact(std::span<const std::byte> bytes, Artifact& artifact, std::string& error) {
  abi::ArtifactHeader header;
  if (bytes.size() < sizeof(header)) {
    error = "it is truncated";
    return false;
  }
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (std::memcmp(header.magic, abi::kArtifactMagic, sizeof(header.magic)) != 0)
    error = "it is not a Spirea artifact";
  else if (header.abi != spirea_abi_version)
    error = "it was made by another version of Spirea (ABI " + std::to_string(header.abi) + ", this is " +
            std::to_string(spirea_abi_version) + ")";
  else if (header.size != bytes.size())
    error = "it is truncated";
  else if (XXH3_64bits(bytes.data() + sizeof(header), bytes.size() - sizeof(header)) != header.checksum)
    error = "it is damaged: its checksum is wrong";
  else if (!contains(bytes.size() - sizeof(header), 0,
                     std::uint64_t{header.num_sections} * sizeof(abi::SectionHeader)))
    error = "its section table is truncated";
  if (!error.empty()) return false;
  artifact.checksum = header.checksum;
  for (std::uint32_t i = 0; i < header.num_sections; ++i) {
    abi::SectionHeader section;
    std::memcpy(&section, bytes.data() + sizeof(header) + i * sizeof(section), sizeof(section));
    if (section.offset % 8 != 0 || !contains(bytes.size(), section.offset, section.size)) {
      error = "a section lies outside of it or is not aligned";
      return false;
    }
    if (!add_section(section, header.num_sections, bytes.subspan(section.offset, section.size), artifact,
                     error))
      return false;
  }
  for (const ArtifactKernel& kernel : artifact.kernels)
    if (kernel.manifest.name.empty()) {
      error = "a kernel has no manifest";
      return false;
    }
  return true;
}

bool decompress(const ArtifactSection& section, std::vector<std::byte>& raw, std::string& error) {
  if (section.stored.size() == section.raw_size) {
    raw.assign(section.stored.begin(), section.stored.end());
    return true;
  }
  // What the frame says is checked before memory of that size is taken.
  if (ZSTD_getFrameContentSize(section.stored.data(), section.stored.size()) != section.raw_size) {
    error = "a section cannot be decompressed";
    return false;
  }
  raw.resize(section.raw_size);
  const std::size_t n = ZSTD_decompress(raw.data(), raw.size(), section.stored.data(), section.stored.size());
  if (!ZSTD_isError(n) && n == section.raw_size) return true;
  error = "a section cannot be decompressed";
  return false;
}

std::span<const std::byte> find_artifact_in_object(std::span<const std::byte> object, std::string& error) {
  Elf64_Ehdr header;
  const auto fail = [&](const char* reason) {
    error = reason;
    return std::span<const std::byte>();
  };
  if (object.size() < sizeof(header)) return fail("it is not an object file");
  std::memcpy(&header, object.data(), sizeof(header));
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_shentsize != sizeof(Elf64_Shdr))
    return fail("it is not a 64-bit ELF object file");
  if (!contains(object.size(), header.e_shoff, std::uint64_t{header.e_shnum} * sizeof(Elf64_Shdr)) ||
      header.e_shstrndx >= header.e_shnum)
    return fail("its section table is truncated");
  const auto section = [&](unsigned i) {
    Elf64_Shdr result;
    std::memcpy(&result, object.data() + header.e_shoff + i * sizeof(result), sizeof(result));
    return result;
  };
  const Elf64_Shdr names = section(header.e_shstrndx);
  if (!contains(object.size(), names.sh_offset, names.sh_size))
    return fail("its section names are truncated");
  constexpr char wanted[] = ".spirea";
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr candidate = section(i);
    if (!contains(names.sh_size, candidate.sh_name, sizeof(wanted))) continue;
    if (std::memcmp(object.data() + names.sh_offset + candidate.sh_name, wanted, sizeof(wanted)) != 0)
      continue;
    if (!contains(object.size(), candidate.sh_offset, candidate.sh_size))
      return fail("its .spirea section is truncated");
    return object.subspan(candidate.sh_offset, candidate.sh_size);
  }
  return fail("it has no .spirea section: it was not made by spireac");
}

}  // namespace spirea::detail
