// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers as unevaluated sums of two, which doubles the precision (Dekker 1971), and the logarithm and
// Stirling's series in it. For own.cpp, which is compiled without contraction.
#pragma once

namespace spirea::math {

template <class T>
struct Dd {
  T high, low;
};

inline float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }
inline float magnitude(float x) { return __builtin_fabsf(x); }
inline double magnitude(double x) { return __builtin_fabs(x); }
inline float floor(float x) { return __builtin_floorf(x); }
inline double floor(double x) { return __builtin_floor(x); }

/// a + b, exactly.
template <class T>
Dd<T> two_sum(T a, T b) {
  const T sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

/// a + b, exactly, for |a| >= |b|.
template <class T>
Dd<T> ordered_sum(T a, T b) {
  const T sum = a + b;
  return {sum, b - (sum - a)};
}

template <class T>
Dd<T> add(Dd<T> a, Dd<T> b) {
  const Dd<T> high = two_sum(a.high, b.high), low = two_sum(a.low, b.low);
  const Dd<T> sum = ordered_sum(high.high, high.low + low.high);
  return ordered_sum(sum.high, sum.low + low.low);
}

template <class T>
Dd<T> subtract(Dd<T> a, Dd<T> b) {
  return add(a, {-b.high, -b.low});
}

template <class T>
Dd<T> multiply(Dd<T> a, Dd<T> b) {
  const T product = a.high * b.high;
  const T rest = fused(a.high, b.high, -product) + (a.high * b.low + a.low * b.high);
  return ordered_sum(product, rest);
}

template <class T>
Dd<T> divide(Dd<T> a, Dd<T> b) {
  const T first = a.high / b.high;
  Dd<T> rest = subtract(a, multiply(b, {first, 0}));
  const T second = rest.high / b.high;
  rest = subtract(rest, multiply(b, {second, 0}));
  const Dd<T> sum = ordered_sum(first, second);
  return ordered_sum(sum.high, sum.low + rest.high / b.high);
}

/// numerator / denominator, of integers of at most 26 and 31 bits.
template <class T>
constexpr Dd<T> ratio(double numerator, double denominator) {
  const double quotient = numerator / denominator;
  const double shifted = quotient * 134217729.0;  // 2^27 + 1: splits it in halves whose products are exact
  const double upper = shifted - (shifted - quotient), lower = quotient - upper;
  const double rest = ((numerator - upper * denominator) - lower * denominator) / denominator;
  if constexpr (sizeof(T) == sizeof(double)) return {quotient, rest};
  const T high = static_cast<T>(quotient);
  return {high, static_cast<T>(quotient - static_cast<double>(high) + rest)};
}

template <class T>
constexpr Dd<T> constant(double high, double low) {
  if constexpr (sizeof(T) == sizeof(double)) return {high, low};
  const T rounded = static_cast<T>(high);
  return {rounded, static_cast<T>(high - static_cast<double>(rounded))};
}

template <class T>
struct Precision;

template <>
struct Precision<float> {
  using Bits = unsigned;
  static constexpr int kFractionBits = 23, kBias = 127;
  static constexpr int kLogTerms = 10, kLogDoubleTerms = 6;
  static constexpr int kStirlingTerms = 6, kStirlingDoubleTerms = 4;
  static constexpr float kStirlingFrom = 12;
  static constexpr float kTiny = 0x1p-26f, kGammaOverflows = 35.1f, kGammaVanishes = -43.0f;
  static constexpr float kLarge = 0x1p32f, kSmall = 0x1p-32f;
  static constexpr int kLargeExponent = 32;
};

template <>
struct Precision<double> {
  using Bits = unsigned long long;
  static constexpr int kFractionBits = 52, kBias = 1023;
  static constexpr int kLogTerms = 21, kLogDoubleTerms = 12;
  static constexpr int kStirlingTerms = 13, kStirlingDoubleTerms = 8;
  static constexpr double kStirlingFrom = 30;
  static constexpr double kTiny = 0x1p-56, kGammaOverflows = 171.7, kGammaVanishes = -186.0;
  static constexpr double kLarge = 0x1p256, kSmall = 0x1p-256;
  static constexpr int kLargeExponent = 256;
};

template <class T>
T power_of_two(int n) {
  using Bits = typename Precision<T>::Bits;
  return __builtin_bit_cast(T, static_cast<Bits>(n + Precision<T>::kBias) << Precision<T>::kFractionBits);
}

/// value * 2^-exponent, for up to 1.9 times the largest exponent; only the last step rounds.
template <class T>
T scale_down(T value, int exponent) {
  const int half = exponent / 2;
  return value * power_of_two<T>(-half) * power_of_two<T>(half - exponent);
}

/// The sum of coefficients[i] * x^i: the last terms in T, since they are small.
template <class T, int Terms, int DoubleTerms>
Dd<T> polynomial(const Dd<T> (&coefficients)[Terms], Dd<T> x) {
  T small = coefficients[Terms - 1].high;
  for (int i = Terms - 2; i >= DoubleTerms; --i) small = small * x.high + coefficients[i].high;
  Dd<T> sum{small, 0};
  for (int i = DoubleTerms - 1; i >= 0; --i) sum = add(coefficients[i], multiply(sum, x));
  return sum;
}

template <class T, int N>
struct LogCoefficients {
  Dd<T> values[N];
  constexpr LogCoefficients() : values{} {
    for (int i = 0; i < N; ++i) values[i] = ratio<T>(1, 2 * i + 1);
  }
};

/// ln(x * 2^exponent) for a positive x: by the series of the inverse hyperbolic tangent.
template <class T>
Dd<T> log(Dd<T> x, int exponent) {
  using Limits = Precision<T>;
  const auto bits = __builtin_bit_cast(typename Limits::Bits, x.high);
  int n = static_cast<int>(bits >> Limits::kFractionBits) - Limits::kBias;
  if (x.high * power_of_two<T>(-n) > T(1.41421354f)) ++n;
  const T factor = power_of_two<T>(-n);
  const Dd<T> m{x.high * factor, x.low * factor};
  const Dd<T> s = divide(subtract(m, {1, 0}), add(m, {1, 0}));
  static constexpr LogCoefficients<T, Limits::kLogTerms> kTable;
  const Dd<T> series =
      polynomial<T, Limits::kLogTerms, Limits::kLogDoubleTerms>(kTable.values, multiply(s, s));
  const Dd<T> part = multiply({s.high * 2, s.low * 2}, series);
  const Dd<T> ln2 = constant<T>(0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56);
  return add(multiply(ln2, {static_cast<T>(n + exponent), 0}), part);
}

/// ln(gamma(z)) for a z of at least Precision::kStirlingFrom: (z - 1/2) ln z - z + ln(2 pi) / 2 + series in
/// 1/z^2.
template <class T>
Dd<T> stirling(Dd<T> z) {
  using Limits = Precision<T>;
  static constexpr Dd<T> kAll[] = {
      ratio<T>(1, 12),           ratio<T>(-1, 360),       ratio<T>(1, 1260),
      ratio<T>(-1, 1680),        ratio<T>(1, 1188),       ratio<T>(-691, 360360),
      ratio<T>(1, 156),          ratio<T>(-3617, 122400), ratio<T>(43867, 244188),
      ratio<T>(-174611, 125400), ratio<T>(77683, 5796),   ratio<T>(-236364091, 1506960),
      ratio<T>(657931, 300)};
  static_assert(sizeof(kAll) / sizeof(kAll[0]) >= Limits::kStirlingTerms);
  Dd<T> coefficients[Limits::kStirlingTerms];
  for (int i = 0; i < Limits::kStirlingTerms; ++i) coefficients[i] = kAll[i];
  const Dd<T> inverse = divide({1, 0}, z);
  const Dd<T> series = multiply(inverse, polynomial<T, Limits::kStirlingTerms, Limits::kStirlingDoubleTerms>(
                                             coefficients, multiply(inverse, inverse)));
  const Dd<T> half_log_two_pi = constant<T>(0x1.d67f1c864beb5p-1, -0x1.65b5a1b7ff5dfp-55);
  Dd<T> sum = multiply(subtract(z, {T(0.5f), 0}), log(z, 0));
  sum = subtract(sum, z);
  return add(add(sum, half_log_two_pi), series);
}

}  // namespace spirea::math
