// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/abi/manifest.h"

#include <gtest/gtest.h>
#include <random>

namespace spirea::abi {
namespace {

Manifest example() {
  Manifest m;
  m.name = "_Z1kSt4spanIfLm18446744073709551615EE";
  m.key = "N6spirea6detail10kernel_tagE";
  m.display = "k(std::span<float>, \"quoted\" \\ and\nnew line)";
  m.file = "a b.cpp";
  m.line = 42;
  m.workgroup_size = {{16, 16, 1}};
  m.params.push_back({"out",
                      ParamKind::Buffer,
                      "std::span<float>",
                      16,
                      8,
                      "float",
                      4,
                      4,
                      Access::Write,
                      true,
                      {{Scalar::Ptr, 0, 0}, {Scalar::I64, 0, 8}}});
  m.params.push_back(
      {"c", ParamKind::Value, "char", 1, 1, "", 0, 1, Access::ReadWrite, false, {{Scalar::I8, 0, 0}}});
  m.params.push_back(
      {"d", ParamKind::Value, "double", 8, 8, "", 0, 1, Access::ReadWrite, false, {{Scalar::F64, 0, 0}}});
  assign_block_offsets(m);
  return m;
}

std::optional<Manifest> parse_text(const std::string& text) {
  std::string error;
  auto manifest = parse_manifest(text, error);
  EXPECT_EQ(manifest.has_value(), error.empty()) << error;
  return manifest;
}

TEST(Manifest, GivesLeavesTheirOffsets) {
  const Manifest m = example();
  EXPECT_EQ(m.params[0].leaves[1].block_offset, 8u);
  EXPECT_EQ(m.params[1].leaves[0].block_offset, 16u) << "an i8 takes four bytes";
  EXPECT_EQ(m.params[2].leaves[0].block_offset, 24u) << "an f64 is aligned to 8";
  EXPECT_EQ(m.block_size(), 32u);
  EXPECT_EQ(Manifest().block_size(), 0u);
}

TEST(Manifest, TextRoundTrip) {
  const Manifest m = example();
  EXPECT_EQ(parse_text(to_text(m)), m);
  Manifest without_size = m;
  without_size.workgroup_size.reset();
  EXPECT_EQ(parse_text(to_text(without_size)), without_size);
}

Manifest with_messages() {
  Manifest m = example();
  m.messages = {{MessageKind::Print, "a b.cpp", 7, "100%% of \"%s\"\n", "s"},
                {MessageKind::Check, "/x.h", 4000000000u, "index %lld", "l"}};
  m.params.push_back({"spirea_messages",
                      ParamKind::Buffer,
                      "unsigned int *",
                      8,
                      8,
                      "unsigned int",
                      4,
                      4,
                      Access::ReadWrite,
                      false,
                      {{Scalar::Ptr, 0, 0}}});
  assign_block_offsets(m);
  return m;
}

TEST(Manifest, MessagesHaveABufferThatIsNoArgument) {
  const Manifest m = with_messages();
  EXPECT_EQ(find_problem(m), "");
  EXPECT_EQ(parse_text(to_text(m)), m);
  EXPECT_EQ(m.arguments().size(), 3u);
  EXPECT_EQ(example().arguments().size(), 3u);
  Manifest without_buffer = example();
  without_buffer.messages = m.messages;
  EXPECT_EQ(find_problem(without_buffer), "there are messages, but no parameter for their buffer");
  without_buffer.params.clear();
  EXPECT_EQ(find_problem(without_buffer), "there are messages, but no parameter for their buffer");
  Manifest of_unknown_kind = m;
  of_unknown_kind.messages[0].arguments = "q";
  EXPECT_EQ(find_problem(of_unknown_kind), "a message has arguments of an unknown kind");
}

TEST(Manifest, NamesOfScalarsAndAccesses) {
  for (std::size_t i = 0; i <= static_cast<std::size_t>(Scalar::Ptr); ++i)
    EXPECT_EQ(parse_scalar(to_string(static_cast<Scalar>(i))), static_cast<Scalar>(i));
  for (const Access a : {Access::Read, Access::Write, Access::ReadWrite})
    EXPECT_EQ(parse_access(to_string(a)), a);
  EXPECT_EQ(parse_scalar("i128"), std::nullopt);
  EXPECT_EQ(parse_access(""), std::nullopt);
}

TEST(Manifest, CountOfAPointerLiesBehindIt) {
  Manifest m = example();
  m.params[0].type = "float *";
  m.params[0].size = 8;
  EXPECT_EQ(find_problem(m), "");
  EXPECT_EQ(parse_text(to_text(m)), m);
  m.params[0].leaves[1].source_offset = 16;
  EXPECT_EQ(find_problem(m), "parameter 'out' has a leaf outside of it");
  m = example();
  m.params[2].leaves[0].source_offset = 8;
  EXPECT_EQ(find_problem(m), "parameter 'd' has a leaf outside of it");
}

TEST(Manifest, FindsProblems) {
  const auto problem = [](void (*change)(Manifest&)) {
    Manifest m = example();
    change(m);
    EXPECT_FALSE(parse_text(to_text(m)).has_value());
    return find_problem(m);
  };
  EXPECT_EQ(find_problem(example()), "");
  EXPECT_EQ(problem([](Manifest& m) { m.name = ""; }), "the kernel has no name");
  EXPECT_EQ(problem([](Manifest& m) { (*m.workgroup_size)[1] = 0; }), "the workgroup size is zero");
  EXPECT_EQ(problem([](Manifest& m) { m.params[0].leaves.clear(); }),
            "parameter 'out' is a buffer of unknown leaves");
  EXPECT_EQ(problem([](Manifest& m) { m.params[0].element_size = 0; }),
            "parameter 'out' has elements without a size");
  EXPECT_EQ(problem([](Manifest& m) { m.params[2].leaves[0].source_offset = 1; }),
            "parameter 'd' has a leaf outside of it");
  EXPECT_EQ(problem([](Manifest& m) { m.params[2].align = 3; }),
            "parameter 'd' has an alignment that is no power of two");
  const std::string disorder =
      " has a leaf at an offset of the argument block that is out of order or not aligned";
  EXPECT_EQ(problem([](Manifest& m) { m.params[2].leaves[0].block_offset = 16; }),
            "parameter 'd'" + disorder);
  EXPECT_EQ(problem([](Manifest& m) { m.params[2].leaves[0].block_offset = 28; }),
            "parameter 'd'" + disorder);
}

TEST(Manifest, RefusesMalformedText) {
  std::string error;
  EXPECT_FALSE(parse_manifest("", error));
  EXPECT_FALSE(parse_manifest("spirea-manifest 2\n", error));
  EXPECT_EQ(error, "manifest line 1: not a manifest of this version");
  EXPECT_FALSE(parse_manifest("spirea-manifest 1\nname \"k\"\nleaf i32 0 0\n", error))
      << "a leaf of no parameter";
  EXPECT_EQ(error, "manifest line 3: malformed");
  EXPECT_FALSE(parse_manifest("spirea-manifest 1\nname \"k", error)) << "an open string";
  EXPECT_FALSE(parse_manifest("spirea-manifest 1\nname \"k\" more\n", error));
  EXPECT_FALSE(parse_manifest("spirea-manifest 1\nfile \"k\" 99999999999\n", error)) << "out of range";
}

/// Any input is safe: what parses is without problems, and prints and parses again.
TEST(Manifest, SurvivesMutations) {
  const std::string text = to_text(example());
  std::mt19937 random(1);
  unsigned accepted = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string mutated = text;
    for (unsigned k = random() % 3 + 1; k > 0; --k)
      mutated[random() % mutated.size()] = static_cast<char>(random());
    if (random() % 4 == 0) mutated.resize(random() % mutated.size());
    const auto manifest = parse_text(mutated);
    if (!manifest) continue;
    ++accepted;
    EXPECT_EQ(find_problem(*manifest), "");
    EXPECT_EQ(parse_text(to_text(*manifest)), manifest) << mutated;
  }
  EXPECT_GT(accepted, 100u) << "mutations of names are harmless";
}

}  // namespace
}  // namespace spirea::abi
