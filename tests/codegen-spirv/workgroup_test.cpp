// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Workgroup memory in each representation, pointers to it, barriers and fences.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/codegen-spirv/parallel.h"

namespace spirea::spirv::test {
namespace {

const std::string kBarrier = "  barrier scope workgroup order acq_rel\n";

/// The other end of the workgroup of 16.
const std::string kOther = "  %c15 = const 15 : i32\n  %other = sub %c15, %local : i32\n";

TEST(Workgroup, ValuesOfEachTypeAreExchanged) {
  for (const std::string type : {"i1", "i8", "i16", "i32", "i64", "f16", "f32", "f64"}) {
    SCOPED_TRACE(type);
    const std::string bytes = std::to_string(bytes_of_type(type)),
                      size = std::to_string(16 * bytes_of_type(type));
    const bool is_bool = type == "i1";
    const std::string load = is_bool ? "  %byte = load %in align 8 : i8\n  %v = trunc %byte : i1\n"
                                     : "  %v = load %in align 8 : " + type + "\n";
    const std::string place = " scale " + bytes + " disp 0 : ptr<workgroup>\n", align = " align " + bytes;
    check({.ops = kOther + "  %tile = object size " + size + align + " element " + type +
                  " : ptr<workgroup>\n" + load + "  %mine = offset %tile, %local" + place +
                  "  store %mine, %v" + align + "\n" + kBarrier + "  %theirs = offset %tile, %other" + place +
                  "  %r = load %theirs" + align + " : " + type + "\n" + output("%r", type, 0),
           .manifest = "shared " + size});
  }
}

/// Each invocation writes one byte, and one half word, of a word that others write to at the same time.
TEST(Workgroup, PartsOfWordsLeaveTheirNeighboursAlone) {
  check({.ops = kOther + R"(  %bytes = object size 16 align 4 : ptr<workgroup>
  %halves = object size 32 align 4 : ptr<workgroup>
  %v = load %in align 8 : i32
  %v8 = trunc %v : i8
  %v16 = trunc %v : i16
  %my_byte = offset %bytes, %local scale 1 disp 0 : ptr<workgroup>
  %my_half = offset %halves, %local scale 2 disp 0 : ptr<workgroup>
  store %my_byte, %v8 align 1
  store %my_half, %v16 align 2
)" + kBarrier + R"(  %quarter = lshr %local, %c2 : i32
  %half = lshr %local, %c1 : i32
  %word_at = offset %bytes, %quarter scale 4 disp 0 : ptr<workgroup>
  %pair_at = offset %halves, %half scale 4 disp 0 : ptr<workgroup>
  %word = load %word_at align 4 : i32
  %pair = load %pair_at align 4 : i32
  %long_at = offset %halves, %quarter scale 8 disp 0 : ptr<workgroup>
  %long = load %long_at align 8 : i64
)" + output("%word", "i32", 0) +
                output("%pair", "i32", 1) + output("%long", "i64", 2),
         .manifest = "shared 48"});
}

TEST(Workgroup, PointersAreChosenAtRunTime) {
  check({.ops = kOther + R"(  %a = object size 64 align 4 element i32 : ptr<workgroup>
  %b = object size 64 align 8 element i32 : ptr<workgroup>
  %p = object size 4 align 4 element i32 : ptr<private>
  store %p, %c7 align 4
  %v = load %in align 8 : i32
  %odd_bit = and %local, %c1 : i32
  %odd = ieq %odd_bit, %c1 : i1
  %mine = select %odd, %a, %b : ptr<workgroup>
  %place = offset %mine, %local scale 4 disp 0 : ptr<workgroup>
  store %place, %v align 4
)" + kBarrier + R"(  %theirs = select %odd, %b, %a : ptr<workgroup>
  %from = offset %theirs, %other scale 4 disp 0 : ptr<workgroup>
  %r = load %from align 4 : i32
  %same = ieq %mine, %theirs : i1
  %seven = load %p align 4 : i32
)" + output("%r", "i32", 0) +
                output("%same", "i1", 1) + output("%seven", "i32", 2),
         .manifest = "shared 128"});
}

/// As a function of a T* that gets a local, a workgroup and a global address, and null.
const std::string kGeneric = R"(  %tile = object size 128 align 8 element i64 : ptr<workgroup>
  %local_value = object size 8 align 8 element i64 : ptr<private>
  %v = load %in align 8 : i64
  store %local_value, %v align 8
  %in_tile = offset %tile, %local scale 8 disp 0 : ptr<workgroup>
  %in_cells = offset %cells0, %id scale 8 disp 0 : ptr<global>
  store %in_tile, %v align 8
  store %in_cells, %v align 8
  %g1 = to_generic %local_value : ptr<generic>
  %g2 = to_generic %in_tile : ptr<generic>
  %g3 = to_generic %in_cells : ptr<generic>
  %which = urem %local, %c3 : i32
  %is1 = ieq %which, %c1 : i1
  %is2 = ieq %which, %c2 : i1
  %g12 = select %is1, %g1, %g2 : ptr<generic>
  %g = select %is2, %g3, %g12 : ptr<generic>
)";

