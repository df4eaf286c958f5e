// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Workgroup memory and barriers: what invocations tell each other, against the interpreter, which reports
// races and barriers that not all reach.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>

#include "tests/codegen-host/differential.h"

namespace codegen_host {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kBarrier = "  barrier scope workgroup order acq_rel\n";

/// %local, the number in the workgroup; %n, how many there are; %g, the number in the grid.
const std::string kNumbers = R"(
  %zero = const 0 : i32
  %one = const 1 : i32
  %two = const 2 : i32
  %three = const 3 : i32
  %lx = local_id x : i32
  %ly = local_id y : i32
  %lz = local_id z : i32
  %sx = workgroup_size x : i32
  %sy = workgroup_size y : i32
  %sz = workgroup_size z : i32
  %row = mul %lz, %sy : i32
  %row2 = add %row, %ly : i32
  %row3 = mul %row2, %sx : i32
  %local = add %row3, %lx : i32
  %nxy = mul %sx, %sy : i32
  %n = mul %nxy, %sz : i32
  %wx = workgroup_id x : i32
  %wy = workgroup_id y : i32
  %wz = workgroup_id z : i32
  %gx = num_workgroups x : i32
  %gy = num_workgroups y : i32
  %w1 = mul %wz, %gy : i32
  %w2 = add %w1, %wy : i32
  %w3 = mul %w2, %gx : i32
  %w = add %w3, %wx : i32
  %first = mul %w, %n : i32
  %g = add %first, %local : i32
  %in_p = offset %in, %g scale 4 disp 0 : ptr<global>
  %mine = load %in_p align 4 : i32
)";

/// Stores %r (i32).
std::string module_of(const std::string& ops, Dims workgroup = {0, 0, 0}) {
  KernelText text("k");
  text.buffer("in", "read").buffer("out").value("k", "i32");
  if (workgroup[0] != 0) text.workgroup(workgroup);
  return text.module(kNumbers + ops + R"(
  %out_p = offset %out, %g scale 4 disp 0 : ptr<global>
  store %out_p, %r align 4)");
}

struct Case {
  const char* name;
  std::string ops;
  std::uint32_t dynamic_words = 0;  ///< for each invocation
};

/// `value` of the neighbour, through %tile; the words of %tile are one for each of 1024 invocations.
std::string exchange(const std::string& value, const std::string& result, const std::string& id,
                     const std::string& tile = "%tile") {
  return "  %to" + id + " = offset " + tile + ", %local scale 4 disp 0 : ptr<workgroup>\n  store %to" + id +
         ", " + value + " align 4\n" + kBarrier + "  %l" + id + " = add %local, %one : i32\n  %m" + id +
         " = urem %l" + id + ", %n : i32\n  %from" + id + " = offset " + tile + ", %m" + id +
         " scale 4 disp 0 : ptr<workgroup>\n  " + result + " = load %from" + id + " align 4 : i32\n" +
         kBarrier;
}

const std::string kTile = "  %tile = object size 4096 align 4 element i32 : ptr<workgroup>\n";

/// A sum over the workgroup in steps of halves, as everybody writes it; any size.
const std::string kReduction = kTile + R"(
  %p = offset %tile, %local scale 4 disp 0 : ptr<workgroup>
  store %p, %mine align 4
  barrier scope workgroup order acq_rel
  loop @steps (%rest = %n : i32) {
    %go = ugt %rest, %one : i1
    if %go @more {
      %r1 = add %rest, %one : i32
      %half = lshr %r1, %one : i32
      %other = add %local, %half : i32
      %in_range = ult %other, %rest : i1
      if %in_range @add {
        %q = offset %tile, %other scale 4 disp 0 : ptr<workgroup>
        %a = load %p align 4 : i32
        %b = load %q align 4 : i32
        %s = add %a, %b : i32
        store %p, %s align 4
        break @add
      } else {
        break @add
      }
      barrier scope workgroup order acq_rel
      continue @steps(%half)
    } else {
      break @steps
    }
    unreachable
  }
  %r = load %tile align 4 : i32
)";

