// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Invocations that meet: barriers, subgroup operations, workgroup memory, atomics.
#include <numeric>

#include "tests/interp/support.h"

namespace spirea::interp::test {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

/// Ops that compute %r (i32), stored to out[global_id].
std::string with_output(KernelText& text, const std::string& ops) {
  text.buffer("out");
  return text.with("  %id = global_id x : i32\n" + ops +
                   "\n  %out_p = offset %out, %id scale 4 disp 0 : ptr<global>\n"
                   "  store %out_p, %r align 4");
}

struct Outcome {
  std::string error;
  std::vector<i32> out;
};

Outcome run(const std::string& ops, u32 workgroup, u32 groups = 1, u32 subgroup = 4) {
  KernelText text;
  Machine machine(with_output(text, ops));
  machine.options.subgroup_size = subgroup;
  const u64 out = machine.uninitialized<i32>(workgroup * groups);
  Outcome result;
  result.error = machine.error({groups, 1, 1}, {workgroup, 1, 1});
  result.out = machine.read<i32>(out, workgroup * groups);
  return result;
}

const std::string kConstants = R"(
    %zero = const 0 : i32
    %one = const 1 : i32
    %two = const 2 : i32
    %three = const 3 : i32
    %lane = subgroup_lane : i32
    %local = local_id x : i32
)";

TEST(Workgroup, memory_is_exchanged_at_a_barrier) {
  const Outcome r = run(kConstants + R"(
    %tile = object size 32 align 4 element i32 : ptr<workgroup>
    %seven = const 7 : i32
    %mine = offset %tile, %local scale 4 disp 0 : ptr<workgroup>
    store %mine, %id align 4
    barrier scope workgroup order acq_rel
    %other = sub %seven, %local : i32
    %theirs = offset %tile, %other scale 4 disp 0 : ptr<workgroup>
    %r = load %theirs align 4 : i32)",
                        8, 2);
  EXPECT_EQ(r.error, "");
  EXPECT_THAT(r.out, ElementsAre(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8));
}

TEST(Workgroup, memory_without_a_barrier_is_a_race) {
  const Outcome r = run(kConstants + R"(
    %tile = object size 32 align 4 element i32 : ptr<workgroup>
    %seven = const 7 : i32
    %mine = offset %tile, %local scale 4 disp 0 : ptr<workgroup>
    store %mine, %id align 4 !12
    %other = sub %seven, %local : i32
    %theirs = offset %tile, %other scale 4 disp 0 : ptr<workgroup>
    %r = load %theirs align 4 : i32 !14
    barrier scope workgroup order acq_rel)",
                        8);
  EXPECT_THAT(r.error, HasSubstr("k.cpp:14"));
  EXPECT_THAT(r.error, HasSubstr("data race: store to byte 16 of workgroup object 'tile' (32 bytes)"));
  EXPECT_THAT(r.error, HasSubstr("k.cpp:12"));
  EXPECT_THAT(r.error, HasSubstr("read by invocation (3, 0, 0) here"));
}

/// The second barrier of a loop that is left out: the next iteration's store races with this one's load.
TEST(Workgroup, a_loop_needs_two_barriers) {
  const auto ops = [](const std::string& second) {
    return kConstants + R"(
    %tile = object size 16 align 4 element i32 : ptr<workgroup>
    %mine = offset %tile, %local scale 4 disp 0 : ptr<workgroup>
    %r = loop @l (%i = %zero : i32, %sum = %zero : i32) : i32 {
      %value = add %i, %local : i32
      store %mine, %value align 4 !21
      barrier scope workgroup order acq_rel
      %next = add %local, %one : i32
      %other = and %next, %three : i32
      %theirs = offset %tile, %other scale 4 disp 0 : ptr<workgroup>
      %got = load %theirs align 4 : i32 !23
      %sum2 = add %sum, %got : i32
      )" + second +
           R"(
      %i2 = add %i, %one : i32
      %more = ult %i2, %three : i1
      if %more @t {
        continue @l(%i2, %sum2)
      } else {
        break @l(%sum2)
      }
      unreachable
    })";
  };
  const Outcome good = run(ops("barrier scope workgroup order acq_rel"), 4);
  EXPECT_EQ(good.error, "");
  EXPECT_THAT(good.out, ElementsAre(6, 9, 12, 3));
  const Outcome bad = run(ops(""), 4);
  EXPECT_THAT(bad.error, HasSubstr("k.cpp:21"));
  EXPECT_THAT(bad.error, HasSubstr("data race: store to"));
  EXPECT_THAT(bad.error, HasSubstr("k.cpp:23"));
}

