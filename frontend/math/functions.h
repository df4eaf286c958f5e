// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// functions.def as a table.
#pragma once

#include <llvm/IR/Intrinsics.h>
#include <span>
#include <string>
#include <string_view>

namespace spirea::frontend {

/// F: float or double, I: int, P: pointer to int. The result, then the parameters.
enum class MathSignature : std::uint8_t { F_F, F_FF, F_FI, F_FP, F_FFP, I_F };

constexpr std::string_view parameters(MathSignature signature) {
  switch (signature) {
    case MathSignature::F_F:
    case MathSignature::I_F: return "F";
    case MathSignature::F_FF: return "FF";
    case MathSignature::F_FI: return "FI";
    case MathSignature::F_FP: return "FP";
    case MathSignature::F_FFP: return "FFP";
  }
  return "";
}

struct MathFunction {
  std::string_view name;
  MathSignature signature;
  llvm::Intrinsic::ID intrinsic;
};

inline std::span<const MathFunction> math_functions() {
  static constexpr MathFunction table[] = {
#define MATH_FUNCTION(name, signature, intrinsic) \
  {#name, MathSignature::signature, llvm::Intrinsic::intrinsic},
#include "frontend/math/functions.def"
  };
  return table;
}

/// The symbol in the math library.
inline std::string library_name(const MathFunction& function, bool is_double) {
  return "__spirea_math_" + std::string(function.name) + (is_double ? "_f64" : "_f32");
}

}  // namespace spirea::frontend
