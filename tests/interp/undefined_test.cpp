// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uninitialized memory and poison: where they go unnoticed, and where they are reported.
#include "tests/interp/support.h"

namespace spirea::interp::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string kBranch = "\n  if %c @l !20 {\n    break @l\n  } else {\n    break @l\n  }\n";

/// Runs ops over %n (i32, 7), %in (two i32 that nothing was written to) and %out (i64).
std::string run(const std::string& ops) {
  KernelText text;
  text.value("n", "i32").buffer("in", "readwrite").buffer("out", "readwrite", 8);
  Machine machine(text.with(ops));
  machine.argument<i32>(7);
  machine.uninitialized<i32>(2);
  machine.uninitialized<u64>(1);
  return machine.error();
}

TEST(Undefined, decides_a_branch) {
  EXPECT_EQ(run("  %v = load %in align 4 : i32 !3\n  %c = slt %v, %n : i1" + kBranch),
            "k.cpp:20:1: error: branch depends on an undefined value\n"
            "k.cpp:3:1: note: the value is read from uninitialized memory here\n"
            "note: in invocation (0, 0, 0) of kernel 'k()'\n");
  EXPECT_THAT(run("  %c = undef : i1 !4" + kBranch),
              HasSubstr("k.cpp:4:1: note: a variable without a value is used here"));
  EXPECT_THAT(run("  %v = load %in align 4 : i32 !3\n  switch %v @s !8 {\n default: {\n break @s\n }\n }"),
              HasSubstr("k.cpp:8:1: error: switch depends on an undefined value"));
}

TEST(Undefined, is_an_address_or_a_divisor) {
  EXPECT_THAT(run("  %v = load %in align 4 : i32 !3\n  %p = offset %out, %v scale 4 disp 0 : ptr<global>\n"
                  "  %w = load %p align 4 : i32 !9"),
              AllOf(HasSubstr("k.cpp:9:1: error: address of a load depends on an undefined value"),
                    HasSubstr("k.cpp:3:1: note: the value is read from uninitialized memory here")));
  EXPECT_THAT(run("  %p = undef : ptr<global> !2\n  store %p, %n align 4 !9"),
              HasSubstr("k.cpp:9:1: error: address of a store depends on an undefined value"));
  for (const char* op : {"udiv", "sdiv", "urem", "srem"})
    EXPECT_THAT(run(std::string("  %v = undef : i32 !2\n  %r = ") + op + " %n, %v : i32 !9"),
                HasSubstr("k.cpp:9:1: error: divisor depends on an undefined value"));
  EXPECT_EQ(run("  %v = undef : i32\n  %r = udiv %v, %n : i32"), "");
}

TEST(Undefined, division_by_zero_and_overflow) {
  const std::string values =
      "  %zero = const 0 : i32\n  %min = const 2147483648 : i32\n  %m = const 4294967295 : i32\n";
  for (const char* op : {"udiv", "sdiv", "urem", "srem"})
    EXPECT_THAT(run(values + "  %r = " + op + " %n, %zero : i32 !9"),
                HasSubstr("k.cpp:9:1: error: division by zero"));
  for (const char* op : {"sdiv", "srem"})
    EXPECT_THAT(run(values + "  %r = " + op + " %min, %m : i32 !9"),
                HasSubstr("k.cpp:9:1: error: division overflows"));
  EXPECT_EQ(run(values + "  %r = udiv %min, %m : i32"), "");
}

TEST(Undefined, shifts_out_of_range) {
  const std::string amount = "  %a = const 32 : i32\n";
  for (const char* op : {"shl", "lshr", "ashr"}) {
    EXPECT_EQ(run(amount + "  %r = " + op + " %n, %a : i32"), "");  // nobody uses it
    EXPECT_THAT(run(amount + "  %r = " + op + " %n, %a : i32 !6\n  %c = ieq %r, %n : i1" + kBranch),
                AllOf(HasSubstr("k.cpp:20:1: error: branch depends on an undefined value"),
                      HasSubstr("k.cpp:6:1: note: the shift amount is not less than the width here")));
  }
}

