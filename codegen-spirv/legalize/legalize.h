// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// KIR to the KIR that instruction selection takes. Each pass works on a module of its own; after all of them:
// - private and constant pointers are offsets from one object, whose element type is that of every access;
// - no op is left that neither SPIR-V nor GLSL.std.450 has;
// - every exit is one that SPIR-V allows (its specification, 2.11.2 "Structured Control-Flow Constraints").
#pragma once

#include "ir/core/diagnostic.h"
#include "ir/core/module.h"

namespace spirea::spirv {

/// What Vulkan cannot do at all, each at its C++ line.
kir::Result<void> can_generate(const kir::Module&);

// The passes, in the order of the pipeline "spirv-legalize" (codegen-spirv/legalize/passes.h). Each returns
// whether it changed the module.

/// Removes what is never reached: for spirv-val, an exit from there to a loop around it is not one to a loop
/// around it.
kir::Result<bool> remove_unreachable(kir::Module&);
/// Generic pointers become 64-bit numbers; an access through one asks which memory it is to. Local pointers
/// in memory are such numbers, too.
kir::Result<bool> legalize_generic_pointers(kir::Module&);
/// Private pointers that are chosen at run time (select, loop arguments, results) become byte offsets into
/// one object that holds all objects they may point to.
kir::Result<bool> legalize_private_pointers(kir::Module&);
/// Objects without an element type become arrays of 32-bit words; their accesses are taken apart. So are
/// accesses of global memory that are less aligned than their size.
kir::Result<bool> legalize_accesses(kir::Module&);
/// 64-bit divisions by what is not a constant take 32 bits where both numbers have no more.
kir::Result<bool> legalize_division(kir::Module&);
/// Ops that SPIR-V lacks, or lacks at some widths, as sequences of those it has.
kir::Result<bool> legalize_arithmetic(kir::Module&);
/// Exits that leave more than SPIR-V allows leave one construct at a time, with a selector as an additional
/// result.
kir::Result<bool> legalize_exits(kir::Module&);

}  // namespace spirea::spirv