TEST(Workgroup, barriers_in_divergent_flow_are_reported) {
  const Outcome arm = run(kConstants + R"(
    %c = ult %local, %two : i1
    %r = if %c @a : i32 {
      barrier scope workgroup order acq_rel !11
      break @a(%one)
    } else {
      break @a(%two)
    })",
                          4);
  EXPECT_THAT(arm.error, HasSubstr("k.cpp:11"));
  EXPECT_THAT(arm.error,
              HasSubstr("barrier in divergent control flow: not all invocations of the workgroup reach it"));
  EXPECT_THAT(arm.error, HasSubstr("invocation (2, 0, 0) has ended"));
  const Outcome two = run(kConstants + R"(
    %c = ult %local, %two : i1
    if %c @a {
      barrier scope workgroup order acq_rel !11
      break @a
    } else {
      barrier scope workgroup order acq_rel !13
      break @a
    }
    %r = add %one, %two : i32)",
                          4);
  EXPECT_THAT(two.error, HasSubstr("k.cpp:11"));
  EXPECT_THAT(two.error, HasSubstr("k.cpp:13"));
  EXPECT_THAT(two.error, HasSubstr("invocation (2, 0, 0) waits here"));
  // The same barrier, in different iterations of a loop.
  const Outcome turns = run(kConstants + R"(
    %n = and %local, %one : i32
    %r = loop @l (%i = %zero : i32) : i32 {
      %skips = ieq %i, %n : i1
      if %skips @s {
        break @s
      } else {
        barrier scope workgroup order acq_rel !15
        break @s
      }
      %i2 = add %i, %one : i32
      %more = ult %i2, %two : i1
      if %more @t {
        continue @l(%i2)
      } else {
        break @l(%i)
      }
      unreachable
    })",
                            4);
  EXPECT_THAT(turns.error, HasSubstr("k.cpp:15"));
  EXPECT_THAT(turns.error, HasSubstr("waits here"));
  const Outcome subgroup = run(kConstants + R"(
    %c = ult %lane, %two : i1
    if %c @a {
      barrier scope subgroup order acq_rel !11
      break @a
    } else {
      break @a
    }
    %r = add %one, %two : i32)",
                               8);
  EXPECT_THAT(subgroup.error, HasSubstr("not all invocations of the subgroup reach it"));
}

TEST(Workgroup, barriers_in_uniform_loops_and_conditions) {
  const Outcome r = run(kConstants + R"(
    %tile = object size 4 align 4 element i32 : ptr<workgroup>
    %r = loop @l (%i = %zero : i32) : i32 {
      %odd = and %i, %one : i32
      %is_odd = ine %odd, %zero : i1
      %turn = ieq %i, %local : i1
      if %turn @t {
        store %tile, %i align 4
        break @t
      } else {
        break @t
      }
      if %is_odd @u {
        barrier scope workgroup order acq_rel
        break @u
      } else {
        barrier scope workgroup order acq_rel
        break @u
      }
      %seen = load %tile align 4 : i32
      barrier scope workgroup order acq_rel
      %i2 = add %i, %one : i32
      %last = ieq %i, %three : i1
      if %last @e {
        break @l(%seen)
      } else {
        continue @l(%i2)
      }
      unreachable
    })",
                        4);
  EXPECT_EQ(r.error, "");
  EXPECT_THAT(r.out, Each(3));
}

