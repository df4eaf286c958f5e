// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "compiler/kernel_names.h"

namespace spirea::compiler {
namespace {

abi::Manifest manifest(std::string symbol, std::string display) {
  abi::Manifest result;
  result.name = std::move(symbol);
  result.display = std::move(display);
  return result;
}

TEST(KernelNames, AllFormsOfOneName) {
  const abi::Manifest kernel = manifest("_ZN5image5scaleIfEEvPT_", "image::scale<float>(float *)");
  for (const char* name : {"_ZN5image5scaleIfEEvPT_", "image::scale<float>(float *)", "image::scale<float>",
                           "scale<float>", "scale"})
    EXPECT_TRUE(names_kernel(kernel, name)) << name;
  for (const char* name : {"", "image", "scale<", "scale<int>", "image::scale<float>(", "cale", "scal"})
    EXPECT_FALSE(names_kernel(kernel, name)) << name;
}

TEST(KernelNames, ParenthesesAndColonsInsideOfNames) {
  const abi::Manifest anonymous = manifest("_Z1k", "(anonymous namespace)::twice(std::span<int>)");
  EXPECT_TRUE(names_kernel(anonymous, "twice"));
  const abi::Manifest nested = manifest("_Z1k", "a::each<b::c<int>, void (int)>(int)");
  EXPECT_TRUE(names_kernel(nested, "each"));
  EXPECT_TRUE(names_kernel(nested, "each<b::c<int>, void (int)>"));
}

TEST(KernelNames, AmbiguousAndUnknownOnesListTheKernels) {
  kir::Module module;
  for (const char* symbol : {"_Z1kf", "_Z1ki", "_Z5other"}) {
    auto kernel = std::make_unique<kir::Kernel>();
    kernel->manifest =
        manifest(symbol, symbol[3] == 'o' ? "other()" : "k(" + std::string(1, symbol[4]) + ")");
    module.kernels.push_back(std::move(kernel));
  }
  const auto ambiguous = find_kernel(module, "k", "a.cpp");
  ASSERT_FALSE(ambiguous);
  EXPECT_EQ(ambiguous.diagnostics()[0].notes.size(), 2u);
  const auto unknown = find_kernel(module, "frob", "a.cpp");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.diagnostics()[0].notes.size(), 3u);
  ASSERT_TRUE(keep_kernel(module, "_Z1ki", "a.cpp"));
  ASSERT_EQ(module.kernels.size(), 1u);
  EXPECT_EQ(module.kernels[0]->manifest.name, "_Z1ki");
}

}  // namespace
}  // namespace spirea::compiler
