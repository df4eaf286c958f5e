// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/codegen-spirv/parallel.h"

#include <gtest/gtest.h>
#include <stdexcept>

#include "ir/text/parser.h"
#include "ir/verify/verify.h"

namespace spirea::spirv::test {
namespace {

std::string buffer(const std::string& name, unsigned at) {
  return "  param buffer \"" + name +
         "\" type \"char*\" size 8 align 8 element \"char\" 1 1 access readwrite leaves (%" + name +
         "0: ptr at " + std::to_string(at) + " from 0)\n";
}

std::unique_ptr<kir::Module> parsed(const ParallelKernel& kernel) {
  auto module = kir::parse(kernel.text(), "parallel.kir");
  if (!module) throw std::runtime_error(to_string(module.diagnostics()) + kernel.text());
  if (auto valid = kir::verify(**module); !valid)
    throw std::runtime_error(to_string(valid.diagnostics()) + kernel.text());
  return module.take();
}

}  // namespace

std::string ParallelKernel::text() const {
  std::string result =
      "kir 1\nkernel @k key \"k\" display \"k()\" file \"k.cpp\" line 1 " + manifest + " {\n";
  result += buffer("in", 0) + buffer("cells", 8) + buffer("out", 16) + "body {\n";
  for (const char* n : {"0", "1", "2", "3", "4", "5", "6", "7", "8"})
    result += std::string("  %c") + n + " = const " + n + " : i32\n";
  result += "  %id = global_id x : i32\n  %local = local_id x : i32\n  %group = workgroup_id x : i32\n";
  for (const char* name : {"in", "out"})
    result += std::string("  %") + name + " = offset %" + name + "0, %id scale " + std::to_string(kOwnBytes) +
              " disp 0 : ptr<global>\n";
  return result + ops + "\n  return\n}\n}\n";
}

Launch ParallelKernel::launch() const {
  std::vector<std::uint8_t> in(std::size_t{groups} * workgroup * kOwnBytes);
  std::uint32_t x = 12345;
  for (auto& byte : in) byte = static_cast<std::uint8_t>((x = x * 1664525 + 1013904223) >> 24);
  Launch result;
  result.buffers = {bytes_of(in), Bytes(in.size()), Bytes(in.size())};
  result.num_workgroups = {groups, 1, 1};
  result.workgroup_size = {workgroup, 1, 1};
  result.dynamic_shared = dynamic_shared;
  return result;
}

void check(const ParallelKernel& kernel) { expect_same(*parsed(kernel), kernel.launch()); }

std::string error_of(const ParallelKernel& kernel) { return vulkan_error(*parsed(kernel), kernel.launch()); }

std::string output(const std::string& value, const std::string& type, unsigned slot) {
  const std::string n = std::to_string(slot);
  std::string result =
      "  %slot" + n + " = offset %out, %c0 scale 1 disp " + std::to_string(slot * 8) + " : ptr<global>\n";
  if (type != "i1") return result + "  store %slot" + n + ", " + value + " align 8\n";
  return result + "  %byte" + n + " = zext " + value + " : i8\n  store %slot" + n + ", %byte" + n +
         " align 8\n";
}

unsigned bytes_of_type(const std::string& type) {
  const unsigned bits = static_cast<unsigned>(std::stoul(type.substr(1)));
  return (bits + 7) / 8;
}

}  // namespace spirea::spirv::test
