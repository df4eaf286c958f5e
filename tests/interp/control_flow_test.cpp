// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <map>

#include "ir/interp/moves.h"
#include "tests/interp/support.h"

namespace spirea::interp::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Runs ops that compute %r (i32) from %n (i32), and stores it.
i32 run(const std::string& ops, i32 n) {
  KernelText text;
  text.value("n", "i32").buffer("out");
  Machine machine(text.with(ops + "\n  store %out, %r align 4"));
  machine.argument(n);
  const u64 out = machine.uninitialized<i32>(1);
  EXPECT_EQ(machine.error(), "");
  return machine.read<i32>(out, 1)[0];
}

TEST(ControlFlow, if_with_results) {
  const char* ops = R"(
    %ten = const 10 : i32
    %c = slt %n, %ten : i1
    %r = if %c @a : i32 {
      %x = add %n, %ten : i32
      break @a(%x)
    } else {
      %y = mul %n, %ten : i32
      break @a(%y)
    })";
  EXPECT_EQ(run(ops, 3), 13);
  EXPECT_EQ(run(ops, 10), 100);
}

TEST(ControlFlow, loop_swaps_its_arguments) {
  // fibonacci: (a, b) becomes (b, a + b), both read before either is written
  const char* ops = R"(
    %zero = const 0 : i32
    %one = const 1 : i32
    %r = loop @l (%a = %zero : i32, %b = %one : i32, %i = %zero : i32) : i32 {
      %c = slt %i, %n : i1
      if %c @t {
        break @t
      } else {
        break @l(%a)
      }
      %s = add %a, %b : i32
      %j = add %i, %one : i32
      continue @l(%b, %s, %j)
    })";
  EXPECT_EQ(run(ops, 0), 0);
  EXPECT_EQ(run(ops, 30), 832040);
  const char* rotate = R"(
    %zero = const 0 : i32
    %one = const 1 : i32
    %two = const 2 : i32
    %three = const 3 : i32
    %r = loop @l (%a = %one : i32, %b = %two : i32, %c = %three : i32, %i = %zero : i32) : i32 {
      %more = slt %i, %n : i1
      if %more @t {
        break @t
      } else {
        %ten = const 10 : i32
        %x = mul %a, %ten : i32
        %y = add %x, %b : i32
        %z = mul %y, %ten : i32
        %w = add %z, %c : i32
        break @l(%w)
      }
      %j = add %i, %one : i32
      continue @l(%b, %c, %a, %j)
    })";
  EXPECT_EQ(run(rotate, 0), 123);
  EXPECT_EQ(run(rotate, 1), 231);
  EXPECT_EQ(run(rotate, 2), 312);
  EXPECT_EQ(run(rotate, 3), 123);
}

TEST(ControlFlow, exits_leave_several_levels) {
  const char* ops = R"(
    %zero = const 0 : i32
    %one = const 1 : i32
    %ten = const 10 : i32
    %r = block @out : i32 {
      loop @outer (%i = %zero : i32) {
        loop @inner (%j = %zero : i32) {
          %row = mul %i, %ten : i32
          %k = add %row, %j : i32
          %found = ieq %k, %n : i1
          if %found @t {
            %hundred = const 100 : i32
            %v = add %k, %hundred : i32
            break @out(%v)
          } else {
            %many = sgt %k, %n : i1
            if %many @u {
              %minus = const 4294967295 : i32
              break @out(%minus)
            } else {
              break @u
            }
            break @t
          }
          %j2 = add %j, %one : i32
          %three = const 3 : i32
          %row_ends = ieq %j2, %three : i1
          if %row_ends @e {
            %i2 = add %i, %one : i32
            continue @outer(%i2)
          } else {
            break @e
          }
          continue @inner(%j2)
        }
        unreachable
      }
      unreachable
    })";
  EXPECT_EQ(run(ops, 0), 100);
  EXPECT_EQ(run(ops, 12), 112);
  EXPECT_EQ(run(ops, 42), 142);
  EXPECT_EQ(run(ops, 45), -1);
}

