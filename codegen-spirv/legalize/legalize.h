// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// KIR to the KIR that instruction selection takes. Each pass works on a module of its own; after all of them:
// - private, workgroup and constant pointers are offsets from one object, whose element type is that of every
//   access;
// - atomic accesses are of 32- and 64-bit integers;
// - no op is left that neither SPIR-V nor GLSL.std.450 has;
// - every exit is one that SPIR-V allows (its specification, 2.11.2 "Structured Control-Flow Constraints");
// - conditions are nested no deeper than drivers can.
#pragma once

#include <vector>

#include "ir/core/diagnostic.h"
#include "ir/core/module.h"

namespace spirea::spirv {

/// A pointer to memory that has no address: private, workgroup or constant.
inline bool is_local(const kir::Value* value) {
  const kir::Type type = value->type();
  return type.is_ptr() && type.space() != kir::Space::Global && type.space() != kir::Space::Generic;
}

/// What Vulkan cannot do at all, each at its C++ line.
kir::Result<void> can_generate(const kir::Module&, std::uint64_t max_private_bytes);

// The passes, in the order of the pipeline "spirv-legalize" (codegen-spirv/legalize/passes.h). Each returns
// whether it changed the module.

/// Removes what is never reached: for spirv-val, an exit from there to a loop around it is not one to a loop
/// around it.
kir::Result<bool> remove_unreachable(kir::Module&);
/// Generic pointers become 64-bit numbers; an access through one asks which memory it is to. Local and
/// workgroup pointers in memory are such numbers, too.
kir::Result<bool> legalize_generic_pointers(kir::Module&);
/// Private and workgroup pointers that are chosen at run time (select, loop arguments, results) become byte
/// offsets into one object that holds all objects they may point to. If `dynamic_shared` memory is among
/// them, it holds all workgroup objects: Manifest::shared_bytes of them, and behind them what the launch
/// gives.
kir::Result<bool> legalize_local_pointers(kir::Module&);
/// Atomic accesses of floats and of less than a word become loops around a compare-exchange; those of private
/// memory become loads and stores.
kir::Result<bool> legalize_atomics(kir::Module&);
/// The same, but additions of 32- and 64-bit floats stay: in global memory, and in workgroup objects that
/// have no other accesses than such additions, loads and stores, all of which become those of the float.
kir::Result<bool> legalize_atomics_with_native_add(kir::Module&);
/// Objects without an element type become arrays of words of 32 bits, or of 64 in workgroup memory with
/// 64-bit atomic accesses; their accesses are taken apart. So are accesses of global memory that are less
/// aligned than their size.
kir::Result<bool> legalize_accesses(kir::Module&);
/// 16-bit floats become 16-bit integers; operations on them are those of 32-bit floats, correctly rounded.
kir::Result<bool> legalize_half(kir::Module&);
/// Subgroup rotations and operations over clusters become shuffles.
kir::Result<bool> legalize_subgroups(kir::Module&);
/// 64-bit divisions by what is not a constant take 32 bits where both numbers have no more.
kir::Result<bool> legalize_division(kir::Module&);
/// Ops that SPIR-V lacks, or lacks at some widths, as sequences of those it has.
kir::Result<bool> legalize_arithmetic(kir::Module&);
/// Exits that leave more than SPIR-V allows leave one construct at a time, with a selector as an additional
/// result.
kir::Result<bool> legalize_exits(kir::Module&);
/// A kernel whose conditions are nested deeper than drivers can becomes a state machine (state_machine.h).
kir::Result<bool> legalize_nesting(kir::Module&);

// How local objects will be kept, before the passes above decide it: for --remarks=memory.

/// An object that becomes part of one with all that its pointers may point to, the set; and why.
struct MergedObject {
  const kir::Op* object;
  const kir::Value* set;
  const kir::Op* reason;
};
/// What legalize_local_pointers will merge; generic pointers are legal.
std::vector<MergedObject> merged_objects(const kir::Kernel&);
/// What legalize_accesses will make words of; private pointers are legal.
std::vector<const kir::Op*> word_objects(kir::Module&, kir::Kernel&);

}  // namespace spirea::spirv
