// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/codegen-spirv/vulkan.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>

#include "codegen-spirv/spirv.h"
#include "ir/interp/interp.h"
#include "ir/text/printer.h"
#include "runtime/core/backend.h"
#include "runtime/vulkan/device.h"
#include "runtime/vulkan/spirv_kernel.h"

namespace spirea::spirv::test {
namespace {

vulkan::SpirvKernel make_kernel(const abi::Manifest& manifest, detail::SpirvModules modules) {
  static std::uint64_t next_id = 1;
  return {next_id++, manifest, std::move(modules)};
}

/// The first usable device, opened once; CI has Mesa's CPU driver.
struct OpenDevice {
  OpenDevice() {
    for (const detail::Candidate& candidate : vulkan::enumerate()) {
      if (!candidate.open) continue;
      info = candidate.info;
      device = candidate.open();
      return;
    }
  }
  device_info info;
  std::unique_ptr<detail::BackendDevice> device;
};
const OpenDevice& opened() {
  static const OpenDevice result;
  return result;
}
detail::BackendDevice* device() { return opened().device.get(); }

/// The argument block, with buffers at these addresses.
Bytes block_of(const abi::Manifest& manifest, const Launch& launch,
               const std::vector<std::uint64_t>& addresses) {
  Bytes block(manifest.block_size());
  std::size_t buffer = 0, value = 0;
  for (const abi::Param& param : manifest.params) {
    for (std::size_t i = 0; i < param.leaves.size(); ++i) {
      std::byte* place = block.data() + param.leaves[i].block_offset;
      if (param.kind == abi::ParamKind::Value) {
        std::memcpy(place, launch.values.at(value).data(), launch.values.at(value).size());
        ++value;
        continue;
      }
      const std::uint64_t count = launch.buffers.at(buffer).size() / param.element_size;
      std::memcpy(place, i == 0 ? &addresses.at(buffer) : &count, 8);
    }
    buffer += param.kind == abi::ParamKind::Buffer;
  }
  return block;
}

/// Allocates, writes, launches and reads, on anything that has these operations.
template <class Device, class Run>
std::vector<Bytes> run_with(const kir::Module& module, const Launch& launch, Device& device, Run&& run) {
  std::vector<std::uint64_t> addresses;
  for (const Bytes& buffer : launch.buffers) {
    addresses.push_back(device.allocate(buffer.size()));
    device.write(addresses.back(), buffer);
  }
  run(block_of(module.kernels[0]->manifest, launch, addresses));
  std::vector<Bytes> result = launch.buffers;
  for (std::size_t i = 0; i < result.size(); ++i) {
    device.read(addresses[i], result[i]);
    device.release(addresses[i]);
  }
  return result;
}

struct VulkanMemory {
  detail::BackendDevice& device;
  std::uint64_t allocate(std::size_t bytes) { return device.allocate(bytes, 16); }
  void write(std::uint64_t address, const Bytes& data) { device.write(address, data.data(), data.size()); }
  void read(std::uint64_t address, Bytes& data) { device.read(address, data.data(), data.size()); }
  void release(std::uint64_t address) { device.release(address); }
};

struct InterpreterMemory {
  interp::Memory memory;
  std::uint64_t allocate(std::size_t bytes) { return *memory.allocate(bytes, 16); }
  void write(std::uint64_t address, const Bytes& data) {
    ASSERT_TRUE(memory.write(address, data.data(), data.size()));
  }
  void read(std::uint64_t address, Bytes& data) {
    ASSERT_TRUE(memory.read(address, data.data(), data.size()));
  }
  void release(std::uint64_t) {}
};

}  // namespace

std::vector<Bytes> run_on_vulkan(const kir::Module& module, const Launch& launch, bool optimize,
                                 Modules modules) {
  Options options;
  options.optimize = optimize;
  auto code = generate_all(module, *module.kernels[0], options);
  EXPECT_TRUE(code) << to_string(code.diagnostics()) << print(module);
  EXPECT_NE(device(), nullptr) << "no Vulkan device";
  if (!code || device() == nullptr) return {};
  if (modules == Modules::Portable) code->erase(code->begin(), code->end() - 1);
  try {
    const vulkan::SpirvKernel kernel = make_kernel(module.kernels[0]->manifest, code.take());
    VulkanMemory memory{*device()};
    return run_with(module, launch, memory, [&](const Bytes& block) {
      device()
          ->launch({&kernel, block, launch.num_workgroups, launch.workgroup_size, launch.dynamic_shared})
          ->wait();
    });
  } catch (const error& e) {
    ADD_FAILURE() << e.what() << "\n" << print(module);
    return {};
  }
}

const vulkan::PhysicalDevice& physical_device() {
  static const vulkan::PhysicalDevice result =
      vulkan::describe(vulkan::library().devices.at(opened().info.index));
  return result;
}

std::uint32_t subgroup_size() {
  for (const auto& [name, value] : opened().info.properties)
    if (name == "subgroup size") return static_cast<std::uint32_t>(std::stoul(value));
  return 0;
}

std::string vulkan_error(const kir::Module& module, const Launch& launch) {
  auto words = generate(module, *module.kernels[0], {});
  if (!words) return to_string(words.diagnostics());
  try {
    const vulkan::SpirvKernel kernel = make_kernel(module.kernels[0]->manifest, {words.take()});
    VulkanMemory memory{*device()};
    run_with(module, launch, memory, [&](const Bytes& block) {
      device()
          ->launch({&kernel, block, launch.num_workgroups, launch.workgroup_size, launch.dynamic_shared})
          ->wait();
    });
  } catch (const error& e) {
    return e.what();
  }
  return {};
}

std::vector<Bytes> run_on_interpreter(const kir::Module& module, const Launch& launch) {
  InterpreterMemory memory;
  interp::Options options;
  options.subgroup_size = subgroup_size();
  return run_with(module, launch, memory, [&](const Bytes& block) {
    const auto done =
        interp::launch(memory.memory, module, module.kernels[0]->manifest.name, block,
                       {launch.num_workgroups, launch.workgroup_size, launch.dynamic_shared}, options);
    EXPECT_TRUE(done) << to_string(done.diagnostics()) << print(module);
  });
}

namespace {

/// The 8 bytes around this one, as hexadecimal digits of a number.
std::string word_at(const Bytes& bytes, std::size_t at) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data() + at / 8 * 8, std::min<std::size_t>(8, bytes.size() - at / 8 * 8));
  char text[20];
  std::snprintf(text, sizeof(text), "%016llx", static_cast<unsigned long long>(word));
  return text;
}

}  // namespace

