// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/interp/support.h"

namespace spirea::interp::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

/// `%v = load` of element %n (i64) of a span of ten ints.
std::string load_element(i64 n, const std::string& extra = "", const std::string& align = "4",
                         const std::string& disp = "0") {
  KernelText text;
  text.buffer("in", "read").value("n", "i64");
  Machine machine(text.with("  %p = offset %in, %n scale 4 disp " + disp +
                            " : ptr<global> !4\n  %v = load %p align " + align + " : i32 !41\n" + extra));
  machine.buffer(std::vector<i32>(10));
  machine.argument(n);
  return machine.error();
}

TEST(Memory, out_of_bounds_names_the_buffer_and_the_distance) {
  EXPECT_EQ(load_element(0), "");
  EXPECT_EQ(load_element(9), "");
  EXPECT_EQ(
      load_element(10),
      "lib.hpp:70:3: error: load of 4 bytes out of bounds: just past the end of buffer 'in' (40 bytes, 10 "
      "elements of 'T')\n"
      "k.cpp:5:1: note: called from 'k'\n"
      "note: in invocation (0, 0, 0) of kernel 'k()'\n");
  EXPECT_THAT(load_element(11), HasSubstr("4 bytes past the end of buffer 'in'"));
  EXPECT_THAT(load_element(-1), HasSubstr("4 bytes before the start of buffer 'in'"));
  EXPECT_THAT(load_element(9, "", "1", "2"), HasSubstr("reaching 2 bytes past the end of buffer 'in'"));
  EXPECT_THAT(load_element(-1, "", "1", "2"), HasSubstr("2 bytes before the start of buffer 'in'"));
  EXPECT_THAT(load_element(i64{1} << 40), HasSubstr("past the end of buffer 'in'"));
  EXPECT_THAT(load_element(kMin<i64> / 8), HasSubstr("before the start of buffer 'in'"));
}

TEST(Memory, misaligned_accesses) {
  EXPECT_EQ(load_element(1, "", "4", "4"), "");
  EXPECT_EQ(load_element(1, "", "1", "3"), "");
  EXPECT_THAT(
      load_element(1, "", "4", "2"),
      HasSubstr(
          "load of 4 bytes is misaligned: byte 6 of buffer 'in' (40 bytes, 10 elements of 'T') is not a "
          "multiple of 4"));
  EXPECT_THAT(load_element(1, "", "16"), HasSubstr("is not a multiple of 16"));
}

TEST(Memory, access_of_the_parameter) {
  const auto run = [](const std::string& access, const std::string& op) {
    KernelText text;
    text.buffer("b", access);
    Machine machine(text.with("  %v = const 1 : i32\n  " + op + " !6"));
    machine.buffer(std::vector<i32>(1));
    return machine.error();
  };
  const std::string store = "store %b, %v align 4", load = "%r = load %b align 4 : i32";
  EXPECT_EQ(run("read", load), "");
  EXPECT_EQ(run("write", store), "");
  EXPECT_EQ(run("readwrite", load + "\n" + store), "");
  EXPECT_THAT(run("read", store), HasSubstr("k.cpp:6:1: error: store of 4 bytes to read-only buffer 'b'"));
  EXPECT_THAT(run("write", load), HasSubstr("k.cpp:6:1: error: load of 4 bytes from write-only buffer 'b'"));
}

TEST(Memory, null_and_strange_pointers) {
  const auto run = [](u64 address) {
    KernelText text;
    text.pointer("p");
    Machine machine(text.with("  %v = load %p align 4 : i32 !3"));
    machine.argument(address);
    return machine.error();
  };
  EXPECT_THAT(run(0), HasSubstr("k.cpp:3:1: error: load of 4 bytes through a null pointer\n"));
  EXPECT_THAT(run(8), HasSubstr("load of 4 bytes at 0x8, near null\n"));
  EXPECT_THAT(run(0x7f0012345678),
              HasSubstr("load of 4 bytes at 0x7f0012345678, where there is no memory object\n"));
}