TEST(ControlFlow, switch_takes_a_case_or_the_default) {
  const char* ops = R"(
    %r = switch %n @s : i32 {
      case 1, 5: {
        %a = const 10 : i32
        break @s(%a)
      }
      case 4294967295: {
        %b = const 20 : i32
        break @s(%b)
      }
      case 3: {
        %c = const 30 : i32
        break @s(%c)
      }
      default: {
        %d = const 40 : i32
        break @s(%d)
      }
    })";
  EXPECT_EQ(run(ops, 1), 10);
  EXPECT_EQ(run(ops, 5), 10);
  EXPECT_EQ(run(ops, -1), 20);
  EXPECT_EQ(run(ops, 3), 30);
  EXPECT_EQ(run(ops, 2), 40);
  EXPECT_EQ(run(ops, kMin<i32>), 40);
}

TEST(ControlFlow, return_ends_the_invocation_from_any_depth) {
  const char* ops = R"(
    %one = const 1 : i32
    %two = const 2 : i32
    store %out, %one align 4
    loop @l (%i = %one : i32) {
      %c = sgt %i, %n : i1
      if %c @t {
        return
      } else {
        break @t
      }
      store %out, %i align 4
      %j = add %i, %two : i32
      continue @l(%j)
    }
    %r = const 99 : i32)";
  KernelText text;
  text.value("n", "i32").buffer("out");
  Machine machine(text.with(std::string(ops) + "\n  store %out, %r align 4"));
  machine.argument<i32>(6);
  const u64 out = machine.uninitialized<i32>(1);
  ASSERT_EQ(machine.error(), "");
  EXPECT_THAT(machine.read<i32>(out, 1), ElementsAre(5));
}

TEST(ControlFlow, trap_and_unreachable_are_reported) {
  KernelText text;
  const auto run = [&](const char* ops) {
    return Machine(text.with(std::string("  %c = const 1 : i1\n  if %c @l {\n ") + ops +
                             "\n } else {\n break @l\n }"))
        .error();
  };
  EXPECT_THAT(run("trap !12"), HasSubstr("k.cpp:12:1: error: the kernel traps here\n"));
  EXPECT_THAT(run("unreachable !13"), HasSubstr("k.cpp:13:1: error: the kernel reaches a place that"));
}

TEST(ControlFlow, infinite_loop_exceeds_the_steps) {
  KernelText text;
  Machine machine(text.with("  loop @l {\n    continue @l !9\n  }"));
  machine.options.max_steps = 1000;
  EXPECT_EQ(machine.error(),
            "k.cpp:9:1: error: the launch exceeds 1000 steps: an infinite loop, or a limit that is too low\n"
            "note: in invocation (0, 0, 0) of kernel 'k()'\n");
  EXPECT_EQ(machine.statistics.steps, 1000);
}

TEST(ControlFlow, steps_add_up_over_invocations) {
  KernelText text;
  Machine machine(text.with("  %x = global_id x : i32"));
  ASSERT_EQ(machine.error({10, 1, 1}, {5, 1, 1}), "");
  EXPECT_EQ(machine.statistics.steps, 100);
  machine.options.max_steps = 99;
  EXPECT_THAT(machine.error({10, 1, 1}, {5, 1, 1}), HasSubstr("in invocation (49, 0, 0)"));
  machine.options.max_steps = 100;
  EXPECT_EQ(machine.error({10, 1, 1}, {5, 1, 1}), "");
}

TEST(ControlFlow, moves_at_once_are_put_in_sequence) {
  // every map of 4 slots to sources among 5, so with all chains, cycles and shared sources
  for (unsigned code = 0; code < 5 * 5 * 5 * 5; ++code) {
    std::vector<Move> moves;
    for (u32 i = 0, rest = code; i < 4; ++i, rest /= 5) moves.push_back({i, rest % 5});
    std::vector<int> slots{10, 11, 12, 13, 14, -1}, expected = slots;
    for (const Move& move : moves) expected[move.to] = slots[move.from];
    for (const Move& move : in_sequence(moves, 5)) slots[move.to] = slots[move.from];
    expected[5] = slots[5];
    ASSERT_EQ(slots, expected) << code;
  }
  EXPECT_TRUE(in_sequence({{1, 1}}, 5).empty());
  EXPECT_EQ(in_sequence({{1, 2}, {2, 3}}, 5).size(), 2);
}

}  // namespace
}  // namespace spirea::interp::test