TEST(Workgroup, memory_starts_uninitialized_in_each_workgroup) {
  const Outcome r = run(kConstants + R"(
    %tile = object size 32 align 4 element i32 : ptr<workgroup>
    %first = workgroup_id x : i32
    %is_first = ieq %first, %zero : i1
    %mine = offset %tile, %local scale 4 disp 0 : ptr<workgroup>
    if %is_first @a {
      store %mine, %one align 4
      break @a
    } else {
      break @a
    }
    %got = load %mine align 4 : i32 !11
    %odd = ieq %got, %one : i1
    %r = if %odd @b : i32 {
      break @b(%one)
    } else {
      break @b(%two)
    })",
                        2, 2);
  EXPECT_THAT(r.error, HasSubstr("branch depends on an undefined value"));
  EXPECT_THAT(r.error, HasSubstr("k.cpp:11"));
  EXPECT_THAT(r.error, HasSubstr("in invocation (2, 0, 0)"));
}

TEST(Workgroup, memory_has_bounds) {
  const Outcome r = run(kConstants + R"(
    %tile = object size 32 align 4 element i32 : ptr<workgroup>
    %p = offset %tile, %local scale 4 disp 16 : ptr<workgroup>
    store %p, %one align 4 !9
    %r = add %one, %two : i32)",
                        8);
  EXPECT_THAT(r.error,
              HasSubstr("store of 4 bytes out of bounds: just past the end of workgroup object 'tile'"));
}

TEST(Workgroup, dynamic_memory_has_the_size_of_the_launch) {
  KernelText text;
  Machine machine(with_output(text, kConstants + R"(
    %tile = dynamic_shared align 16 : ptr<workgroup>
    %p = offset %tile, %local scale 4 disp 0 : ptr<workgroup>
    store %p, %id align 4
    %r = load %p align 4 : i32)"));
  machine.uninitialized<i32>(8);
  machine.dynamic_shared = 32;
  EXPECT_EQ(machine.error({1, 1, 1}, {8, 1, 1}), "");
  machine.dynamic_shared = 28;
  EXPECT_THAT(machine.error({1, 1, 1}, {8, 1, 1}),
              HasSubstr("just past the end of dynamic workgroup memory (28 bytes)"));
}

TEST(Subgroup, numbers) {
  const auto of = [](const std::string& query) { return run("  %r = " + query + " : i32", 10, 2, 4).out; };
  EXPECT_THAT(of("subgroup_size"), Each(4));
  EXPECT_THAT(of("num_subgroups"), Each(3));
  EXPECT_THAT(of("subgroup_lane"), ElementsAre(0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1));
  EXPECT_THAT(of("subgroup_id"), ElementsAre(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2));
}

TEST(Subgroup, reductions_and_scans) {
  const auto of = [](const std::string& op, u32 subgroup = 4) {
    return run(kConstants + "    %v = add %id, %one : i32\n    %r = " + op + " : i32", 6, 1, subgroup).out;
  };
  EXPECT_THAT(of("subgroup_add %v reduce"), ElementsAre(10, 10, 10, 10, 11, 11));
  EXPECT_THAT(of("subgroup_add %v inclusive"), ElementsAre(1, 3, 6, 10, 5, 11));
  EXPECT_THAT(of("subgroup_add %v exclusive"), ElementsAre(0, 1, 3, 6, 0, 5));
  EXPECT_THAT(of("subgroup_add %v clustered 2"), ElementsAre(3, 3, 7, 7, 11, 11));
  EXPECT_THAT(of("subgroup_mul %v inclusive"), ElementsAre(1, 2, 6, 24, 5, 30));
  EXPECT_THAT(of("subgroup_smax %v reduce"), ElementsAre(4, 4, 4, 4, 6, 6));
  EXPECT_THAT(of("subgroup_umin %v exclusive"), ElementsAre(-1, 1, 1, 1, -1, 5));
  EXPECT_THAT(of("subgroup_smin %v exclusive"), ElementsAre(2147483647, 1, 1, 1, 2147483647, 5));
  EXPECT_THAT(of("subgroup_xor %v reduce", 8), Each(7));
  EXPECT_THAT(of("subgroup_and %v reduce", 2), ElementsAre(0, 0, 0, 0, 4, 4));
  EXPECT_THAT(of("subgroup_or %v inclusive", 64), ElementsAre(1, 3, 3, 7, 7, 7));
}

TEST(Subgroup, floats_reduce) {
  const Outcome r = run(kConstants + R"(
    %x = uitofp %id : f32
    %half = const 0x3f000000 : f32
    %v = fadd %x, %half : f32
    %sum = subgroup_fadd %v reduce : f32
    %least = subgroup_fmin %v reduce : f32
    %t = fadd %sum, %least : f32
    %r = bitcast %t : i32)",
                        4);
  EXPECT_EQ(r.error, "");
  EXPECT_THAT(r.out, Each(std::bit_cast<i32>(8.5f)));
}

