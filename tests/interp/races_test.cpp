// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/interp/races.h"

#include "tests/interp/support.h"

namespace spirea::interp::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr Access kA{1, 10}, kB{2, 20}, kC{3, 30};

TEST(Races, shadow_finds_each_conflict) {
  RaceShadow shadow(64);
  EXPECT_FALSE(shadow.write(0, 4, kA));
  EXPECT_FALSE(shadow.read(0, 4, kA));
  EXPECT_FALSE(shadow.write(0, 4, kA));
  const auto read = shadow.read(0, 4, kB);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->other.invocation, 1);
  EXPECT_EQ(read->other.op, 10);
  EXPECT_TRUE(read->other_writes);
  EXPECT_TRUE(shadow.write(0, 4, kB));
  EXPECT_FALSE(shadow.write(4, 4, kB));

  EXPECT_FALSE(shadow.read(8, 8, kA));
  EXPECT_FALSE(shadow.write(8, 8, kA));
  EXPECT_FALSE(shadow.read(16, 4, kA));
  EXPECT_FALSE(shadow.read(16, 4, kB));
  const auto write = shadow.write(16, 4, kC);
  ASSERT_TRUE(write);
  EXPECT_EQ(write->other.invocation, 1);
  EXPECT_FALSE(write->other_writes);
  // one of two readers writes: the other one is not known by name
  const auto own = shadow.write(16, 4, kA);
  ASSERT_TRUE(own);
  EXPECT_EQ(own->other.invocation, 0);
}

TEST(Races, shadow_tells_bytes_apart) {
  RaceShadow shadow(16);
  EXPECT_FALSE(shadow.write(0, 4, kA));
  EXPECT_FALSE(shadow.write(4, 1, kA));
  EXPECT_FALSE(shadow.write(5, 1, kB));
  EXPECT_FALSE(shadow.write(6, 2, kC));
  EXPECT_TRUE(shadow.write(3, 1, kB));
  EXPECT_TRUE(shadow.read(4, 4, kA));
  EXPECT_FALSE(shadow.write(15, 1, kA));
  EXPECT_TRUE(shadow.is_valid());
}

/// Runs ops with %x, the invocation, and %b, a buffer of 8 ints with the values 0 to 7.
std::string run(const std::string& ops, u32 invocations, Options options = {}) {
  KernelText text;
  text.buffer("b");
  Machine machine(text.with("  %x = global_id x : i32\n" + ops));
  machine.options = options;
  machine.buffer(std::vector<i32>{0, 1, 2, 3, 4, 5, 6, 7});
  return machine.error({invocations, 1, 1});
}

TEST(Races, invocations_that_keep_apart) {
  EXPECT_EQ(run("  %p = offset %b, %x scale 4 disp 0 : ptr<global>\n  %v = load %p align 4 : i32\n"
                "  %w = add %v, %v : i32\n  store %p, %w align 4",
                8),
            "");
  EXPECT_EQ(
      run("  %p = offset %b, %x scale 1 disp 0 : ptr<global>\n  %v = trunc %x : i8\n  store %p, %v align 1",
          32),
      "");
  EXPECT_EQ(run("  %v = load %b align 4 : i32", 8), "");
}

TEST(Races, two_writers) {
  const std::string ops = "  %one = const 1 : i32\n  %y = add %x, %one : i32\n  store %b, %y align 4 !7";
  EXPECT_EQ(run(ops, 1), "");
  EXPECT_THAT(
      run(ops, 2),
      AllOf(HasSubstr("k.cpp:7:1: error: data race: store to byte 0 of buffer 'b' (32 bytes, 8 elements of "
                      "'T'), 4 bytes, without synchronization\n"),
            HasSubstr("k.cpp:7:1: note: written by invocation (0, 0, 0) here\n"),
            HasSubstr("note: in invocation (1, 0, 0) of kernel 'k()'\n")));
}

