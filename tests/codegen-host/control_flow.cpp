// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structured control flow, with exits over several levels.
#include <gtest/gtest.h>

#include "tests/codegen-host/harness.h"

namespace codegen_host {
namespace {

/// Runs `ops`, which compute %result (i32) from %in (i32), for each input.
std::vector<std::int32_t> run(const std::string& ops, const std::vector<std::int32_t>& inputs,
                              unsigned optimize) {
  KernelText kernel("f");
  kernel.buffer("inputs", "read").buffer("outputs");
  spirea::host::Options options;
  options.optimize = optimize;
  const Program program(
      kernel.module("  %x = global_id x : i32\n"
                    "  %pi = offset %inputs, %x scale 4 disp 0 : ptr<global>\n"
                    "  %po = offset %outputs, %x scale 4 disp 0 : ptr<global>\n"
                    "  %in = load %pi align 4 : i32\n"
                    "  %zero = const 0 : i32\n  %one = const 1 : i32\n  %two = const 2 : i32\n" +
                    ops + "  store %po, %result align 4\n"),
      options);
  std::vector<std::int32_t> outputs(inputs.size(), -1);
  program.launch(Arguments().buffer(inputs).buffer(outputs),
                 {static_cast<std::uint32_t>(inputs.size()), 1, 1}, {1, 1, 1});
  return outputs;
}

class ControlFlow : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Optimize, ControlFlow, ::testing::Values(0u, 1u, 2u, 3u));

TEST_P(ControlFlow, IfGivesResults) {
  const std::string ops = R"(
  %big = sgt %in, %two : i1
  %result, %other = if %big @a : i32, i32 {
    %r = mul %in, %in : i32
    break @a(%r, %one)
  } else {
    %minus = sub %zero, %in : i32
    break @a(%minus, %two)
  }
)";
  EXPECT_EQ(run(ops, {-3, 2, 3, 10}, GetParam()), (std::vector<std::int32_t>{3, -2, 9, 100}));
}

// The new arguments of an iteration are all computed before any is replaced.
TEST_P(ControlFlow, LoopArgumentsSwap) {
  const std::string ops = R"(
  %result, %rest = loop @l (%a = %zero : i32, %b = %one : i32, %n = %in : i32) : i32, i32 {
    %done = sle %n, %zero : i1
    if %done @c {
      break @l(%a, %b)
    } else {
      break @c
    }
    %sum = add %a, %b : i32
    %m = sub %n, %one : i32
    continue @l(%b, %sum, %m)
  }
)";
  EXPECT_EQ(run(ops, {0, 1, 2, 10, 30}, GetParam()), (std::vector<std::int32_t>{0, 1, 1, 55, 832040}));
}

TEST_P(ControlFlow, SwitchSharesRegions) {
  const std::string ops = R"(
  %result = switch %in @s : i32 {
    case 1, 2, 4294967295: {
      break @s(%one)
    }
    case 7: {
      break @s(%two)
    }
    default: {
      break @s(%in)
    }
  }
)";
  EXPECT_EQ(run(ops, {0, 1, 2, 3, 7, -1}, GetParam()), (std::vector<std::int32_t>{0, 1, 1, 3, 2, 1}));
}

// Exits from the inner loop: out of both loops, to the outer loop's next iteration, out of a block around
// them.
TEST_P(ControlFlow, ExitsOverSeveralLevels) {
  const std::string ops = R"(
  %hundred = const 100 : i32
  %result = block @b : i32 {
    %r = loop @outer (%i = %zero : i32, %sum = %zero : i32) : i32 {
      %i1 = add %i, %one : i32
      %s1 = add %sum, %hundred : i32
      loop @inner (%j = %zero : i32, %s = %s1 : i32) {
        %last = sge %j, %in : i1
        if %last @c {
          switch %i @s {
            case 0, 1: {
              continue @outer(%i1, %s)
            }
            case 2: {
              %negative = slt %in, %zero : i1
              if %negative @n {
                break @b(%in)
              } else {
                break @outer(%s)
              }
              unreachable
            }
            default: {
              trap
            }
          }
          unreachable
        } else {
          break @c
        }
        %j1 = add %j, %one : i32
        %t = add %s, %j1 : i32
        continue @inner(%j1, %t)
      }
      unreachable
    }
    break @b(%r)
  }
)";
  // Three rounds of 100 + 1 + 2 + ... + in.
  EXPECT_EQ(run(ops, {0, 1, 4, -5}, GetParam()), (std::vector<std::int32_t>{300, 303, 330, -5}));
}

TEST_P(ControlFlow, ReturnFromAnywhere) {
  const std::string ops = R"(
  %result = loop @l (%i = %zero : i32) : i32 {
    %found = ieq %i, %in : i1
    if %found @c {
      return
    } else {
      break @c
    }
    %enough = sgt %i, %two : i1
    if %enough @d {
      break @l(%i)
    } else {
      break @d
    }
    %next = add %i, %one : i32
    continue @l(%next)
  }
)";
  EXPECT_EQ(run(ops, {2, 9, 0, -4}, GetParam()), (std::vector<std::int32_t>{-1, 3, -1, 3}));
}

// The process lives on, and so do the other invocations: the runtime finds the failure in the message buffer.
TEST_P(ControlFlow, TrapEndsTheInvocation) {
  const std::string ops = R"(
  %bad = ieq %in, %two : i1
  if %bad @a {
    trap
  } else {
    break @a
  }
  %result = add %in, %one : i32
)";
  EXPECT_EQ(run(ops, {1, 2, 5, 2}, GetParam()), (std::vector<std::int32_t>{2, -1, 6, -1}));
}

}  // namespace
}  // namespace codegen_host
