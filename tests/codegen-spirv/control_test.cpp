// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow on Vulkan: what the interpreter computes, bit for bit.
#include <gtest/gtest.h>

#include "ir/text/parser.h"
#include "tests/codegen-spirv/vulkan.h"
#include "tests/ir/random_kernel.h"

namespace spirea::spirv::test {
namespace {

constexpr std::uint32_t kInvocations = 16;

Launch launch_of(std::int32_t n) {
  std::vector<std::uint32_t> data(kInvocations * kir::test::kRandomSlots);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::uint32_t>(i * 2654435761u);
  Launch launch;
  launch.buffers = {bytes_of(data)};
  launch.values = {bytes_of(std::vector{n}), bytes_of(std::vector{1.0f})};
  launch.workgroup_size = {kInvocations, 1, 1};
  return launch;
}

TEST(Control, RandomKernels) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_same(*kir::test::random_kernel(seed, false), launch_of(static_cast<std::int32_t>(seed * 77)));
    if (HasFatalFailure()) return;
  }
}

/// Each invocation leaves the loop at another iteration, with a value that the iteration computed.
constexpr const char* kLoops[] = {
    R"(%r = loop @l (%t = %c1 : i32, %x = %id : i32) : i32 {
         %a = mul %t, %c7 : i32
         %t2 = add %a, %x : i32
         %x2 = add %x, %c3 : i32
         %go = ult %x2, %c40 : i1
         if %go @j { continue @l(%t2, %x2) } else { break @l(%t2) }
         unreachable
       })",
    R"(%r = loop @l (%x = %id : i32) : i32 {
         %t2 = mul %x, %c7 : i32
         %x2 = add %x, %c3 : i32
         %go = ult %x2, %c40 : i1
         if %go @j { continue @l(%x2) } else { break @l(%t2) }
         unreachable
       })",
    R"(%zero = const 0 : i32
       %groups = num_workgroups x : i32
       %some = ine %groups, %zero : i1
       %r = loop @l (%x = %id : i32) : i32 {
         %t2 = mul %x, %c7 : i32
         %x2 = add %x, %c3 : i32
         %go = ult %x2, %c40 : i1
         if %go @j {
           continue @l(%x2)
         } else {
           if %some @m { break @l(%t2) } else { break @l(%zero) }
           unreachable
         }
         unreachable
       })",
    R"(%o = object size 4 align 4 element i32 : ptr<private>
       loop @l (%x = %id : i32) {
         %t2 = mul %x, %c7 : i32
         %x2 = add %x, %c3 : i32
         %go = ult %x2, %c40 : i1
         if %go @j { continue @l(%x2) } else { store %o, %t2 align 4 break @l }
         unreachable
       }
       %r = load %o align 4 : i32)",
    R"(%r = loop @outer (%y = %id : i32) : i32 {
         %q = loop @l (%x = %y : i32) : i32 {
           %t2 = mul %x, %c7 : i32
           %x2 = add %x, %c3 : i32
           %go = ult %x2, %c40 : i1
           if %go @j { continue @l(%x2) } else { break @l(%t2) }
           unreachable
         }
         %y2 = add %y, %c7 : i32
         %more = ult %y2, %c40 : i1
         if %more @k { continue @outer(%y2) } else { break @outer(%q) }
         unreachable
       })",
    // The values of both loops leave them, and each pass of the outer one uses the inner one's.
    R"(%r = loop @outer (%y = %id : i32, %s = %id : i32) : i32 {
         %q = loop @l (%x = %y : i32) : i32 {
           %t2 = mul %x, %c7 : i32
           %x2 = add %x, %c3 : i32
           %go = ult %x2, %c40 : i1
           if %go @j { continue @l(%x2) } else { break @l(%t2) }
           unreachable
         }
         %s2 = add %s, %q : i32
         %s3 = mul %s2, %c3 : i32
         %y2 = add %y, %c7 : i32
         %more = ult %y2, %c40 : i1
         if %more @k { continue @outer(%y2, %s3) } else { break @outer(%s3) }
         unreachable
       })",
    // What leaves is an argument; the loop and what follows it compute the same from it.
    R"(%e = loop @l (%x = %id : i32) : i32 {
         %t = mul %x, %c7 : i32
         %at = offset %p, %id scale 4 disp 64 : ptr<global>
         store %at, %t align 4
         %x2 = add %x, %c3 : i32
         %go = ult %x2, %c40 : i1
         if %go @j { continue @l(%x2) } else { break @l(%x) }
         unreachable
       }
       %r = mul %e, %c7 : i32)",
};

TEST(Control, ValuesThatLeaveDivergentLoops) {
  for (const char* loop : kLoops) {
    auto module = kir::parse(R"kir(kir 1
kernel @k key "k" display "k()" file "k.cpp" line 1 {
  param buffer "p" type "std::span<int>" size 16 align 8 element "int" 4 4 access readwrite leaves (%p: ptr at 0 from 0, %p_size: i64 at 8 from 8)
body {
  %c1 = const 1 : i32
  %c3 = const 3 : i32
  %c7 = const 7 : i32
  %c40 = const 40 : i32
  %id = global_id x : i32
)kir" + std::string(loop) + R"kir(
  %place = offset %p, %id scale 4 disp 0 : ptr<global>
  store %place, %r align 4
  return
}
}
)kir",
                             "loop.kir");
    ASSERT_TRUE(module) << to_string(module.diagnostics());
    Launch launch;
    launch.buffers = {Bytes(kInvocations * 8)};
    expect_same(**module, launch);
  }
}

}  // namespace
}  // namespace spirea::spirv::test
