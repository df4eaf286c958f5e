// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic accesses of every operation, type and memory.
#include <gtest/gtest.h>

#include "tests/codegen-spirv/parallel.h"

namespace spirea::spirv::test {
namespace {

const std::vector<std::string> kIntegerOps = {"add",  "sub",  "and",  "or",  "xor",
                                              "smin", "smax", "umin", "umax"};
const std::vector<std::string> kFloatOps = {"fadd", "fmin", "fmax"};

bool is_float(const std::string& type) { return type[0] == 'f'; }

std::string attributes(const std::string& type, const std::string& order = "relaxed") {
  return " align " + std::to_string(bytes_of_type(type)) + " scope device order " + order;
}

/// %v: this invocation's operand. Floats are small whole numbers, so that sums are the same in any order.
std::string operand(const std::string& type) {
  if (!is_float(type)) return "  %v = load %in align 8 : " + type + "\n";
  return "  %byte = load %in align 8 : i8\n  %v = sitofp %byte : " + type + "\n";
}

/// Where the cells lie: in global memory, or in a workgroup object that is filled from there at first and
/// copied back at the end, %n cells of the type for each workgroup.
struct Cells {
  std::string before, after, space, manifest;
};

Cells cells_in(const std::string& space, const std::string& type, unsigned n) {
  const unsigned bytes = bytes_of_type(type);
  const std::string size = std::to_string(bytes * n), align = " align " + std::to_string(bytes);
  if (space == "global")
    return {"  %cells = offset %cells0, %group scale " + size + " disp 0 : ptr<global>\n", "", space, ""};
  // One invocation does it alone, n times.
  const auto copy = [&](const std::string& name, const std::string& from, const std::string& to) {
    std::string ops =
        "  %first_" + name + " = ieq %local, %c0 : i1\n  if %first_" + name + " @if_" + name + " {\n";
    for (unsigned i = 0; i < n; ++i) {
      const std::string x = name + std::to_string(i), at = " scale 1 disp " + std::to_string(i * bytes);
      ops += "    %from_" + x + " = offset %" + from + ", %c0" + at + " : ptr<" +
             (from == "tile" ? "workgroup" : "global") + ">\n    %to_" + x + " = offset %" + to + ", %c0" +
             at + " : ptr<" + (to == "tile" ? "workgroup" : "global") + ">\n    %x_" + x + " = load %from_" +
             x + align + " : " + type + "\n    store %to_" + x + ", %x_" + x + align + "\n";
    }
    return ops + "    break @if_" + name + "\n  } else {\n    break @if_" + name + "\n  }\n";
  };
  const std::string barrier = "  barrier scope workgroup order acq_rel\n";
  return {"  %global = offset %cells0, %group scale " + size +
              " disp 0 : ptr<global>\n  %tile = object size " + size + align + " element " + type +
              " : ptr<workgroup>\n" + copy("in", "global", "tile") + barrier +
              "  %cells = offset %tile, %c0 scale 1 disp 0 : ptr<workgroup>\n",
          barrier + copy("out", "tile", "global"), space, "shared " + size};
}

std::vector<std::string> types_of(bool are_floats) {
  if (are_floats) return {"f32", "f64"};
  return {"i8", "i16", "i32", "i64"};
}

/// All invocations on one cell for each op: the result is the same in any order.
TEST(Atomics, OnOneCell) {
  for (const bool are_floats : {false, true})
    for (const std::string& type : types_of(are_floats))
      for (const std::string space : {"global", "workgroup"}) {
        SCOPED_TRACE(type + " " + space);
        const auto& ops = are_floats ? kFloatOps : kIntegerOps;
        const Cells cells = cells_in(space, type, static_cast<unsigned>(ops.size()));
        std::string text = operand(type) + cells.before;
        for (std::size_t i = 0; i < ops.size(); ++i) {
          const std::string n = std::to_string(i);
          text += "  %p" + n + " = offset %cells, %c0 scale 1 disp " +
                  std::to_string(i * bytes_of_type(type)) + " : ptr<" + space + ">\n  %o" + n + " = atomic_" +
                  ops[i] + " %p" + n + ", %v" + attributes(type) + " : " + type + "\n";
        }
        check({.ops = text + cells.after, .manifest = cells.manifest, .workgroup = 24});
      }
}

/// Each invocation on a cell of its own, beside the others': every op after the other, with the values
/// before.
std::string on_own_cell(const std::string& type, const std::string& space) {
  const std::string place = "  %p = offset %cells, %local scale " + std::to_string(bytes_of_type(type)) +
                            " disp 0 : ptr<" + space + ">\n";
  std::string text = operand(type) + place;
  unsigned slot = 0;
  const auto stored = [&](const std::string& op, const std::string& result_type) {
    const std::string value = "%old" + std::to_string(slot);
    text += "  " + value + " = " + op + " : " + result_type + "\n" + output(value, result_type, slot++);
  };
  text += "  atomic_store %p, %v" + attributes(type, "release") + "\n";
  stored("atomic_load %p" + attributes(type, "acquire"), type);
  for (const auto& op : is_float(type) ? kFloatOps : kIntegerOps)
    stored("atomic_" + op + " %p, %v" + attributes(type), type);
  if (is_float(type)) return text;
  text += "  %w = load %slot1 align 8 : " + type + "\n";
  stored("atomic_exchange %p, %v" + attributes(type, "acq_rel"), type);
  stored("atomic_compare_exchange %p, %v, %w" + attributes(type, "seq_cst"), type);
  stored("atomic_compare_exchange %p, %old0, %v" + attributes(type, "release"), type);
  stored("atomic_load %p" + attributes(type, "seq_cst"), type);
  return text;
}

TEST(Atomics, BesideEachOther) {
  for (const bool are_floats : {false, true})
    for (const std::string& type : types_of(are_floats))
      for (const std::string space : {"global", "workgroup"}) {
        SCOPED_TRACE(type + " " + space);
        const Cells cells = cells_in(space, type, 16);
        check({.ops = cells.before + on_own_cell(type, space) + cells.after, .manifest = cells.manifest});
      }
}

TEST(Atomics, HalfPrecision) {
  for (const std::string space : {"global", "workgroup"}) {
    SCOPED_TRACE(space);
    const Cells cells = cells_in(space, "f16", 16);
    check({.ops = cells.before + on_own_cell("f16", space) + cells.after, .manifest = cells.manifest});
  }
}

TEST(Atomics, OfPrivateMemory) {
  for (const std::string type : {"i8", "i32", "i64", "f32"}) {
    SCOPED_TRACE(type);
    const std::string bytes = std::to_string(bytes_of_type(type));
    check({.ops = "  %cells = object size " + std::to_string(16 * bytes_of_type(type)) + " align 8 element " +
                  type + " : ptr<private>\n" + on_own_cell(type, "private")});
  }
}

/// 8-, 32- and 64-bit accesses of one object: all of them through its 64-bit words.
TEST(Atomics, OfSeveralSizes) {
  check({.ops = R"(  %tile = object size 24 align 8 : ptr<workgroup>
  %first = ieq %local, %c0 : i1
  %zero = const 0 : i64
  if %first @f {
    store %tile, %zero align 8
    %q = offset %tile, %c0 scale 1 disp 8 : ptr<workgroup>
    store %q, %zero align 8
    %r = offset %tile, %c0 scale 1 disp 16 : ptr<workgroup>
    store %r, %zero align 8
    break @f
  } else {
    break @f
  }
  barrier scope workgroup order acq_rel
  %v64 = load %in align 8 : i64
  %v32 = trunc %v64 : i32
  %v8 = trunc %v64 : i8
  %x = load %in align 8 : i16
  %f = sitofp %x : f32
  %low = and %local, %c1 : i32
  %p32 = offset %tile, %low scale 4 disp 8 : ptr<workgroup>
  %p8 = offset %tile, %low scale 1 disp 17 : ptr<workgroup>
  %pf = offset %tile, %c0 scale 1 disp 20 : ptr<workgroup>
  %o64 = atomic_add %tile, %v64 align 8 scope workgroup order acq_rel : i64
  %o32 = atomic_add %p32, %v32 align 4 scope workgroup order acq_rel : i32
  %o8 = atomic_xor %p8, %v8 align 1 scope subgroup order acq_rel : i8
  %of = atomic_fadd %pf, %f align 4 scope workgroup order acq_rel : f32
  %is_two = ieq %local, %c2 : i1
  %mark = const 42 : i8
  %p_mark = offset %tile, %c0 scale 1 disp 16 : ptr<workgroup>
  if %is_two @t {
    store %p_mark, %mark align 1
    break @t
  } else {
    break @t
  }
  barrier scope workgroup order acq_rel
  %q1 = offset %tile, %c0 scale 1 disp 8 : ptr<workgroup>
  %q2 = offset %tile, %c0 scale 1 disp 16 : ptr<workgroup>
  %r0 = load %tile align 8 : i64
  %r1 = load %q1 align 8 : i64
  %r2 = load %q2 align 8 : i64
)" + output("%r0", "i64", 0) +
                output("%r1", "i64", 1) + output("%r2", "i64", 2),
         .manifest = "shared 24"});
}

TEST(Atomics, OrdersAndScopes) {
  std::string ops;
  unsigned n = 0;
  for (const std::string scope : {"invocation", "subgroup", "workgroup", "device", "system"})
    for (const std::string order : {"relaxed", "acquire", "release", "acq_rel", "seq_cst"}) {
      const std::string attributes = " align 4 scope " + scope + " order " + order, i = std::to_string(n++);
      ops += "  %a" + i + " = atomic_add %in, %c1" + attributes + " : i32\n";
      ops += "  %b" + i + " = atomic_compare_exchange %in, %c1, %a" + i + attributes + " : i32\n";
      if (order != "release" && order != "acq_rel")
        ops += "  %l" + i + " = atomic_load %in" + attributes + " : i32\n";
      if (order != "acquire" && order != "acq_rel") ops += "  atomic_store %in, %b" + i + attributes + "\n";
      if (order != "relaxed") ops += "  fence scope " + scope + " order " + order + "\n";
    }
  ops += "  %v = atomic_add %in, %c1 align 4 scope device order relaxed volatile : i32\n";
  check({.ops = ops + output("%v", "i32", 0)});
}

}  // namespace
}  // namespace spirea::spirv::test
