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
    {"print_n", "#include <cstdio>\n[[spirea::kernel]] void f(int* p) {\n  printf(\"%d%n\", *p, p);\n}",
     "4:", "%n is not supported in kernels"},
    {"print_variable_format",
     "#include <cstdio>\n[[spirea::kernel]] void f(const char* p) {\n  printf(p, 1);\n}",
     "4:", "the format of printf must be constant in kernels"},
    {"print_chosen_format",
     "#include <cstdio>\n[[spirea::kernel]] void f(int* p) {\n  printf(*p ? \"%d\" : \"%x\", 1);\n}",
     "4:", "the format of printf must be constant in kernels"},
    {"print_wide_string",
     "#include <cstdio>\n[[spirea::kernel]] void f(int*) {\n  printf(\"%ls\", L\"x\");\n}",
     "4:", "wide characters are not supported in kernels"},
    {"print_long_double", "#include <cstdio>\n[[spirea::kernel]] void f(int*) {\n  printf(\"%Lf\", 1.0L);\n}",
     "4:", "long double is not supported in kernels"},
    {"print_fewer", "#include <cstdio>\n[[spirea::kernel]] void f(int* p) {\n  printf(\"%d %d\", *p);\n}",
     "4:", "printf has fewer arguments than its format asks for"},
    {"print_other_type", "#include <cstdio>\n[[spirea::kernel]] void f(int* p) {\n  printf(\"%s\", *p);\n}",
     "4:", "argument 2 of printf has not the type that the format asks for"},
    {"print_result", "#include <cstdio>\n[[spirea::kernel]] void f(int* p) {\n  *p = printf(\"%d\", *p);\n}",
     "4:", "the result of printf is not known in kernels"},
    {"atomic_of_16_bytes",
     "#include <atomic>\nstruct alignas(16) S { long a, b; };\n[[spirea::kernel]] void f(S* p) {\n"
     "  std::atomic_ref<S>(p[0]).store({1, 2});\n}",
     "", "atomic operations on more than 8 bytes"},
    {"variable_length_array",
     "[[spirea::kernel]] void f(int* p, int n) {\n  int a[n];\n  for (int i = 0; i < n; ++i) a[i] = p[n - "
     "i];\n  p[0] = a[p[1]];\n}",
     "3:", "local arrays whose size is not constant"},
    {"output_stream",
     "#include <iostream>\n[[spirea::kernel]] void f(int* p) {\n  std::cout << *p << std::endl;\n}",
     "4:", "output streams are not supported in kernels"},
    {"virtual_call",
     "struct Shape { virtual int area() const = 0; int side; };\n"
     "[[spirea::kernel]] void f(Shape* s, int* p) {\n  *p = s->area();\n}",
     "4:11: error", "the virtual call of 'Shape::area' cannot be resolved at compile time"},
    {"constant_of_run_time",
     "int far(); const int n = far();\n[[spirea::kernel]] void f(int* p) {\n  *p = n;\n}",
     "4:", "constant 'n' cannot be used in a kernel: its value is computed when the host's program starts"},
    {"extern_constant",
     "extern const int table[4];\n[[spirea::kernel]] void f(int* p) {\n  *p = table[*p];\n}",
     "4:", "constant 'table' has no initializer in this translation unit"},
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

// Each helper does one thing that kernels cannot do, on a line of its own from line 4 on.
constexpr const char* kHelpers =
    "#include <iostream>\n#include <vector>\n"
    "inline void allocates(int* p) { int* q = new int[*p]; p[0] = q[p[1]]; }\n"
    "inline void throws(int* p) { if (*p) throw 1; }\n"
    "inline void prints(int* p) { std::cout << \"at \" << *p << std::endl; }\n"
    "inline void assembles(int* p) { asm volatile(\"nop\"); *p = 1; }\n"
    "thread_local int local; inline void shares(int* p) { *p = local; }\n"
    "inline int depth(int n) { return n < 2 ? n : depth(n - 1) + depth(n - 2) * n; }\n"
    "inline void recurses(int* p) { *p = depth(*p); }\n"
    "inline int (*pointer)(int); struct Table { int (*f)(int); };\n"
    "inline void calls_pointer(int* p, const Table* t) { *p = t->f(*p); }\n"
    "struct Shape { virtual int area() = 0; }; inline void calls_virtual(int* p, Shape* s) { *p = s->area(); "
    "}\n"
    "int missing(int); inline void calls_missing(int* p) { *p = missing(*p); }\n"
    "int counter; inline void counts(int* p) { *p = counter; }\n"
    "inline void keeps(int* p) { std::vector<int> v(p[0]); v[p[1]] = p[2]; p[0] = v[p[3]]; v.push_back(1); "
    "}\n"
    "struct Argument { Table* t; Shape* s; };\n"
    "[[spirea::kernel]] void kernel(int* p, Argument a) {\n"
    "  allocates(p);\n  throws(p);\n  prints(p);\n  assembles(p);\n  shares(p);\n  recurses(p);\n"
    "  calls_pointer(p, a.t);\n  calls_virtual(p, a.s);\n  calls_missing(p);\n  counts(p);\n  keeps(p);\n}";

