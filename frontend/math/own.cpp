// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the math library where libclc's are not good enough: they lose subnormal numbers, or many
// digits. Compiled to bitcode when Spirea is built; prepare.cpp puts each in the place of libclc's of the
// same symbol.
#include "frontend/math/double_double.h"

namespace spirea::math {

float libclc_exp(float) asm("_Z3expf");  // the one below
double libclc_exp(double) asm("_Z3expd");
float libclc_log(float) asm("_Z3logf");
double libclc_log(double) asm("_Z3logd");
double libclc_pow(double, double) asm("libclc._Z3powdd");
float libclc_atan2(float, float) asm("libclc._Z5atan2ff");
float libclc_erfc(float) asm("libclc._Z4erfcf");
float libclc_lgamma(float) asm("libclc._Z6lgammaf");
double libclc_lgamma(double) asm("libclc._Z6lgammad");

namespace {

float as_float(unsigned bits) { return __builtin_bit_cast(float, bits); }
unsigned as_bits(float value) { return __builtin_bit_cast(unsigned, value); }

// Numbers are taken apart as integers: arithmetic, comparisons and even changes of the sign may take
// subnormal ones for zero.
unsigned magnitude_bits(float x) { return as_bits(x) & 0x7fffffffu; }
unsigned sign_bit(float x) { return as_bits(x) & 0x80000000u; }
bool is_subnormal(float x) { return magnitude_bits(x) - 1 < 0x7fffffu; }
bool is_zero(float x) { return magnitude_bits(x) == 0; }

/// A subnormal number times 2^149, which is an integer.
float whole(float x) {
  return as_float(as_bits(static_cast<float>(static_cast<int>(magnitude_bits(x)))) | sign_bit(x));
}

constexpr float kInfinity = __builtin_inff();
constexpr int kIntMin = -2147483647 - 1;

/// value * 2^exponent for exponents of -252 to 254: in two steps, of which the last alone rounds.
float scale(float value, int exponent) {
  const int half = exponent / 2;
  const auto power = [](int n) { return as_float(static_cast<unsigned>(n + 127) << 23); };
  return value * power(half) * power(exponent - half);
}

/// (e^r - 1 - r) / r^2 for |r| <= ln(2) / 2, to 2^-24.
float exp_series(float r) {
  float sum = 1.0f / 5040;
  sum = sum * r + 1.0f / 720;
  sum = sum * r + 1.0f / 120;
  sum = sum * r + 1.0f / 24;
  sum = sum * r + 1.0f / 6;
  return sum * r + 0.5f;
}

/// e^r for |r| <= ln(2) / 2, to 2^-27.
float exp_near_zero(float r) { return 1 + (r + r * r * exp_series(r)); }

float clamp(float x, float low, float high) { return x < low ? low : x > high ? high : x; }

}  // namespace

// exp, exp2

float exp(float x) asm("_Z3expf");
float exp(float x) {
  const float in_range = x == x ? clamp(x, -104.0f, 89.0f) : 0.0f;
  const float k = __builtin_rintf(in_range * 0x1.715476p+0f);
  const float r = (in_range - k * 0x1.62e4p-1f) - k * 0x1.7f7d1cp-20f;  // ln 2; the first product is exact
  const float result = scale(exp_near_zero(r), static_cast<int>(k));
  return x == x ? result : x;
}

float exp2(float x) asm("_Z4exp2f");
float exp2(float x) {
  const float in_range = x == x ? clamp(x, -151.0f, 129.0f) : 0.0f;
  const float k = __builtin_rintf(in_range);
  const float result = scale(exp_near_zero((in_range - k) * 0x1.62e43p-1f), static_cast<int>(k));
  return x == x ? result : x;
}

// atan2: the quotient alone counts, so that both arguments can be made larger where one is subnormal.

namespace {

/// x * 2^24 for |x| < 2^100.
float scaled_up(float x) { return is_subnormal(x) ? whole(x) * 0x1p-125f : x * 0x1p24f; }

}  // namespace

float atan2(float y, float x) asm("_Z5atan2ff");
float atan2(float y, float x) {
  constexpr unsigned kLarge = (127u + 100) << 23;
  const bool can_scale = magnitude_bits(x) < kLarge && magnitude_bits(y) < kLarge;
  const bool scales = can_scale && (is_subnormal(x) || is_subnormal(y));
  return libclc_atan2(scales ? scaled_up(y) : y, scales ? scaled_up(x) : x);
}

// pow: beyond 2^66 every exponent gives what an infinite one does; libclc's loses its way there.

double pow(double x, double y) asm("_Z3powdd");
double pow(double x, double y) {
  const double limit = __builtin_copysign(0x1p66, y);
  return libclc_pow(x, __builtin_fabs(y) > 0x1p66 ? limit : y);
}

// erfc: where it is no difference from 1, e^(-x*x) times what is left, which is nearly 1 / (1 + 2x). The
// square and the exponential are in two parts each, whose errors would add up.

namespace {

/// (1 + 2x) e^(x*x) erfc(x) for x from 27/32 to 10.1, to 2^-26: a polynomial in (x - 3) / (x + 3).
float erfc_factor(float x) {
  constexpr float kLower[] = {0x1.da527ep-10f, 0x1.47b94p-9f,  -0x1.851b88p-6f, 0x1.17ce0ap-4f,
                              -0x1.e88df4p-4f, 0x1.09834ep-3f, -0x1.85a12cp-5f, -0x1.15c084p-3f};
  const float q = (x - 3) / (x + 3);
  float sum = -0x1.6562aep-11f;
  for (const float coefficient : kLower) sum = sum * q + coefficient;
  return 0x1.40c522p+0f + (sum * q + 0x1.aaf936p-25f);
}

float erfc_of_large(float x) {
  const float high = as_float(as_bits(x) & 0xfffff000u);  // its square is exact
  const float square = high * high, rest = (high - x) * (high + x);
  const float k = __builtin_rintf((rest - square) * 0x1.715476p+0f);
  const float first = -square - k * 0x1.62e4p-1f;  // exact
  const Dd<float> r = two_sum(first, rest - k * 0x1.7f7d1cp-20f);
  const float exponential = r.high + (r.high * r.high * exp_series(r.high) + r.low);  // less 1
  const float factor = erfc_factor(x) / (1 + 2 * x);
  return scale(factor + factor * exponential, static_cast<int>(k));
}

}  // namespace

float erfc(float x) asm("_Z4erfcf");
float erfc(float x) {
  if (x > 0.84375f) return x > 10.1f ? 0.0f : erfc_of_large(x);
  return libclc_erfc(x);
}

// fmod, remainder and remquo of float: on integers, eight bits of the quotient a step.

namespace {

struct Division {
  float remainder;
  unsigned quotient;  ///< its lowest bits
};

/// A number as an integer times 2^(exponent - 150).
struct Scaled {
  unsigned significand;
  int exponent;
};

Scaled scaled(unsigned magnitude) {
  const unsigned field = magnitude >> 23;
  if (field == 0) return {magnitude, 1};
  return {(magnitude & 0x7fffffu) | 0x800000u, static_cast<int>(field)};
}

unsigned magnitude_of(Scaled number) {
  if (number.significand == 0) return 0;
  const int shift = __builtin_clz(number.significand) - 8;
  const int exponent = number.exponent - shift;
  if (exponent <= 0) return number.significand << (number.exponent - 1);
  return ((number.significand << shift) & 0x7fffffu) | static_cast<unsigned>(exponent) << 23;
}

/// Of finite numbers, the second not 0. `nearest`: the quotient is rounded to nearest even, else to zero.
Division divide(float x, float y, bool nearest) {
  const unsigned sign = sign_bit(x);
  const unsigned magnitude_x = magnitude_bits(x), magnitude_y = magnitude_bits(y);
  const Scaled a = scaled(magnitude_x);
  Scaled b = scaled(magnitude_y);
  int distance = a.exponent - b.exponent;
  if (distance < (nearest ? -1 : 0)) return {x, 0};
  if (distance == -1) {
    b = {b.significand << 1, a.exponent};
    distance = 0;
  }
  unsigned quotient = a.significand / b.significand, rest = a.significand % b.significand;
#pragma clang loop unroll(disable)
  while (distance > 0) {
    const int step = distance < 8 ? distance : 8;
    rest <<= step;
    quotient = quotient << step | rest / b.significand;
    rest %= b.significand;
    distance -= step;
  }
  unsigned flip = 0;
  if (nearest && (2 * rest > b.significand || (2 * rest == b.significand && quotient % 2 != 0))) {
    rest = b.significand - rest;
    flip = 0x80000000u;
    ++quotient;
  }
  return {as_float(magnitude_of({rest, b.exponent}) | (sign ^ flip)), quotient};
}

bool is_finite(float x) { return (as_bits(x) & 0x7f800000u) != 0x7f800000u; }

/// What the functions have in common where the operands are no ordinary numbers.
bool is_special(float x, float y, float& result) {
  if (is_finite(x) && is_finite(y) && !is_zero(y)) return false;
  result = x;
  if (x != x || y != y || !is_finite(x) || is_zero(y)) result = x != x ? x : y != y ? y : __builtin_nanf("");
  return true;
}

Division divided(float x, float y, bool nearest) {
  Division result{0, 0};
  return is_special(x, y, result.remainder) ? result : divide(x, y, nearest);
}

}  // namespace

float fmod(float x, float y) asm("_Z4fmodff");
float fmod(float x, float y) { return divided(x, y, false).remainder; }

float remainder(float x, float y) asm("_Z9remainderff");
float remainder(float x, float y) { return divided(x, y, true).remainder; }

float remquo(float x, float y, int* quotient) asm("_Z6remquoffPi");
float remquo(float x, float y, int* quotient) {
  const Division result = divided(x, y, true);
  const int bits = static_cast<int>(result.quotient & 0x7fu);
  *quotient = ((as_bits(x) ^ as_bits(y)) & 0x80000000u) != 0 ? -bits : bits;
  return result.remainder;
}

// ilogb: with the values of glibc's macros FP_ILOGB0 and FP_ILOGBNAN.

int ilogb(float x) asm("_Z5ilogbf");
int ilogb(float x) {
  const unsigned magnitude = as_bits(x) & 0x7fffffffu;
  if (magnitude == 0 || magnitude > 0x7f800000u) return kIntMin;
  if (magnitude == 0x7f800000u) return 0x7fffffff;
  if (magnitude < 0x800000u) return -118 - __builtin_clz(magnitude);
  return static_cast<int>(magnitude >> 23) - 127;
}

int ilogb(double x) asm("_Z5ilogbd");
int ilogb(double x) {
  const auto magnitude = __builtin_bit_cast(unsigned long long, x) & ~0ull >> 1;
  constexpr unsigned long long infinity = 0x7ffull << 52;
  if (magnitude == 0 || magnitude > infinity) return kIntMin;
  if (magnitude == infinity) return 0x7fffffff;
  if (magnitude < 1ull << 52) return -1011 - __builtin_clzll(magnitude);
  return static_cast<int>(magnitude >> 52) - 1023;
}

// tgamma, lgamma: Stirling's series in twice the precision, for an argument that was moved up far enough; the
// product of the arguments passed on the way divides.

namespace {

template <class T>
struct Moved {
  Dd<T> log_gamma;  ///< of the argument moved up
  Dd<T> product;    ///< of those passed; over 2^exponent
  int exponent;
};

template <class T>
Moved<T> move_up(T x) {
  using Limits = Precision<T>;
  Dd<T> product{1, 0};
  int exponent = 0, steps = 0;
  const T missing = Limits::kStirlingFrom - x;
  const int n = missing > 0 ? static_cast<int>(missing) + 1 : 0;
#pragma clang loop unroll(disable)
  for (; steps < n; ++steps) {
    product = multiply(product, two_sum(x, static_cast<T>(steps)));
    if (magnitude(product.high) > Limits::kLarge) {
      product = {product.high * Limits::kSmall, product.low * Limits::kSmall};
      exponent += Limits::kLargeExponent;
    }
  }
  return {stirling(two_sum(x, static_cast<T>(n))), product, exponent};
}

/// 1 / x, also where x is subnormal and that is finite.
double reciprocal(double x) { return 1 / x; }
float reciprocal(float x) { return is_subnormal(x) ? scale(1 / whole(x), 149) : 1 / x; }

template <class T>
bool is_integer(T x) {
  return floor(x) == x;
}

/// The sign of gamma(x) for a negative x that is no integer.
template <class T>
bool is_gamma_negative(T x) {
  const T half = floor(x) * T(0.5);
  return floor(half) != half;
}

template <class T>
T gamma(T x) {
  using Limits = Precision<T>;
  if (x != x || x > Limits::kGammaOverflows) return x == x ? T(kInfinity) : x;
  if (magnitude(x) < Limits::kTiny) return reciprocal(x);
  if (x < 0 && is_integer(x)) return T(__builtin_nanf(""));
  if (x < Limits::kGammaVanishes) return is_gamma_negative(x) ? T(-0.0f) : T(0);
  const Moved<T> moved = move_up(x);
  const T correction = moved.log_gamma.low - moved.product.low / moved.product.high;
  const T factor = libclc_exp(moved.log_gamma.high);
  if (factor == T(kInfinity)) return factor;  // and not its difference from itself
  const T result = (factor + factor * correction) / moved.product.high;
  return moved.exponent == 0 ? result : scale_down(result, moved.exponent);
}

template <class T>
T log_gamma(T x) {
  using Limits = Precision<T>;
  if (x != x) return x;
  if (magnitude(x) < Limits::kTiny) return -libclc_log(magnitude(x));
  if (x < 0 && is_integer(x)) return T(kInfinity);
  if (!(x < 0 && x > -40)) return libclc_lgamma(x);
  const Moved<T> moved = move_up(x);
  const bool negative = moved.product.high < 0;
  const Dd<T> product{negative ? -moved.product.high : moved.product.high,
                      negative ? -moved.product.low : moved.product.low};
  const Dd<T> result = subtract(moved.log_gamma, log(product, moved.exponent));
  return result.high;
}

template <class T>
T log_gamma_with_sign(T x, int* sign) {
  const bool is_tiny = magnitude(x) < Precision<T>::kTiny;
  const bool negative = is_tiny ? __builtin_signbit(x) != 0 : x < 0 && !is_integer(x) && is_gamma_negative(x);
  *sign = negative ? -1 : 1;
  return log_gamma(x);
}

}  // namespace

float tgamma(float x) asm("_Z6tgammaf");
float tgamma(float x) { return gamma(x); }
double tgamma(double x) asm("_Z6tgammad");
double tgamma(double x) { return gamma(x); }

float lgamma(float x) asm("_Z6lgammaf");
float lgamma(float x) { return log_gamma(x); }
double lgamma(double x) asm("_Z6lgammad");
double lgamma(double x) { return log_gamma(x); }

float lgamma_r(float x, int* sign) asm("_Z8lgamma_rfPi");
float lgamma_r(float x, int* sign) { return log_gamma_with_sign(x, sign); }
double lgamma_r(double x, int* sign) asm("_Z8lgamma_rdPi");
double lgamma_r(double x, int* sign) { return log_gamma_with_sign(x, sign); }

}  // namespace spirea::math
