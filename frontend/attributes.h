// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace clang {
class Decl;
class FunctionDecl;
class ParmVarDecl;
class VarDecl;
}  // namespace clang

namespace spirea::frontend {

/// True for [[spirea::kernel]].
bool is_kernel(const clang::FunctionDecl*);
/// The sizes of [[spirea::workgroup_size]].
std::optional<std::array<std::uint32_t, 3>> workgroup_size(const clang::FunctionDecl*);
/// The size of [[spirea::subgroup_size]], which may not be one if it depends on template arguments.
std::optional<std::uint64_t> subgroup_size(const clang::FunctionDecl*);
/// True for [[spirea::shared]].
bool is_shared(const clang::VarDecl*);
/// The text of the annotation that Clang's code generator gives such variables.
inline constexpr char kSharedAnnotation[] = "spirea::shared";
/// True for [[spirea::may_alias]].
bool may_alias(const clang::ParmVarDecl*);

/// Makes sure that this file's attributes are linked in and registered with Clang.
void register_attributes();

}  // namespace spirea::frontend
