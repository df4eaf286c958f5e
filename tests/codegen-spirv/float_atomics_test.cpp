// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Additions to floats in memory: as instructions of the device in one module, as loops in the other, and
// which of the two a device takes.
#include <cstdio>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>

#include "codegen-spirv/spirv.h"
#include "ir/text/parser.h"
#include "runtime/vulkan/requirements.h"
#include "tests/codegen-spirv/parallel.h"

namespace spirea::spirv::test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<Words> modules_of(const ParallelKernel& kernel, Options options = {}) {
  const auto module = kir::parse(kernel.text(), "k.kir");
  EXPECT_TRUE(module) << to_string(module.diagnostics());
  auto modules = generate_all(**module, *(*module)->kernels[0], options);
  EXPECT_TRUE(modules) << to_string(modules.diagnostics());
  return modules.take();
}

/// The kernel's module with native additions; empty text if it has none.
std::string native_text(const ParallelKernel& kernel) {
  const auto modules = modules_of(kernel);
  EXPECT_THAT(disassemble(modules.back()), Not(HasSubstr("OpAtomicFAddEXT")));
  return modules.size() == 1 ? "" : disassemble(modules.front());
}

/// %v: a small whole number, so that sums are the same in any order.
std::string number(const std::string& type) {
  return "  %byte = load %in align 8 : i8\n  %v = sitofp %byte : " + type + "\n";
}

std::string attributes(const std::string& type, const std::string& order = "relaxed") {
  return " align " + std::to_string(bytes_of_type(type)) + " scope device order " + order;
}

ParallelKernel in_buffer(const std::string& type) {
  return {.ops = number(type) + "  %old = atomic_fadd %cells0, %v" + attributes(type, "acq_rel") + " : " +
                 type + "\n"};
}

/// A sum in workgroup memory. `ops` may access it at %sum, between barriers.
ParallelKernel in_workgroup(const std::string& type, const std::string& ops = {}) {
  const std::string bytes = std::to_string(bytes_of_type(type)), align = " align " + bytes;
  const std::string zero = type == "f32" ? "0x00000000" : "0x0000000000000000";
  const std::string barrier = "  barrier scope workgroup order acq_rel\n";
  return {.ops = number(type) + "  %zero = const " + zero + " : " + type + "\n  %tile = object size " +
                 std::to_string(16 * bytes_of_type(type)) + " align 8 element " + type +
                 " : ptr<workgroup>\n  %mine = offset %tile, %local scale " + bytes +
                 " disp 0 : ptr<workgroup>\n  %sum = offset %tile, %c0 scale 1 disp " + bytes +
                 " : ptr<workgroup>\n  store %mine, %zero" + align + "\n" + barrier +
                 "  %old = atomic_fadd %sum, %v" + attributes(type) + " : " + type + "\n" + barrier + ops +
                 "  %r = load %sum" + align + " : " + type + "\n" + output("%r", type, 0),
          .manifest = "shared " + std::to_string(16 * bytes_of_type(type))};
}

TEST(FloatAtomics, AreNativeInOneOfTwoModules) {
  for (const std::string type : {"f32", "f64"}) {
    SCOPED_TRACE(type);
    const std::string capability = "OpCapability AtomicFloat" + type.substr(1) + "AddEXT";
    for (const auto& kernel : {in_buffer(type), in_workgroup(type)}) {
      const std::string text = native_text(kernel);
      EXPECT_THAT(text, HasSubstr(capability));
      EXPECT_THAT(text, HasSubstr("OpExtension \"SPV_EXT_shader_atomic_float_add\""));
      EXPECT_THAT(text, HasSubstr("OpAtomicFAddEXT"));
      EXPECT_THAT(text, Not(HasSubstr("OpAtomicCompareExchange")));
      EXPECT_THAT(text, Not(HasSubstr("Int64Atomics")));
    }
  }
  EXPECT_EQ(native_text(in_buffer("f16")), "");
}

TEST(FloatAtomics, AreTheSameOnTheDeviceEitherWay) {
  for (const std::string type : {"f32", "f64"}) {
    SCOPED_TRACE(type);
    check(in_buffer(type));
    check(in_workgroup(type));
  }
}

