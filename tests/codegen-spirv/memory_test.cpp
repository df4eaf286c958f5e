// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory on Vulkan: accesses of every type at every alignment, private objects in each representation,
// constants.
#include <gtest/gtest.h>

#include "ir/text/parser.h"
#include "tests/codegen-spirv/vulkan.h"

namespace spirea::spirv::test {
namespace {

/// Runs a body that has %in and %out (ptr<global>), and %id (i32); each invocation owns 64 bytes of each.
void check(const std::string& body, const std::string& constants = "") {
  const std::string text = "kir 1\n" + constants + R"kir(
kernel @k key "k" display "k()" file "k.cpp" line 1 {
  param buffer "in" type "char*" size 8 align 8 element "char" 1 1 access read leaves (%in0: ptr at 0 from 0)
  param buffer "out" type "char*" size 8 align 8 element "char" 1 1 access readwrite leaves (%out0: ptr at 8 from 0)
body {
  %id = global_id x : i32
  %in = offset %in0, %id scale 64 disp 0 : ptr<global>
  %out = offset %out0, %id scale 64 disp 0 : ptr<global>
)kir" + body + "\n  return\n}\n}\n";
  auto module = kir::parse(text, "memory.kir");
  ASSERT_TRUE(module) << to_string(module.diagnostics()) << text;
  std::vector<std::uint8_t> in(16 * 64);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint8_t>(i * 151 + i / 64);
  Launch launch;
  launch.buffers = {bytes_of(in), Bytes(in.size())};
  expect_same(**module, launch);
}

TEST(Memory, GlobalAccessesOfEveryAlignment) {
  for (const char* type : {"i8", "i16", "i32", "i64", "f32", "f64"})
    for (const int align : {1, 2, 4, 8}) {
      SCOPED_TRACE(std::string(type) + " align " + std::to_string(align));
      const std::string a = std::to_string(align);
      const std::string load = " = load %from align " + a + " : " + type;
      check("  %z = const 0 : i64\n  %from = offset %in, %z scale 1 disp " + a +
            " : ptr<global>\n  %to = offset %out, %z scale 1 disp " + std::to_string(3 * align) +
            " : ptr<global>\n  %v" + load + "\n  store %to, %v align " + a);
    }
}

/// An object that is written as words and read as bytes, halves and doubles, at places known at run time
/// only.
TEST(Memory, ObjectsOfMixedTypes) {
  check(R"kir(
  %id0 = const 0 : i32
  %one = const 1 : i32
  %seven = const 7 : i32
  %sixteen = const 16 : i32
  %o = object size 64 align 8 : ptr<private>
  %z = const 0 : i64
  loop @l (%i = %id0 : i32) {
    %from = offset %in, %i scale 4 disp 0 : ptr<global>
    %w = load %from align 4 : i32
    %place = offset %o, %i scale 4 disp 0 : ptr<private>
    store %place, %w align 4
    %next = add %i, %one : i32
    %more = ult %next, %sixteen : i1
    if %more @m { continue @l(%next) } else { break @l }
    unreachable
  }
  %k = and %id, %seven : i32
  %byte_at = offset %o, %k scale 3 disp 1 : ptr<private>
  %byte = load %byte_at align 1 : i8
  store %out, %byte align 1
  %half_at = offset %o, %k scale 2 disp 10 : ptr<private>
  %half = load %half_at align 2 : i16
  %out2 = offset %out, %z scale 1 disp 2 : ptr<global>
  store %out2, %half align 2
  %odd_at = offset %o, %k scale 1 disp 5 : ptr<private>
  %odd = load %odd_at align 1 : i64
  store %half_at, %half align 2
  store %byte_at, %byte align 1
  %double_at = offset %o, %k scale 4 disp 4 : ptr<private>
  store %double_at, %odd align 4
  %double = load %double_at align 4 : i64
  %out8 = offset %out, %z scale 1 disp 8 : ptr<global>
  store %out8, %double align 8)kir");
}

/// A pointer to one of two objects, and to a table, chosen at run time.
TEST(Memory, ChosenPointers) {
  check(R"kir(
  %a = object size 16 align 4 element i32 : ptr<private>
  %b = object size 16 align 4 element i32 : ptr<private>
  %one = const 1 : i32
  %three = const 3 : i32
  %zero = const 0 : i32
  loop @l (%i = %zero : i32) {
    %pa = offset %a, %i scale 4 disp 0 : ptr<private>
    store %pa, %i align 4
    %pb = offset %b, %i scale 4 disp 0 : ptr<private>
    %square = mul %i, %id : i32
    store %pb, %square align 4
    %next = add %i, %one : i32
    %more = ule %next, %three : i1
    if %more @m { continue @l(%next) } else { break @l }
    unreachable
  }
  %low = and %id, %one : i32
  %odd = ieq %low, %one : i1
  %p = select %odd, %a, %b : ptr<private>
  %k = and %id, %three : i32
  %q = offset %p, %k scale 4 disp 0 : ptr<private>
  %v = load %q align 4 : i32
  store %out, %v align 4
  %t = address_of @table : ptr<constant>
  %u = address_of @other : ptr<constant>
  %c = if %odd @c : ptr<constant> { break @c(%t) } else { break @c(%u) }
  %cq = offset %c, %k scale 4 disp 0 : ptr<constant>
  %w = load %cq align 4 : i32
  %out4 = offset %out, %one scale 4 disp 0 : ptr<global>
  store %out4, %w align 4)kir",
        "constant @table size 16 align 4 element i32 bytes \"01000000020000000300000004000000\"\n"
        "constant @other size 16 align 4 element i32 bytes \"0a0000000b0000000c000000ff000080\"\n");
}

TEST(Memory, ConstantsOfMixedTypes) {
  check(R"kir(
  %t = address_of @table : ptr<constant>
  %three = const 3 : i32
  %k = and %id, %three : i32
  %byte_at = offset %t, %k scale 1 disp 1 : ptr<constant>
  %byte = load %byte_at align 1 : i8
  store %out, %byte align 1
  %word_at = offset %t, %k scale 4 disp 0 : ptr<constant>
  %word = load %word_at align 4 : f32
  %out4 = offset %out, %three scale 0 disp 4 : ptr<global>
  store %out4, %word align 4)kir",
        "constant @table size 16 align 4 bytes \"0000803f0000004000004040000080bf\"\n");
}

}  // namespace
}  // namespace spirea::spirv::test
