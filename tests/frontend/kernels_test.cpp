// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <gmock/gmock.h>
#include <sstream>

#include "ir/text/printer.h"
#include "ir/verify/verify.h"
#include "tests/frontend/compile.h"
#include "tests/frontend/kernel_kinds.h"

namespace frontend_test {
namespace {

using spirea::abi::ParamKind;
using spirea::abi::Scalar;
using ::testing::HasSubstr;

TEST(Kernels, have_the_names_that_the_host_compiler_gives) {
  const auto output = compile_file(SPIREA_SOURCE_DIR "/tests/frontend/kernel_kinds.cpp");
  ASSERT_EQ(output.errors, 0u) << output.messages;
  std::vector<std::string> wanted = host_keys();
  for (const auto& kernel : output.module->kernels) {
    std::istringstream keys(kernel->manifest.key);
    bool found = false;
    for (std::string key; keys >> key;) found |= std::erase(wanted, key) != 0;
    EXPECT_TRUE(found) << kernel->manifest.key;
  }
  EXPECT_THAT(wanted, ::testing::IsEmpty());
}

TEST(Kernels, entry_points_are_symbols) {
  const auto output = compile(
      "extern \"C\" [[spirea::kernel]] void plain(int* p) { *p = 1; }\n[[spirea::kernel]] void other(int* p) "
      "{ *p = 2; }");
  ASSERT_EQ(output.errors, 0u) << output.messages;
  EXPECT_NE(output.module->find_kernel("plain"), nullptr);
  EXPECT_NE(output.module->find_kernel("_Z5otherPi"), nullptr);
  EXPECT_EQ(output.module->find_kernel("_Z5otherPi")->manifest.display, "other(int *)");
  EXPECT_EQ(output.module->find_kernel("_Z5otherPi")->manifest.line, 3u);
}

TEST(Kernels, parameters_become_leaves) {
  const auto output = compile(
      "#include <span>\n"
      "struct S { char c; double d; bool b[2]; struct { short s; } n; float* p; };\n"
      "[[spirea::kernel]] void f(std::span<const float> a, std::span<int, 4> b, unsigned char* c, S s) {\n"
      "  *c = s.c; if (b.size() < a.size()) b[0] = (int)a[0] + s.n.s + s.b[1] + (int)s.d; *s.p = 1; }");
  ASSERT_EQ(output.errors, 0u) << output.messages;
  const auto valid = spirea::kir::verify(*output.module);
  EXPECT_TRUE(valid) << spirea::kir::to_string(valid.diagnostics());
  const auto& params = output.module->kernels[0]->manifest.params;
  ASSERT_EQ(params.size(), 4u);
  EXPECT_EQ(params[0].kind, ParamKind::Buffer);
  EXPECT_EQ(params[0].leaves.size(), 2u);
  EXPECT_EQ(params[0].element, "float");
  EXPECT_EQ(params[1].leaves.size(), 1u);  // the length is in the type
  EXPECT_EQ(params[2].element_size, 1u);
  EXPECT_EQ(params[3].kind, ParamKind::Value);
  std::vector<std::pair<Scalar, std::uint32_t>> leaves;
  for (const auto& leaf : params[3].leaves) leaves.emplace_back(leaf.scalar, leaf.source_offset);
  const std::vector<std::pair<Scalar, std::uint32_t>> expected = {{Scalar::I8, 0},   {Scalar::F64, 8},
                                                                  {Scalar::I1, 16},  {Scalar::I1, 17},
                                                                  {Scalar::I16, 18}, {Scalar::Ptr, 24}};
  EXPECT_EQ(leaves, expected);
}

TEST(Kernels, declared_only_is_not_an_error) {
  const auto output = compile("[[spirea::kernel]] void f(int*);");
  EXPECT_EQ(output.errors, 0u) << output.messages;
  EXPECT_TRUE(output.module->kernels.empty());
}

TEST(Kernels, without_any_include) {
  const std::string path = ::testing::TempDir() + "no_include.cpp";
  std::ofstream(path)
      << "extern \"C\" [[spirea::kernel]] void f(float* p, int n) { for (int i = 0; i < n; ++i) p[i] *= 2; }";
  const auto output = compile_file(path);
  ASSERT_EQ(output.errors, 0u) << output.messages;
  EXPECT_EQ(output.module->kernels[0]->manifest.key, "");
}

TEST(Kernels, at_each_optimization_level) {
  for (const char* level : {"-O0", "-O1", "-O2", "-O3"}) {
    const auto output = compile(
        "static int twice(int x) { return x * 2; }\n"
        "struct P { int x, y; int sum() const { return x + y; } };\n"
        "[[spirea::kernel]] void f(int* p, P q) { int a[4] = {1, 2, 3, 4}; p[0] = twice(a[p[1] & 3]) + "
        "q.sum(); }",
        {level});
    ASSERT_EQ(output.errors, 0u) << level << output.messages;
    const auto valid = spirea::kir::verify(*output.module);
    EXPECT_TRUE(valid) << level << spirea::kir::to_string(valid.diagnostics());
  }
}

/// Of more than are rotated: each is there, whatever becomes of it.
TEST(Kernels, of_hundreds_of_loops) {
  std::string text = "[[spirea::kernel]] void k(unsigned* p, unsigned n) {\nunsigned x = *p;\n";
  for (unsigned k = 0; k < 300; ++k) {
    const std::string number = std::to_string(k + 11);
    text +=
        "for (unsigned i = 0; i < (x & n); ++i) { x = x * 33 + i; if (x % " + number + " == 0) break; }\n";
  }
  const auto output = compile(text + "*p = x; }");
  ASSERT_EQ(output.errors, 0u) << output.messages;
  const auto valid = spirea::kir::verify(*output.module);
  EXPECT_TRUE(valid) << spirea::kir::to_string(valid.diagnostics());
  const std::string kir = spirea::kir::print(*output.module);
  unsigned loops = 0;
  for (auto at = kir.find(" = loop @"); at != std::string::npos; at = kir.find(" = loop @", at + 1)) ++loops;
  EXPECT_EQ(loops, 300u);
}

TEST(Kernels, of_two_compilations_in_one_process_are_the_same) {
  const std::string text = "[[spirea::kernel]] void f(int* p) { p[spirea::global_id().x] += 3; }";
  const auto first = compile(text), second = compile(text);
  ASSERT_EQ(first.errors + second.errors, 0u) << first.messages << second.messages;
  EXPECT_EQ(spirea::kir::print(*first.module), spirea::kir::print(*second.module));
}

TEST(Kernels, host_code_may_be_anything) {
  const auto output = compile(
      "#include <iostream>\n#include <map>\n#include <thread>\n"
      "std::map<int, std::string> table = {{1, \"a\"}};\nthread_local int t = std::rand();\n"
      "[[spirea::kernel]] void f(int* p) { *p = 1; }\n"
      "int main() { try { throw 1; } catch (...) { std::cout << table[t]; asm(\"nop\"); } new int; }");
  EXPECT_EQ(output.errors, 0u) << output.messages;
}

TEST(Dependencies, are_all_files_read) {
  const auto output = compile("#include <span>\n[[spirea::kernel]] void f(int* p) { *p = 1; }");
  const auto has = [&](const char* end) {
    return std::any_of(output.dependencies.begin(), output.dependencies.end(),
                       [&](const std::string& file) { return file.ends_with(end); });
  };
  EXPECT_TRUE(has("spirea/kernel.hpp"));
  EXPECT_TRUE(has("/span"));
  EXPECT_TRUE(output.dependencies.at(0).ends_with(".cpp"));
}

}  // namespace
}  // namespace frontend_test
