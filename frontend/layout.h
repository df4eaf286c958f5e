// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/Type.h>
#include <optional>
#include <string>

#include "ir/abi/manifest.h"

namespace clang {
class ASTContext;
class LangOptions;
class ParmVarDecl;
}  // namespace clang

namespace spirea::frontend {

/// Parameters larger than this are refused; CUDA's limit.
inline constexpr std::uint64_t kMaxParameterBytes = 4096;

/// Whether accesses to buffers are checked (-fsanitize=bounds, also as part of others): every buffer then has
/// a count, pointers one that is not in the C++ parameter.
bool checks_bounds(const clang::LangOptions&);

/// Why a type cannot be a parameter, or nothing if `param` was filled in.
std::optional<std::string> describe_parameter(const clang::ASTContext&, const clang::ParmVarDecl&,
                                              abi::Param& param);

}  // namespace spirea::frontend
