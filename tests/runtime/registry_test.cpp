// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that were registered, were not, or twice. Each test has kernels of its own, since the registry is
// the process's.
#include "runtime/core/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

#include "tests/runtime/artifacts.h"
#include "tests/runtime/null_backend.h"

namespace runtime_test {
namespace {

namespace abi = spirea::abi;
using spirea::detail::find_kernel_by_key;
using spirea::detail::find_kernel_by_name;
using spirea::detail::SpirvModules;
using testing::HasSubstr;

template <int N>
void numbered() {}
void never_compiled(std::span<float>) {}
template <class T>
void generic(T) {}

template <auto Kernel>
const char* key_of() {
  return typeid(spirea::detail::kernel_tag<Kernel>).name();
}

void host_code(const void*, const spirea_host_grid*, std::uint64_t, std::uint64_t) {}

class Registry : public testing::Test {
 protected:
  Registry() { reset(); }
};

TEST_F(Registry, finds_a_kernel_and_its_code) {
  const std::vector<std::uint32_t> spirv = {0x07230203, 1, 2, 3, 4, 5};
  register_artifact(ArtifactBuilder()
                        .kernel(manifest_of<numbered<1>>("one"))
                        .kernel(manifest_of<numbered<2>>("two"), spirv)
                        .kir("the text")
                        .build(),
                    {nullptr, host_code});
  const auto &one = find_kernel_by_key(key_of<numbered<1>>()),
             &two = find_kernel_by_key(key_of<numbered<2>>());
  EXPECT_EQ(one.manifest().name, "one");
  EXPECT_TRUE(one.spirv().empty());
  EXPECT_EQ(one.host(), nullptr);
  EXPECT_EQ(two.spirv(), SpirvModules{spirv});
  EXPECT_EQ(two.host(), &host_code);
  EXPECT_EQ(two.kir(), "the text");
  EXPECT_EQ(one.object_id(), two.object_id());
  EXPECT_NE(one.id(), two.id());
  EXPECT_EQ(&find_kernel_by_name("two"), &two);
  EXPECT_EQ(&find_kernel_by_name("two()"), &two);
  EXPECT_THAT(cause_of([] { find_kernel_by_name("absent"); }),
              HasSubstr("no kernel is named 'absent'. Found:"));
}

TEST_F(Registry, modules_keep_their_order_of_preference) {
  const std::vector<std::uint32_t> first = {0x07230203, 1, 2, 3, 4, 5}, last = {0x07230203, 5, 4};
  const auto register_with = [](auto manifest, std::vector<std::vector<std::uint32_t>> modules) {
    ArtifactBuilder builder;
    builder.kernel(manifest);
    for (const auto& words : modules)
      builder.section({abi::SectionKind::SpirvVulkan, 0, to_bytes(words), words.size() * 4});
    register_artifact(builder.build());
  };
  auto manifest = manifest_of<numbered<12>>("several");
  register_with(manifest, {first, last});
  EXPECT_EQ(find_kernel_by_key(key_of<numbered<12>>()).spirv(), (SpirvModules{first, last}));
  manifest.file = "../kernels.cpp";
  register_with(manifest, {last});
  EXPECT_THAT(cause_of([] { find_kernel_by_key(key_of<numbered<12>>()); }), HasSubstr("with different code"));
}

TEST_F(Registry, a_kernel_never_compiled_says_how_to_add_it) {
  machine = {{}};
  spirea::device device;
  const spirea::error error = error_of([&] {
    spirea::buffer<float> data(device, 4);
    spirea::launch<never_compiled>(device, spirea::grid(4), data);
  });
  EXPECT_THAT(error.cause(), HasSubstr("the kernel was never compiled for devices"));
  EXPECT_THAT(error.cause(), HasSubstr("spirea_add_kernels(target file.cpp)"));
  EXPECT_THAT(error.cause(), HasSubstr("spireac file.cpp -c -o file.spirea.o"));
  EXPECT_THAT(error.kernel(), HasSubstr("never_compiled"));
  EXPECT_EQ(error.device(), "null");
  EXPECT_THAT(error.what(), HasSubstr("never_compiled"));
  EXPECT_THAT(error.what(), HasSubstr("'null'"));
}

TEST_F(Registry, names_an_instance_of_a_template_readably) {
  EXPECT_THAT(error_of([] { find_kernel_by_key(key_of<generic<double>>()); }).kernel(),
              HasSubstr("generic<double>"));
}

TEST_F(Registry, one_kernel_of_a_header_in_two_objects_is_one_kernel) {
  const std::vector<std::uint32_t> spirv = {0x07230203, 1, 2, 3, 4, 5};
  auto shared = manifest_of<numbered<3>>("shared");
  shared.file = "include/kernels.h";
  ArtifactBuilder first, second;
  first.kernel(shared, spirv);
  shared.file = "../include/kernels.h";
  second.kernel(manifest_of<numbered<4>>("other")).kernel(shared, spirv);
  register_artifact(first.build());
  register_artifact(second.build());
  EXPECT_EQ(find_kernel_by_key(key_of<numbered<3>>()).manifest().file, "include/kernels.h");
}

TEST_F(Registry, the_same_object_twice_is_no_error) {
  const Bytes bytes = ArtifactBuilder().kernel(manifest_of<numbered<5>>("twice")).build();
  register_artifact(bytes);
  register_artifact(bytes);
  EXPECT_EQ(find_kernel_by_key(key_of<numbered<5>>()).manifest().name, "twice");
}

TEST_F(Registry, two_kernels_of_one_name_are_an_error) {
  auto manifest = manifest_of<numbered<6>>("ambiguous");
  manifest.file = "a.cpp";
  register_artifact(ArtifactBuilder().kernel(manifest, {0x07230203, 1}).build());
  manifest.file = "b.cpp";
  manifest.line = 7;
  register_artifact(ArtifactBuilder().kernel(manifest, {0x07230203, 2}).build());
  const spirea::error error = error_of([] { find_kernel_by_key(key_of<numbered<6>>()); });
  EXPECT_EQ(
      error.cause(),
      "two objects of this program define the kernel, with different code (a.cpp:1 and b.cpp:7): give them "
      "different names");
  EXPECT_THAT(error.kernel(), HasSubstr("numbered<6>"));
}

TEST_F(Registry, without_spirv_the_place_of_the_definition_decides) {
  auto manifest = manifest_of<numbered<7>>("host_only");
  register_artifact(ArtifactBuilder().kernel(manifest).build());
  register_artifact(ArtifactBuilder().kernel(manifest_of<numbered<8>>("first")).kernel(manifest).build());
  EXPECT_EQ(find_kernel_by_key(key_of<numbered<7>>()).manifest().name, "host_only");
  manifest.line = 2;
  register_artifact(ArtifactBuilder().kernel(manifest).build());
  EXPECT_THAT(cause_of([] { find_kernel_by_key(key_of<numbered<7>>()); }), HasSubstr("with different code"));
}

TEST_F(Registry, damaged_code_is_an_error_when_it_is_used) {
  ArtifactBuilder builder;
  builder.kernel(manifest_of<numbered<9>>("damaged"));
  builder.section({abi::SectionKind::SpirvVulkan, 0, to_bytes("not zstd"), 400});
  register_artifact(builder.build());
  const auto& kernel = find_kernel_by_key(key_of<numbered<9>>());
  for (int i = 0; i < 2; ++i)  // the second time, too
    EXPECT_EQ(cause_of([&] { kernel.spirv(); }),
              "the kernel's code is damaged: a section cannot be decompressed");
}

TEST_F(Registry, an_object_that_cannot_be_read_is_named_by_the_launch) {
  Bytes bytes = ArtifactBuilder().kernel(manifest_of<numbered<10>>("lost")).build();
  bytes.back() ^= std::byte{1};
  register_artifact(bytes);
  EXPECT_THAT(cause_of([] { find_kernel_by_key(key_of<numbered<10>>()); }),
              HasSubstr("an object of this program cannot be used: it is damaged: its checksum is wrong"));
  spirea_registration registration{};
  spirea_register(&registration);
  spirea_register(nullptr);
  EXPECT_THAT(cause_of([] { find_kernel_by_key(key_of<numbered<10>>()); }),
              HasSubstr("cannot be used: it is not a Spirea registration"));
  registration.magic = spirea_registration_magic;
  registration.abi = spirea_abi_version + 1;
  spirea_register(&registration);
  EXPECT_THAT(cause_of([] { find_kernel_by_key(key_of<numbered<10>>()); }),
              HasSubstr("cannot be used: it was made by another version of Spirea"));
}

TEST_F(Registry, objects_register_from_many_threads) {
  const Bytes bytes = ArtifactBuilder().kernel(manifest_of<numbered<11>>("threads"), {0x07230203}).build();
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        register_artifact(bytes);
        if (find_kernel_by_key(key_of<numbered<11>>()).spirv().size() != 1) std::abort();
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(find_kernel_by_key(key_of<numbered<11>>()).manifest().name, "threads");
}

}  // namespace
}  // namespace runtime_test
