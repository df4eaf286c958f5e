// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen-spirv/capabilities.h"

#include <algorithm>
#include <set>
#include <string>

namespace spirea::spirv {
namespace {

struct Known {
  spv::Capability capability;
  const char* name;
  std::vector<spv::Capability> implies;
  const char* extension = nullptr;  ///< that has it; null: the core
};

/// What a Vulkan 1.2 device may offer to compute kernels, in order of preference ("Vulkan Environment for
/// SPIR-V").
const std::vector<Known>& vulkan_capabilities() {
  using C = spv::Capability;
  static const std::vector<Known> table = {
      {C::Shader, "Shader", {C::Matrix}},
      {C::Matrix, "Matrix", {}},
      {C::PhysicalStorageBufferAddresses, "PhysicalStorageBufferAddresses", {}},
      {C::VulkanMemoryModel, "VulkanMemoryModel", {}},
      {C::Int8, "Int8", {}},
      {C::Int16, "Int16", {}},
      {C::Int64, "Int64", {}},
      {C::Float16, "Float16", {}},
      {C::Float64, "Float64", {}},
      {C::StorageBuffer8BitAccess, "StorageBuffer8BitAccess", {}},
      {C::StorageBuffer16BitAccess, "StorageBuffer16BitAccess", {}},
      {C::Int64Atomics, "Int64Atomics", {}},
      {C::GroupNonUniform, "GroupNonUniform", {}},
      {C::GroupNonUniformVote, "GroupNonUniformVote", {C::GroupNonUniform}},
      {C::GroupNonUniformBallot, "GroupNonUniformBallot", {C::GroupNonUniform}},
      {C::GroupNonUniformArithmetic, "GroupNonUniformArithmetic", {C::GroupNonUniform}},
      {C::GroupNonUniformShuffle, "GroupNonUniformShuffle", {C::GroupNonUniform}},
      {C::GroupNonUniformShuffleRelative, "GroupNonUniformShuffleRelative", {C::GroupNonUniform}},
      {C::GroupNonUniformQuad, "GroupNonUniformQuad", {C::GroupNonUniform}},
      {C::AtomicFloat32AddEXT, "AtomicFloat32AddEXT", {}, "SPV_EXT_shader_atomic_float_add"},
      {C::AtomicFloat64AddEXT, "AtomicFloat64AddEXT", {}, "SPV_EXT_shader_atomic_float_add"},
  };
  return table;
}

}  // namespace

kir::Result<Declarations> deduce_declarations(const Requirements& requirements, Environment) {
  const auto& known = vulkan_capabilities();
  std::set<spv::Capability> declared, implied;
  std::set<std::string> extensions;
  const auto declare = [&](const Known& row) {
    declared.insert(row.capability);
    implied.insert(row.capability);
    implied.insert(row.implies.begin(), row.implies.end());
    if (row.extension != nullptr) extensions.insert(row.extension);
  };
  for (const Known& row : known)
    if (row.capability == spv::Capability::Shader ||
        row.capability == spv::Capability::PhysicalStorageBufferAddresses ||
        row.capability == spv::Capability::VulkanMemoryModel)
      declare(row);
  for (const auto& alternatives : requirements.items()) {
    const auto listed = [&](spv::Capability c) {
      return std::find(alternatives.begin(), alternatives.end(), c) != alternatives.end();
    };
    if (std::any_of(alternatives.begin(), alternatives.end(), [&](auto c) { return implied.count(c) != 0; }))
      continue;
    const auto row =
        std::find_if(known.begin(), known.end(), [&](const Known& k) { return listed(k.capability); });
    if (row == known.end()) {
      std::string numbers;
      for (const auto c : alternatives)
        numbers += (numbers.empty() ? "" : " or ") + std::to_string(static_cast<unsigned>(c));
      return kir::Diagnostic::error("internal error: SPIR-V capability " + numbers +
                                    " is not known to this environment");
    }
    declare(*row);
  }
  return Declarations{{declared.begin(), declared.end()}, {extensions.begin(), extensions.end()}};
}

}  // namespace spirea::spirv
