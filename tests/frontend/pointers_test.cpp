// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which memory pointers are found to point to, where results alone do not show it.
#include <gmock/gmock.h>

#include "ir/text/printer.h"
#include "tests/frontend/compile.h"

namespace frontend_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// The KIR of a kernel with a local array; `use` computes a number from addresses in it.
std::string kir_of(const std::string& use) {
  const auto output = compile(
      "#include <cstdint>\n"
      "inline std::uintptr_t at(const int* p) { return reinterpret_cast<std::uintptr_t>(p); }\n"
      "[[spirea::kernel]] void f(const int* in, std::uintptr_t* out, int n) {\n"
      "  int local[16];\n"
      "  for (int i = 0; i < 16; ++i) local[i] = in[i] * 3;\n"
      "  std::uintptr_t a = at(local + in[0] % 16), b = at(local + in[2] % 16);\n" +
      use + "\n  out[1] = local[in[3] % 16];\n}");
  EXPECT_EQ(output.errors, 0u) << output.messages;
  return output.module == nullptr ? "" : spirea::kir::print(*output.module);
}

TEST(Pointers, whose_difference_is_kept_stay_local) {
  for (const char* use : {"out[0] = a - b;", "if (in[1]) a += 8;\n  out[0] = a - b;",
                          "for (int k = 0; k < n; ++k) b += in[k];\n  out[0] = (a - b) * 3;",
                          "out[0] = (in[1] ? a : b + 4) - (b - 12);",
                          "out[0] = static_cast<unsigned>(a) - static_cast<unsigned>(b);",
                          "out[0] = (a - b) / 4 > 3;", "out[0] = a < b;"})
    EXPECT_THAT(kir_of(use), Not(HasSubstr("generic"))) << use;
}

TEST(Pointers, whose_address_is_kept_are_generic) {
  for (const char* use :
       {"out[0] = a;", "out[0] = a + b;", "out[0] = 2 * a - b;", "out[0] = (in[1] ? a : 0) - b;",
        "out[0] = a ^ b;", "out[0] = *reinterpret_cast<int*>(a + (b - at(local)));"})
    EXPECT_THAT(kir_of(use), HasSubstr("generic")) << use;
}

}  // namespace
}  // namespace frontend_test
