// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every subgroup operation on every type, with all invocations and with some.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/codegen-spirv/parallel.h"

namespace spirea::spirv::test {
namespace {

const std::vector<std::string> kTypes = {"i1", "i8", "i16", "i32", "i64", "f16", "f32", "f64"};

bool is_float(const std::string& type) { return type[0] == 'f'; }

/// %v, the operand. Floats are small whole numbers: sums and products of a few are exact in any order.
std::string operand(const std::string& type) {
  if (type == "i1") return "  %w = load %in align 8 : i32\n  %v = trunc %w : i1\n";
  if (!is_float(type)) return "  %v = load %in align 8 : " + type + "\n";
  return "  %w = load %in align 8 : i8\n  %two = const 2 : i8\n  %w2 = and %w, %two : i8\n  %one = const 1 : "
         "i8\n"
         "  %w3 = sub %w2, %one : i8\n  %v = sitofp %w3 : " +
         type + "\n";
}

/// Ops that store what they compute.
class Outputs {
 public:
  Outputs& add(const std::string& op, const std::string& type) {
    const std::string value = "%r" + std::to_string(slot_);
    text_ += "  " + value + " = " + op + " : " + type + "\n" + output(value, type, slot_);
    ++slot_;
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  unsigned slot_ = 0;
  std::string text_;
};

/// With all invocations; with a workgroup that does not fill its last subgroup; and under a divergent
/// condition.
void check_activities(const std::string& before, const std::string& ops) {
  check({.ops = before + ops, .workgroup = 2 * subgroup_size()});
  check({.ops = before + ops, .workgroup = subgroup_size() + 5});
  check(
      {.ops =
           before +
           "  %bits = load %in align 8 : i16\n  %third = const 3 : i16\n  %rest = urem %bits, %third : i16\n"
           "  %none = const 0 : i16\n  %active = ine %rest, %none : i1\n  if %active @a {\n" +
           ops + "  break @a\n  } else {\n  break @a\n  }\n",
       .workgroup = 2 * subgroup_size()});
}

TEST(Subgroups, Numbers) {
  Outputs o;
  for (const std::string query : {"subgroup_size", "subgroup_lane", "subgroup_id", "num_subgroups"})
    o.add(query, "i32");
  check({.ops = o.text(), .workgroup = 2 * subgroup_size()});
  check({.ops = o.text(), .workgroup = subgroup_size() + 3});
}

TEST(Subgroups, Arithmetic) {
  for (const std::string& type : kTypes) {
    const std::vector<std::string> ops =
        is_float(type)
            ? std::vector<std::string>{"fadd", "fmul", "fmin", "fmax"}
            : std::vector<std::string>{"add", "mul", "smin", "smax", "umin", "umax", "and", "or", "xor"};
    for (const std::string kind : {"reduce", "inclusive", "exclusive"}) {
      SCOPED_TRACE(type + " " + kind);
      Outputs o;
      for (const std::string& op : ops) o.add("subgroup_" + op + " %v " + kind, type);
      check_activities(operand(type), o.text());
    }
  }
}

TEST(Subgroups, Clusters) {
  for (const std::string& type : kTypes) {
    SCOPED_TRACE(type);
    Outputs o;
    const std::string add = is_float(type) ? "fadd" : "add", max = is_float(type) ? "fmax" : "smax";
    for (const std::string size : {"1", "2", "4", "8", "64"}) {
      o.add("subgroup_" + add + " %v clustered " + size, type);
      o.add("subgroup_" + max + " %v clustered " + size, type);
    }
    check_activities(operand(type), o.text());
  }
}

TEST(Subgroups, VotesAndBallots) {
  for (const std::string& type : kTypes) {
    SCOPED_TRACE(type);
    Outputs o;
    o.add("subgroup_elect", "i1").add("subgroup_all_equal %v", "i1").add("subgroup_all_equal %same", "i1");
    o.add("subgroup_any %vote", "i1").add("subgroup_all %vote", "i1").add("subgroup_ballot %vote", "i64");
    o.add("subgroup_any %no", "i1").add("subgroup_all %yes", "i1").add("subgroup_broadcast_first %v", type);
    const std::string same = is_float(type) ? "  %one_f = sitofp %c1 : " + type +
                                                  "\n  %same = fadd %one_f, %one_f : " + type + "\n"
                             : type == "i1" ? "  %same = ieq %c1, %c1 : i1\n"
                                            : "  %same = const 5 : " + type + "\n";
    check_activities(operand(type) + same + R"(  %x = load %in align 8 : i32
  %vote = trunc %x : i1
  %no = const 0 : i1
  %yes = const 1 : i1
)",
                     o.text());
  }
}

/// Lanes that are not there have no value: sources are lanes that are.
TEST(Subgroups, Exchange) {
  for (const std::string& type : kTypes) {
    SCOPED_TRACE(type);
    Outputs o;
    o.add("subgroup_shuffle %v, %reversed", type).add("subgroup_shuffle_xor %v, %c3", type);
    o.add("subgroup_broadcast %v, %c5", type).add("subgroup_broadcast %v, %uniform", type);
    o.add("subgroup_rotate %v, %c3 reduce", type).add("subgroup_rotate %v, %c3 clustered 4", type);
    o.add("quad_broadcast %v, %c2", type).add("quad_swap_horizontal %v", type);
    o.add("quad_swap_vertical %v", type).add("quad_swap_diagonal %v", type);
    const std::string lanes = R"(  %size = subgroup_size : i32
  %lane = subgroup_lane : i32
  %last = sub %size, %c1 : i32
  %reversed = sub %last, %lane : i32
  %uniform = and %group, %c7 : i32
)";
    check({.ops = operand(type) + lanes + o.text(), .workgroup = 2 * subgroup_size()});
  }
}

/// What comes from outside the subgroup is not looked at.
TEST(Subgroups, ShuffleUpAndDown) {
  for (const std::string& type : kTypes) {
    SCOPED_TRACE(type);
    check({.ops = operand(type) + R"(  %size = subgroup_size : i32
  %lane = subgroup_lane : i32
  %from = sub %lane, %c2 : i32
  %end = add %lane, %c2 : i32
  %is_above = ult %from, %size : i1
  %is_below = ult %end, %size : i1
)" + "  %u = subgroup_shuffle_up %v, %c2 : " +
                  type + "\n  %d = subgroup_shuffle_down %v, %c2 : " + type +
                  "\n  %r0 = select %is_above, %u, %v : " + type + "\n  %r1 = select %is_below, %d, %v : " +
                  type + "\n" + output("%r0", type, 0) + output("%r1", type, 1),
           .workgroup = 2 * subgroup_size()});
  }
}

/// Invocations that leave a loop early take no part in what follows in it, and do again behind it.
TEST(Subgroups, Loops) {
  check({.ops = R"(  %lane = subgroup_lane : i32
  %low = and %lane, %c7 : i32
  %sum = loop @l (%i = %c0 : i32, %s = %c0 : i32) : i32 {
    %n = subgroup_add %c1 reduce : i32
    %s2 = add %s, %n : i32
    %i2 = add %i, %c1 : i32
    %more = ule %i2, %low : i1
    if %more @t {
      continue @l(%i2, %s2)
    } else {
      break @l(%s2)
    }
    unreachable
  }
  %all = subgroup_add %c1 reduce : i32
)" + output("%sum", "i32", 0) +
                output("%all", "i32", 1),
         .workgroup = 2 * subgroup_size()});
}

TEST(Subgroups, DemandedSize) {
  const std::string ops = "  %size = subgroup_size : i32\n" + output("%size", "i32", 0);
  check({.ops = ops,
         .manifest = "subgroup " + std::to_string(subgroup_size()),
         .workgroup = 2 * subgroup_size()});
}

}  // namespace
}  // namespace spirea::spirv::test