TEST(Diagnostics, everything_in_one_run_each_at_its_line_with_its_calls) {
  const auto output = compile(kHelpers);
  struct {
    const char* error;
    const char* note;
  } const expected[] = {
      {".cpp:4:42: error: memory allocation ('new') is not supported in kernels",
       ".cpp:19:3: note: called from 'kernel'"},
      {".cpp:5:38: error: 'throw' is not supported in kernels", ".cpp:20:3: note"},
      {".cpp:6:40: error: output streams are not supported in kernels", ".cpp:21:3: note"},
      {".cpp:7:33: error: inline assembly is not supported in kernels", ".cpp:22:3: note"},
      {".cpp:8:59: error: thread-local variables cannot be used in kernels", ".cpp:23:3: note"},
      {".cpp:10:37: error: recursion is not supported in kernels: 'depth(int)' calls itself",
       ".cpp:24:3: note"},
      {".cpp:12:58: error: a call through a pointer is not supported in kernels", ".cpp:25:3: note"},
      {".cpp:13:97: error: the virtual call of 'Shape::area' cannot be resolved", ".cpp:26:3: note"},
      {".cpp:14:60: error: 'missing(int)' has no definition in this translation unit", ".cpp:27:3: note"},
      {".cpp:15:48: error: variable 'counter' cannot be used in a kernel: it is not constant",
       ".cpp:28:3: note"},
      {".cpp:16:46: error: memory allocation ('new') is not supported in kernels: std::vector keeps",
       ".cpp:29:3: note"},
  };
  for (const auto& [error, note] : expected) {
    const std::size_t at = output.messages.find(error);
    ASSERT_NE(at, std::string::npos) << error << "\n" << output.messages;
    const std::size_t next = output.messages.find(": error: ", at + std::string(error).size());
    EXPECT_THAT(output.messages.substr(at, next - at), HasSubstr(note));
  }
  EXPECT_EQ(output.errors, std::size(expected)) << output.messages;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(Diagnostics, of_the_library_are_at_the_users_line) {
  const auto output = compile(
      "#include <optional>\n"
      "[[spirea::kernel]] void f(int* p, std::optional<int> o) {\n"
      "  *p = o.value();\n"
      "}");
  EXPECT_THAT(output.messages, HasSubstr(".cpp:4:10: error: 'throw' is not supported in kernels"));
  EXPECT_THAT(output.messages, HasSubstr("note: in '"));
  EXPECT_EQ(output.errors, 1u) << output.messages;
}

TEST(Diagnostics, say_once_that_a_container_allocates) {
  const auto output = compile(
      "#include <map>\n#include <string>\n#include <vector>\n"
      "[[spirea::kernel]] void f(int* p, int n) {\n"
      "  std::vector<int> v(n);\n"
      "  p[0] = v.at(p[1]);\n"
      "}\n"
      "[[spirea::kernel]] void g(int* p, int n) {\n"
      "  std::map<int, int> m;\n"
      "  m[n] = 1;\n"
      "  p[0] = m[p[1]];\n"
      "}");
  EXPECT_THAT(output.messages, HasSubstr(".cpp:6:20: error: memory allocation ('new')"));
  EXPECT_EQ(count(output.messages, "std::vector keeps its elements on the heap"), 1u);
  EXPECT_EQ(count(output.messages, "'throw'"), 0u) << output.messages;
  EXPECT_EQ(count(output.messages, "'delete'"), 0u) << output.messages;
  EXPECT_EQ(count(output.messages, "no definition"), 0u) << output.messages;
  EXPECT_EQ(output.errors, 3u) << output.messages;  // both uses of the map may insert
}

TEST(Diagnostics, a_missing_definition_names_its_header_and_the_file_next_to_it) {
  const std::string folder = ::testing::TempDir();
  std::ofstream(folder + "far_away.h") << "#pragma once\nnamespace far {\n  int away(int);\n}\n";
  std::ofstream(folder + "far_away.cpp") << "#include \"far_away.h\"\nint far::away(int x) { return x; }\n";
  const auto output =
      compile("#include \"far_away.h\"\n[[spirea::kernel]] void f(int* p) { *p = far::away(*p); }");
  EXPECT_THAT(output.messages, HasSubstr("'far::away(int)' has no definition in this translation unit"));
  EXPECT_THAT(
      output.messages,
      HasSubstr(
          "far_away.h:3:7: note: 'far::away' is declared here, and defined in no file that is included"));
  EXPECT_THAT(output.messages, HasSubstr("far_away.h' as inline, or include '"));
  EXPECT_THAT(output.messages, HasSubstr("far_away.cpp': each file's kernels are compiled on their own"));
}

TEST(Diagnostics, a_missing_definition_of_a_library_says_so) {
  const auto output = compile("#include <cstdlib>\n[[spirea::kernel]] void f(int* p) { *p = rand(); }");
  EXPECT_THAT(output.messages, HasSubstr("stdlib.h:"));
  EXPECT_THAT(output.messages,
              HasSubstr("its definition is in a library that is compiled for the host alone"));
}

TEST(Diagnostics, a_missing_definition_may_be_an_extern_template) {
  const auto output = compile(
      "template <class T> struct Box { static T get(T v); };\n"
      "template <class T> T Box<T>::get(T v) { return v + 1; }\n"
      "extern template struct Box<int>;\n"
      "[[spirea::kernel]] void f(int* p) { *p = Box<int>::get(*p); }",
      {"-O0"});
  EXPECT_THAT(output.messages, HasSubstr("'extern template' leaves its definition to another file"));
}

TEST(Diagnostics, a_mutable_global_is_shown) {
  const auto output = compile("int counter = 3;\n[[spirea::kernel]] void f(int* p) { *p = counter; }");
  EXPECT_THAT(output.messages, HasSubstr(".cpp:2:5: note: 'counter' is defined here"));
}

TEST(Diagnostics, a_large_variable_is_shown) {
  const auto output = compile(
      "[[spirea::kernel]] void f(int* p) {\n"
      "  int scratch[1 << 25];\n"
      "  for (int i = 0; i < *p; ++i) scratch[i] = p[i];\n"
      "  *p = scratch[p[1]];\n}");
  EXPECT_THAT(output.messages, HasSubstr(".cpp:3:3: error: local variable 'scratch' of 134217728 bytes"));
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
