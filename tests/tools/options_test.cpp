// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/compile_commands.h"

namespace spirea::compiler {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Options parse(std::vector<const char*> words) {
  auto options = parse_options(words);
  EXPECT_TRUE(options) << kir::to_string(options ? std::vector<kir::Diagnostic>{} : options.diagnostics());
  return options ? options.take() : Options{};
}

std::string error_of(std::vector<const char*> words) {
  auto options = parse_options(words);
  return options ? "no error" : options.diagnostics()[0].message;
}

TEST(Options, Defaults) {
  const Options options = parse({"a.cpp"});
  EXPECT_THAT(options.inputs, ElementsAre("a.cpp"));
  EXPECT_EQ(options.stage, Stage::Object);
  EXPECT_TRUE(options.targets.vulkan && options.targets.host);
  EXPECT_EQ(options.optimize, 2u);
  EXPECT_FALSE(options.debug_info || options.dependencies.wanted || options.verify_each);
  EXPECT_THAT(options.clang_args, IsEmpty());
}

TEST(Options, ClangsFlagsKeepTheirOrderAndForm) {
  const Options options =
      parse({"-Ione", "-I", "two", "a.cpp", "-DX=1", "-D", "Y", "-UX", "-include", "p.h", "-isystem", "s",
             "-std=c++23", "-O3", "-g", "-Wall", "-fno-exceptions", "-w"});
  EXPECT_THAT(options.inputs, ElementsAre("a.cpp"));
  EXPECT_THAT(options.clang_args,
              ElementsAre("-Ione", "-I", "two", "-DX=1", "-D", "Y", "-UX", "-include", "p.h", "-isystem", "s",
                          "-std=c++23", "-O3", "-g", "-Wall", "-fno-exceptions", "-w"));
}

TEST(Options, ValuesThatLookLikeFlagsOrRepeatTheName) {
  EXPECT_THAT(parse({"a.cpp", "-I", "I", "-D", "D"}).clang_args, ElementsAre("-I", "I", "-D", "D"));
  EXPECT_EQ(parse({"a.cpp", "-o", "-"}).output, "-");
  EXPECT_EQ(parse({"a.cpp", "-ox"}).output, "x");
  EXPECT_THAT(parse({"--", "-a.cpp"}).inputs, ElementsAre("-a.cpp"));
}

TEST(Options, OptimizationAndDebugLevels) {
  EXPECT_EQ(parse({"a.cpp", "-O0"}).optimize, 0u);
  EXPECT_EQ(parse({"a.cpp", "-O"}).optimize, 1u);
  EXPECT_EQ(parse({"a.cpp", "-O0", "-O3"}).optimize, 3u);
  EXPECT_EQ(parse({"a.cpp", "-Os"}).optimize, 2u);
  EXPECT_EQ(parse({"a.cpp", "-Ofast"}).optimize, 3u);
  EXPECT_TRUE(parse({"a.cpp", "-g"}).debug_info);
  EXPECT_TRUE(parse({"a.cpp", "-ggdb3"}).debug_info);
  EXPECT_FALSE(parse({"a.cpp", "-g", "-g0"}).debug_info);
}

TEST(Options, DependencyFlagsAreTakenOut) {
  const Options options = parse({"a.cpp", "-MMD", "-MP", "-MF", "a.d", "-MT", "a.o", "-MQ", "b$.o"});
  EXPECT_TRUE(options.dependencies.wanted && options.dependencies.phony);
  EXPECT_FALSE(options.dependencies.system_headers);
  EXPECT_EQ(options.dependencies.file, "a.d");
  EXPECT_THAT(options.dependencies.targets, ElementsAre("-MT", "a.o", "-MQ", "b$.o"));
  EXPECT_THAT(options.clang_args, IsEmpty());
}

TEST(Options, EveryStageHasItsName) {
  for (const StageInfo& stage : stages()) {
    const std::string emit = "--emit=" + std::string(stage.name);
    EXPECT_EQ(parse({"a.cpp", emit.c_str()}).stage, stage.stage);
    EXPECT_EQ(info(stage.stage).name, stage.name);
    EXPECT_THAT(help_text(), HasSubstr(std::string(stage.name)));
  }
}

TEST(Options, Errors) {
  EXPECT_EQ(error_of({}), "no input files");
  EXPECT_EQ(error_of({"a.cpp", "--emit"}), "argument to '--emit' is missing");
  EXPECT_EQ(error_of({"a.cpp", "-I"}), "argument to '-I' is missing");
  EXPECT_THAT(error_of({"a.cpp", "--target=vulkan,"}), HasSubstr("unknown target ''"));
  EXPECT_THAT(error_of({"a.cpp", "b.cpp", "-o", "x"}), HasSubstr("cannot specify -o"));
  EXPECT_EQ(error_of({"--help"}), "no error");
}

TEST(Options, Targets) {
  EXPECT_FALSE(parse({"a.cpp", "--target=host"}).targets.vulkan);
  EXPECT_FALSE(parse({"a.cpp", "--target", "vulkan"}).targets.host);
}

TEST(CompileCommands, SplitsAsAShellDoes) {
  EXPECT_THAT(split_command("g++  -c a.cpp"), ElementsAre("g++", "-c", "a.cpp"));
  EXPECT_THAT(split_command(R"(g++ "-DX=a b" -D'Y="q"' c\ d.cpp "" 'x\y' "p\"q")"),
              ElementsAre("g++", "-DX=a b", "-DY=\"q\"", "c d.cpp", "", "x\\y", "p\"q"));
  EXPECT_THAT(split_command("  "), IsEmpty());
}

}  // namespace
}  // namespace spirea::compiler