/// Values of all types, and a local object, that are needed behind a barrier and cannot be computed again.
const std::string kAllTypes = kTile + R"(
  %array = object size 32 align 16 : ptr<private>
  %kept = offset %array, %two scale 4 disp 0 : ptr<private>
  store %kept, %mine align 4
  %v1 = trunc %mine : i1
  %v8 = trunc %mine : i8
  %v16 = trunc %mine : i16
  %wide = load %in_p align 4 : i32
  %v64a = sext %wide : i64
  %v64 = mul %v64a, %v64a : i64
  %vf = sitofp %wide : f32
  %vd = sitofp %v64 : f64
  %vh = fptrunc %vf : f16
)" + exchange("%mine", "%next", "1") +
                              R"(
  %c1 = zext %v1 : i32
  %c8 = sext %v8 : i32
  %c16 = zext %v16 : i32
  %c64s = ashr %v64, %shift : i64
  %c64 = trunc %c64s : i32
  %cf = bitcast %vf : i32
  %cdb = bitcast %vd : i64
  %cds = lshr %cdb, %shift : i64
  %cd = trunc %cds : i32
  %chb = bitcast %vh : i16
  %ch = zext %chb : i32
  %last = load %kept align 4 : i32
  %s1 = add %c1, %c8 : i32
  %s2 = xor %s1, %c16 : i32
  %s3 = add %s2, %c64 : i32
  %s4 = xor %s3, %cf : i32
  %s5 = add %s4, %cd : i32
  %s6 = xor %s5, %ch : i32
  %s7 = add %s6, %last : i32
  %r = xor %s7, %next : i32
)";

/// Uniform conditions around barriers: if, switch, nested loops that are left over two levels.
const std::string kUniformFlow = kTile + R"(
  %c0 = ult %wx, %two : i1
  %a0 = if %c0 @if : i32 {
)" + exchange("%mine", "%x1", "1") +
                                 R"(
    break @if(%x1)
  } else {
    break @if(%mine)
  }
  %case = urem %k, %three : i32
  %a1 = switch %case @sw : i32 {
  case 0: {
)" + exchange("%a0", "%x2", "2") +
                                 R"(
    break @sw(%x2)
  }
  case 1: {
    break @sw(%a0)
  }
  default: {
)" + exchange("%a0", "%x3", "3") +
                                 exchange("%x3", "%x4", "4") + R"(
    break @sw(%x4)
  }
  }
  %r = loop @outer (%i = %zero : i32, %sum = %a1 : i32) : i32 {
    %sum_in = loop @inner (%j = %zero : i32, %part = %sum : i32) : i32 {
)" + exchange("%part", "%x5", "5") +
                                 R"(
      %odd = and %x5, %one : i32
      %is_odd = ieq %odd, %one : i1
      %part2 = if %is_odd @div : i32 {
        %t = mul %x5, %three : i32
        break @div(%t)
      } else {
        %u = add %part, %x5 : i32
        break @div(%u)
      }
      %j2 = add %j, %one : i32
      %ij = add %i, %j : i32
      %all = ugt %ij, %three : i1
      if %all @leave {
        break @outer(%part2)
      } else {
        break @leave
      }
      %again = ult %j2, %three : i1
      if %again @next {
        continue @inner(%j2, %part2)
      } else {
        break @next
      }
      break @inner(%part2)
    }
)" + exchange("%sum_in", "%x6", "6") +
                                 R"(
    %i2 = add %i, %one : i32
    continue @outer(%i2, %x6)
  }
)";

/// Several objects, alignments above all others', atomics on workgroup memory.
const std::string kObjects = R"(
  %bytes = object size 3 align 1 : ptr<workgroup>
  %sum = object size 4 align 64 element i32 : ptr<workgroup>
  %pages = object size 8 align 4096 : ptr<workgroup>
  %is_first = ieq %local, %zero : i1
  if %is_first @init {
    %z8 = const 7 : i8
    store %bytes, %z8 align 1
    store %sum, %zero align 64
    store %pages, %n align 4096
    break @init
  } else {
    break @init
  }
  barrier scope workgroup order acq_rel
  %before = atomic_add %sum, %mine align 4 scope workgroup order relaxed : i32
  barrier scope workgroup order acq_rel
  %total = load %sum align 64 : i32
  %b8 = load %bytes align 1 : i8
  %b = zext %b8 : i32
  %m = load %pages align 4096 : i32
  %s1 = add %total, %b : i32
  %r = add %s1, %m : i32
)";

const std::string kDynamic = R"(
  %tile = dynamic_shared align 64 : ptr<workgroup>
  %same = dynamic_shared align 4 : ptr<workgroup>
)" + exchange("%mine", "%x1", "1") +
                             exchange("%x1", "%r", "2", "%same");