TEST(Subgroup, shuffles) {
  const auto of = [](const std::string& op) { return run(kConstants + "    %r = " + op + " : i32", 8).out; };
  EXPECT_THAT(of("subgroup_shuffle_xor %id, %one"), ElementsAre(1, 0, 3, 2, 5, 4, 7, 6));
  EXPECT_THAT(of("subgroup_shuffle %id, %two"), ElementsAre(2, 2, 2, 2, 6, 6, 6, 6));
  EXPECT_THAT(of("subgroup_broadcast %id, %three"), ElementsAre(3, 3, 3, 3, 7, 7, 7, 7));
  EXPECT_THAT(of("subgroup_broadcast_first %id"), ElementsAre(0, 0, 0, 0, 4, 4, 4, 4));
  EXPECT_THAT(of("subgroup_rotate %id, %one reduce"), ElementsAre(1, 2, 3, 0, 5, 6, 7, 4));
  EXPECT_THAT(of("subgroup_rotate %id, %one clustered 2"), ElementsAre(1, 0, 3, 2, 5, 4, 7, 6));
  EXPECT_THAT(of("quad_broadcast %id, %one"), ElementsAre(1, 1, 1, 1, 5, 5, 5, 5));
  EXPECT_THAT(of("quad_swap_horizontal %id"), ElementsAre(1, 0, 3, 2, 5, 4, 7, 6));
  EXPECT_THAT(of("quad_swap_vertical %id"), ElementsAre(2, 3, 0, 1, 6, 7, 4, 5));
  EXPECT_THAT(of("quad_swap_diagonal %id"), ElementsAre(3, 2, 1, 0, 7, 6, 5, 4));
}

TEST(Subgroup, votes) {
  const auto of = [](const std::string& ops) { return run(kConstants + ops, 8).out; };
  const std::string choose = "\n    %r = select %v, %one, %zero : i32";
  EXPECT_THAT(of("    %c = ult %id, %three : i1\n    %v = subgroup_any %c : i1" + choose),
              ElementsAre(1, 1, 1, 1, 0, 0, 0, 0));
  EXPECT_THAT(of("    %c = ugt %id, %three : i1\n    %v = subgroup_all %c : i1" + choose),
              ElementsAre(0, 0, 0, 0, 1, 1, 1, 1));
  EXPECT_THAT(of("    %v = subgroup_elect : i1" + choose), ElementsAre(1, 0, 0, 0, 1, 0, 0, 0));
  EXPECT_THAT(of("    %h = udiv %id, %three : i32\n    %v = subgroup_all_equal %h : i1" + choose), Each(0));
  EXPECT_THAT(of("    %c = ugt %id, %two : i1\n    %b = subgroup_ballot %c : i64\n    %r = trunc %b : i32"),
              ElementsAre(8, 8, 8, 8, 15, 15, 15, 15));
}

