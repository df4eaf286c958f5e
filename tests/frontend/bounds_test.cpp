// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which accesses are checked with -fsanitize=bounds, and which need no check.
#include <gmock/gmock.h>

#include "ir/text/printer.h"
#include "tests/frontend/compile.h"

namespace frontend_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// What the checks of the kernel's buffers say, without those of the standard library.
std::vector<std::string> checks(const std::string& kernel, const std::string& flag = "-fsanitize=bounds") {
  const auto output = compile("#include <span>\nstruct Pair { int a, b; };\n" + kernel, {flag});
  EXPECT_EQ(output.errors, 0u) << output.messages;
  std::vector<std::string> texts;
  if (output.module == nullptr) return texts;
  for (const auto& message : output.module->kernels.back()->manifest.messages)
    if (message.text.find(" at byte ") != std::string::npos)
      texts.push_back(message.text.substr(0, message.text.find(" of %llu bytes")));
  return texts;
}

std::string kernel(const std::string& parameters, const std::string& body) {
  return "[[spirea::kernel]] void k(" + parameters + ", unsigned n) {\n" + body + "\n}";
}

constexpr char kRead[] = "read of 4 bytes at byte %lld is out of bounds for 'in'";
constexpr char kWrite[] = "write of 4 bytes at byte %lld is out of bounds for 'out'";
const std::string kCopy = kernel("const int* in, int* out", "out[n] = in[n];");

TEST(Bounds, are_checked_by_flags_that_have_them) {
  for (const char* flag : {"-fsanitize=bounds", "-fsanitize=array-bounds", "-fsanitize=undefined"})
    EXPECT_THAT(checks(kCopy, flag), ElementsAre(kRead, kWrite)) << flag;
}

TEST(Bounds, are_not_checked_without_a_flag) {
  for (const char* flag : {"-O2", "-fsanitize=shift", "-fno-sanitize=bounds"}) {
    const auto output = compile(kCopy, {"-fsanitize=bounds", "-fno-sanitize=all", flag});
    ASSERT_NE(output.module, nullptr) << output.messages;
    const auto& manifest = output.module->kernels.back()->manifest;
    EXPECT_THAT(manifest.messages, IsEmpty()) << flag;
    ASSERT_EQ(manifest.params.size(), 3u);
    EXPECT_EQ(manifest.params[0].leaves.size(), 1u) << flag;
    EXPECT_EQ(spirea::kir::print(*output.module), spirea::kir::print(*compile(kCopy).module)) << flag;
  }
}

TEST(Bounds, need_a_count_for_each_buffer) {
  const auto output = compile(
      "#include <span>\n" + kernel("int* a, std::span<int> b, std::span<int, 4> c", "a[n] = b[n] + c[n];"),
      {"-fsanitize=bounds"});
  ASSERT_NE(output.module, nullptr) << output.messages;
  const auto& params = output.module->kernels.back()->manifest.params;
  ASSERT_EQ(params.size(), 5u);
  for (std::size_t i = 0; i < 3; ++i) {
    ASSERT_EQ(params[i].leaves.size(), 2u);
    EXPECT_EQ(params[i].leaves[1].scalar, spirea::abi::Scalar::I64);
    EXPECT_EQ(params[i].leaves[1].source_offset, 8u);
  }
}

TEST(Bounds, of_the_same_element_are_checked_once) {
  EXPECT_THAT(checks(kernel("volatile int* out", "out[n] = 1; out[n] = 2; out[n] = 3;")),
              ElementsAre(kWrite));
  EXPECT_THAT(checks(kernel("Pair* out", "out[n].b = 2; out[n].a = 1;")), ElementsAre(kWrite));
  EXPECT_THAT(checks(kernel("volatile int* out", "out[n] = 1; if (n & 1) out[n] = 2; else out[n] = 3;")),
              ElementsAre(kWrite));
}

TEST(Bounds, of_other_elements_and_on_other_ways_are_checked) {
  EXPECT_THAT(checks(kernel("volatile int* out", "out[n] = 1; out[n + 1u] = 2;")),
              ElementsAre(kWrite, kWrite));
  EXPECT_THAT(checks(kernel("volatile int* out", "if (n & 1) out[n] = 2; out[n] = 3;")),
              ElementsAre(kWrite, kWrite));
}

TEST(Bounds, between_two_that_are_inside_need_no_check) {
  EXPECT_THAT(checks(kernel("volatile int* out", "out[0] = 1; out[7] = 2; out[3] = 4;")),
              ElementsAre(kWrite, kWrite));
}

TEST(Bounds, that_a_condition_has_checked_need_no_check) {
  const std::string parameters = "std::span<const int> in, std::span<int> out";
  EXPECT_THAT(checks(kernel(parameters, "out[n] = in[n];")), IsEmpty()) << "libstdc++ checks";
  EXPECT_THAT(checks(kernel(parameters, "if (n < out.size()) out.data()[n] = 1;")), IsEmpty());
  EXPECT_THAT(checks(kernel(parameters,
                            "if (n >= out.size() || n >= in.size()) return;\n"
                            "out.data()[n] = in.data()[n];")),
              IsEmpty());
  EXPECT_THAT(checks(kernel(parameters, "if (!out.empty()) out.data()[0] = 1;")), IsEmpty());
  EXPECT_THAT(checks(kernel(parameters, "if (out.size() > 4) out.data()[4] = out.data()[2];")), IsEmpty());
}

TEST(Bounds, that_a_condition_has_not_checked_are_checked) {
  const std::string parameters = "std::span<const int> in, std::span<int> out";
  EXPECT_THAT(checks(kernel(parameters, "if (n < in.size()) out.data()[n] = 1;")), ElementsAre(kWrite));
  EXPECT_THAT(checks(kernel(parameters, "if (n <= out.size()) out.data()[n] = 1;")), ElementsAre(kWrite));
  EXPECT_THAT(checks(kernel(parameters, "if (n >= out.size()) out.data()[n] = 1;")), ElementsAre(kWrite));
  EXPECT_THAT(checks(kernel(parameters, "if (n < out.size()) out.data()[n + 1u] = 1;")), ElementsAre(kWrite));
  EXPECT_THAT(checks(kernel(parameters, "if (out.size() > 4) out.data()[5] = 1;")), ElementsAre(kWrite));
}

TEST(Bounds, are_not_known_of_pointers_from_memory) {
  EXPECT_THAT(checks("struct Node { int value; Node* next; };\n" +
                     kernel("Node* nodes", "Node* next = nodes[n].next; next->value = 1;")),
              ElementsAre("read of 8 bytes at byte %lld is out of bounds for 'nodes'"));
}

TEST(Bounds, of_thousands_of_accesses_do_not_nest) {
  std::string body = "int s = 0;";
  for (int i = 0; i < 1500; ++i) body += "\ns = s * 3 + in[s & " + std::to_string(0xffff ^ i) + "];";
  EXPECT_EQ(checks(kernel("const int* in, int* out", body + "\nout[n] = s;")).size(), 1501u);
}

}  // namespace
}  // namespace frontend_test