TEST(Memory, use_after_release) {
  KernelText text;
  text.buffer("b").pointer("p");
  Machine machine(text.with("  %v = load %p align 4 : i32 !3"));
  const u64 b = machine.buffer(std::vector<i32>{1});
  const u64 p = machine.memory.allocate(4).take();
  machine.argument(p);
  ASSERT_TRUE(bool(machine.memory.write(p, &p, 4)));
  EXPECT_EQ(machine.error(), "");
  ASSERT_TRUE(bool(machine.memory.release(p)));
  EXPECT_THAT(machine.error(), HasSubstr("load of 4 bytes in a buffer that has been released\n"));
  EXPECT_NE(machine.memory.allocate(4).take(), p);
  EXPECT_FALSE(bool(machine.memory.release(p)));
  EXPECT_FALSE(bool(machine.memory.release(b + 1)));
  EXPECT_FALSE(bool(machine.memory.write(p, &p, 4)));
}

TEST(Memory, span_of_a_part_ends_where_it_says) {
  KernelText text;
  text.buffer("part", "read").value("n", "i64");
  Machine machine(
      text.with("  %p = offset %part, %n scale 4 disp 0 : ptr<global>\n  %v = load %p align 4 : i32"));
  const u64 all = machine.buffer(std::vector<i32>(10));
  const auto run = [&](u64 first, u64 count, i64 n) {
    machine.clear_arguments();
    machine.argument(all + first * 4);
    machine.argument(count);
    machine.argument(n);
    return machine.error();
  };
  EXPECT_EQ(run(2, 3, 2), "");
  EXPECT_THAT(run(2, 3, 3), HasSubstr("just past the end of buffer 'part' (12 bytes, 3 elements of 'T')"));
  EXPECT_THAT(run(2, 3, -1), HasSubstr("4 bytes before the start of buffer 'part'"));
  EXPECT_THAT(run(2, 9, 0),
              HasSubstr("buffer argument 'part' of 9 elements reaches beyond its allocation of 40 bytes"));
  EXPECT_THAT(run(2, ~u64{0} / 2, 0), HasSubstr("reaches beyond its allocation"));
}

TEST(Memory, pointer_without_a_count_ends_with_the_allocation) {
  KernelText text;
  text.pointer("p", "read").value("n", "i32");
  Machine machine(
      text.with("  %q = offset %p, %n scale 4 disp 0 : ptr<global>\n  %v = load %q align 4 : i32"));
  const u64 address = machine.memory.allocate(40).take();
  const std::vector<u8> zeros(40);
  ASSERT_TRUE(bool(machine.memory.write(address, zeros.data(), 40)));
  const auto run = [&](i32 n) {
    machine.clear_arguments();
    machine.argument(address + 8);
    machine.argument(n);
    return machine.error();
  };
  EXPECT_EQ(run(7), "");
  EXPECT_THAT(run(8), HasSubstr("just past the end of buffer 'p' (32 bytes"));
  EXPECT_THAT(run(-1), HasSubstr("4 bytes before the start of buffer 'p'"));  // the index is signed
}