/// Who takes part is who takes the same turns, again together behind the branch.
TEST(Subgroup, takes_those_that_are_there) {
  const Outcome r = run(kConstants + R"(
    %odd = and %lane, %one : i32
    %c = ieq %odd, %zero : i1
    %inside = if %c @a : i32 {
      %s = subgroup_add %id reduce : i32
      break @a(%s)
    } else {
      break @a(%zero)
    }
    %all = subgroup_add %one reduce : i32
    %sixteen = const 16 : i32
    %high = mul %all, %sixteen : i32
    %r = add %high, %inside : i32)",
                        4);
  EXPECT_EQ(r.error, "");
  EXPECT_THAT(r.out, ElementsAre(66, 64, 66, 64));
}

TEST(Subgroup, counts_those_in_each_iteration) {
  const Outcome r = run(kConstants + R"(
    %r = loop @l (%i = %zero : i32, %sum = %zero : i32) : i32 {
      %there = subgroup_add %one reduce : i32
      %sum2 = add %sum, %there : i32
      %i2 = add %i, %one : i32
      %more = ule %i2, %lane : i1
      if %more @t {
        continue @l(%i2, %sum2)
      } else {
        break @l(%sum2)
      }
      unreachable
    })",
                        4);
  EXPECT_EQ(r.error, "");
  EXPECT_THAT(r.out, ElementsAre(4, 7, 9, 10));
}

TEST(Subgroup, an_inactive_lane_has_no_value) {
  const Outcome r = run(kConstants + R"(
    %got = subgroup_shuffle_down %id, %one : i32 !9
    %c = ieq %got, %zero : i1
    %r = if %c @a : i32 {
      break @a(%one)
    } else {
      break @a(%two)
    })",
                        4);
  EXPECT_THAT(r.error, HasSubstr("branch depends on an undefined value"));
  EXPECT_THAT(r.error, HasSubstr("the value is that of an inactive invocation here"));
  EXPECT_THAT(r.error, HasSubstr("in invocation (3, 0, 0)"));
}

TEST(Subgroup, a_broadcast_is_from_one_lane) {
  const Outcome r = run(kConstants + "    %r = subgroup_broadcast %id, %lane : i32 !9", 4);
  EXPECT_THAT(r.error, HasSubstr("the lane of a broadcast is not the same in all active invocations"));
}

TEST(Atomics, all_operations) {
  struct Case {
    const char* op;
    i32 start, result;
  };
  constexpr Case cases[] = {{"atomic_add %p, %v", 100, 136}, {"atomic_sub %p, %v", 100, 64},
                            {"atomic_and %p, %v", -1, 0},    {"atomic_or %p, %v", 0, 15},
                            {"atomic_xor %p, %v", 0, 8},     {"atomic_smin %p, %v", 5, 1},
                            {"atomic_smax %p, %v", -5, 8},   {"atomic_umin %p, %v", -5, 1},
                            {"atomic_umax %p, %v", -5, -5},  {"atomic_exchange %p, %v", 5, 8}};
  for (const Case& c : cases) {
    KernelText text;
    text.buffer("p").buffer("old");
    Machine machine(
        text.with("  %id = global_id x : i32\n  %one = const 1 : i32\n  %v = add %id, %one : i32\n"
                  "  %o = " +
                  std::string(c.op) +
                  " align 4 scope device order relaxed : i32\n"
                  "  %q = offset %old, %id scale 4 disp 0 : ptr<global>\n  store %q, %o align 4"));
    const u64 p = machine.buffer<i32>({c.start});
    const u64 old = machine.uninitialized<i32>(8);
    EXPECT_EQ(machine.error({2, 1, 1}, {4, 1, 1}), "") << c.op;
    EXPECT_EQ(machine.read<i32>(p, 1)[0], c.result) << c.op;
    EXPECT_EQ(machine.read<i32>(old, 8)[0], c.start) << c.op;
  }
}

