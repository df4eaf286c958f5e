// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each misuse of an attribute is an error of Clang's, at the place of the misuse: `place` is "line:column:
// error" behind the file's name; line 1 is the #include that the tests put in front.
#include <gmock/gmock.h>

#include "tests/frontend/compile.h"

namespace frontend_test {
namespace {

using ::testing::HasSubstr;

struct Misuse {
  const char* name;
  const char* text;
  const char* place;
  const char* message;
};

class AttributeMisuse : public ::testing::TestWithParam<Misuse> {};

TEST_P(AttributeMisuse, is_an_error_with_a_caret) {
  const Misuse& misuse = GetParam();
  const auto output = compile(misuse.text);
  EXPECT_GE(output.errors, 1u);
  EXPECT_EQ(output.module, nullptr);
  EXPECT_THAT(output.messages, HasSubstr(std::string(".cpp:") + misuse.place));
  EXPECT_THAT(output.messages, HasSubstr(misuse.message));
  EXPECT_THAT(output.messages, HasSubstr("^"));
}

constexpr Misuse kMisuses[] = {
    {"on_a_class", "struct [[spirea::kernel]] S {};", "2:10: error",
     "a kernel is a function that is not a member"},
    {"on_a_variable", "[[spirea::kernel]] int x;", "2:3: error",
     "a kernel is a function that is not a member"},
    {"on_a_member_function", "struct S {\n  [[spirea::kernel]] void f(int*) {}\n};", "3:5: error",
     "cannot be applied to a member function"},
    {"on_a_static_member_function", "struct S {\n  [[spirea::kernel]] static void f(int*) {}\n};",
     "3:5: error", "cannot be applied to a member function"},
    {"on_main", "[[spirea::kernel]] int main() {}", "2:3: error", "cannot be applied to 'main'"},
    {"returns_a_value", "[[spirea::kernel]] int f(int* p) { return *p; }", "2:24: error",
     "kernel 'f' must return void, not 'int'"},
    {"variable_arguments", "[[spirea::kernel]] void f(int* p, ...) {}", "2:25: error",
     "cannot have variable arguments"},
    {"consteval_function", "[[spirea::kernel]] consteval void f(int) {}", "2:35: error",
     "cannot be consteval"},
    {"argument_not_trivially_copyable",
     "struct S { S(const S&); int x; };\n[[spirea::kernel]] void f(S s) {}", "3:29: error",
     "it is not trivially copyable"},
    {"argument_reference", "[[spirea::kernel]] void f(int& r) {}", "2:32: error",
     "it is a reference; pass a value, a pointer or a std::span"},
    {"argument_function_pointer", "[[spirea::kernel]] void f(void (*g)()) {}", "2:34: error",
     "it is a pointer to code"},
    {"argument_too_large", "struct S { int a[2000]; };\n[[spirea::kernel]] void f(S s) {}", "3:29: error",
     "it is larger than 4096 bytes"},
    {"argument_long_double", "[[spirea::kernel]] void f(long double v) {}", "2:39: error",
     "'long double' cannot be passed to a kernel"},
    {"template_argument_bad",
     "struct S { ~S(); };\ntemplate <class T> [[spirea::kernel]] void f(T t) {}\ntemplate void f<S>(S);",
     "3:48: error", "it is not trivially copyable"},
    {"workgroup_size_zero", "[[spirea::kernel, spirea::workgroup_size(0)]] void f(int*) {}", "2:42: error",
     "one to three positive integer constants"},
    {"workgroup_size_negative", "[[spirea::kernel, spirea::workgroup_size(8, -1)]] void f(int*) {}",
     "2:45: error", "one to three positive integer constants"},
    {"workgroup_size_not_constant", "int n;\n[[spirea::kernel, spirea::workgroup_size(n)]] void f(int*) {}",
     "3:42: error", "one to three positive integer constants"},
    {"workgroup_size_missing", "[[spirea::kernel, spirea::workgroup_size]] void f(int*) {}", "2:19: error",
     "takes at least 1 argument"},
    {"workgroup_size_four", "[[spirea::kernel, spirea::workgroup_size(1, 1, 1, 1)]] void f(int*) {}",
     "2:19: error", "takes no more than 3 arguments"},
    {"workgroup_size_large", "[[spirea::kernel, spirea::workgroup_size(64, 64)]] void f(int*) {}",
     "2:19: error", "workgroup of more than 1024 invocations"},
    {"workgroup_size_twice",
     "[[spirea::kernel, spirea::workgroup_size(8), spirea::workgroup_size(4)]] void f(int*) {}",
     "2:46: error", "kernel has two workgroup sizes"},
    {"may_alias_on_a_function", "[[spirea::kernel, spirea::may_alias]] void f(int*) {}", "2:19: error",
     "applies only to parameters of kernels"},
    {"may_alias_on_a_value", "[[spirea::kernel]] void f([[spirea::may_alias]] int x) {}", "2:53: error",
     "marked [[spirea::may_alias]], but not a pointer or a std::span"},
    {"shared_on_an_automatic_variable", "[[spirea::kernel]] void f(int*) { [[spirea::shared]] int x[4]; }",
     "2:37: error", "cannot be applied to a local variable that is not static"},
    {"shared_on_a_parameter", "[[spirea::kernel]] void f([[spirea::shared]] int*) {}", "2:29: error",
     "workgroup memory is a static variable"},
    {"shared_extern", "[[spirea::shared]] extern int x[4];", "2:3: error",
     "cannot be applied to an extern declaration"},
    {"shared_thread_local", "[[spirea::shared]] thread_local int x;", "2:3: error",
     "cannot be applied to a thread-local variable"},
    {"shared_with_initializer", "[[spirea::shared]] static int x = 0;", "2:31: error",
     "a variable in workgroup memory cannot have an initializer"},
    {"shared_with_constructor", "struct S { S(); };\n[[spirea::shared]] static S x;", "3:29: error",
     "must have a trivial default constructor"},
    {"subgroup_size_no_power", "[[spirea::kernel, spirea::subgroup_size(12)]] void f(int*) {}", "2:41: error",
     "takes a constant that is a power of two from 1 to 128"},
    {"subgroup_size_twice",
     "[[spirea::kernel, spirea::subgroup_size(8), spirea::subgroup_size(8)]] void f(int*) {}", "2:45: error",
     "kernel has two subgroup sizes"},
    {"subgroup_size_no_kernel", "struct S { [[spirea::subgroup_size(8)]] int x; };", "2:14: error",
     "a kernel is a function that is not a member"},
};

INSTANTIATE_TEST_SUITE_P(Frontend, AttributeMisuse, ::testing::ValuesIn(kMisuses),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Attributes, a_lambda_is_not_a_kernel) {
  const auto output = compile("void g() { auto f = [] [[spirea::kernel]] (int*) {}; }");
  EXPECT_GE(output.errors, 1u);
  EXPECT_THAT(output.messages, HasSubstr("cannot be applied to a lambda"));
}

TEST(Attributes, an_unknown_one_is_clangs_warning) {
  const auto output = compile("[[spirea::kernel, spirea::kernal]] void f(int* p) { *p = 1; }");
  EXPECT_EQ(output.errors, 0u);
  EXPECT_THAT(output.messages, HasSubstr("unknown attribute 'spirea::kernal' ignored"));
}

TEST(Attributes, of_a_good_kernel) {
  const auto output = compile(
      "constexpr int n = 4;\n"
      "[[spirea::kernel, spirea::workgroup_size(n * 2, n)]] void f([[spirea::may_alias]] int* p, const "
      "float* q) { *p = (int)*q; }");
  ASSERT_EQ(output.errors, 0u) << output.messages;
  ASSERT_EQ(output.module->kernels.size(), 1u);
  const auto& manifest = output.module->kernels[0]->manifest;
  EXPECT_EQ(manifest.workgroup_size, (std::array<std::uint32_t, 3>{8, 4, 1}));
  EXPECT_TRUE(manifest.params[0].may_alias);
  EXPECT_EQ(manifest.params[0].access, spirea::abi::Access::ReadWrite);
  EXPECT_FALSE(manifest.params[1].may_alias);
  EXPECT_EQ(manifest.params[1].access, spirea::abi::Access::Read);
}

}  // namespace
}  // namespace frontend_test
