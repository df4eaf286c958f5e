// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of <cmath>, within 4 ULP on every device, of float and of double; and those that must be
// exact. As plain C++ the kernels compute in a wider type, and round once: float in double, double in long
// double, which has 11 more bits.
#include <cmath>

#include "tests/execution/numbers.h"

namespace {

using namespace execution;

#ifdef __SPIREA_DEVICE__
template <class T>
using Wide = T;
#else
template <class T>
using Wide = std::conditional_t<sizeof(T) == 4, double, long double>;
#endif

// An overload set has no address: a type for each function.
#define UNARY(name)                                              \
  struct name##_function {                                       \
    template <class T>                                           \
    static T call(T x, T) {                                      \
      return static_cast<T>(std::name(static_cast<Wide<T>>(x))); \
    }                                                            \
  }
#define BINARY(name)                                                                      \
  struct name##_function {                                                                \
    template <class T>                                                                    \
    static T call(T x, T y) {                                                             \
      return static_cast<T>(std::name(static_cast<Wide<T>>(x), static_cast<Wide<T>>(y))); \
    }                                                                                     \
  }

UNARY(sin);
UNARY(cos);
UNARY(tan);
UNARY(asin);
UNARY(acos);
UNARY(atan);
UNARY(sinh);
UNARY(cosh);
UNARY(tanh);
UNARY(asinh);
UNARY(acosh);
UNARY(atanh);
UNARY(exp);
UNARY(exp2);
UNARY(expm1);
UNARY(log);
UNARY(log2);
UNARY(log10);
UNARY(log1p);
UNARY(cbrt);
UNARY(erf);
UNARY(erfc);
UNARY(tgamma);
UNARY(lgamma);
UNARY(logb);
BINARY(pow);
BINARY(atan2);
BINARY(hypot);
BINARY(fmod);
BINARY(remainder);

template <class F, class T>
[[spirea::kernel]] void apply(std::span<const T> x, std::span<const T> y, std::span<T> out) {
  const auto i = spirea::global_id().x;
  if (i < out.size()) out[i] = F::call(x[i], y[i]);
}

/// The results of functions that must be exact are so without arithmetic, which might flush them.
template <class F, class T>
void test_arguments(const Array<T>& x, const Array<T>& y, std::uint64_t ulp) {
  Array<T> result = output<T>(x.values.size(), ulp);
  result.keeps_subnormals = ulp == 0;
  run_everywhere<apply<F, T>>(shape(static_cast<std::uint32_t>(x.values.size())), x, y, result);
}

/// Subnormal arguments count on devices, too, that take them for zero in sums and products.
template <class F, class T>
void test_type(std::uint64_t ulp) {
  test_arguments<F>(numbers<T>(2), numbers<T>(3), ulp);
  test_arguments<F>(subnormal_numbers<T>(4, 0), subnormal_numbers<T>(5, 1), ulp);
}

template <class F>
void test(std::uint64_t ulp = 4) {
  test_type<F, float>(ulp);
  test_type<F, double>(ulp);
}

template <class T>
[[spirea::kernel]] void integers(std::span<const T> x, std::span<const T> y, std::span<T> out,
                                 std::span<T> difference, std::span<std::int32_t> whole) {
  const auto i = spirea::global_id().x;
  if (i >= x.size()) return;
  int quotient = 0, exponent = 0;
  out[i * 5] = std::remquo(x[i], y[i], &quotient);
  out[i * 5 + 1] = std::nextafter(x[i], y[i]);
  out[i * 5 + 2] = std::frexp(x[i], &exponent);
  out[i * 5 + 3] = std::ldexp(x[i], static_cast<int>(i % 300) - 150);
  out[i * 5 + 4] = std::ldexp(x[i], static_cast<int>(i * 0x9e3779b1u) >> (i % 32));
  difference[i] = std::fdim(x[i], y[i]);
  // y is not 0, without a comparison that may take a subnormal number for it.
  const bool finite = std::isfinite(x[i]) && std::isfinite(y[i]) && !std::isnan(out[i * 5]);
  whole[i * 3] = finite ? quotient & 7 : 0;
  whole[i * 3 + 1] = std::isfinite(x[i]) ? exponent : 0;
  whole[i * 3 + 2] = std::ilogb(x[i]);
}

