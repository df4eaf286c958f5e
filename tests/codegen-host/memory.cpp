// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects, constants, loads and stores.
#include <gtest/gtest.h>

#include "tests/codegen-host/harness.h"

namespace codegen_host {
namespace {

TEST(Memory, EveryTypeAtEveryAlignment) {
  for (const std::string type : {"i8", "i16", "i32", "i64", "f16", "f32", "f64", "ptr<global>"}) {
    KernelText kernel("f");
    kernel.buffer("in", "read").buffer("out");
    const Program program(
        kernel.module("  %one = const 1 : i32\n"
                      "  %p = offset %in, %one scale 1 disp 0 : ptr<global>\n"
                      "  %q = offset %out, %one scale 2 disp 1 : ptr<global>\n"
                      "  %v = load %p align 1 : " +
                      type + "\n  store %q, %v align 1 volatile\n"));
    std::vector<std::uint8_t> in(16), out(16);
    for (std::uint8_t i = 0; i < 16; ++i) in[i] = static_cast<std::uint8_t>(0x11 * i);
    program.launch(Arguments().buffer(in).buffer(out), {1, 1, 1}, {1, 1, 1});
    const std::size_t bytes = type == "ptr<global>" ? 8 : std::stoul(type.substr(1)) / 8;
    for (std::size_t i = 0; i < 16; ++i)
      EXPECT_EQ(out[i], i >= 3 && i < 3 + bytes ? in[i - 2] : 0) << type << " byte " << i;
  }
}

TEST(Memory, OffsetsAreSigned) {
  KernelText kernel("f");
  kernel.buffer("p").value("i", "i32").value("j", "i64");
  const Program program(
      kernel.module("  %a = offset %p, %i scale 4 disp 8 : ptr<global>\n  %v = const 7 : i32\n"
                    "  store %a, %v align 4\n"
                    "  %b = offset %p, %j scale -4 disp -4 : ptr<global>\n  %w = const 9 : i32\n"
                    "  store %b, %w align 4\n"));
  std::vector<std::int32_t> data(6);
  const std::int32_t* middle = data.data() + 3;
  program.launch(
      Arguments().value(middle).value(std::uint64_t{3}).value(std::int32_t{-1}).value(std::int64_t{-3}),
      {1, 1, 1}, {1, 1, 1});
  EXPECT_EQ(data, (std::vector<std::int32_t>{0, 0, 0, 0, 7, 9}));
}

// Each invocation has its own object; what one leaves in it does not reach the next.
TEST(Memory, ObjectsArePrivate) {
  KernelText kernel("f");
  kernel.buffer("out").workgroup({4, 1, 1});
  const Program program(kernel.module(R"(
  %o = object size 64 align 16 element i32 : ptr<private>
  %x = global_id x : i32
  %zero = const 0 : i32
  %one = const 1 : i32
  %sixteen = const 16 : i32
  loop @fill (%i = %zero : i32) {
    %p = offset %o, %i scale 4 disp 0 : ptr<private>
    %v = mul %i, %x : i32
    store %p, %v align 4
    %n = add %i, %one : i32
    %more = slt %n, %sixteen : i1
    if %more @c {
      continue @fill(%n)
    } else {
      break @fill
    }
    unreachable
  }
  %fifteen = const 15 : i32
  %k = and %x, %fifteen : i32
  %q = offset %o, %k scale 4 disp 0 : ptr<private>
  %r = load %q align 4 : i32
  %to = offset %out, %x scale 4 disp 0 : ptr<global>
  store %to, %r align 4
)"));
  std::vector<std::int32_t> out(32);
  program.launch(Arguments().buffer(out), {8, 1, 1}, {4, 1, 1});
  for (std::int32_t i = 0; i < 32; ++i) EXPECT_EQ(out[static_cast<std::size_t>(i)], i * (i % 16));
}

TEST(Memory, ConstantTables) {
  KernelText kernel("f");
  kernel.buffer("out");
  const Program program(
      "kir 1\nconstant @table size 8 align 4 element i16 bytes \"0100feff03000400\"\n"
      "constant @other size 1 align 1 bytes \"2a\"\n" +
      kernel.body(R"(
  %x = global_id x : i32
  %t = address_of @table : ptr<constant>
  %p = offset %t, %x scale 2 disp 0 : ptr<constant>
  %v = load %p align 2 : i16
  %s = sext %v : i32
  %u = address_of @other : ptr<constant>
  %w = load %u align 1 : i8
  %z = zext %w : i32
  %sum = add %s, %z : i32
  %to = offset %out, %x scale 4 disp 0 : ptr<global>
  store %to, %sum align 4
)"));
  std::vector<std::int32_t> out(4);
  program.launch(Arguments().buffer(out), {4, 1, 1}, {1, 1, 1});
  EXPECT_EQ(out, (std::vector<std::int32_t>{43, 40, 45, 46}));
}

// Pointers become integers and back.
TEST(Memory, AddressesAreIntegers) {
  KernelText kernel("f");
  kernel.buffer("out");
  const Program program(kernel.module(R"(
  %a = ptr_to_int %out : i64
  %eight = const 8 : i64
  %b = add %a, %eight : i64
  %p = int_to_ptr %b : ptr<global>
  store %p, %a align 8
  %null = const null : ptr<global>
  %is = ine %out, %null : i1
  %less = ult %out, %p : i1
  %both = and %is, %less : i1
  store %out, %both align 1
)"));
  std::vector<std::uint64_t> out(2);
  program.launch(Arguments().buffer(out), {1, 1, 1}, {1, 1, 1});
  EXPECT_EQ(out[0], 1u);
  EXPECT_EQ(out[1], reinterpret_cast<std::uint64_t>(out.data()));
}

TEST(Memory, TooManyLocalObjectsAreAnError) {
  KernelText kernel("huge");
  kernel.buffer("out");
  const auto module = parse("kir 1\nloc !1 \"a.cpp\" 12 3 \"f\"\n" +
                            kernel.body("  %o = object size 1048577 align 4 : ptr<private> !1\n"));
  const auto result = spirea::host::generate(*module, {}, spirea::host::Output::Object, {});
  ASSERT_FALSE(result);
  EXPECT_EQ(spirea::kir::to_string(result.diagnostics()),
            "a.cpp:12:3: error: the local variables of kernel 'huge()' take 1048577 bytes, more than the "
            "1048576 of an "
            "invocation on the host; 'o' takes 1048577\n");
}

}  // namespace
}  // namespace codegen_host
