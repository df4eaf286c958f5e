// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose objects lack what a device needs, and machines that lack what Vulkan needs.
#include <csignal>
#include <cstdlib>
#include <dlfcn.h>
#include <sys/wait.h>

#include "tests/runtime/conformance.h"

namespace runtime_test {
namespace {

using testing::HasSubstr;

void without_code() {}
void never_compiled() {}
template <int N>
void broken() {}

class ErrorConformance : public Conformance {};
SPIREA_CONFORMANCE(ErrorConformance);

TEST_P(ErrorConformance, a_kernel_without_code_for_the_device) {
  static const bool registered = [] {
    register_artifact(ArtifactBuilder().kernel(manifest_of<without_code>("without_code")).build());
    return true;
  }();
  ASSERT_TRUE(registered);
  const spirea::error error = error_of([&] { spirea::launch<without_code>(device(), spirea::grid(1)); });
  EXPECT_EQ(error.kernel(), "without_code()");
  EXPECT_EQ(error.device(), device().name());
  switch (device().backend()) {
    case spirea::backend_kind::vulkan: EXPECT_THAT(error.cause(), HasSubstr("--target=vulkan")); break;
    case spirea::backend_kind::host: EXPECT_THAT(error.cause(), HasSubstr("--target=vulkan,host")); break;
    case spirea::backend_kind::interp: EXPECT_THAT(error.cause(), HasSubstr("no KIR")); break;
  }
}

TEST_P(ErrorConformance, a_kernel_never_compiled) {
  const spirea::error error = error_of([&] { spirea::launch<never_compiled>(device(), spirea::grid(1)); });
  EXPECT_THAT(error.cause(), HasSubstr("spirea_add_kernels"));
  EXPECT_THAT(error.kernel(), HasSubstr("never_compiled"));
  EXPECT_EQ(error.device(), device().name());
}

// What follows runs in processes of their own: the Vulkan library is opened once in a process.

[[noreturn]] void open_and_exit(const char* selector) {
  try {
    const spirea::device device = selector == nullptr ? spirea::device() : spirea::device(selector);
    std::fprintf(stderr, "[%s]", std::string(spirea::to_string(device.backend())).c_str());
  } catch (const spirea::error& error) {
    std::fprintf(stderr, "[%s]", error.what());
  }
  std::exit(0);
}

[[noreturn]] void open_with(const char* variable, const char* value, const char* selector) {
  setenv(variable, value, 1);
  unsetenv("SPIREA_QUIET");
  open_and_exit(selector);
}

TEST(MissingVulkan, library) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(
      open_with("SPIREA_VULKAN_LIBRARY", "/nonexistent/libvulkan.so.1", nullptr), testing::ExitedWithCode(0),
      "^spirea: no GPU is usable, running on host \\(.+\\); vulkan: the Vulkan library "
      "'/nonexistent/libvulkan.so.1' cannot be loaded \\(on Debian: install libvulkan1\\)\n\\[host\\]$");
  EXPECT_EXIT(open_with("SPIREA_VULKAN_LIBRARY", "/nonexistent/libvulkan.so.1", "vulkan"),
              testing::ExitedWithCode(0),
              "^\\[spirea: device 'vulkan' is not usable because the Vulkan library .+ cannot be loaded");
  EXPECT_EXIT(open_with("SPIREA_VULKAN_LIBRARY", "libc.so.6", "vulkan"), testing::ExitedWithCode(0),
              "is not usable because 'libc.so.6' is not a Vulkan library");
}

TEST(MissingVulkan, driver) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  if (dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL) == nullptr) GTEST_SKIP() << "vulkan: no library";
  EXPECT_EXIT(open_with("VK_DRIVER_FILES", "/nonexistent.json", nullptr), testing::ExitedWithCode(0),
              "spirea: no GPU is usable, running on host \\(.+\\); vulkan: no Vulkan driver is installed "
              "\\(on Debian, "
              "for the CPU: mesa-vulkan-drivers\\)\n\\[host\\]$");
  EXPECT_EXIT(open_with("VK_DRIVER_FILES", "/nonexistent.json", "vulkan"), testing::ExitedWithCode(0),
              "is not usable because no Vulkan driver is installed");
}

/// Launches a kernel with these words for its code.
template <int N>
void launch_words(std::vector<std::uint32_t> words) {
  register_artifact(ArtifactBuilder().kernel(manifest_of<broken<N>>("broken"), words).build());
  spirea::device device("vulkan");
  spirea::launch<broken<N>>(device, spirea::grid(1));
}

TEST(BrokenKernels, what_no_device_can_run) {
  if (const std::string cause = cause_of([] { spirea::device("vulkan"); }); cause != "(no error)")
    GTEST_SKIP() << cause;
  EXPECT_EQ(cause_of([] {
              launch_words<1>({1, 2, 3, 4, 5, 6});
            }),
            "the kernel's code for Vulkan is no SPIR-V");
  EXPECT_EQ(cause_of([] {
              launch_words<2>({0x07230203, 0x10500, 0, 1});
            }),
            "the kernel's code for Vulkan is no SPIR-V");
  EXPECT_EQ(cause_of([] {
              launch_words<3>({0x07230203, 0x10500, 0, 1, 0, 0x20011, 1, 0x20011, 4711});
            }),
            "the kernel needs SPIR-V's capability 4711, which this version of the runtime does not know");
}

TEST(BrokenKernels, what_llvmpipe_gets_wrong) {
  std::string name;
  if (const std::string cause = cause_of([&] { name = spirea::device("vulkan").name(); });
      cause != "(no error)")
    GTEST_SKIP() << cause;
  if (name.find("llvmpipe") == std::string::npos) GTEST_SKIP() << "other drivers nest deeper";
  constexpr std::uint32_t selection_merge = 3u << 16 | 247, loop_merge = 4u << 16 | 246,
                          label = 2u << 16 | 248;
  std::vector<std::uint32_t> words = {0x07230203, 0x10500, 0, 1000, 0, 0x20011, 1};
  const auto add = [&](std::initializer_list<std::uint32_t> more) { words.insert(words.end(), more); };
  for (std::uint32_t id = 1; id <= 60; ++id) add({selection_merge, id, 0});
  for (std::uint32_t id = 60; id >= 1; --id) add({label, id});
  // Two nests of 60 are no deeper than one. Conditions and loops are counted apart.
  for (std::uint32_t id = 101; id <= 160; ++id) add({selection_merge, id, 0});
  for (std::uint32_t id = 201; id <= 281; ++id) add({loop_merge, id, 1, 0});
  EXPECT_EQ(cause_of([&] { launch_words<5>(words); }),
            "the kernel nests 81 conditions or loops; this driver gives wrong results beyond 80");
}

TEST(BrokenKernels, the_validation_layer_can_end_the_process) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const auto launch_nonsense = [] {
    setenv("SPIREA_VULKAN_VALIDATION", "fatal", 1);
    try {
      launch_words<4>({0x07230203, 0x10500, 0, 1, 0, 0x20011, 1});
    } catch (const spirea::error& error) {
      std::fprintf(stderr, "[%s]", error.what());
      std::exit(3);
    }
    std::exit(0);
  };
  bool is_missing = false;
  const auto aborted_or_missing = [&](int status) {
    is_missing = WIFEXITED(status) && WEXITSTATUS(status) == 3;
    return is_missing || (WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
  };
  EXPECT_EXIT(launch_nonsense(), aborted_or_missing, "spirea: vulkan validation: |is not usable because");
  if (is_missing) GTEST_SKIP() << "vulkan: no device or no validation layer";
}

}  // namespace
}  // namespace runtime_test
