// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/artifact.h"

#include <cstring>
#include <string>
#include <string_view>
#include <xxhash.h>
#include <zstd.h>

#include "ir/abi/artifact.h"
#include "ir/text/printer.h"

namespace spirea::compiler {
namespace {

using abi::SectionHeader;
using abi::SectionKind;

constexpr std::uint32_t kAllKernels = ~0u;
constexpr int kCompressionLevel = 9;

struct Section {
  SectionHeader header;
  std::string bytes;
};

Section plain(SectionKind kind, std::uint32_t kernel, std::string bytes) {
  const std::uint64_t size = bytes.size();
  return {{kind, kernel, 0, size, size}, std::move(bytes)};
}

/// Compressed, or as it is where that is no smaller: readers tell the two apart by the sizes.
Section packed(SectionKind kind, std::uint32_t kernel, std::string_view raw) {
  std::string bytes(ZSTD_compressBound(raw.size()), '\0');
  const std::size_t size =
      ZSTD_compress(bytes.data(), bytes.size(), raw.data(), raw.size(), kCompressionLevel);
  if (ZSTD_isError(size) != 0 || size >= raw.size()) return plain(kind, kernel, std::string(raw));
  bytes.resize(size);
  return {{kind, kernel, 0, size, raw.size()}, std::move(bytes)};
}

std::vector<Section> make_sections(const kir::Module& module, const ArtifactContents& contents) {
  std::vector<Section> sections;
  for (std::uint32_t i = 0; i < module.kernels.size(); ++i)
    sections.push_back(plain(SectionKind::Manifest, i, abi::to_text(module.kernels[i]->manifest)));
  sections.push_back(packed(SectionKind::Kir, kAllKernels, kir::print(module)));
  for (std::uint32_t i = 0; i < contents.vulkan.size(); ++i)
    for (const auto& words : contents.vulkan[i])
      sections.push_back(packed(
          SectionKind::SpirvVulkan, i,
          std::string_view(reinterpret_cast<const char*>(words.data()), words.size() * sizeof(words[0]))));
  return sections;
}

std::uint64_t round_up_to_8(std::uint64_t n) { return (n + 7) & ~std::uint64_t{7}; }

}  // namespace

std::vector<std::uint8_t> write_artifact(const kir::Module& module, const ArtifactContents& contents) {
  std::vector<Section> sections = make_sections(module, contents);
  std::uint64_t end = sizeof(abi::ArtifactHeader) + sections.size() * sizeof(SectionHeader);
  for (Section& section : sections) {
    section.header.offset = end;
    end = round_up_to_8(end + section.bytes.size());
  }

  std::vector<std::uint8_t> artifact(end);  // gaps are zeros
  std::uint8_t* next_header = artifact.data() + sizeof(abi::ArtifactHeader);
  for (const Section& section : sections) {
    std::memcpy(next_header, &section.header, sizeof section.header);
    next_header += sizeof section.header;
    std::memcpy(artifact.data() + section.header.offset, section.bytes.data(), section.bytes.size());
  }

  abi::ArtifactHeader header{};
  std::memcpy(header.magic, abi::kArtifactMagic, sizeof header.magic);
  header.abi = spirea_abi_version;
  header.num_sections = static_cast<std::uint32_t>(sections.size());
  header.size = artifact.size();
  header.checksum = XXH3_64bits(artifact.data() + sizeof header, artifact.size() - sizeof header);
  std::memcpy(artifact.data(), &header, sizeof header);
  return artifact;
}

}  // namespace spirea::compiler