/// Atomic loads and stores, and copies as integers, leave an object one of floats.
TEST(FloatAtomics, KeepOtherAccessesOfTheirObject) {
  for (const std::string type : {"f32", "f64"}) {
    const std::string bits = "i" + type.substr(1), align = " align " + std::to_string(bytes_of_type(type));
    SCOPED_TRACE(type);
    const auto kernel = in_workgroup(type, "  %a = atomic_load %sum" + attributes(type, "acquire") + " : " +
                                               bits + "\n  %copy = load %sum" + align + " : " + bits + "\n" +
                                               output("%a", bits, 1) + output("%copy", bits, 2) +
                                               "  %first = ieq %local, %c3 : i1\n  if %first @f {\n" +
                                               "    atomic_store %mine, %copy" + attributes(type, "release") +
                                               "\n    break @f\n" + "  } else {\n    break @f\n  }\n");
    EXPECT_THAT(native_text(kernel), HasSubstr("OpAtomicFAddEXT"));
    EXPECT_THAT(native_text(kernel), Not(HasSubstr("OpAtomicCompareExchange")));
    check(kernel);
  }
}

/// What cannot be one of floats keeps the whole object in integers.
TEST(FloatAtomics, AreLoopsBesideWhatHasNoInstruction) {
  const std::string exchange =
      "  %x = bitcast %v : i32\n  %was = atomic_exchange %mine, %x" + attributes("f32") + " : i32\n";
  const std::string minimum = "  %was = atomic_fmin %sum, %v" + attributes("f32") + " : f32\n";
  const std::string half = "  %h = trunc %local : i16\n  store %mine, %h align 2\n";
  const std::string between =
      "  %odd = offset %tile, %c0 scale 1 disp 10 : ptr<workgroup>\n  %o = load %odd align 2 : i32\n";
  for (const auto& ops : {exchange, minimum, half, between}) {
    SCOPED_TRACE(ops);
    EXPECT_EQ(native_text(in_workgroup("f32", ops)), "");
  }
}

/// In global memory each access is as it is.
TEST(FloatAtomics, OfBuffersAreNativeBesideOthers) {
  auto kernel = in_buffer("f32");
  kernel.ops += "  %eight = offset %cells0, %c0 scale 1 disp 8 : ptr<global>\n  %m = atomic_fmin %eight, %v" +
                attributes("f32") + " : f32\n  %s = atomic_fadd %eight, %v" + attributes("f32") + " : f32\n";
  EXPECT_THAT(native_text(kernel), HasSubstr("OpAtomicFAddEXT"));
  EXPECT_THAT(native_text(kernel), HasSubstr("OpAtomicCompareExchange"));
}

TEST(FloatAtomics, OfDynamicMemory) {
  const ParallelKernel kernel{.ops = number("f32") + "  %tile = dynamic_shared align 4 : ptr<workgroup>\n" +
                                     "  %mine = offset %tile, %local scale 4 disp 0 : ptr<workgroup>\n" +
                                     "  %zero = const 0 : i32\n  store %mine, %zero align 4\n" +
                                     "  barrier scope workgroup order acq_rel\n" +
                                     "  %old = atomic_fadd %tile, %v" + attributes("f32") +
                                     " : f32\n  barrier scope workgroup order acq_rel\n" +
                                     "  %r = load %tile align 4 : f32\n" + output("%r", "f32", 0),
                              .dynamic_shared = 64};
  EXPECT_THAT(native_text(kernel), HasSubstr("OpAtomicFAddEXT"));
  check(kernel);
}

/// A device's own instruction may flush subnormal numbers, which -fp=strict forbids.
TEST(FloatAtomics, AreLoopsWhereResultsAreThoseOfIeee754) {
  EXPECT_EQ(modules_of(in_buffer("f32"), {.rounds_correctly = true}).size(), 1u);
}

/// A device that has everything but what the test takes away.
vulkan::PhysicalDevice full_device() {
  vulkan::PhysicalDevice d;
  d.features.shaderInt64 = d.features.shaderFloat64 = VK_TRUE;
  d.features12.shaderInt8 = d.features12.storageBuffer8BitAccess = VK_TRUE;
  d.features12.shaderBufferInt64Atomics = d.features12.shaderSharedInt64Atomics = VK_TRUE;
  auto& has = d.float_atomics;
  has.shaderBufferFloat32Atomics = has.shaderBufferFloat32AtomicAdd = VK_TRUE;
  has.shaderSharedFloat32Atomics = has.shaderSharedFloat32AtomicAdd = VK_TRUE;
  has.shaderBufferFloat64Atomics = has.shaderBufferFloat64AtomicAdd = VK_TRUE;
  has.shaderSharedFloat64Atomics = has.shaderSharedFloat64AtomicAdd = VK_TRUE;
  return d;
}

