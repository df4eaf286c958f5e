// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that are nested too deep become state machines. Random kernels, with limits so low that most of
// each is taken apart, compute the same on the interpreter before and after, and pass spirv-val.
#include "codegen-spirv/legalize/nesting.h"

#include <gtest/gtest.h>

#include "codegen-spirv/spirv.h"
#include "ir/interp/interp.h"
#include "ir/text/parser.h"
#include "ir/text/printer.h"
#include "ir/verify/verify.h"
#include "tests/ir/random_kernel.h"

namespace spirea::spirv::test {
namespace {

using kir::test::kRandomSlots;
using Numbers = std::vector<std::int32_t>;

/// Buffer of `count` numbers, n, x.
struct Arguments {
  std::uint64_t address, count;
  std::int32_t n;
  float x;
};

/// What two invocations of kernel "k" make of the numbers.
Numbers run(const kir::Module& module, Numbers data, std::int32_t n) {
  const std::uint64_t bytes = data.size() * 4;
  interp::Memory memory;
  const auto address = memory.allocate(bytes, 16);
  if (!address || !memory.write(*address, data.data(), bytes)) return {};
  const Arguments arguments{*address, data.size(), n, 2.5f};
  const auto done =
      interp::launch(memory, module, "k", std::as_bytes(std::span(&arguments, 1)), {{1, 1, 1}, {2, 1, 1}});
  EXPECT_TRUE(done) << to_string(done.diagnostics());
  if (!done || !memory.read(*address, data.data(), bytes)) return {};
  return data;
}

std::unique_ptr<kir::Module> legalized(const kir::Module& module) {
  const auto text = legalized_text(module, *module.kernels[0], {});
  EXPECT_TRUE(text) << to_string(text.diagnostics());
  return text ? kir::parse(*text, "legal.kir").take() : nullptr;
}

TEST(Nesting, KeepsTheMeaningOfRandomKernels) {
  Numbers data(2 * kRandomSlots);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::int32_t>(i * 2654435761u);
  const NestingLimits limits[] = {{0, 0, 0}, {0, 0, 2}, {1, 1, 1}, {2, 1, 4}};
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto module = kir::test::random_kernel(seed);
    const auto legal = legalized(*module);
    ASSERT_TRUE(legal);
    const bool changed = bound_nesting(*legal->kernels[0], limits[seed % 4]);
    EXPECT_EQ(bound_nesting(*legalized(*module)->kernels[0], limits[seed % 4]), changed);
    const auto valid = kir::verify(*legal);
    ASSERT_TRUE(valid) << to_string(valid.diagnostics());
    ASSERT_EQ(run(*legal, data, -7), run(*module, data, -7)) << print(*module) << print(*legal);
    const auto words = generate(*legal, *legal->kernels[0], {});
    ASSERT_TRUE(words) << to_string(words.diagnostics()) << print(*legal);
  }
}

/// A kernel `k(buffer<i32> p, i32 n, f32 x)`, the body being around `%v`, the invocation's element.
std::string kernel_text(const std::string& body) {
  return R"kir(kir 1
kernel @k key "k" display "k()" file "t.cpp" line 1 {
  param buffer "p" type "std::span<int>" size 16 align 8 element "int" 4 4 access readwrite leaves (%p: ptr at 0 from 0, %p_size: i64 at 8 from 8)
  param value "n" type "int" size 4 align 4 leaves (%n: i32 at 16 from 0)
  param value "x" type "float" size 4 align 4 leaves (%x: f32 at 20 from 0)
body {
  %i = global_id x : i32
  %at = offset %p, %i scale 4 disp 0 : ptr<global>
  %v = load %at align 4 : i32
  %one = const 1 : i32
)kir" + body +
         "return\n}\n}\n";
}

/// `before`, with $ as the level, starts each of the levels, `after` ends it.
std::string nest(std::size_t levels, const std::string& before, const std::string& after) {
  std::string text;
  const auto add = [&](const std::string& part, std::size_t level) {
    for (const char c : part) text += c == '$' ? std::to_string(level) : std::string(1, c);
  };
  for (std::size_t i = 0; i < levels; ++i) add(before, i);
  for (std::size_t i = levels; i-- > 0;) add(after, i);
  return text;
}

/// The kernel is as deep as said, then within the limits, and computes what it did.
void expect_bounded(const std::string& body, std::size_t levels, const Numbers& data) {
  auto module = kir::parse(kernel_text(body), "t.kir");
  ASSERT_TRUE(module) << to_string(module.diagnostics());
  EXPECT_EQ(Nesting((*module)->kernels[0]->body).levels(), levels);
  const Numbers expected = run(**module, data, 3);
  EXPECT_EQ(bound_nesting(*(*module)->kernels[0], {}), levels > NestingLimits().most);
  const auto valid = kir::verify(**module);
  ASSERT_TRUE(valid) << to_string(valid.diagnostics());
  EXPECT_LE(Nesting((*module)->kernels[0]->body).levels(), NestingLimits().most + 2);
  EXPECT_EQ(run(**module, data, 3), expected);
}

const std::string kIf = "%c$ = const $ : i32 %t$ = ugt %v, %c$ : i1 if %t$ @a$ { store %at, %c$ align 4 ";
const std::string kEndIf =
    "%w$ = load %at align 4 : i32 %y$ = add %w$, %one : i32 store %at, %y$ align 4 break @a$ } else { break "
    "@a$ } ";

TEST(Nesting, LeavesOrdinaryKernelsAlone) {
  expect_bounded(nest(48, kIf, kEndIf), 48, {7, 47});
  expect_bounded(nest(10, "block @b$ { ", "break @b$ } "), 0, {7, 47});
}

TEST(Nesting, BoundsConditions) {
  expect_bounded(nest(49, kIf, kEndIf), 49, {7, 49});
  expect_bounded(nest(300, kIf, kEndIf), 300, {120, 300});
}

TEST(Nesting, BoundsEarlyReturns) {
  const std::string step =
      "%c$ = const $ : i32 %t$ = ult %v, %c$ : i1 if %t$ @a$ { return } else { break @a$ } "
      "%w$ = load %at align 4 : i32 %y$ = add %w$, %c$ : i32 store %at, %y$ align 4 ";
  expect_bounded(nest(300, step, ""), 300, {120, 1000});
}

TEST(Nesting, BoundsBreaksOfABlock) {
  const std::string step =
      "%c$ = const $ : i32 %t$ = ult %v, %c$ : i1 if %t$ @a$ { break @b } else { break @a$ } "
      "%w$ = load %at align 4 : i32 %y$ = add %w$, %c$ : i32 store %at, %y$ align 4 ";
  expect_bounded("block @b { " + nest(300, step, "") + " break @b } store %at, %one align 4 ", 300, {120, 9});
}

/// Loops of one trip, or two where a bit of the element is set; values go around them, and out of them.
TEST(Nesting, BoundsLoops) {
  const std::string before =
      "%c$ = const $ : i32 %e$ = ieq %v, %c$ : i1 %m$ = zext %e$ : i32 %r$ = loop @l$ (%k$ = %m$ : i32) : "
      "i32 { ";
  const std::string after =
      "%w$ = load %at align 4 : i32 %y$ = add %w$, %k$ : i32 store %at, %y$ align 4 %s$ = sub %k$, %one : "
      "i32 "
      "%h$ = const 128 : i32 %z$ = uge %s$, %h$ : i1 if %z$ @a$ { break @l$(%y$) } else { break @a$ } "
      "continue @l$(%s$) } %q$ = load %at align 4 : i32 %g$ = xor %q$, %r$ : i32 store %at, %g$ align 4 ";
  expect_bounded(nest(200, before, after), 201, {7, 150});
}

}  // namespace
}  // namespace spirea::spirv::test