TEST(Workgroup, PointersToAnyMemory) {
  check({.ops = kGeneric + R"(  %old = load %g align 8 : i64
  %one = const 1 : i64
  %new = add %old, %one : i64
  store %g, %new align 8
  %l = load %local_value align 8 : i64
  %t = load %in_tile align 8 : i64
  %c = load %in_cells align 8 : i64
  %null = const null : ptr<generic>
  %is_null = ieq %g, %null : i1
  %is_tile = ieq %g, %g2 : i1
)" + output("%old", "i64", 0) +
                output("%l", "i64", 1) + output("%t", "i64", 2) + output("%c", "i64", 3) +
                output("%is_null", "i1", 4) + output("%is_tile", "i1", 5),
         .manifest = "shared 128"});
}

TEST(Workgroup, AtomicAccessesOfAnyMemory) {
  check({.ops = kGeneric + R"(  %one = const 1 : i64
  %old = atomic_add %g, %one align 8 scope device order acq_rel : i64
  %half = offset %g, %c0 scale 1 disp 2 : ptr<generic>
  %h = const 77 : i16
  %old_half = atomic_exchange %half, %h align 2 scope device order relaxed : i16
  %l = load %local_value align 8 : i64
  %t = load %in_tile align 8 : i64
  %c = load %in_cells align 8 : i64
)" + output("%old", "i64", 0) +
                output("%l", "i64", 1) + output("%t", "i64", 2) + output("%c", "i64", 3) +
                output("%old_half", "i16", 4),
         .manifest = "shared 128"});
}

TEST(Workgroup, PointersInMemory) {
  check({.ops = kOther + R"(  %tile = object size 64 align 4 element i32 : ptr<workgroup>
  %links = object size 128 align 8 : ptr<workgroup>
  %v = load %in align 8 : i32
  %mine = offset %tile, %local scale 4 disp 0 : ptr<workgroup>
  store %mine, %v align 4
  %link = offset %links, %other scale 8 disp 0 : ptr<workgroup>
  store %link, %mine align 8
)" + kBarrier + R"(  %my_link = offset %links, %local scale 8 disp 0 : ptr<workgroup>
  %from = load %my_link align 8 : ptr<workgroup>
  %r = load %from align 4 : i32
)" + output("%r", "i32", 0),
         .manifest = "shared 192"});
}

TEST(Workgroup, BarriersInUniformLoopsAndConditions) {
  check({.ops = R"(  %tile = object size 4 align 4 element i32 : ptr<workgroup>
  %sum = loop @l (%i = %c0 : i32, %s = %c0 : i32) : i32 {
    %turn = ieq %i, %local : i1
    if %turn @t {
      %v = load %in align 8 : i32
      store %tile, %v align 4
      break @t
    } else {
      break @t
    }
    %bit = and %i, %c1 : i32
    %odd = ine %bit, %c0 : i1
    if %odd @u {
      barrier scope workgroup order acq_rel
      break @u
    } else {
      barrier scope workgroup order seq_cst
      break @u
    }
    %seen = load %tile align 4 : i32
    barrier scope workgroup order acq_rel
    %s2 = add %s, %seen : i32
    %i2 = add %i, %c1 : i32
    %more = ult %i2, %c8 : i1
    if %more @e {
      continue @l(%i2, %s2)
    } else {
      break @l(%s2)
    }
    unreachable
  }
)" + output("%sum", "i32", 0),
         .manifest = "shared 4",
         .groups = 3});
}

TEST(Workgroup, GlobalMemoryIsExchangedAtBarriers) {
  check({.ops = kOther + R"(  %c16 = const 16 : i32
  %base = mul %group, %c16 : i32
  %theirs_at = add %base, %other : i32
  %mine = offset %cells0, %id scale 4 disp 0 : ptr<global>
  %theirs = offset %cells0, %theirs_at scale 4 disp 0 : ptr<global>
  %v = load %in align 8 : i32
  store %mine, %v align 4
)" + kBarrier + "  %r = load %theirs align 4 : i32\n" +
                output("%r", "i32", 0)});
}

TEST(Workgroup, SubgroupBarriers) {
  check({.ops = R"(  %tile = object size 64 align 4 element i32 : ptr<workgroup>
  %v = load %in align 8 : i32
  %mine = offset %tile, %local scale 4 disp 0 : ptr<workgroup>
  store %mine, %v align 4
  barrier scope subgroup order acq_rel
  %near = xor %local, %c1 : i32
  %theirs = offset %tile, %near scale 4 disp 0 : ptr<workgroup>
  %r = load %theirs align 4 : i32
)" + output("%r", "i32", 0),
         .manifest = "shared 64"});
}

