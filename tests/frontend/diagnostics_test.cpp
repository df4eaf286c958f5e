// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels cannot do is an error at the line that does it, with the calls that lead there, all of it in
// one run.
#include <gmock/gmock.h>

#include "tests/frontend/compile.h"

namespace frontend_test {
namespace {

using ::testing::HasSubstr;

struct Unsupported {
  const char* name;
  const char* text;
  const char* place;
  const char* message;
};

class UnsupportedInKernels : public ::testing::TestWithParam<Unsupported> {};

TEST_P(UnsupportedInKernels, is_an_error_at_its_line) {
  const auto output = compile(GetParam().text);
  EXPECT_GE(output.errors, 1u);
  EXPECT_EQ(output.module, nullptr);
  EXPECT_THAT(output.messages, HasSubstr(std::string(".cpp:") + GetParam().place));
  EXPECT_THAT(output.messages, HasSubstr(GetParam().message));
}

constexpr Unsupported kUnsupported[] = {
    {"new_object", "[[spirea::kernel]] void f(int* p) {\n  int* q = new int[*p];\n  p[0] = q[p[1]];\n}",
     "3:", "memory allocation ('new') is not supported"},
    {"vector",
     "#include <vector>\n[[spirea::kernel]] void f(int* p, int n) {\n  std::vector<int> v(n);\n"
     "  for (int i = 0; i < n; ++i) v[i] = p[n - i];\n  p[0] = v[p[1]];\n}",
     "4:", "std::vector keeps its elements on the heap"},
    {"string",
     "#include <string>\n[[spirea::kernel]] void f(int* p, int n) {\n  std::string s(n, 'a');\n"
     "  p[0] = s[p[1]];\n}",
     "4:", "std::string keeps its characters on the heap"},
    {"coroutine",
     "#include <coroutine>\nstruct Task {\n  struct promise_type {\n    Task get_return_object() { return "
     "{}; }\n"
     "    std::suspend_never initial_suspend() { return {}; }\n"
     "    std::suspend_never final_suspend() noexcept { return {}; }\n"
     "    void return_void() {}\n    void unhandled_exception() {}\n  };\n};\n"
     "Task task(int* p) { co_await std::suspend_always{}; *p = 2; }\n"
     "[[spirea::kernel]] void f(int* p) {\n  task(p);\n}",
     "12:", "coroutines are not supported in kernels"},
    {"throw_exception", "[[spirea::kernel]] void f(int* p) {\n  if (*p) throw 1;\n}",
     "3:", "'throw' is not supported in kernels"},
    {"recursion",
     "int r(int n) { return n < 2 ? n : r(n - 1) + r(n - 2) * n; }\n[[spirea::kernel]] void f(int* p) {\n  "
     "*p = r(*p);\n}",
     "", "recursion is not supported in kernels"},
    {"undefined_function", "int far(int);\n[[spirea::kernel]] void f(int* p) {\n  *p = far(*p);\n}",
     "4:", "'far(int)' has no definition in this translation unit"},
    {"call_through_pointer", "int (*g)(int);\n[[spirea::kernel]] void f(int* p) {\n  *p = g(*p);\n}",
     "4:", "not"},
    {"inline_assembly", "[[spirea::kernel]] void f(int* p) {\n  asm volatile(\"nop\");\n  *p = 1;\n}",
     "3:", "inline assembly is not supported"},
    {"mutable_global", "int counter;\n[[spirea::kernel]] void f(int* p) {\n  *p = counter;\n}",
     "4:", "it is not constant"},
    {"thread_local_variable", "thread_local int t;\n[[spirea::kernel]] void f(int* p) {\n  *p = t;\n}",
     "4:", "thread-local"},
    {"print", "#include <cstdio>\n[[spirea::kernel]] void f(int* p) {\n  printf(\"%d\", *p);\n}",
     "4:", "printf is not supported yet"},
    {"atomic_of_16_bytes",
     "#include <atomic>\nstruct alignas(16) S { long a, b; };\n[[spirea::kernel]] void f(S* p) {\n"
     "  std::atomic_ref<S>(p[0]).store({1, 2});\n}",
     "", "atomic operations on more than 8 bytes"},
    {"variable_length_array",
     "[[spirea::kernel]] void f(int* p, int n) {\n  int a[n];\n  for (int i = 0; i < n; ++i) a[i] = p[n - "
     "i];\n  p[0] = a[p[1]];\n}",
     "3:", "local arrays whose size is not constant"},
    {"wide_integer",
     "[[spirea::kernel]] void f(unsigned long* p) {\n  unsigned _BitInt(256) v = p[0];\n  v = v * p[1] << "
     "3;\n "
     " p[3] = v >> p[1];\n}",
     "4:", "256-bit integers are not supported"},
};

INSTANTIATE_TEST_SUITE_P(Frontend, UnsupportedInKernels, ::testing::ValuesIn(kUnsupported),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Diagnostics, all_errors_come_in_one_run) {
  const auto output = compile(
      "int a(int);\nint b(int);\n"
      "[[spirea::kernel]] void f(int* p) { *p = a(*p); }\n"
      "[[spirea::kernel]] void g(int* p) { *p = b(*p); }");
  EXPECT_EQ(output.errors, 2u) << output.messages;
}

TEST(Diagnostics, name_the_calls_from_the_kernel) {
  const auto output = compile(
      "int missing(int);\n"
      "inline int deeper(int v) { return missing(v); }\n"
      "inline int deep(int v) { return deeper(v) + 1; }\n"
      "[[spirea::kernel]] void kernel(int* p) {\n"
      "  *p = deep(*p);\n"
      "}");
  EXPECT_THAT(output.messages, HasSubstr(".cpp:3:35: error"));
  EXPECT_THAT(output.messages, HasSubstr(".cpp:4:33: note: called from 'deep'"));
  EXPECT_THAT(output.messages, HasSubstr(".cpp:6:8: note: called from 'kernel'"));
}

TEST(Diagnostics, of_clang_come_with_carets) {
  const auto output = compile("[[spirea::kernel]] void f(int* p) { *p = missing; }");
  EXPECT_EQ(output.errors, 1u);
  EXPECT_THAT(output.messages, HasSubstr("use of undeclared identifier 'missing'"));
}

TEST(Diagnostics, missing_file) {
  const auto output = compile_file("/nonexistent/file.cpp");
  EXPECT_GE(output.errors, 1u);
  EXPECT_THAT(output.messages, HasSubstr("/nonexistent/file.cpp"));
}

TEST(Diagnostics, unknown_flag) {
  const auto output = compile("[[spirea::kernel]] void f(int* p) { *p = 1; }", {"-fno-such-flag"});
  EXPECT_GE(output.errors, 1u);
  EXPECT_THAT(output.messages, HasSubstr("unknown argument: '-fno-such-flag'"));
}

}  // namespace
}  // namespace frontend_test