TEST(Undefined, copies_are_silent_and_mark_the_target) {
  KernelText text;
  text.buffer("in", "read", 8).buffer("out", "write", 8);
  Machine machine(text.with("  %v = load %in align 8 : i64\n  store %out, %v align 8"));
  const u64 in = machine.uninitialized<u64>(1), out = machine.buffer(std::vector<u64>{0});
  // a struct with 3 bytes of padding in the middle
  ASSERT_TRUE(bool(machine.memory.write(in, "\1", 1)));
  ASSERT_TRUE(bool(machine.memory.write(in + 4, "\2\3\4\5", 4)));
  EXPECT_EQ(machine.error(), "");
  EXPECT_THAT(machine.read<u8>(out, 8), ElementsAre(1, 0xcd, 0xcd, 0xcd, 2, 3, 4, 5));
  EXPECT_TRUE(machine.memory.is_initialized(out, 1));
  EXPECT_FALSE(machine.memory.is_initialized(out, 2));
  EXPECT_TRUE(machine.memory.is_initialized(out + 4, 4));
}

TEST(Undefined, parts_of_a_value_are_tracked) {
  // The low half of a pair is written, both are read as one value, and taken apart.
  const std::string pair = "  store %in, %n align 4\n  %v = load %in align 4 : i64 !3\n";
  const std::string taken = "  %low = trunc %v : i32\n  %c = ieq %low, %n : i1" + kBranch;
  EXPECT_EQ(run(pair + taken), "");
  EXPECT_THAT(run(pair +
                  "  %s = const 31 : i64\n  %h = lshr %v, %s : i64\n  %low = trunc %h : i32\n"
                  "  %c = slt %low, %n : i1" +
                  kBranch),
              HasSubstr("branch depends on an undefined value"));
  EXPECT_EQ(run(pair +
                "  %s = const 32 : i64\n  %h = shl %v, %s : i64\n  %w = lshr %h, %s : i64\n"
                "  %low = trunc %w : i32\n  %c = ieq %low, %n : i1" +
                kBranch),
            "");
  EXPECT_EQ(run(pair +
                "  %m = const 4294967295 : i64\n  %w = and %v, %m : i64\n  %z = const 7 : i64\n"
                "  %c = ieq %w, %z : i1" +
                kBranch),
            "");
  EXPECT_EQ(run(pair +
                "  %m = const 18446744069414584320 : i64\n  %w = or %v, %m : i64\n  %z = const 7 : i64\n"
                "  %c = ieq %w, %z : i1" +
                kBranch),
            "");
  // sums carry upwards only
  EXPECT_EQ(
      run(pair + "  %w = add %v, %v : i64\n  %low = trunc %w : i32\n  %c = ieq %low, %n : i1" + kBranch), "");
  EXPECT_THAT(run(pair + "  %w = add %v, %v : i64\n  %c = slt %w, %v : i1" + kBranch),
              HasSubstr("branch depends"));
  // bytes in another order
  EXPECT_EQ(run(pair +
                "  %s = byte_swap %v : i64\n  %h = const 32 : i64\n  %w = lshr %s, %h : i64\n"
                "  %low = trunc %w : i32\n  %c = ieq %low, %n : i1" +
                kBranch),
            "");
}

TEST(Undefined, bit_fields_leave_their_neighbours_alone) {
  // s.low = n, of five bits, in a word that was never written; then s.low is read back
  const std::string ops = R"(
    %old = load %in align 4 : i32 !3
    %keep = const 4294967264 : i32
    %others = and %old, %keep : i32
    %word = or %others, %n : i32
    store %in, %word align 4
    %again = load %in align 4 : i32 !4
    %mask = const 31 : i32
    %low = and %again, %mask : i32
    %c = ieq %low, %n : i1)";
  EXPECT_EQ(run(ops + kBranch), "");
  EXPECT_THAT(run(ops + "\n %d = slt %again, %n : i1\n  if %d @m {\n break @m\n } else {\n break @m\n }"),
              HasSubstr("branch depends"));
}