using Features = VkPhysicalDeviceShaderAtomicFloatFeaturesEXT;

/// The index of the module that a device takes.
std::size_t chosen(const vulkan::PhysicalDevice& device, const std::vector<Words>& modules) {
  const Words& words = vulkan::choose_module(device, modules);
  return static_cast<std::size_t>(&words - modules.data());
}

TEST(FloatAtomics, TheDeviceTakesTheModuleThatItCan) {
  const auto in_tile = [](const std::string& type) {
    return in_workgroup(type, "  %l = atomic_load %sum" + attributes(type) + " : " + type + "\n");
  };
  struct Case {
    ParallelKernel kernel;
    VkBool32 Features::*feature;
  };
  const Case cases[] = {
      {in_buffer("f32"), &Features::shaderBufferFloat32AtomicAdd},
      {in_buffer("f64"), &Features::shaderBufferFloat64AtomicAdd},
      {in_workgroup("f32"), &Features::shaderSharedFloat32AtomicAdd},
      {in_workgroup("f64"), &Features::shaderSharedFloat64AtomicAdd},
      {in_tile("f32"), &Features::shaderSharedFloat32Atomics},
      {in_tile("f64"), &Features::shaderSharedFloat64Atomics},
  };
  for (const Case& c : cases) {
    const auto modules = modules_of(c.kernel);
    ASSERT_EQ(modules.size(), 2u) << c.kernel.ops;
    auto device = full_device();
    EXPECT_EQ(chosen(device, modules), 0u) << c.kernel.ops;
    device.float_atomics.*c.feature = VK_FALSE;
    EXPECT_EQ(chosen(device, modules), 1u) << c.kernel.ops;
    auto only = full_device();
    only.float_atomics = {};
    only.float_atomics.*c.feature = VK_TRUE;
    const bool adds = c.feature != &Features::shaderSharedFloat32Atomics &&
                      c.feature != &Features::shaderSharedFloat64Atomics;
    EXPECT_EQ(chosen(only, modules), adds ? 0u : 1u) << c.kernel.ops;
    EXPECT_EQ(chosen({.features = device.features, .features12 = device.features12}, modules), 1u);
  }
}

TEST(FloatAtomics, WhatEveryModuleLacksIsTheErrorOfTheLast) {
  auto device = full_device();
  device.features.shaderInt64 = VK_FALSE;
  device.float_atomics = {};
  try {
    vulkan::choose_module(device, modules_of(in_buffer("f32")));
    FAIL() << "no error";
  } catch (const error& e) {
    EXPECT_THAT(e.cause(), HasSubstr("shaderInt64"));
  }
}

/// On this machine's device; says which module that is.
TEST(FloatAtomics, ThisDeviceTakesItsOwnInstructions) {
  const vulkan::PhysicalDevice& device = physical_device();
  const Features& has = device.float_atomics;
  const std::pair<ParallelKernel, VkBool32> cases[] = {
      {in_buffer("f32"), has.shaderBufferFloat32AtomicAdd},
      {in_workgroup("f32"), has.shaderSharedFloat32AtomicAdd},
      {in_buffer("f64"), has.shaderBufferFloat64AtomicAdd},
      {in_workgroup("f64"), has.shaderSharedFloat64AtomicAdd},
  };
  constexpr const char* names[] = {"float in buffers", "float in workgroup memory", "double in buffers",
                                   "double in workgroup memory"};
  for (std::size_t i = 0; i < std::size(cases); ++i) {
    const std::size_t index = chosen(device, modules_of(cases[i].first));
    EXPECT_EQ(index == 0, cases[i].second == VK_TRUE) << names[i];
    std::printf("%s: %s is added to by %s\n", device.properties.deviceName, names[i],
                index == 0 ? "the device's instruction" : "a loop");
  }
}

}  // namespace
}  // namespace spirea::spirv::test