TEST(Races, reader_and_writer) {
  // each reads its neighbour's element and writes its own
  const std::string ops = R"(
    %p = offset %b, %x scale 4 disp 0 : ptr<global>
    %q = offset %b, %x scale 4 disp DISP : ptr<global>
    %v = load %q align 4 : i32 !4
    %w = add %v, %v : i32
    store %p, %w align 4 !5)";
  const auto with = [&](const char* disp) { return std::string(ops).replace(ops.find("DISP"), 4, disp); };
  EXPECT_EQ(run(with("0"), 7), "");
  EXPECT_THAT(run(with("4"), 7),
              AllOf(HasSubstr("k.cpp:5:1: error: data race: store to byte 4 of buffer 'b'"),
                    HasSubstr("k.cpp:4:1: note: read by invocation (0, 0, 0) here")));
  EXPECT_EQ(run(with("4"), 1), "");
  const std::string backwards = R"(
    %p = offset %b, %x scale 4 disp 4 : ptr<global>
    %q = offset %b, %x scale 4 disp 0 : ptr<global>
    %v = load %q align 4 : i32 !4
    %w = add %v, %p_one : i32
    store %p, %w align 4 !5)";
  EXPECT_THAT(run("  %p_one = const 100 : i32\n" + backwards, 7),
              AllOf(HasSubstr("k.cpp:4:1: error: data race: load from byte 4 of buffer 'b'"),
                    HasSubstr("k.cpp:5:1: note: written by invocation (0, 0, 0) here"),
                    HasSubstr("in invocation (1, 0, 0)")));
}

TEST(Races, writes_of_what_is_there_race_only_if_strict) {
  const std::string flag = "  %v = const 1 : i32\n  store %b, %v align 4 !7";
  EXPECT_EQ(run(flag, 8), "");
  EXPECT_THAT(run(flag, 8, {.report_same_value_races = true}), HasSubstr("k.cpp:7:1: error: data race"));
}

TEST(Races, detection_can_be_turned_off) {
  EXPECT_EQ(run("  %one = const 1 : i32\n  %y = add %x, %one : i32\n  store %b, %y align 4", 8,
                {.detect_races = false}),
            "");
}

TEST(Races, two_views_of_an_allocation) {
  KernelText text;
  text.buffer("in", "read").buffer("out");
  Machine machine(text.with(R"(
    %x = global_id x : i32
    %p = offset %in, %x scale 4 disp 0 : ptr<global>
    %v = load %p align 4 : i32 !4
    %q = offset %out, %x scale 4 disp 0 : ptr<global>
    %w = add %v, %v : i32
    store %q, %w align 4 !5)"));
  const u64 all = machine.buffer(std::vector<i32>{11, 12, 13, 14, 15, 16, 17, 18});
  const auto run = [&](u64 out) {
    machine.clear_arguments();
    machine.argument(all), machine.argument<u64>(4), machine.argument(all + out * 4),
        machine.argument<u64>(4);
    return machine.error({4, 1, 1});
  };
  EXPECT_EQ(run(4), "");
  EXPECT_THAT(run(1), AllOf(HasSubstr("k.cpp:4:1: error: data race: load from byte 4 of buffer 'in'"),
                            HasSubstr("k.cpp:5:1: note: written by invocation (0, 0, 0) here")));
}

TEST(Races, launches_do_not_race_with_each_other) {
  KernelText text;
  text.buffer("b").value("n", "i32");
  Machine machine(text.with("  store %b, %n align 4"));
  machine.buffer(std::vector<i32>{0});
  machine.argument<i32>(1);
  EXPECT_EQ(machine.error(), "");
  machine.clear_arguments();
  machine.buffer(std::vector<i32>{0});
  machine.argument<i32>(2);
  EXPECT_EQ(machine.error(), "");
}

TEST(Races, invocations_are_named_by_their_position) {
  KernelText text;
  text.buffer("b");
  Machine machine(text.with(R"(
    %x = global_id x : i32
    %y = global_id y : i32
    %z = global_id z : i32
    %five = const 5 : i32
    %three = const 3 : i32
    %one = const 1 : i32
    %a = ieq %x, %five : i1
    %b0 = ieq %y, %three : i1
    %c = ieq %z, %one : i1
    %d = and %a, %b0 : i1
    %e = and %d, %c : i1
    if %e @t {
      store %b, %x align 4 !6
      break @t
    } else {
      break @t
    }
    %seven = const 7 : i32
    %f = ieq %x, %seven : i1
    %g = and %f, %b0 : i1
    %h = and %g, %c : i1
    if %h @u {
      %v = load %b align 4 : i32 !7
      break @u
    } else {
      break @u
    })"));
  machine.buffer(std::vector<i32>{0});
  EXPECT_THAT(machine.error({3, 3, 2}, {3, 2, 1}),
              AllOf(HasSubstr("k.cpp:6:1: note: written by invocation (5, 3, 1) here"),
                    HasSubstr("in invocation (7, 3, 1) of kernel")));
}

}  // namespace
}  // namespace spirea::interp::test
