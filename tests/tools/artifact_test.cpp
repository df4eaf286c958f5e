// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/artifact.h"

#include <cstring>
#include <gtest/gtest.h>

#include "ir/text/parser.h"
#include "ir/text/printer.h"
#include "runtime/core/artifact.h"

namespace spirea::compiler {
namespace {

constexpr const char* kModule = R"kir(kir 1

kernel @first key "key of first" display "first(float*)" file "a.cpp" line 1 {
  param buffer "p" type "float *" size 8 align 8 element "float" 4 4 access readwrite leaves (%p: ptr at 0 from 0)
body {
  return
}
}

kernel @second key "key of second" display "second(int)" file "a.cpp" line 2 workgroup 4 2 1 {
  param value "n" type "int" size 4 align 4 leaves (%n: i32 at 0 from 0)
body {
  return
}
}
)kir";

class ArtifactTest : public testing::Test {
 protected:
  ArtifactTest() {
    auto parsed = kir::parse(kModule, "test");
    if (parsed) module_ = parsed.take();
  }
  void SetUp() override { ASSERT_NE(module_, nullptr); }

  detail::Artifact read(const std::vector<std::uint8_t>& bytes) {
    detail::Artifact artifact;
    std::string error;
    EXPECT_TRUE(detail::read_artifact(std::as_bytes(std::span(bytes)), artifact, error)) << error;
    return artifact;
  }
  static std::string raw(const detail::ArtifactSection& section) {
    std::vector<std::byte> bytes;
    std::string error;
    EXPECT_TRUE(detail::decompress(section, bytes, error)) << error;
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  std::unique_ptr<kir::Module> module_;
};

TEST_F(ArtifactTest, RuntimeReadsWhatTheCompilerWrites) {
  const ArtifactContents contents{{{std::vector<std::uint32_t>(1000, 7)}, {{4, 5}, {1, 2, 3}}}};
  const std::vector<std::uint8_t> bytes = write_artifact(*module_, contents);
  const detail::Artifact artifact = read(bytes);
  ASSERT_EQ(artifact.kernels.size(), 2u);
  EXPECT_EQ(artifact.kernels[0].manifest, module_->kernels[0]->manifest);
  EXPECT_EQ(artifact.kernels[1].manifest, module_->kernels[1]->manifest);
  EXPECT_EQ(raw(artifact.kir), kir::print(*module_));
  for (std::size_t i = 0; i < 2; ++i) {
    ASSERT_EQ(artifact.kernels[i].spirv_vulkan.size(), contents.vulkan[i].size());
    for (std::size_t m = 0; m < contents.vulkan[i].size(); ++m) {
      const std::string words = raw(artifact.kernels[i].spirv_vulkan[m]);
      ASSERT_EQ(words.size(), contents.vulkan[i][m].size() * 4);
      EXPECT_EQ(std::memcmp(words.data(), contents.vulkan[i][m].data(), words.size()), 0);
    }
  }
}

TEST_F(ArtifactTest, WithoutSpirv) {
  const std::vector<std::uint8_t> bytes = write_artifact(*module_, {});
  const detail::Artifact artifact = read(bytes);
  ASSERT_EQ(artifact.kernels.size(), 2u);
  EXPECT_TRUE(artifact.kernels[0].spirv_vulkan.empty());
  EXPECT_TRUE(artifact.kernels[1].spirv_vulkan.empty());
}

TEST_F(ArtifactTest, SameInputSameBytes) {
  const ArtifactContents contents{{{{1, 2, 3}}, {{4}}}};
  EXPECT_EQ(write_artifact(*module_, contents), write_artifact(*module_, contents));
}

TEST_F(ArtifactTest, CompressesWhatIsLarge) {
  const ArtifactContents contents{{{std::vector<std::uint32_t>(100000, 7)}, {}}};
  EXPECT_LT(write_artifact(*module_, contents).size(), 4000u);
}

}  // namespace
}  // namespace spirea::compiler