namespace {

void expect_buffers(const std::vector<Bytes>& actual, const std::vector<Bytes>& expected,
                    const kir::Module& module, const std::string& what) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (actual[i] == expected[i]) continue;
    const auto at = std::mismatch(actual[i].begin(), actual[i].end(), expected[i].begin()).first;
    const auto byte = static_cast<std::size_t>(at - actual[i].begin());
    FAIL() << "buffer " << i << " differs at byte " << byte << what << ": " << word_at(actual[i], byte)
           << ", expected " << word_at(expected[i], byte) << "\n"
           << print(module);
  }
}

bool adds_floats_atomically(const kir::Module& module) {
  bool found = false;
  kir::walk(module.kernels[0]->body, [&](const kir::Op& op) { found |= op.is(kir::Opcode::AtomicFAdd); });
  return found;
}

}  // namespace

void expect_same(const kir::Module& module, const Launch& launch) {
  const auto expected = run_on_interpreter(module, launch);
  for (const bool optimize : {false, true}) {
    const std::string what = optimize ? " (with spirv-opt)" : "";
    expect_buffers(run_on_vulkan(module, launch, optimize), expected, module, what);
    if (adds_floats_atomically(module))  // there may be a second module
      expect_buffers(run_on_vulkan(module, launch, optimize, Modules::Portable), expected, module,
                     what + " (portable)");
  }
}

}  // namespace spirea::spirv::test