const Case kCases[] = {
    {"Exchange", kTile + exchange("%mine", "%r", "1")},
    {"Reduction", kReduction},
    {"AllTypes", "  %shift = const 3 : i64\n" + kAllTypes},
    {"UniformFlow", kUniformFlow},
    {"Objects", kObjects},
    {"Dynamic", kDynamic, 1},
    {"GlobalMemory", R"(
  %out_q = offset %out, %g scale 4 disp 0 : ptr<global>
  store %out_q, %mine align 4
  barrier scope workgroup order acq_rel
  %l = add %local, %one : i32
  %m = urem %l, %n : i32
  %o = add %first, %m : i32
  %out_o = offset %out, %o scale 4 disp 0 : ptr<global>
  %r = load %out_o align 4 : i32
  barrier scope workgroup order acq_rel
)"},
};

class Workgroups : public ::testing::TestWithParam<std::tuple<Case, unsigned>> {};
INSTANTIATE_TEST_SUITE_P(All, Workgroups,
                         ::testing::Combine(::testing::ValuesIn(kCases), ::testing::Values(0u, 1u, 2u)),
                         [](const auto& info) {
                           return std::get<0>(info.param).name + std::to_string(std::get<1>(info.param));
                         });

void compare(const Program& program, const Shape& shape) {
  const std::size_t count = std::size_t{shape.groups[0]} * shape.groups[1] * shape.groups[2] * shape.size[0] *
                            shape.size[1] * shape.size[2];
  std::vector<std::uint8_t> in(4 * count);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint8_t>(i * 2654435761u >> 11);
  const std::vector<std::vector<std::uint8_t>> buffers{in, std::vector<std::uint8_t>(in.size())};
  for (const std::int32_t k : {0, 1, 2}) {
    const Arguments values = Arguments().value(k);
    const auto expected = run_on_interpreter(program.module(), 0, buffers, shape, values);
    const auto got = run_on_host(program, 0, buffers, shape, values);
    ASSERT_EQ(got[1].bytes, expected[1].bytes) << "k = " << k << ", " << count << " invocations";
  }
}

TEST_P(Workgroups, AgreeWithTheInterpreter) {
  const auto& [test, optimize] = GetParam();
  spirea::host::Options options;
  options.optimize = optimize;
  options.debug_info = optimize == 1;
  const Program program(module_of(test.ops), options);
  const auto shape = [words = test.dynamic_words](Dims groups, Dims size) {
    return Shape(groups, size, 4 * words * size[0] * size[1] * size[2]);
  };
  compare(program, shape({3, 1, 1}, {1, 1, 1}));
  compare(program, shape({5, 1, 1}, {17, 1, 1}));
  compare(program, shape({2, 3, 2}, {4, 3, 2}));
  compare(program, shape({2, 1, 1}, {1024, 1, 1}));
  const Program fixed(module_of(test.ops, {8, 2, 3}), options);
  compare(fixed, shape({3, 2, 1}, {8, 2, 3}));
}

// CUDA counts those that have returned as having arrived.
TEST(Workgroup, BarriersPassOverInvocationsThatReturned) {
  const std::string ops = kTile + R"(
  %p = offset %tile, %local scale 4 disp 0 : ptr<workgroup>
  store %p, %mine align 4
  %five = const 5 : i32
  %out_of_range = uge %local, %five : i1
  if %out_of_range @early {
    return
  } else {
    break @early
  }
  barrier scope workgroup order acq_rel
  %r0 = loop @l (%i = %zero : i32, %sum = %zero : i32) : i32 {
    %q = offset %tile, %i scale 4 disp 0 : ptr<workgroup>
    %v = load %q align 4 : i32
    %sum2 = add %sum, %v : i32
    barrier scope workgroup order acq_rel
    %i2 = add %i, %one : i32
    %more = ult %i2, %n : i1
    if %more @again {
      continue @l(%i2, %sum2)
    } else {
      break @l(%sum2)
    }
    unreachable
  }
  %r = add %r0, %local : i32
)";
  for (const unsigned optimize : {0u, 2u}) {
    spirea::host::Options options;
    options.optimize = optimize;
    const Program program(module_of(ops), options);
    std::vector<std::int32_t> in(16), out(16, -1), expected(16, -1);
    std::iota(in.begin(), in.end(), 10);
    for (const std::size_t group : {0u, 8u})
      for (std::size_t i = group; i < group + 5; ++i)
        expected[i] =
            std::accumulate(in.begin() + group, in.begin() + group + 8, 0) + static_cast<int>(i - group);
    program.launch(Arguments().buffer(in).buffer(out).value(0), {2, 1, 1}, {8, 1, 1});
    EXPECT_EQ(out, expected);
  }
}

