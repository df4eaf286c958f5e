// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whatever the verifier accepts can be run: a result or a diagnostic, never a crash.
#include <algorithm>
#include <random>
#include <ranges>
#include <string_view>

#include "ir/text/parser.h"
#include "ir/verify/verify.h"
#include "tests/interp/support.h"

namespace spirea::interp::test {
namespace {

/// A kernel with something of every family of ops.
std::string kernel() {
  KernelText text;
  text.global("constant @table size 16 align 4 element i32 bytes \"00000000010000000200000003000000\"");
  text.buffer("a", "read").buffer("b").value("n", "i32").value("f", "f32").value("p", "ptr");
  return text.with(R"(
    %local = object size 32 align 8 : ptr<private>
    %table = address_of @table : ptr<constant>
    %x = global_id x : i32
    %zero = const 0 : i32
    %one = const 1 : i32
    %three = const 3 : i32
    %r, %s = loop @outer (%i = %zero : i32, %sum = %x : i32, %next = %one : i32) : i32, i32 {
      %more = slt %i, %n : i1
      if %more @t {
        break @t
      } else {
        break @outer(%sum, %next)
      }
      %k = and %sum, %three : i32
      %pt = offset %table, %k scale 4 disp 0 : ptr<constant>
      %v = load %pt align 4 : i32
      %pl = offset %local, %k scale 8 disp 0 : ptr<private>
      store %pl, %v align 8
      %w = load %pl align 4 : i32
      %pa = offset %a, %k scale 4 disp 0 : ptr<global>
      %y = load %pa align 4 : i32
      %z = switch %w @s : i32 {
        case 1, 2: {
          %m = mul %y, %sum : i32
          break @s(%m)
        }
        case 3: {
          %j = add %i, %one : i32
          continue @outer(%j, %next, %sum)
        }
        default: {
          %d = udiv %y, %three : i32
          break @s(%d)
        }
      }
      %g = sitofp %z : f32
      %h = fma %g, %f, %g : f32
      %root = sqrt %h : f32
      %is = fogt %root, %f : i1
      %c = select %is, %z, %y : i32
      %sh = lshr %c, %three : i32
      %j2 = add %i, %one : i32
      %t = xor %sh, %sum : i32
      continue @outer(%j2, %next, %t)
    }
    %pi = ptr_to_int %p : i64
    %po = int_to_ptr %pi : ptr<global>
    %pv = load %po align 4 : i32
    %q = add %r, %pv : i32
    %u = sub %q, %s : i32
    %fr = freeze %u : i32
    %pb = offset %b, %x scale 4 disp 0 : ptr<global>
    store %pb, %fr align 4)");
}

/// Places of the words that satisfy a condition, in the body.
template <class F>
std::vector<std::pair<std::size_t, std::size_t>> words(const std::string& text, F&& wanted) {
  std::vector<std::pair<std::size_t, std::size_t>> result;
  constexpr std::string_view separators = " ,():\n";
  for (std::size_t at = text.find("body {"); at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    if (end > at && wanted(std::string_view(text).substr(at, end - at))) result.emplace_back(at, end - at);
    at = end + 1;
  }
  return result;
}

/// Some values exchanged for others, some numbers and some ops.
std::string mutated(std::string text, std::mt19937& random) {
  constexpr std::string_view numbers[] = {"0", "1", "2", "4", "8", "31", "64", "4294967295"};
  constexpr std::string_view binary[] = {"add",  "sub",  "mul",  "udiv", "sdiv", "srem",   "shl",
                                         "lshr", "ashr", "smax", "umin", "and",  "umul_hi"};
  const auto is_binary = [&](std::string_view word) {
    return std::ranges::find(binary, word) != std::end(binary);
  };
  const auto is_number = [](std::string_view word) {
    return word.find_first_not_of("0123456789") == word.npos;
  };
  const auto is_value = [](std::string_view word) { return word.starts_with('%'); };
  for (unsigned n = 1 + random() % 3; n > 0; --n) {
    const unsigned kind = random() % 4;
    const auto places = kind == 0   ? words(text, is_number)
                        : kind == 1 ? words(text, is_binary)
                                    : words(text, is_value);
    const auto [at, size] = places[random() % places.size()];
    const auto [from, from_size] = places[random() % places.size()];
    const std::string value = text.substr(from, from_size);
    text.replace(at, size,
                 kind == 0   ? numbers[random() % std::size(numbers)]
                 : kind == 1 ? binary[random() % std::size(binary)]
                             : std::string_view(value));
  }
  return text;
}

TEST(Mutation, kernels_that_verify_run_or_report) {
  const std::string text = kernel();
  std::mt19937 random(1);
  unsigned ran = 0, failed = 0;
  for (int round = 0; round < 10000; ++round) {
    auto module = kir::parse(round == 0 ? text : mutated(text, random), "test.kir");
    if (!module || !kir::verify(**module)) continue;
    Machine machine(module.take());
    machine.options.max_steps = 3000;
    machine.buffer(std::vector<i32>{5, 6, 7, 8});
    const u64 b = machine.buffer(std::vector<i32>{0, 0, 0, 0});
    machine.argument<i32>(9);
    machine.argument<float>(0.5f);
    machine.argument(b + 12);
    const std::string error = machine.error({3, 1, 1});
    ASSERT_TRUE(round != 0 || error.empty()) << error;
    ASSERT_TRUE(error.empty() || error.find("error: ") != error.npos) << error;
    ++(error.empty() ? ran : failed);
  }
  // Enough of both for the test to mean something.
  EXPECT_GT(ran, 500u);
  EXPECT_GT(failed, 500u);
}

}  // namespace
}  // namespace spirea::interp::test
