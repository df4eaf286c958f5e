// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/artifact.h"

#include <cstring>
#include <gtest/gtest.h>

#include "tests/runtime/artifacts.h"

namespace runtime_test {
namespace {

namespace abi = spirea::abi;
using spirea::detail::Artifact;
using spirea::detail::decompress;
using spirea::detail::read_artifact;

void first_kernel() {}
void second_kernel() {}

/// Two kernels, code for Vulkan in one, and KIR.
ArtifactBuilder complete_artifact() {
  std::vector<std::uint32_t> spirv = {0x07230203, 0x00010500, 0, 10, 0};
  for (std::uint32_t i = 0; i < 400; ++i) spirv.push_back(i * i);
  ArtifactBuilder builder;
  builder
      .kernel(manifest_of<first_kernel>("first", {span_param("in", abi::Access::Read, 4),
                                                  span_param("out", abi::Access::ReadWrite, 4),
                                                  value_param("scale", abi::Scalar::F32)}),
              spirv)
      .kernel(manifest_of<second_kernel>("second", {value_param("n", abi::Scalar::I8)}))
      .kir("kernel @first {\n}\n" + std::string(3000, ' '));
  return builder;
}

/// The reason why bytes are refused; empty if they are read.
std::string refusal(const Bytes& bytes) {
  const GuardedBytes guarded(bytes);
  Artifact artifact;
  std::string error;
  if (read_artifact(guarded.span(), artifact, error)) return {};
  EXPECT_FALSE(error.empty());
  return error;
}

/// Reads everything that a launch would. False if any of it is refused.
bool read_all(const Bytes& bytes) {
  const GuardedBytes guarded(bytes);
  Artifact artifact;
  std::string error;
  if (!read_artifact(guarded.span(), artifact, error)) {
    EXPECT_FALSE(error.empty());
    return false;
  }
  std::vector<std::byte> raw;
  bool good = !artifact.kir.exists() || decompress(artifact.kir, raw, error);
  for (const auto& kernel : artifact.kernels) {
    EXPECT_EQ(abi::find_problem(kernel.manifest), "");
    for (const auto& section : kernel.spirv_vulkan)
      if (!decompress(section, raw, error)) good = false;
  }
  EXPECT_EQ(good, error.empty());
  return good;
}

TEST(Artifact, reads_what_was_written) {
  const Bytes bytes = complete_artifact().build();
  Artifact artifact;
  std::string error;
  ASSERT_TRUE(read_artifact(bytes, artifact, error)) << error;
  ASSERT_EQ(artifact.kernels.size(), 2u);
  EXPECT_EQ(artifact.kernels[0].manifest.name, "first");
  EXPECT_EQ(artifact.kernels[0].manifest.params.size(), 3u);
  EXPECT_EQ(artifact.kernels[1].manifest.name, "second");
  EXPECT_TRUE(artifact.kernels[1].spirv_vulkan.empty());
  ASSERT_EQ(artifact.kernels[0].spirv_vulkan.size(), 1u);
  std::vector<std::byte> raw;
  ASSERT_TRUE(decompress(artifact.kernels[0].spirv_vulkan[0], raw, error)) << error;
  ASSERT_EQ(raw.size(), 405 * 4u);
  std::uint32_t last;
  std::memcpy(&last, raw.data() + 404 * 4, 4);
  EXPECT_EQ(last, 399u * 399u);
  ASSERT_TRUE(decompress(artifact.kir, raw, error)) << error;
  EXPECT_EQ(raw.size(), 3000 + std::strlen("kernel @first {\n}\n"));
}

TEST(Artifact, without_kernels) { EXPECT_EQ(refusal(ArtifactBuilder().build()), ""); }

TEST(Artifact, ignores_sections_of_later_versions) {
  ArtifactBuilder builder = complete_artifact();
  builder.section({static_cast<abi::SectionKind>(77), 0, to_bytes("later"), 5});
  EXPECT_EQ(refusal(builder.build()), "");
}

TEST(Artifact, names_what_is_wrong_in_the_header) {
  const Bytes good = complete_artifact().build();
  EXPECT_EQ(refusal({}), "it is truncated");
  EXPECT_EQ(refusal({good.begin(), good.begin() + 20}), "it is truncated");
  EXPECT_EQ(refusal({good.begin(), good.end() - 1}), "it is truncated");
  Bytes bytes = good;
  bytes[0] = std::byte{'s'};
  EXPECT_EQ(refusal(bytes), "it is not a Spirea artifact");
  bytes = good;
  bytes[8] = std::byte{9};
  EXPECT_EQ(refusal(bytes), "it was made by another version of Spirea (ABI 9, this is 2)");
  bytes = good;
  bytes.back() ^= std::byte{1};
  EXPECT_EQ(refusal(bytes), "it is damaged: its checksum is wrong");
}

/// The artifact with one number of one section header replaced, and a right checksum.
template <class Number>
Bytes with_section_field(std::size_t section, std::size_t offset_in_header, Number value) {
  Bytes bytes = complete_artifact().build();
  std::memcpy(
      bytes.data() + sizeof(abi::ArtifactHeader) + section * sizeof(abi::SectionHeader) + offset_in_header,
      &value, sizeof(value));
  seal(bytes);
  return bytes;
}

TEST(Artifact, names_what_is_wrong_in_a_section) {
  constexpr std::size_t kernel = offsetof(abi::SectionHeader, kernel),
                        offset = offsetof(abi::SectionHeader, offset),
                        size = offsetof(abi::SectionHeader, size),
                        raw = offsetof(abi::SectionHeader, raw_size);
  const std::string outside = "a section lies outside of it or is not aligned";
  const std::string impossible = "a section has an impossible size";
  EXPECT_EQ(refusal(with_section_field<std::uint64_t>(0, offset, 1u << 20)), outside);
  EXPECT_EQ(refusal(with_section_field<std::uint64_t>(0, offset, ~std::uint64_t{7})), outside);
  EXPECT_EQ(refusal(with_section_field<std::uint64_t>(0, offset, 9)), outside);
  EXPECT_EQ(refusal(with_section_field<std::uint64_t>(0, size, ~std::uint64_t{0})), outside);
  EXPECT_EQ(refusal(with_section_field<std::uint64_t>(0, raw, 0)), impossible);
  EXPECT_EQ(refusal(with_section_field<std::uint64_t>(0, raw, 2u << 20)), impossible);
  EXPECT_EQ(refusal(with_section_field<std::uint64_t>(1, raw, std::uint64_t{2} << 30)), impossible);
  EXPECT_EQ(refusal(with_section_field<std::uint64_t>(1, raw, 6)),
            "a section of SPIR-V is not made of words");
  EXPECT_EQ(refusal(with_section_field<std::uint32_t>(0, kernel, 4)), "a section belongs to no kernel");
  EXPECT_EQ(refusal(with_section_field<std::uint32_t>(2, kernel, 3)), "a kernel has no manifest");

  Bytes bytes = complete_artifact().build();
  const std::uint32_t many = 0x10000000;
  std::memcpy(bytes.data() + offsetof(abi::ArtifactHeader, num_sections), &many, 4);
  EXPECT_EQ(refusal(bytes), "its section table is truncated");
}

TEST(Artifact, refuses_a_manifest_that_is_none) {
  ArtifactBuilder builder;
  builder.section({abi::SectionKind::Manifest, 0, to_bytes("spirea kernel 0"), 15});
  EXPECT_EQ(refusal(builder.build()), "manifest line 1: not a manifest of this version");
}

TEST(Artifact, believes_no_size_of_compressed_bytes) {
  // The section claims a GiB, and the frame in it 3 KiB: nothing of a GiB's size may be allocated.
  const Bytes stored = compress(Bytes(3000));
  std::vector<std::byte> raw;
  std::string error;
  EXPECT_FALSE(decompress({stored, std::uint64_t{1} << 30}, raw, error));
  EXPECT_EQ(error, "a section cannot be decompressed");
  EXPECT_LT(raw.capacity(), std::size_t{1} << 20);
  Bytes damaged = stored;
  damaged.back() ^= std::byte{0xff};
  damaged.resize(damaged.size() - 1);
  error.clear();
  EXPECT_FALSE(decompress({damaged, 3000}, raw, error));
  EXPECT_EQ(error, "a section cannot be decompressed");
}

TEST(Artifact, no_mutation_crashes) {
  const Bytes good = complete_artifact().build();
  const std::size_t tables = sizeof(abi::ArtifactHeader) + 4 * sizeof(abi::SectionHeader);
  std::uint64_t state = 1;
  int read = 0, refused = 0;
  for (int i = 0; i < 1000; ++i) {
    const Bytes bytes = mutate(good, state, 0);
    if (bytes == good) continue;
    EXPECT_FALSE(read_all(bytes)) << "mutation " << i;
  }
  // With a checksum that is right, so that the parser behind it is what is tested; half of them in the
  // tables.
  for (int i = 0; i < 1000; ++i) {
    Bytes bytes = mutate(good, state, i % 2 == 0 ? tables : 0);
    seal(bytes);
    ++(read_all(bytes) ? read : refused);
  }
  EXPECT_GT(read, 20);
  EXPECT_GT(refused, 500);
}

TEST(Artifact, no_mutation_of_a_manifest_crashes) {
  const Bytes text = to_bytes(abi::to_text(manifest_of<first_kernel>(
      "first", {span_param("in", abi::Access::Read, 4), value_param("scale", abi::Scalar::F64)})));
  std::uint64_t state = 2;
  int read = 0;
  for (int i = 0; i < 2000; ++i) {
    const Bytes changed = mutate(text, state, 0);
    if (changed.empty()) continue;
    ArtifactBuilder builder;
    builder.section({abi::SectionKind::Manifest, 0, changed, changed.size()});
    if (read_all(builder.build())) ++read;
  }
  EXPECT_GT(read, 20);
}

}  // namespace
}  // namespace runtime_test