TEST(Workgroup, MemoryIsAskedForOnceACallAndOnlyWhereNeeded) {
  MemoryRequests& requests = memory_requests();
  const auto request = [&](const std::string& ops) {
    const Program program(module_of(ops));
    std::vector<std::int32_t> in(64 * 3), out(64 * 3);
    requests = {};
    program.launch(Arguments().buffer(in).buffer(out).value(0), {3, 1, 1}, {64, 1, 1});
    return std::pair(requests.count, requests.bytes);
  };
  EXPECT_EQ(request("  %r = add %g, %one : i32\n"), std::pair(std::size_t{0}, std::uint64_t{0}));
  EXPECT_EQ(request(kTile + "  %r = add %g, %one : i32\n").second, 4096u);
  // %mine, %x, %g, and the states: other positions are computed again.
  const auto exchange_request =
      request(kTile + exchange("%mine", "%x", "1") + "  %r = add %x, %mine : i32\n");
  EXPECT_EQ(exchange_request.first, 1u);
  EXPECT_LE(exchange_request.second, 4096u + 64 * 4 * 4);
}

TEST(Workgroup, WithoutMemoryNothingRuns) {
  const Program program(module_of(kTile + exchange("%mine", "%r", "1")));
  std::vector<std::int32_t> in(8, 3), out(8, -1);
  memory_requests() = {.refuse = true};
  program.launch(Arguments().buffer(in).buffer(out).value(0), {1, 1, 1}, {8, 1, 1});
  memory_requests() = {};
  EXPECT_EQ(out, std::vector<std::int32_t>(8, -1));
}

// The shape of other kernels stays: no call, no state, one loop.
TEST(Workgroup, KernelsWithoutBarriersPayNothing) {
  spirea::host::Options options;
  options.optimize = 0;
  const auto llvm_of = [&](const std::string& ops) {
    return generate(*parse(module_of(ops)), spirea::host::Output::LlvmText, options);
  };
  const std::string plain =
      llvm_of(kTile + "  %r = add %g, %one : i32\n  barrier scope subgroup order acq_rel\n");
  EXPECT_THAT(plain, Not(HasSubstr("invocation(")));
  EXPECT_THAT(plain, Not(HasSubstr("state")));
  EXPECT_THAT(llvm_of(kTile + exchange("%mine", "%r", "1")), HasSubstr("@k.invocation("));
}

// 40 conditions with barriers in a row would be 40 * 40 / 2 copies of what is between them, and 80 times the
// code: then the parts stay in one function.
TEST(Workgroup, ManyBarriersDoNotMultiplyTheCode) {
  std::string ops = kTile, value = "%mine";
  for (int i = 0; i < 40; ++i) {
    const std::string n = std::to_string(i), next = "%v" + n;
    std::string work;
    std::string last = value;
    for (int j = 0; j < 40; ++j) {
      const std::string name = "%w" + n + "." + std::to_string(j);
      work += "  " + name + " = mul " + last + ", " + (j % 2 == 0 ? "%mine" : last) + " : i32\n";
      last = name;
    }
    ops += work + "  %bit" + n + " = const " + std::to_string(i % 32) + " : i32\n  %sh" + n +
           " = lshr %k, %bit" + n + " : i32\n  %c" + n + " = trunc %sh" + n + " : i1\n  " + next +
           " = if %c" + n + " @b" + n + " : i32 {\n" + exchange(last, "%x" + n, n) + "  break @b" + n +
           "(%x" + n + ")\n} else {\n  break @b" + n + "(" + last + ")\n}\n";
    value = next;
  }
  ops += "  %r = add " + value + ", %one : i32\n";
  const auto module = parse(module_of(ops));
  EXPECT_LT(generate(*module, spirea::host::Output::Object).size(), 200'000u);
  compare(Program(module_of(ops)), Shape({2, 1, 1}, {8, 1, 1}));
}

}  // namespace
}  // namespace codegen_host
