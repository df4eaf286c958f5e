// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel whose constructs are nested too deep, as a state machine. Each construct of `cuts` is taken apart:
// what lies between its beginning, the beginnings and ends of such constructs in it, and its end, are pieces
// of straight code (with whole constructs of the other kind in them). Pieces are numbered in the order of the
// code, and a state says which one is next:
//
//   A                          A; s0 = c ? 1 : 3
//   if c @a {                  s1 = if s0 == 1 { B; d ? 2 : 3 } else { s0 }
//     B                        s2 = if s1 == 2 { C; 3 } else { s1 }
//     if d @b { C } else { }   s3 = if s2 == 3 { D; end } else { s2 }
//   } else { }
//   D
//
// Every way goes forward in this row, so that invocations which part meet again where they did before; but
// for loops: each is a loop around its part of the row, which goes on while the state is in that part. Where
// many loops are nested, the inner ones share the loop of one around them, and their invocations meet again
// only behind that one.
#pragma once

#include <cstddef>

#include "codegen-spirv/legalize/nesting.h"

namespace spirea::spirv {

/// Needs exits that SPIR-V allows, and leaves such. `loops`: how many loops may be nested.
void build_state_machine(kir::Kernel&, const Cuts& cuts, std::size_t loops);

}  // namespace spirea::spirv
