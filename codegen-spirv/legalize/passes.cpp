// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen-spirv/legalize/passes.h"

#include "codegen-spirv/legalize/legalize.h"
#include "ir/transform/canonicalize_control.h"

namespace spirea::spirv {
namespace {

using kir::Properties;
using kir::Property;

constexpr kir::PassInfo kPasses[] = {
    {"spirv-reachable",
     "removes what is never reached",
     {},
     {Property::Reachable},
     {Property::NoDeadOps},
     remove_unreachable},
    {"spirv-generic-pointers",
     "generic pointers, and local ones in memory, become numbers",
     {},
     {},
     {Property::Canonical, Property::NoDeadOps},
     legalize_generic_pointers},
    {"spirv-local-pointers",
     "private and workgroup pointers that are chosen at run time become offsets into one object",
     {},
     {},
     {Property::Canonical, Property::NoDeadOps, Property::TypedObjects},
     legalize_local_pointers},
    {"spirv-atomics",
     "atomic accesses that Vulkan lacks become loops around a compare-exchange",
     {},
     {},
     {Property::Canonical, Property::NoDeadOps},
     legalize_atomics},
    {"spirv-atomics-native-add",
     "the same, but for additions of floats, which stay where a device could do them",
     {},
     {},
     {Property::Canonical, Property::NoDeadOps},
     legalize_atomics_with_native_add},
    {"spirv-accesses",
     "objects without an element type become words; accesses that are not of an element, or not aligned, are "
     "taken apart",
     {},
     {Property::TypedObjects},
     {Property::Canonical, Property::NoDeadOps},
     legalize_accesses},
    {"spirv-half",
     "16-bit floats become 16-bit integers, and operations on them operations of 32-bit floats",
     {},
     {},
     {Property::Canonical, Property::NoDeadOps},
     legalize_half},
    {"spirv-subgroups",
     "subgroup operations that few devices have become shuffles",
     {},
     {},
     {Property::Canonical, Property::NoDeadOps},
     legalize_subgroups},
    {"spirv-division",
     "64-bit division takes 32 bits where the numbers have no more",
     {},
     {},
     {Property::Canonical, Property::NoDeadOps},
     legalize_division},
    {"spirv-arithmetic",
     "ops that SPIR-V lacks become sequences of those it has",
     {},
     {},
     {Property::Canonical, Property::NoDeadOps},
     legalize_arithmetic},
    {"spirv-exits",
     "exits that leave more than SPIR-V allows leave one construct at a time",
     {Property::Reachable},
     {},
     {Property::Canonical, Property::NoDeadOps},
     legalize_exits},
    {"spirv-nesting",
     "kernels whose conditions are nested deeper than drivers can become state machines",
     {Property::Reachable},
     {},
     {Property::Canonical, Property::NoDeadOps},
     legalize_nesting},
};

constexpr kir::PipelineInfo kPipelines[] = {
    {"spirv-legalize-objects", "what comes first of spirv-legalize",
     "spirv-reachable,spirv-generic-pointers,spirv-local-pointers"},
    {"spirv-legalize-ops", "what comes last of it",
     "spirv-subgroups,spirv-division,spirv-arithmetic,spirv-exits,spirv-nesting"},
    {"spirv-legalize", "what instruction selection for Vulkan needs",
     "spirv-legalize-objects,spirv-atomics,spirv-accesses,spirv-half,spirv-legalize-ops"},
    {"spirv-legalize-native-half", "the same for devices that compute with 16-bit floats",
     "spirv-legalize-objects,spirv-atomics,spirv-accesses,spirv-legalize-ops"},
    {"spirv-legalize-native-add", "for devices that add floats atomically",
     "spirv-legalize-objects,spirv-atomics-native-add,spirv-accesses,spirv-half,spirv-legalize-ops"},
    {"spirv-legalize-native-half-add", "for devices that do both",
     "spirv-legalize-objects,spirv-atomics-native-add,spirv-accesses,spirv-legalize-ops"},
};

}  // namespace

std::span<const kir::PassInfo> passes() { return kPasses; }
std::span<const kir::PipelineInfo> pipelines() { return kPipelines; }

std::string_view pipeline_name(bool native_half, bool native_float_add) {
  if (native_half) return native_float_add ? "spirv-legalize-native-half-add" : "spirv-legalize-native-half";
  return native_float_add ? "spirv-legalize-native-add" : "spirv-legalize";
}

kir::Result<bool> remove_unreachable(kir::Module& module) {
  bool changed = false;
  for (const auto& kernel : module.kernels) changed |= kir::canonicalize_control(*kernel);
  return changed;
}

}  // namespace spirea::spirv
