// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/runtime/artifacts.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

namespace runtime_test {

namespace abi = spirea::abi;

Bytes to_bytes(std::string_view text) {
  const auto* data = reinterpret_cast<const std::byte*>(text.data());
  return {data, data + text.size()};
}

Bytes to_bytes(const std::vector<std::uint32_t>& words) {
  const auto* data = reinterpret_cast<const std::byte*>(words.data());
  return {data, data + words.size() * 4};
}

Bytes compress(const Bytes& raw) {
  Bytes result(ZSTD_compressBound(raw.size()));
  const std::size_t n = ZSTD_compress(result.data(), result.size(), raw.data(), raw.size(), 3);
  if (ZSTD_isError(n)) throw std::runtime_error("compression failed");
  result.resize(n);
  return result;
}

ArtifactBuilder& ArtifactBuilder::kernel(const abi::Manifest& manifest,
                                         const std::vector<std::uint32_t>& spirv) {
  const std::uint32_t index = num_kernels_++;
  const Bytes text = to_bytes(abi::to_text(manifest));
  section({abi::SectionKind::Manifest, index, text, text.size()});
  if (!spirv.empty())
    section({abi::SectionKind::SpirvVulkan, index, compress(to_bytes(spirv)), spirv.size() * 4});
  return *this;
}

ArtifactBuilder& ArtifactBuilder::kir(std::string_view text) {
  return section({abi::SectionKind::Kir, ~0u, compress(to_bytes(text)), text.size()});
}

ArtifactBuilder& ArtifactBuilder::section(Section section) {
  sections_.push_back(std::move(section));
  return *this;
}

Bytes ArtifactBuilder::build() const {
  Bytes result(sizeof(abi::ArtifactHeader) + sections_.size() * sizeof(abi::SectionHeader));
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    const Section& section = sections_[i];
    result.resize((result.size() + 7) / 8 * 8);
    const abi::SectionHeader header{section.kind, section.kernel, result.size(), section.stored.size(),
                                    section.raw_size};
    std::memcpy(result.data() + sizeof(abi::ArtifactHeader) + i * sizeof(header), &header, sizeof(header));
    result.insert(result.end(), section.stored.begin(), section.stored.end());
  }
  abi::ArtifactHeader header{};
  std::memcpy(header.magic, abi::kArtifactMagic, sizeof(header.magic));
  header.abi = spirea_abi_version;
  header.num_sections = static_cast<std::uint32_t>(sections_.size());
  header.size = result.size();
  std::memcpy(result.data(), &header, sizeof(header));
  seal(result);
  return result;
}

void seal(Bytes& artifact) {
  abi::ArtifactHeader header;
  if (artifact.size() < sizeof(header)) return;
  std::memcpy(&header, artifact.data(), sizeof(header));
  header.size = artifact.size();
  header.checksum = XXH3_64bits(artifact.data() + sizeof(header), artifact.size() - sizeof(header));
  std::memcpy(artifact.data(), &header, sizeof(header));
}

GuardedBytes::GuardedBytes(const Bytes& bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t pages = (bytes.size() + page - 1) / page;
  memory_size_ = (pages + 1) * page;
  memory_ = mmap(nullptr, memory_size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory_ == MAP_FAILED) throw std::bad_alloc();
  auto* end = static_cast<std::byte*>(memory_) + pages * page;
  mprotect(end, page, PROT_NONE);
  bytes_ = {end - bytes.size(), bytes.size()};
  if (!bytes.empty()) std::memcpy(bytes_.data(), bytes.data(), bytes.size());
}

GuardedBytes::~GuardedBytes() { munmap(memory_, memory_size_); }

std::uint64_t next_random(std::uint64_t& state) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state * 0x2545f4914f6cdd1d >> 11;
}

Bytes mutate(const Bytes& original, std::uint64_t& state, std::size_t near_start) {
  Bytes result = original;
  if (next_random(state) % 4 == 0) {
    result.resize(next_random(state) % original.size());
    return result;
  }
  const std::size_t range = near_start != 0 ? std::min(near_start, result.size()) : result.size();
  const std::uint64_t flips = 1 + next_random(state) % 4;
  for (std::uint64_t i = 0; i < flips; ++i)
    result[next_random(state) % range] ^= std::byte{1} << (next_random(state) % 8);
  return result;
}

void register_artifact(const Bytes& bytes, std::vector<spirea_host_kernel> host_kernels) {
  const auto* kept = new Bytes(bytes);
  const auto* functions = new std::vector<spirea_host_kernel>(std::move(host_kernels));
  const spirea_registration registration{
      spirea_registration_magic, spirea_abi_version, kept->data(), kept->size(),
      functions->data(),         functions->size()};
  spirea_register(&registration);
}

abi::Param span_param(std::string name, abi::Access access, std::uint32_t element_size, bool may_alias) {
  abi::Param param;
  param.name = std::move(name);
  param.kind = abi::ParamKind::Buffer;
  param.type = "std::span<T>";
  param.size = 16;
  param.align = 8;
  param.element = "T";
  param.element_size = element_size;
  param.element_align = element_size;
  param.access = access;
  param.may_alias = may_alias;
  param.leaves = {{abi::Scalar::Ptr, 0, 0}, {abi::Scalar::I64, 0, 8}};
  return param;
}

abi::Param value_param(std::string name, abi::Scalar scalar) {
  abi::Param param;
  param.name = std::move(name);
  param.type = std::string(abi::to_string(scalar));
  param.size = param.align = abi::source_bytes(scalar);
  param.leaves = {{scalar, 0, 0}};
  return param;
}

}  // namespace runtime_test
