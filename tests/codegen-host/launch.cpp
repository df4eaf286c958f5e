// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grids, positions, arguments, and what may be assumed of buffers.
#include <gtest/gtest.h>
#include <numeric>

#include "tests/codegen-host/harness.h"

namespace codegen_host {
namespace {

/// Each invocation appends its own 18 position values at a place that follows from its global id.
std::string position_kernel(const char* workgroup_dims) {
  KernelText kernel("positions");
  kernel.buffer("out");
  if (workgroup_dims != nullptr) kernel.workgroup({3, 2, 2});
  std::string ops;
  for (const std::string dim : {"x", "y", "z"})
    for (const std::string query :
         {"global_id", "local_id", "workgroup_id", "num_workgroups", "workgroup_size", "global_size"})
      ops += "  %" + query + "_" + dim + " = " + query + " " + dim + " : i32\n";
  ops +=
      "  %a = mul %global_id_z, %global_size_y : i32\n  %b = add %a, %global_id_y : i32\n"
      "  %c = mul %b, %global_size_x : i32\n  %d = add %c, %global_id_x : i32\n"
      "  %p = offset %out, %d scale 72 disp 0 : ptr<global>\n  %zero = const 0 : i32\n";
  int index = 0;
  for (const std::string dim : {"x", "y", "z"})
    for (const std::string query :
         {"global_id", "local_id", "workgroup_id", "num_workgroups", "workgroup_size", "global_size"}) {
      const std::string n = std::to_string(index++);
      ops += "  %q" + n + " = offset %p, %zero scale 1 disp " + std::to_string(4 * (index - 1)) +
             " : ptr<global>\n  store %q" + n + ", %" + query + "_" + dim + " align 4\n";
    }
  return kernel.module(ops);
}

void check_positions(const Program& program, Dims groups, Dims size) {
  const Dims total{groups[0] * size[0], groups[1] * size[1], groups[2] * size[2]};
  std::vector<std::uint32_t> out(18 * total[0] * total[1] * total[2], ~0u);
  program.launch(Arguments().buffer(out), groups, size);
  std::size_t at = 0;
  for (std::uint32_t z = 0; z < total[2]; ++z)
    for (std::uint32_t y = 0; y < total[1]; ++y)
      for (std::uint32_t x = 0; x < total[0]; ++x)
        for (const std::size_t dim : {0u, 1u, 2u}) {
          const std::uint32_t id = Dims{x, y, z}[dim];
          for (const std::uint32_t want :
               {id, id % size[dim], id / size[dim], groups[dim], size[dim], total[dim]})
            ASSERT_EQ(out[at++], want) << x << " " << y << " " << z << " dimension " << dim;
        }
}

TEST(Launch, PositionsWithTheLaunchsWorkgroupSize) {
  const Program program(position_kernel(nullptr));
  check_positions(program, {5, 1, 1}, {4, 1, 1});
  check_positions(program, {3, 4, 1}, {1, 5, 1});
  check_positions(program, {2, 3, 4}, {3, 2, 5});
}

TEST(Launch, PositionsWithTheKernelsWorkgroupSize) {
  check_positions(Program(position_kernel("3 2 2")), {4, 3, 2}, {3, 2, 2});
}

// Threads take ranges of workgroups; each workgroup runs once, wherever the ranges are cut.
TEST(Launch, RangesOfWorkgroups) {
  KernelText kernel("count");
  kernel.buffer("out");
  const Program program(kernel.module(R"(
  %x = workgroup_id x : i32
  %y = workgroup_id y : i32
  %z = workgroup_id z : i32
  %nx = num_workgroups x : i32
  %ny = num_workgroups y : i32
  %a = mul %z, %ny : i32
  %b = add %a, %y : i32
  %c = mul %b, %nx : i32
  %d = add %c, %x : i32
  %p = offset %out, %d scale 4 disp 0 : ptr<global>
  %old = load %p align 4 : i32
  %one = const 1 : i32
  %new = add %old, %one : i32
  store %p, %new align 4
)"));
  constexpr std::uint64_t count = 3 * 4 * 5;
  const spirea_host_grid grid{{3, 4, 5}, {1, 1, 1}, 0, nullptr};
  for (std::uint64_t first = 0; first <= count; ++first)
    for (const std::uint64_t last : {first, first + 1, (first + count) / 2, count}) {
      if (last < first || last > count) continue;
      std::vector<std::int32_t> out(count);
      program.launch_part(Arguments().buffer(out), grid, first, last);
      for (std::uint64_t i = 0; i < count; ++i)
        ASSERT_EQ(out[i], i >= first && i < last ? 1 : 0) << first << " " << last;
    }
}

TEST(Launch, EmptyGridsRunNothing) {
  KernelText kernel("write");
  kernel.buffer("out");
  const Program program(kernel.module("  %v = const 1 : i32\n  store %out, %v align 4\n"));
  std::vector<std::int32_t> out(1);
  for (const Dims groups : {Dims{0, 1, 1}, Dims{1, 0, 1}, Dims{1, 1, 0}, Dims{0, 0, 0}})
    program.launch(Arguments().buffer(out), groups, {1, 1, 1});
  EXPECT_EQ(out[0], 0);
}

// Leaves narrower than 4 bytes have slots of 4, whose upper bytes are not the kernel's.
TEST(Launch, ArgumentsOfEveryType) {
  KernelText kernel("f");
  kernel.value("a", "i1")
      .value("b", "i8")
      .value("c", "i16")
      .value("d", "i32")
      .value("e", "i64")
      .value("f", "f16");
  kernel.value("g", "f32").value("h", "f64").value("i", "i1").buffer("out");
  std::string ops = "  %zero = const 0 : i32\n";
  const std::string names = "abcdefghi";
  for (std::size_t i = 0; i < names.size(); ++i)
    ops += std::string("  %p") + names[i] + " = offset %out, %zero scale 1 disp " + std::to_string(8 * i) +
           " : ptr<global>\n  store %p" + names[i] + ", %" + names[i] + " align 1\n";
  const Program program(kernel.module(ops));
  std::vector<std::uint64_t> out(9);
  Arguments arguments;
  arguments.value(std::uint32_t{1})
      .value(std::uint32_t{0x80})
      .value(std::uint32_t{0x8001})
      .value(std::uint32_t{0x80000002});
  arguments.value(std::uint64_t{0x8000000000000003}).value(std::uint32_t{0x3c00}).value(1.5f).value(-2.5);
  arguments.value(std::uint32_t{0}).buffer(out);
  program.launch(arguments, {1, 1, 1}, {1, 1, 1});
  EXPECT_EQ(out, (std::vector<std::uint64_t>{1, 0x80, 0x8001, 0x80000002, 0x8000000000000003, 0x3c00,
                                             std::bit_cast<std::uint32_t>(1.5f),
                                             std::bit_cast<std::uint64_t>(-2.5), 0}));
}

/// The parameters of the kernel's inner function, as LLVM prints them.
std::string parameters(const std::string& text) {
  spirea::host::Options options;
  options.optimize = 0;
  const std::string llvm = generate(*parse(text), spirea::host::Output::LlvmText, options);
  const std::size_t begin = llvm.find(".workgroups");
  return llvm.substr(begin, llvm.find(')', begin) - begin);
}

bool has_noalias(const std::string& parameters, const std::string& name) {
  return parameters.find("ptr noalias %" + name) != std::string::npos;
}

const char* const kCopy = "  %v = load %a align 4 : f32\n  store %b, %v align 4\n";

TEST(Aliasing, BuffersDoNotOverlap) {
  KernelText kernel("f");
  kernel.buffer("a", "read").buffer("b");
  const std::string text = parameters(kernel.module(kCopy));
  EXPECT_TRUE(has_noalias(text, "a") && has_noalias(text, "b")) << text;
}

TEST(Aliasing, MarkedBuffersMayOverlapWrittenOnes) {
  KernelText kernel("f");
  kernel.buffer("a", "read", true).buffer("b").buffer("c", "read");
  const std::string text = parameters(kernel.module(kCopy));
  EXPECT_FALSE(has_noalias(text, "a") || has_noalias(text, "b")) << text;
  EXPECT_TRUE(has_noalias(text, "c")) << "neither it nor a is written: " << text;
}

// The launch checks the buffers that it is given, not addresses that the kernel finds elsewhere.
TEST(Aliasing, ComputedAddressesMayBeAnywhere) {
  KernelText kernel("f");
  kernel.buffer("a", "read").buffer("b");
  const std::string loaded = parameters(kernel.module(
      "  %p = load %a align 8 : ptr<global>\n  %v = load %p align 4 : f32\n  store %b, %v align 4\n"));
  EXPECT_FALSE(has_noalias(loaded, "a") || has_noalias(loaded, "b")) << loaded;
  KernelText with_value("g");
  with_value.buffer("a", "read").buffer("b").value("address", "ptr");
  const std::string nested = parameters(with_value.module(kCopy));
  EXPECT_FALSE(has_noalias(nested, "a") || has_noalias(nested, "b")) << nested;
}

// A marked buffer may be the one that is written: each store is seen by the next load.
TEST(Aliasing, MarkedBuffersWork) {
  KernelText kernel("f");
  kernel.buffer("a", "read", true).buffer("b", "readwrite", true);
  const Program program(
      kernel.module("  %v = load %a align 4 : i32\n  %w = add %v, %v : i32\n  store %b, %w align 4\n"
                    "  %x = load %a align 4 : i32\n  %y = add %x, %v : i32\n  store %b, %y align 4\n"));
  std::vector<std::int32_t> data{5};
  program.launch(Arguments().buffer(data).buffer(data), {1, 1, 1}, {1, 1, 1});
  EXPECT_EQ(data[0], 15);
}

}  // namespace
}  // namespace codegen_host