TEST(Atomics, floats) {
  KernelText text;
  text.buffer("p");
  Machine machine(text.with(R"(  %id = global_id x : i32
    %x = uitofp %id : f32
    %sum = atomic_fadd %p, %x align 4 scope device order relaxed : f32
    %q = offset %p, %id scale 0 disp 4 : ptr<global>
    %most = atomic_fmax %q, %x align 4 scope device order relaxed : f32)"));
  const u64 p = machine.buffer<float>({0.5f, 2.0f});
  EXPECT_EQ(machine.error({1, 1, 1}, {8, 1, 1}), "");
  EXPECT_THAT(machine.read<float>(p, 2), ElementsAre(28.5f, 7.0f));
}

TEST(Atomics, compare_exchange) {
  KernelText text;
  text.buffer("p").buffer("old");
  Machine machine(text.with(R"(  %id = global_id x : i32
    %one = const 1 : i32
    %next = add %id, %one : i32
    %o = atomic_compare_exchange %p, %id, %next align 4 scope device order acq_rel : i32
    %q = offset %old, %id scale 4 disp 0 : ptr<global>
    store %q, %o align 4)"));
  const u64 p = machine.buffer<i32>({0});
  const u64 old = machine.uninitialized<i32>(4);
  EXPECT_EQ(machine.error({1, 1, 1}, {4, 1, 1}), "");
  EXPECT_EQ(machine.read<i32>(p, 1)[0], 4);
  EXPECT_THAT(machine.read<i32>(old, 4), ElementsAre(0, 1, 2, 3));
}

TEST(Atomics, narrow_ones_leave_their_neighbours) {
  KernelText text;
  text.buffer("p", "readwrite", 1);
  Machine machine(text.with(R"(  %v = const 255 : i8
    %o = atomic_add %p, %v align 1 scope device order relaxed : i8)"));
  const u64 p = machine.buffer<u8>({1, 7, 7, 7});
  EXPECT_EQ(machine.error(), "");
  EXPECT_THAT(machine.read<u8>(p, 4), ElementsAre(0, 7, 7, 7));
}

TEST(Atomics, race_with_plain_accesses_alone) {
  KernelText text;
  text.buffer("p");
  Machine machine(text.with(R"(  %one = const 1 : i32
    %id = global_id x : i32
    %zero = const 0 : i32
    %nine = const 9 : i32
    %c = ieq %id, %zero : i1
    if %c @a {
      %o = atomic_add %p, %one align 4 scope device order relaxed : i32 !6
      break @a
    } else {
      store %p, %nine align 4 !8
      break @a
    })"));
  machine.buffer<i32>({0});
  const std::string error = machine.error({1, 1, 1}, {2, 1, 1});
  EXPECT_THAT(error, HasSubstr("k.cpp:8"));
  EXPECT_THAT(error, HasSubstr("k.cpp:6"));
  EXPECT_THAT(error, HasSubstr("data race"));
}

/// The last workgroup to count itself reads what the others wrote: ordered by release and acquire.
TEST(Atomics, release_and_acquire_order_other_accesses) {
  const auto error = [](const std::string& order) {
    KernelText text;
    text.buffer("data").buffer("count").buffer("sum");
    Machine machine(text.with(R"(  %id = global_id x : i32
      %one = const 1 : i32
      %last = const 3 : i32
      %mine = offset %data, %id scale 4 disp 0 : ptr<global>
      store %mine, %id align 4 !4
      %n = atomic_add %count, %one align 4 scope device order )" +
                              order + R"( : i32
      %is_last = ieq %n, %last : i1
      if %is_last @a {
        %first = load %data align 4 : i32 !8
        %p2 = offset %data, %one scale 8 disp 0 : ptr<global>
        %third = load %p2 align 4 : i32
        %s = add %first, %third : i32
        store %sum, %s align 4
        break @a
      } else {
        break @a
      })"));
    machine.uninitialized<i32>(4);
    machine.buffer<i32>({0});
    const u64 sum = machine.buffer<i32>({0});
    const std::string result = machine.error({4, 1, 1}, {1, 1, 1});
    if (result.empty()) {
      EXPECT_EQ(machine.read<i32>(sum, 1)[0], 2);
    }
    return result;
  };
  EXPECT_EQ(error("acq_rel"), "");
  EXPECT_EQ(error("seq_cst"), "");
  EXPECT_THAT(error("relaxed"), HasSubstr("data race: load from byte 0 of buffer 'data'"));
}

}  // namespace
}  // namespace spirea::interp::test
