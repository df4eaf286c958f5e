// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic accesses of every op, type, order and kind of memory, and subgroups of one invocation, against the
// interpreter; what of it LLVM sees.
#include <bit>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

#include "tests/codegen-host/differential.h"

namespace codegen_host {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::uint32_t kInvocations = 24;
constexpr const char* kIntTypes[] = {"i8", "i16", "i32", "i64"};
constexpr const char* kFloatTypes[] = {"f16", "f32", "f64"};

std::uint32_t bytes_of(const std::string& type) {
  return static_cast<std::uint32_t>(std::stoi(type.substr(1))) / 8;
}

std::vector<std::uint8_t> random_bytes(std::size_t size, bool of_floats) {
  std::vector<std::uint8_t> bytes(size);
  std::uint32_t state = 12345;
  for (std::uint8_t& byte : bytes)
    byte = static_cast<std::uint8_t>((state = state * 1664525 + 1013904223) >> 24);
  // Exponents far from those of infinities and NaN: 0x2x, 0x3x and their negatives in the high byte.
  if (of_floats)
    for (std::size_t i = 1; i < size; i += 2) bytes[i] = (bytes[i] & 0x8f) | 0x30;
  return bytes;
}

/// Each invocation does the op to one of 4 places, with an operand of its own, and keeps what it returns.
std::string kernel_of(const std::string& name, const std::string& op, const std::string& type,
                      const std::string& order, bool in_workgroup) {
  const std::string size = std::to_string(bytes_of(type)), space = in_workgroup ? "workgroup" : "global";
  const bool gives = op != "atomic_store", takes = op != "atomic_load",
             compares = op == "atomic_compare_exchange";
  std::string ops = "  %x = global_id x : i32\n  %three = const 3 : i32\n  %k = and %x, %three : i32\n";
  if (in_workgroup) ops += "  %tile = object size 32 align 8 : ptr<workgroup>\n";
  ops += "  %there = offset %places, %k scale " + size + " disp 0 : ptr<global>\n";
  ops += in_workgroup ? "  %place = offset %tile, %k scale " + size + " disp 0 : ptr<workgroup>\n"
                      : "  %place = offset %places, %k scale " + size + " disp 0 : ptr<global>\n";
  const std::string attributes = " align " + size + " scope device order ";
  if (in_workgroup)
    ops += "  %initial = atomic_load %there" + attributes + "acquire : " + type +
           "\n  atomic_store %place, %initial" + attributes + "relaxed\n";
  ops += "  %from = offset %in, %x scale " + size + " disp 0 : ptr<global>\n  %a = load %from align " + size +
         " : " + type + "\n";
  if (compares) ops += "  %seen = atomic_load %place" + attributes + "relaxed : " + type + "\n";
  ops += std::string("  ") + (gives ? "%r = " : "") + op + " %place" + (compares ? ", %seen" : "") +
         (takes ? ", %a" : "") + attributes + order + (gives ? " : " + type : "") + "\n";
  if (compares)
    ops += "  %r2 = atomic_compare_exchange %place, %seen, %seen" + attributes + order + " : " + type + "\n";
  ops += "  %to = offset %out, %x scale " + size + " disp 0 : ptr<global>\n  store %to, " +
         (compares ? "%r2"
          : gives  ? "%r"
                   : "%a") +
         " align " + size + "\n";
  if (in_workgroup)
    ops += "  %last = load %place align " + size + " : " + type + "\n  atomic_store %there, %last" +
           attributes + "release\n";
  return KernelText(name).buffer("places").buffer("in", "read").buffer("out", "write").body(ops);
}

void check(const std::string& op, const std::string& type, const std::vector<std::string>& orders) {
  std::string text = "kir 1\n";
  std::size_t count = 0;
  for (const std::string& order : orders)
    for (const bool in_workgroup : {false, true})
      text += kernel_of("k" + std::to_string(count++), op, type, order, in_workgroup);
  const Program program(text);
  const bool is_float = type[0] == 'f';
  const std::uint32_t size = bytes_of(type);
  const std::vector<std::vector<std::uint8_t>> buffers{random_bytes(4 * size, is_float),
                                                       random_bytes(kInvocations * size, is_float),
                                                       std::vector<std::uint8_t>(kInvocations * size)};
  for (std::size_t i = 0; i < count; ++i) {
    const auto expected = run_on_interpreter(program.module(), i, buffers, kInvocations);
    const auto got = run_on_host(program, i, buffers, kInvocations);
    EXPECT_EQ(got[0].bytes, expected[0].bytes) << op << " " << type << " kernel " << i;
    EXPECT_EQ(got[2].bytes, expected[2].bytes) << op << " " << type << " kernel " << i;
  }
}

const std::vector<std::string> kOrders = {"relaxed", "acquire", "release", "acq_rel", "seq_cst"};

TEST(Atomics, Integers) {
  for (const std::string op :
       {"exchange", "add", "sub", "and", "or", "xor", "smin", "smax", "umin", "umax", "compare_exchange"})
    for (const std::string type : kIntTypes) check("atomic_" + op, type, kOrders);
}

TEST(Atomics, Floats) {
  for (const std::string op : {"fadd", "fmin", "fmax"})
    for (const std::string type : kFloatTypes) check("atomic_" + op, type, kOrders);
}

TEST(Atomics, LoadsAndStores) {
  for (const auto& types : {std::vector<std::string>(std::begin(kIntTypes), std::end(kIntTypes)),
                            std::vector<std::string>(std::begin(kFloatTypes), std::end(kFloatTypes))})
    for (const std::string& type : types) {
      check("atomic_load", type, {"relaxed", "acquire", "seq_cst"});
      check("atomic_store", type, {"relaxed", "release", "seq_cst"});
    }
}

// As fmin and fmax: of a number and a NaN, the number.
TEST(Atomics, MinimumPassesOverNan) {
  const Program program(KernelText("k").buffer("out").module(R"(
  %nan = const 0x7fc00000 : f32
  %one = const 0x3f800000 : f32
  %zero = const 0 : i32
  %second = offset %out, %zero scale 1 disp 4 : ptr<global>
  %a = atomic_fmin %out, %nan align 4 scope device order relaxed : f32
  %b = atomic_fmax %second, %one align 4 scope device order relaxed : f32)"));
  std::vector<float> out{2.0f, std::bit_cast<float>(0x7fc00000)};
  program.launch(Arguments().buffer(out), {1, 1, 1}, {1, 1, 1});
  EXPECT_EQ(out, (std::vector<float>{2.0f, 1.0f}));
}

// Updates from several threads are not lost.
TEST(Atomics, BetweenThreads) {
  const Program program(KernelText("k").buffer("out").module(R"(
  %one = const 1 : i32
  %half = const 0x3f000000 : f32
  %zero = const 0 : i32
  %second = offset %out, %zero scale 1 disp 4 : ptr<global>
  %third = offset %out, %zero scale 1 disp 9 : ptr<global>
  %byte = const 3 : i8
  %a = atomic_add %out, %one align 4 scope device order relaxed : i32
  %b = atomic_fadd %second, %half align 4 scope device order relaxed : f32
  %c = atomic_add %third, %byte align 1 scope device order acq_rel : i8)"));
  std::vector<std::uint32_t> out(3);
  const Arguments arguments = Arguments().buffer(out);
  std::vector<std::thread> threads;
  constexpr std::uint32_t count = 100000;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] { program.launch(arguments, {1, 1, 1}, {count, 1, 1}); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(out[0], 4 * count);
  EXPECT_EQ(std::bit_cast<float>(out[1]), 2.0f * count);
  EXPECT_EQ(out[2], (12 * count & 0xff) << 8);
}

std::string llvm_of(const KernelText& text, const std::string& ops) {
  spirea::host::Options options;
  options.optimize = 0;
  return generate(*parse(text.module(ops)), spirea::host::Output::LlvmText, options);
}

TEST(Atomics, AreAtomicWhereOtherThreadsAre) {
  KernelText text("k");
  text.buffer("out");
  const std::string global = llvm_of(text, R"(
  %v = const 5 : i32
  %a = atomic_add %out, %v align 4 scope workgroup order acq_rel volatile : i32
  %b = atomic_compare_exchange %out, %v, %a align 8 scope device order acq_rel : i32
  %c = atomic_load %out align 4 scope device order acquire : i32
  atomic_store %out, %c align 4 scope device order release volatile
  fence scope device order acq_rel
  fence scope workgroup order release)");
  EXPECT_THAT(global, HasSubstr("atomicrmw volatile add ptr %out, i32 5 acq_rel, align 4"));
  EXPECT_THAT(global, HasSubstr("acq_rel acquire, align 8"));
  EXPECT_THAT(global, HasSubstr("load atomic i32, ptr %out acquire, align 4"));
  EXPECT_THAT(global, HasSubstr("store atomic volatile i32 %c, ptr %out release, align 4"));
  EXPECT_THAT(global, HasSubstr("fence acq_rel"));
  EXPECT_THAT(global, HasSubstr("fence syncscope(\"singlethread\") release"));
  const std::string shared = llvm_of(text, R"(
  %tile = object size 4 align 4 element i32 : ptr<workgroup>
  %v = const 5 : i32
  %a = atomic_exchange %tile, %v align 4 scope device order acq_rel : i32
  store %out, %a align 4)");
  EXPECT_THAT(shared, Not(HasSubstr("atomic")));
}

TEST(Atomics, BuffersThatOtherThreadsChangeMayAlias) {
  const auto noalias = [](const std::string& ops) {
    KernelText text("k");
    text.buffer("in", "read").buffer("out");
    const std::string llvm = llvm_of(text, "  %v = const 5 : i32\n  store %out, %v align 4\n" + ops);
    const std::size_t at = llvm.find("@k.workgroups(");
    const std::string parameters = llvm.substr(at, llvm.find(')', at) - at);
    return std::pair(parameters.find("noalias %in,") != std::string::npos,
                     parameters.find("noalias %out,") != std::string::npos);
  };
  const std::string tile = "  %tile = object size 4 align 4 : ptr<workgroup>\n";
  EXPECT_EQ(noalias(""), std::pair(true, true));
  EXPECT_EQ(noalias("  %a = atomic_add %out, %v align 4 scope device order relaxed : i32\n"),
            std::pair(true, false));
  EXPECT_EQ(noalias("  fence scope device order acq_rel\n"), std::pair(true, false));
  EXPECT_EQ(noalias(tile + "  %a = atomic_add %tile, %v align 4 scope device order relaxed : i32\n"),
            std::pair(true, true));
  EXPECT_EQ(noalias("  barrier scope workgroup order acq_rel\n"), std::pair(true, true));
}

/// Results of a kernel that stores %r, of this type, for each of 6 invocations.
void check_subgroups(const std::string& ops, const std::string& type) {
  const std::string size = std::to_string(std::max(1u, type == "i1" ? 1u : bytes_of(type)));
  const Program program(
      KernelText("k")
          .buffer("in", "read")
          .buffer("out", "write")
          .module("  %x = global_id x : i32\n  %zero = const 0 : i32\n  %in_p = offset %in, %x scale 8 disp "
                  "0 : ptr<global>\n" +
                  ops + "\n  %p = offset %out, %x scale 8 disp 0 : ptr<global>\n  store %p, %r align " +
                  size));
  const std::vector<std::vector<std::uint8_t>> buffers{random_bytes(12 * 8, type[0] == 'f'),
                                                       std::vector<std::uint8_t>(12 * 8)};
  const Shape shape({2, 1, 1}, {6, 1, 1});
  const auto expected = run_on_interpreter(program.module(), 0, buffers, shape);
  EXPECT_EQ(run_on_host(program, 0, buffers, shape)[1].bytes, expected[1].bytes) << ops;
}

std::string load_of(const std::string& type) { return "  %a = load %in_p align 1 : " + type + "\n"; }

TEST(Subgroups, OfOneInvocation) {
  for (const std::string query : {"subgroup_size", "subgroup_lane", "subgroup_id", "num_subgroups"})
    check_subgroups("  %r = " + query + " : i32", "i32");
  check_subgroups("  %r = subgroup_elect : i1\n  barrier scope subgroup order acq_rel", "i1");
  const std::string odd = "  %one = const 1 : i32\n  %bit = and %x, %one : i32\n  %c = ieq %bit, %one : i1\n";
  check_subgroups(odd + "  %r = subgroup_all %c : i1", "i1");
  check_subgroups(odd + "  %r = subgroup_any %c : i1", "i1");
  check_subgroups(odd + "  %r = subgroup_ballot %c : i64", "i64");
  check_subgroups("  %nan = const 0x7fc00000 : f32\n  %r = subgroup_all_equal %nan : i1", "i1");
  for (const std::string type : {"i8", "i16", "i32", "i64", "f16", "f32", "f64"}) {
    check_subgroups(load_of(type) + "  %r = subgroup_all_equal %a : i1", "i1");
    check_subgroups(load_of(type) + "  %r = subgroup_broadcast_first %a : " + type, type);
    for (const std::string op : {"subgroup_broadcast", "subgroup_shuffle", "subgroup_shuffle_xor",
                                 "subgroup_shuffle_up", "subgroup_shuffle_down"})
      check_subgroups(load_of(type) + "  %r = " + op + " %a, %zero : " + type, type);
    check_subgroups(load_of(type) + "  %r = subgroup_rotate %a, %zero reduce : " + type, type);
  }
}

TEST(Subgroups, ReduceAndScanOneInvocation) {
  const auto all = [](const std::string& op, const std::string& type) {
    for (const std::string kind : {"reduce", "inclusive", "exclusive", "clustered 1"})
      check_subgroups(load_of(type) + "  %r = subgroup_" + op + " %a " + kind + " : " + type, type);
  };
  for (const std::string op : {"add", "mul", "smin", "smax", "umin", "umax", "and", "or", "xor"})
    for (const std::string type : {"i8", "i32", "i64"}) all(op, type);
  for (const std::string op : {"fadd", "fmul", "fmin", "fmax"})
    for (const std::string type : kFloatTypes) all(op, type);
}

}  // namespace
}  // namespace codegen_host
