// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device's own instructions for functions of float, as fast and as exact as it has them; std::sin and the
// others are within 4 ULP everywhere. On Vulkan the errors are those of "Precision and Operation of SPIR-V
// Instructions": 2^-11 absolute for sine and cosine in [-pi, pi], 3 + 2|x| ULP for exp, 3 ULP for log outside
// of [0.5, 2] and 2^-21 absolute within, 2.5 ULP for a quotient, and pow as exp2(y * log2(x)). Subnormal
// numbers may be zero. The host and the interpreter have the C library's functions.
#pragma once

#ifndef __SPIREA_DEVICE__
#include <cmath>
#endif

#ifdef __SPIREA_DEVICE__
extern "C" {
__attribute__((const)) float __spirea_native_sinf(float) noexcept;
__attribute__((const)) float __spirea_native_cosf(float) noexcept;
__attribute__((const)) float __spirea_native_tanf(float) noexcept;
__attribute__((const)) float __spirea_native_expf(float) noexcept;
__attribute__((const)) float __spirea_native_exp2f(float) noexcept;
__attribute__((const)) float __spirea_native_logf(float) noexcept;
__attribute__((const)) float __spirea_native_log2f(float) noexcept;
__attribute__((const)) float __spirea_native_sqrtf(float) noexcept;
__attribute__((const)) float __spirea_native_powf(float, float) noexcept;
__attribute__((const)) float __spirea_native_dividef(float, float) noexcept;
}
#endif

namespace spirea::native {

#ifdef __SPIREA_DEVICE__
/// Of radians.
inline float sin(float x) { return __spirea_native_sinf(x); }
inline float cos(float x) { return __spirea_native_cosf(x); }
inline float tan(float x) { return __spirea_native_tanf(x); }
inline float exp(float x) { return __spirea_native_expf(x); }
inline float exp2(float x) { return __spirea_native_exp2f(x); }
/// To the base e.
inline float log(float x) { return __spirea_native_logf(x); }
inline float log2(float x) { return __spirea_native_log2f(x); }
inline float sqrt(float x) { return __spirea_native_sqrtf(x); }
/// `x` to the power of `y`, for an x of at least 0.
inline float powr(float x, float y) { return __spirea_native_powf(x, y); }
inline float divide(float x, float y) { return __spirea_native_dividef(x, y); }
#else
inline float sin(float x) { return std::sin(x); }
inline float cos(float x) { return std::cos(x); }
inline float tan(float x) { return std::tan(x); }
inline float exp(float x) { return std::exp(x); }
inline float exp2(float x) { return std::exp2(x); }
inline float log(float x) { return std::log(x); }
inline float log2(float x) { return std::log2(x); }
inline float sqrt(float x) { return std::sqrt(x); }
inline float powr(float x, float y) { return std::pow(x, y); }
inline float divide(float x, float y) { return x / y; }
#endif

inline float exp10(float x) { return exp2(x * 3.321928095f); }
inline float log10(float x) { return log2(x) * 0.3010299957f; }
inline float recip(float x) { return divide(1.0f, x); }
inline float rsqrt(float x) { return divide(1.0f, sqrt(x)); }

}  // namespace spirea::native
