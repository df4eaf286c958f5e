// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Division, square root and fused multiply-add of f32 and f64, correctly rounded, in integer arithmetic: for
// devices whose own are not ("Precision and Operation of SPIR-V Instructions" allows 2.5 ULP for a division,
// and two roundings for Fma). Subnormal numbers are taken and given also where a device flushes them. All are
// straight sequences of ops without memory access.
#pragma once

#include "ir/core/builder.h"

namespace spirea::spirv {

/// a * b + c, rounded once.
kir::Value* soft_fma(kir::Builder&, kir::Value* a, kir::Value* b, kir::Value* c);

/// a / b. Begins with `estimate(x, y)` of the significands, by default the op itself, which may be off by 3
/// ULP.
using EstimateQuotient = kir::Value* (*)(kir::Builder&, kir::Value* x, kir::Value* y);
kir::Value* soft_divide(kir::Builder&, kir::Value* a, kir::Value* b, EstimateQuotient estimate = nullptr);

/// The square root, from an `estimate(x)` for an x of at least 1 and less than 4, which may be off by 7 ULP.
using EstimateRoot = kir::Value* (*)(kir::Builder&, kir::Value* x);
kir::Value* soft_sqrt(kir::Builder&, kir::Value* x, EstimateRoot estimate = nullptr);

}  // namespace spirea::spirv