/// Operations that order memory are no barriers of the workgroup: subgroups pass different numbers of them.
TEST(Workgroup, OrderIsNoBarrier) {
  check({.ops = R"(  %tile = object size 4 align 4 element i32 : ptr<workgroup>
  %is_first = ieq %local, %c0 : i1
  if %is_first @f {
    store %tile, %c0 align 4
    break @f
  } else {
    break @f
  }
)" + kBarrier + R"(  %subgroup = subgroup_id : i32
  %n = add %subgroup, %c1 : i32
  loop @l (%i = %c0 : i32) {
    %o = atomic_add %tile, %c1 align 4 scope workgroup order acq_rel : i32
    fence scope workgroup order acq_rel
    barrier scope subgroup order acq_rel
    %x = atomic_load %tile align 4 scope workgroup order acquire : i32
    %i2 = add %i, %c1 : i32
    %more = ult %i2, %n : i1
    if %more @m {
      continue @l(%i2)
    } else {
      break @l
    }
    unreachable
  }
)" + kBarrier + "  %r = load %tile align 4 : i32\n" +
                output("%r", "i32", 0),
         .manifest = "shared 4",
         .workgroup = 3 * subgroup_size()});
}

/// The last workgroup that counts itself reads what all wrote.
TEST(Workgroup, FencesOrderOtherAccesses) {
  check({.ops = R"(  %cell = offset %cells0, %group scale 4 disp 64 : ptr<global>
  %v = load %in align 8 : i32
  store %cell, %v align 4
  fence scope device order release
  %n = atomic_add %cells0, %c1 align 4 scope device order relaxed : i32
  fence scope device order acquire
  fence scope invocation order acq_rel
  %is_last = ieq %n, %c7 : i1
  %sum_at = offset %cells0, %c0 scale 1 disp 4 : ptr<global>
  if %is_last @a {
    %sum = loop @l (%i = %c0 : i32, %s = %c0 : i32) : i32 {
      %from = offset %cells0, %i scale 4 disp 64 : ptr<global>
      %x = load %from align 4 : i32
      %s2 = add %s, %x : i32
      %i2 = add %i, %c1 : i32
      %more = ult %i2, %c8 : i1
      if %more @e {
        continue @l(%i2, %s2)
      } else {
        break @l(%s2)
      }
      unreachable
    }
    store %sum_at, %sum align 4
    break @a
  } else {
    break @a
  })",
         .groups = 8,
         .workgroup = 1});
}

// ---- memory whose size the launch gives

const std::string kDynamic = kOther + R"(  %v = load %in align 8 : i32
  %tile = dynamic_shared align 16 : ptr<workgroup>
  %mine = offset %tile, %local scale 4 disp 0 : ptr<workgroup>
  %theirs = offset %tile, %other scale 4 disp 0 : ptr<workgroup>
)";

TEST(Workgroup, DynamicMemory) {
  const std::string ops = kDynamic + "  store %mine, %v align 4\n" + kBarrier +
                          "  %r = load %theirs align 4 : i32\n" + output("%r", "i32", 0);
  check({.ops = ops, .manifest = "dynamic_shared", .dynamic_shared = 64});
  check({.ops = ops, .manifest = "dynamic_shared", .dynamic_shared = 5000});
  check({.ops = "  %tile = dynamic_shared align 16 : ptr<workgroup>\n" + kBarrier,
         .manifest = "dynamic_shared"});
}

TEST(Workgroup, DynamicMemoryOfSeveralTypes) {
  check({.ops = kDynamic + "  store %mine, %v align 4\n" + kBarrier +
                R"(  %again = dynamic_shared align 8 : ptr<workgroup>
  %byte_at = offset %again, %local scale 3 disp 0 : ptr<workgroup>
  %half = lshr %local, %c1 : i32
  %long_at = offset %again, %half scale 8 disp 0 : ptr<workgroup>
  %byte = load %byte_at align 1 : i8
  %long = load %long_at align 8 : i64
)" + output("%byte", "i8", 0) +
                output("%long", "i64", 1),
         .manifest = "dynamic_shared",
         .dynamic_shared = 64});
}

TEST(Workgroup, DynamicMemoryBehindObjects) {
  check({.ops = kDynamic + R"(  %a = object size 20 align 4 element i32 : ptr<workgroup>
  %b = object size 64 align 4 element i32 : ptr<workgroup>
  %bit = and %local, %c1 : i32
  %odd = ieq %bit, %c1 : i1
  %x = select %odd, %tile, %b : ptr<workgroup>
  %to = offset %x, %local scale 4 disp 0 : ptr<workgroup>
  store %to, %v align 4
  %is_first = ieq %local, %c0 : i1
  if %is_first @f {
    store %a, %v align 4
    break @f
  } else {
    break @f
  }
)" + kBarrier + R"(  %y = select %odd, %b, %tile : ptr<workgroup>
  %from = offset %y, %other scale 4 disp 0 : ptr<workgroup>
  %r = load %from align 4 : i32
  %s = load %a align 4 : i32
)" + output("%r", "i32", 0) +
                output("%s", "i32", 1),
         .manifest = "shared 84 dynamic_shared",
         .dynamic_shared = 64});
}

}  // namespace
}  // namespace spirea::spirv::test