template <class T>
[[spirea::kernel]] void fused(std::span<const T> x, std::span<const T> y, std::span<T> out) {
  const auto i = spirea::global_id().x;
  if (i < out.size()) out[i] = std::fma(x[i], y[i], x[(i + 7) % x.size()]);
}

template <class T>
void test_integers_of(const Array<T>& x, const Array<T>& y) {
  const std::size_t n = x.values.size();
  Array<T> result = output<T>(5 * n);
  result.keeps_subnormals = true;
  run_everywhere<integers<T>>(shape(static_cast<std::uint32_t>(n)), x, y, result, output<T>(n),
                              output<std::int32_t>(3 * n));
}

template <class T>
void test_integers() {
  test_integers_of(numbers<T>(2), numbers<T>(3));
  test_integers_of(subnormal_numbers<T>(4, 0), subnormal_numbers<T>(5, 1));
}

template <class T>
void test_fused() {
  run_everywhere<fused<T>>(shape(kCount), without_subnormals(numbers<T>(2)),
                           without_subnormals(numbers<T>(3)), output<T>(kCount));
  run_where<fused<T>>(sizeof(T) == 4 ? Needs::subnormals_f32 : Needs::nothing, shape(kCount), numbers<T>(2),
                      numbers<T>(3), output<T>(kCount));
}

}  // namespace

EXECUTION_TEST(math_sin) { test<sin_function>(); }
EXECUTION_TEST(math_cos) { test<cos_function>(); }
EXECUTION_TEST(math_tan) { test<tan_function>(); }
EXECUTION_TEST(math_asin) { test<asin_function>(); }
EXECUTION_TEST(math_acos) { test<acos_function>(); }
EXECUTION_TEST(math_atan) { test<atan_function>(); }
EXECUTION_TEST(math_atan2) { test<atan2_function>(); }
EXECUTION_TEST(math_sinh) { test<sinh_function>(); }
EXECUTION_TEST(math_cosh) { test<cosh_function>(); }
EXECUTION_TEST(math_tanh) { test<tanh_function>(); }
EXECUTION_TEST(math_asinh) { test<asinh_function>(); }
EXECUTION_TEST(math_acosh) { test<acosh_function>(); }
EXECUTION_TEST(math_atanh) { test<atanh_function>(); }
EXECUTION_TEST(math_exp) { test<exp_function>(); }
EXECUTION_TEST(math_exp2) { test<exp2_function>(); }
EXECUTION_TEST(math_expm1) { test<expm1_function>(); }
EXECUTION_TEST(math_log) { test<log_function>(); }
EXECUTION_TEST(math_log2) { test<log2_function>(); }
EXECUTION_TEST(math_log10) { test<log10_function>(); }
EXECUTION_TEST(math_log1p) { test<log1p_function>(); }
EXECUTION_TEST(math_pow) { test<pow_function>(); }
EXECUTION_TEST(math_cbrt) { test<cbrt_function>(); }
EXECUTION_TEST(math_hypot) { test<hypot_function>(); }
EXECUTION_TEST(math_erf) { test<erf_function>(); }
EXECUTION_TEST(math_erfc) { test<erfc_function>(); }
EXECUTION_TEST(math_tgamma) { test<tgamma_function>(); }
EXECUTION_TEST(math_lgamma) { test<lgamma_function>(); }
EXECUTION_TEST(math_logb) { test<logb_function>(0); }
EXECUTION_TEST(math_fmod) { test<fmod_function>(0); }
EXECUTION_TEST(math_remainder) { test<remainder_function>(0); }
EXECUTION_TEST(math_integers_f32) { test_integers<float>(); }
EXECUTION_TEST(math_integers_f64) { test_integers<double>(); }
EXECUTION_TEST(math_fused_f32) { test_fused<float>(); }
EXECUTION_TEST(math_fused_f64) { test_fused<double>(); }