TEST(Memory, local_objects_are_apart) {
  const auto run = [](i64 index) {
    KernelText text;
    text.value("n", "i64");
    Machine machine(text.with(R"(
      %a = object size 16 align 4 element i32 : ptr<private>
      %table = object size 8 align 4 : ptr<private>
      %b = object size 16 align 4 : ptr<private>
      %v = const 1 : i32
      %end = offset %table, %n scale 4 disp 4 : ptr<private>
      %p = offset %end, %n scale 0 disp -4 : ptr<private>
      store %p, %v align 4 !8)"));
    machine.argument(index);
    return machine.error();
  };
  EXPECT_EQ(run(0), "");
  EXPECT_EQ(run(1), "");
  EXPECT_THAT(run(2),
              HasSubstr("k.cpp:8:1: error: store of 4 bytes out of bounds: just past the end of local object "
                        "'table' (8 bytes)"));
  EXPECT_THAT(run(-1), HasSubstr("4 bytes before the start of local object 'table'"));
  // as far as the next object's range of addresses
  EXPECT_THAT(run(i64{1} << 38), HasSubstr("past the end of local object 'table'"));
}

TEST(Memory, local_objects_hold_pointers_to_each_other) {
  KernelText text;
  text.buffer("out").value("n", "i32");
  Machine machine(text.with(R"(
    %a = object size 8 align 4 : ptr<private>
    %b = object size 8 align 8 : ptr<private>
    %second = offset %a, %n scale 4 disp 0 : ptr<private>
    store %b, %second align 8
    %v = const 42 : i32
    store %second, %v align 4
    %q = load %b align 8 : ptr<private>
    %w = load %q align 4 : i32
    store %out, %w align 4
    %z = const 1 : i32
    %out_of_a = offset %q, %z scale 4 disp 0 : ptr<private>
    store %out_of_a, %w align 4 !9)"));
  const u64 out = machine.uninitialized<i32>(1);
  machine.argument<i32>(1);
  EXPECT_THAT(machine.error(),
              HasSubstr("k.cpp:9:1: error: store of 4 bytes out of bounds: just past the end of local "
                        "object 'a' (8 bytes)"));
  EXPECT_THAT(machine.read<i32>(out, 1), ElementsAre(42));
}

TEST(Memory, constants) {
  KernelText text;
  text.global("constant @table size 12 align 4 element i32 bytes \"0a000000140000001e000000\"");
  text.buffer("out").value("n", "i64");
  Machine machine(text.with(R"(
    %t = address_of @table : ptr<constant>
    %p = offset %t, %n scale 4 disp 0 : ptr<constant>
    %v = load %p align 4 : i32 !5
    store %out, %v align 4)"));
  const u64 out = machine.uninitialized<i32>(1);
  machine.argument<i64>(2);
  EXPECT_EQ(machine.error(), "");
  EXPECT_THAT(machine.read<i32>(out, 1), ElementsAre(30));
  machine.clear_arguments();
  machine.argument(out), machine.argument<i64>(1), machine.argument<i64>(3);
  EXPECT_THAT(
      machine.error(),
      HasSubstr("k.cpp:5:1: error: load of 4 bytes out of bounds: just past the end of constant 'table'"));
}

TEST(Memory, pointers_in_buffers_and_values) {
  // a list in device memory: each node holds the address of the next, the last null
  KernelText text;
  text.value("first", "ptr").buffer("out");
  Machine machine(text.with(R"(
    %zero = const 0 : i32
    %null = const null : ptr<global>
    %r = loop @l (%node = %first : ptr<global>, %sum = %zero : i32) : i32 {
      %done = ieq %node, %null : i1
      if %done @t {
        break @l(%sum)
      } else {
        break @t
      }
      %v = load %node align 4 : i32
      %s = add %sum, %v : i32
      %one = const 1 : i64
      %at = offset %node, %one scale 8 disp 0 : ptr<global>
      %next = load %at align 8 : ptr<global>
      continue @l(%next, %s)
    }
    store %out, %r align 4)"));
  struct Node {
    u64 value, next;
  };
  u64 next = 0;
  for (u64 value = 1; value <= 4; ++value) {
    const Node node{value, next};
    next = machine.memory.allocate(16).take();
    ASSERT_TRUE(bool(machine.memory.write(next, &node, 16)));
  }
  machine.argument(next);
  const u64 out = machine.uninitialized<i32>(1);
  EXPECT_EQ(machine.error(), "");
  EXPECT_THAT(machine.read<i32>(out, 1), ElementsAre(10));
}

TEST(Memory, integers_and_pointers) {
  KernelText text;
  text.buffer("b").value("far", "i64");
  Machine machine(text.with(R"(
    %i = ptr_to_int %b : i64
    %j = add %i, %far : i64
    %p = int_to_ptr %j : ptr<global>
    %v = load %p align 4 : i32 !3
    %a = object size 8 align 4 : ptr<private>
    %one = const 1 : i32
    %end = offset %a, %one scale 8 disp 0 : ptr<private>
    %x = ptr_to_int %a : i64
    %y = ptr_to_int %end : i64
    %d = sub %y, %x : i64
    %d32 = trunc %d : i32
    %less = ult %a, %end : i1
    %less32 = zext %less : i32
    %sum = add %d32, %less32 : i32
    store %b, %sum align 4)"));
  const u64 b = machine.buffer(std::vector<i32>{7, 8});
  machine.argument<u64>(4);
  EXPECT_EQ(machine.error(), "");
  EXPECT_THAT(machine.read<i32>(b, 2), ElementsAre(9, 8));
  machine.clear_arguments();
  machine.argument(b), machine.argument<u64>(2), machine.argument<u64>(8);
  EXPECT_THAT(machine.error(),
              HasSubstr("k.cpp:3:1: error: load of 4 bytes out of bounds: just past the end of a "
                        "buffer (8 bytes)"));
}

TEST(Memory, every_type_goes_through_memory) {
  EXPECT_THAT(apply<u8>("freeze", std::vector<u8>{1, 255}), ElementsAre(1, 255));
  EXPECT_THAT(apply<u16>("freeze", std::vector<u16>{1, 65535}), ElementsAre(1, 65535));
  EXPECT_THAT(apply<u64>("freeze", std::vector<u64>{1, kMax<u64>}), ElementsAre(1, kMax<u64>));
  EXPECT_THAT(apply<Bool>("freeze", std::vector<Bool>{Bool::True, Bool::False}),
              ElementsAre(Bool::True, Bool::False));
  EXPECT_THAT(apply<double>("freeze", std::vector<double>{-0.5}), ElementsAre(-0.5));
  EXPECT_THAT(apply<Half>("freeze", std::vector<Half>{Half{0x1234}}), ElementsAre(Half{0x1234}));
}

TEST(Memory, narrow_arguments_are_taken_from_their_slot) {
  KernelText text;
  text.value("b", "i1")
      .value("i", "i8")
      .value("s", "i16")
      .value("l", "i64")
      .value("d", "f64")
      .buffer("out", "write", 8);
  Machine machine(text.with(R"(
    %w = sext %i : i64
    %x = sext %s : i64
    %y = zext %b : i64
    %f = fptosi %d : i64
    %a0 = add %w, %x : i64
    %a1 = add %a0, %y : i64
    %a2 = add %a1, %l : i64
    %a3 = add %a2, %f : i64
    store %out, %a3 align 8)"));
  machine.argument<u32>(1);
  machine.argument<u32>(0xfe);
  machine.argument<u32>(0xff00);
  machine.argument<u64>(u64{1} << 40);
  machine.argument<double>(5000.5);
  const u64 out = machine.uninitialized<i64>(1);
  EXPECT_EQ(machine.error(), "");
  EXPECT_THAT(machine.read<i64>(out, 1), ElementsAre((i64{1} << 40) + 5000 + 1 - 2 - 256));
}

TEST(Memory, allocations_of_unusual_sizes) {
  Memory memory;
  const u64 empty = memory.allocate(0).take();
  EXPECT_NE(empty, 0);
  EXPECT_TRUE(bool(memory.write(empty, nullptr, 0)));
  EXPECT_FALSE(bool(memory.write(empty, "x", 1)));
  EXPECT_FALSE(bool(memory.allocate(kMaxAllocation + 1)));
  EXPECT_FALSE(bool(memory.allocate(4, 3)));
  EXPECT_EQ(memory.allocate(4, 4096).take() % 4096, 0);
  EXPECT_TRUE(bool(memory.release(empty)));
}

}  // namespace
}  // namespace spirea::interp::test