TEST(Undefined, values_that_differ_anyway_compare) {
  const std::string pair =
      "  store %in, %n align 4\n  %v = load %in align 4 : i64 !3\n  %z = const 8 : i64\n";
  EXPECT_EQ(run(pair + "  %c = ieq %v, %z : i1" + kBranch), "");
  EXPECT_EQ(run(pair + "  %c = ine %v, %z : i1" + kBranch), "");
}

TEST(Undefined, select_passes_the_chosen_value) {
  const std::string start = "  %u = undef : i32 !2\n  %yes = const 1 : i1\n";
  EXPECT_EQ(run(start + "  %s = select %yes, %n, %u : i32\n  %c = ieq %s, %n : i1" + kBranch), "");
  EXPECT_THAT(run(start + "  %s = select %yes, %u, %n : i32\n  %c = ieq %s, %n : i1" + kBranch),
              HasSubstr("branch depends"));
  EXPECT_THAT(run("  %b = undef : i1 !2\n  %s = select %b, %n, %n : i32\n  %c = ieq %s, %n : i1" + kBranch),
              HasSubstr("k.cpp:2:1: note: a variable without a value is used here"));
}

TEST(Undefined, freeze_cleans) {
  EXPECT_EQ(run("  %v = load %in align 4 : i32\n  %f = freeze %v : i32\n  %c = slt %f, %n : i1" + kBranch),
            "");
  EXPECT_EQ(run("  %u = undef : i1\n  %c = freeze %u : i1" + kBranch), "");
}

TEST(Undefined, bools_hold_zero_or_one) {
  KernelText text;
  text.buffer("in", "read", 1);
  Machine machine(text.with("  %c = load %in align 1 : i1 !3" + kBranch));
  const u64 in = machine.buffer(std::vector<u8>{1});
  EXPECT_EQ(machine.error(), "");
  ASSERT_TRUE(bool(machine.memory.write(in, "\2", 1)));
  EXPECT_THAT(machine.error(), HasSubstr("k.cpp:20:1: error: branch depends on an undefined value"));
}

TEST(Undefined, local_objects_are_uninitialized_for_each_invocation) {
  const std::string ops = R"(
    %a = object size 8 align 4 : ptr<private>
    %x = global_id x : i32
    %zero = const 0 : i32
    %first = ieq %x, %zero : i1
    if %first @f {
      store %a, %x align 4
      break @f
    } else {
      break @f
    }
    %v = load %a align 4 : i32 !3
    %c = ieq %v, %zero : i1)";
  KernelText text;
  Machine machine(text.with(ops + kBranch));
  EXPECT_EQ(machine.error(), "");
  EXPECT_THAT(machine.error({2, 1, 1}),
              AllOf(HasSubstr("k.cpp:3:1: note: the value is read from uninitialized memory"),
                    HasSubstr("in invocation (1, 0, 0)")));
}

TEST(Undefined, floats_are_undefined_as_a_whole) {
  EXPECT_THAT(run("  %v = load %in align 4 : f32 !3\n  %w = fmul %v, %v : f32\n  %r = sqrt %w : f32\n"
                  "  %c = folt %r, %v : i1" +
                  kBranch),
              HasSubstr("k.cpp:3:1: note: the value is read from uninitialized memory here"));
  EXPECT_THAT(run("  %v = undef : f32 !3\n  %i = fptosi %v : i32\n  %c = ieq %i, %n : i1" + kBranch),
              HasSubstr("k.cpp:3:1: note: a variable without a value is used here"));
  EXPECT_THAT(
      run("  %v = undef : i32 !3\n  %f = sitofp %v : f32\n  %b = bitcast %f : i32\n  %c = ieq %b, %n : i1" +
          kBranch),
      HasSubstr("branch depends"));
  EXPECT_EQ(run("  %v = undef : f32 !3\n  %w = fneg %v : f32\n  store %in, %w align 4"), "");
}

}  // namespace
}  // namespace spirea::interp::test
