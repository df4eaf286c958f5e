// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Short vectors: vec<T, 2>, vec<T, 3> and vec<T, 4>, with the same layout in kernels and on the host. Those
// of two and four are aligned to their size, up to 16 bytes, so that a device loads them at once; those of
// three are aligned like one element, and packed. This is what C++ makes of arrays of three, as for
// std::array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "spirea/small_float.hpp"

namespace spirea {

template <class T, std::size_t N>
struct vec;

namespace detail {

template <class T, std::size_t N>
inline constexpr std::size_t vec_align = N == 3 ? alignof(T) : (N * sizeof(T) > 16 ? 16 : N * sizeof(T));

template <class T>
inline constexpr bool is_vec = false;
template <class T, std::size_t N>
inline constexpr bool is_vec<vec<T, N>> = true;

/// What a vector of T can be combined with, element by element: no fraction is lost without a word.
template <class S, class T>
concept scalar_for = !is_vec<S> && std::is_constructible_v<T, S> &&
                     !(std::is_integral_v<T> && !std::is_integral_v<S> && !std::is_enum_v<S>);

// The combinations of two, three and four of the elements whose names are the arguments after SPIREA_PICK.
#define SPIREA_PICK2(a, b) \
  constexpr vec<T, 2> a##b() const { return {self().a, self().b}; }
#define SPIREA_PICK3(a, b, c) \
  constexpr vec<T, 3> a##b##c() const { return {self().a, self().b, self().c}; }
#define SPIREA_PICK4(a, b, c, d) \
  constexpr vec<T, 4> a##b##c##d() const { return {self().a, self().b, self().c, self().d}; }

#define SPIREA_LAST2(M, ...) M(__VA_ARGS__, x) M(__VA_ARGS__, y)
#define SPIREA_LAST3(M, ...) SPIREA_LAST2(M, __VA_ARGS__) M(__VA_ARGS__, z)
#define SPIREA_LAST4(M, ...) SPIREA_LAST3(M, __VA_ARGS__) M(__VA_ARGS__, w)

#define SPIREA_TAIL2_2(M, ...) SPIREA_LAST2(M, __VA_ARGS__, x) SPIREA_LAST2(M, __VA_ARGS__, y)
#define SPIREA_TAIL2_3(M, ...) \
  SPIREA_LAST3(M, __VA_ARGS__, x) SPIREA_LAST3(M, __VA_ARGS__, y) SPIREA_LAST3(M, __VA_ARGS__, z)
#define SPIREA_TAIL2_4(M, ...)    \
  SPIREA_LAST4(M, __VA_ARGS__, x) \
  SPIREA_LAST4(M, __VA_ARGS__, y) SPIREA_LAST4(M, __VA_ARGS__, z) SPIREA_LAST4(M, __VA_ARGS__, w)

#define SPIREA_TAIL3_2(M, a) SPIREA_TAIL2_2(M, a, x) SPIREA_TAIL2_2(M, a, y)
#define SPIREA_TAIL3_3(M, a) SPIREA_TAIL2_3(M, a, x) SPIREA_TAIL2_3(M, a, y) SPIREA_TAIL2_3(M, a, z)
#define SPIREA_TAIL3_4(M, a) \
  SPIREA_TAIL2_4(M, a, x) SPIREA_TAIL2_4(M, a, y) SPIREA_TAIL2_4(M, a, z) SPIREA_TAIL2_4(M, a, w)

#define SPIREA_FROM(n, a) \
  SPIREA_LAST##n(SPIREA_PICK2, a) SPIREA_TAIL2_##n(SPIREA_PICK3, a) SPIREA_TAIL3_##n(SPIREA_PICK4, a)

/// v.xy(), v.zyx(), v.xxxx() and so on: every choice of two to four elements.
template <class T, std::size_t N>
struct swizzles;

// The same elements as colors.
#define SPIREA_COLORS2                       \
  constexpr T r() const { return self().x; } \
  constexpr T g() const { return self().y; }
#define SPIREA_COLORS3 \
  SPIREA_COLORS2 constexpr T b() const { return self().z; }
#define SPIREA_COLORS4 \
  SPIREA_COLORS3 constexpr T a() const { return self().w; }

#define SPIREA_SELF(n) \
 private:              \
  constexpr const vec<T, n>& self() const { return static_cast<const vec<T, n>&>(*this); }

template <class T>
struct swizzles<T, 2> {
  SPIREA_FROM(2, x) SPIREA_FROM(2, y) SPIREA_COLORS2 SPIREA_SELF(2)
};
template <class T>
struct swizzles<T, 3> {
  SPIREA_FROM(3, x) SPIREA_FROM(3, y) SPIREA_FROM(3, z) SPIREA_COLORS3 SPIREA_SELF(3)
};
template <class T>
struct swizzles<T, 4> {
  SPIREA_FROM(4, x) SPIREA_FROM(4, y) SPIREA_FROM(4, z) SPIREA_FROM(4, w) SPIREA_COLORS4 SPIREA_SELF(4)
};

#undef SPIREA_PICK2
#undef SPIREA_PICK3
#undef SPIREA_PICK4
#undef SPIREA_LAST2
#undef SPIREA_LAST3
#undef SPIREA_LAST4
#undef SPIREA_TAIL2_2
#undef SPIREA_TAIL2_3
#undef SPIREA_TAIL2_4
#undef SPIREA_TAIL3_2
#undef SPIREA_TAIL3_3
#undef SPIREA_TAIL3_4
#undef SPIREA_FROM
#undef SPIREA_SELF
#undef SPIREA_COLORS2
#undef SPIREA_COLORS3
#undef SPIREA_COLORS4

/// The vector of f(a[i]), f(a[i], b[i]) or f(a[i], b[i], c[i]).
template <class F, class A, class... V>
constexpr auto each(F f, const vec<A, 2>& a, const V&... v) {
  return vec<decltype(f(a.x, v.x...)), 2>(f(a.x, v.x...), f(a.y, v.y...));
}
template <class F, class A, class... V>
constexpr auto each(F f, const vec<A, 3>& a, const V&... v) {
  return vec<decltype(f(a.x, v.x...)), 3>(f(a.x, v.x...), f(a.y, v.y...), f(a.z, v.z...));
}
template <class F, class A, class... V>
constexpr auto each(F f, const vec<A, 4>& a, const V&... v) {
  return vec<decltype(f(a.x, v.x...)), 4>(f(a.x, v.x...), f(a.y, v.y...), f(a.z, v.z...), f(a.w, v.w...));
}

/// Integers narrower than int are promoted by C++'s operators: back to the element's type.
template <class T, std::size_t N, class F>
constexpr vec<T, N> of_pairs(F f, const vec<T, N>& a, const vec<T, N>& b) {
  return each([f](T x, T y) { return static_cast<T>(f(x, y)); }, a, b);
}

}  // namespace detail

template <class T>
struct alignas(detail::vec_align<T, 2>) vec<T, 2> : detail::swizzles<T, 2> {
  using value_type = T;
  T x, y;

  vec() = default;
  constexpr vec(T x, T y) : x(x), y(y) {}
  constexpr explicit vec(T all) : x(all), y(all) {}
  template <class U>
  constexpr explicit vec(const vec<U, 2>& v) : x(static_cast<T>(v.x)), y(static_cast<T>(v.y)) {}

  static constexpr std::size_t size() { return 2; }
  constexpr T& operator[](std::size_t i) { return i == 0 ? x : y; }
  constexpr const T& operator[](std::size_t i) const { return i == 0 ? x : y; }
  friend constexpr bool operator==(const vec& a, const vec& b) { return a.x == b.x && a.y == b.y; }
};

template <class T>
struct vec<T, 3> : detail::swizzles<T, 3> {
  using value_type = T;
  T x, y, z;

  vec() = default;
  constexpr vec(T x, T y, T z) : x(x), y(y), z(z) {}
  constexpr vec(const vec<T, 2>& xy, T z) : x(xy.x), y(xy.y), z(z) {}
  constexpr vec(T x, const vec<T, 2>& yz) : x(x), y(yz.x), z(yz.y) {}
  constexpr explicit vec(T all) : x(all), y(all), z(all) {}
  template <class U>
  constexpr explicit vec(const vec<U, 3>& v)
      : x(static_cast<T>(v.x)), y(static_cast<T>(v.y)), z(static_cast<T>(v.z)) {}

  static constexpr std::size_t size() { return 3; }
  constexpr T& operator[](std::size_t i) { return i == 0 ? x : i == 1 ? y : z; }
  constexpr const T& operator[](std::size_t i) const { return i == 0 ? x : i == 1 ? y : z; }
  friend constexpr bool operator==(const vec& a, const vec& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
  }
};

template <class T>
struct alignas(detail::vec_align<T, 4>) vec<T, 4> : detail::swizzles<T, 4> {
  using value_type = T;
  T x, y, z, w;

  vec() = default;
  constexpr vec(T x, T y, T z, T w) : x(x), y(y), z(z), w(w) {}
  constexpr vec(const vec<T, 2>& xy, const vec<T, 2>& zw) : x(xy.x), y(xy.y), z(zw.x), w(zw.y) {}
  constexpr vec(const vec<T, 2>& xy, T z, T w) : x(xy.x), y(xy.y), z(z), w(w) {}
  constexpr vec(const vec<T, 3>& xyz, T w) : x(xyz.x), y(xyz.y), z(xyz.z), w(w) {}
  constexpr vec(T x, const vec<T, 3>& yzw) : x(x), y(yzw.x), z(yzw.y), w(yzw.z) {}
  constexpr explicit vec(T all) : x(all), y(all), z(all), w(all) {}
  template <class U>
  constexpr explicit vec(const vec<U, 4>& v)
      : x(static_cast<T>(v.x)), y(static_cast<T>(v.y)), z(static_cast<T>(v.z)), w(static_cast<T>(v.w)) {}

  static constexpr std::size_t size() { return 4; }
  constexpr T& operator[](std::size_t i) { return i == 0 ? x : i == 1 ? y : i == 2 ? z : w; }
  constexpr const T& operator[](std::size_t i) const { return i == 0 ? x : i == 1 ? y : i == 2 ? z : w; }
  friend constexpr bool operator==(const vec& a, const vec& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
  }
};

// a + b, a + 2, 2 + a, a += b, a += 2, and the same for the others.
#define SPIREA_OPERATOR(op)                                                 \
  template <class T, std::size_t N>                                         \
  constexpr vec<T, N> operator op(const vec<T, N>& a, const vec<T, N>& b) { \
    return detail::of_pairs([](T x, T y) { return x op y; }, a, b);         \
  }                                                                         \
  template <class T, std::size_t N, detail::scalar_for<T> S>                \
  constexpr vec<T, N> operator op(const vec<T, N>& a, const S& b) {         \
    return a op vec<T, N>(static_cast<T>(b));                               \
  }                                                                         \
  template <class T, std::size_t N, detail::scalar_for<T> S>                \
  constexpr vec<T, N> operator op(const S& a, const vec<T, N>& b) {         \
    return vec<T, N>(static_cast<T>(a)) op b;                               \
  }                                                                         \
  template <class T, std::size_t N>                                         \
  constexpr vec<T, N>& operator op##=(vec<T, N>& a, const vec<T, N>& b) {   \
    return a = a op b;                                                      \
  }                                                                         \
  template <class T, std::size_t N, detail::scalar_for<T> S>                \
  constexpr vec<T, N>& operator op##=(vec<T, N>& a, const S& b) {           \
    return a = a op b;                                                      \
  }
SPIREA_OPERATOR(+)
SPIREA_OPERATOR(-)
SPIREA_OPERATOR(*)
SPIREA_OPERATOR(/)
SPIREA_OPERATOR(%)
SPIREA_OPERATOR(&)
SPIREA_OPERATOR(|)
SPIREA_OPERATOR(^)
SPIREA_OPERATOR(<<)
SPIREA_OPERATOR(>>)
#undef SPIREA_OPERATOR

template <class T, std::size_t N>
constexpr vec<T, N> operator+(const vec<T, N>& a) {
  return a;
}
template <class T, std::size_t N>
constexpr vec<T, N> operator-(const vec<T, N>& a) {
  return detail::each([](T x) { return static_cast<T>(-x); }, a);
}
template <class T, std::size_t N>
constexpr vec<T, N> operator~(const vec<T, N>& a) {
  return detail::each([](T x) { return static_cast<T>(~x); }, a);
}
template <std::size_t N>
constexpr vec<bool, N> operator!(const vec<bool, N>& a) {
  return detail::each([](bool x) { return !x; }, a);
}

// Comparison by element; a == b is true if all elements are equal.
#define SPIREA_COMPARISON(name, op)                                     \
  template <class T, std::size_t N>                                     \
  constexpr vec<bool, N> name(const vec<T, N>& a, const vec<T, N>& b) { \
    return detail::each([](T x, T y) { return x op y; }, a, b);         \
  }                                                                     \
  template <class T, std::size_t N, detail::scalar_for<T> S>            \
  constexpr vec<bool, N> name(const vec<T, N>& a, const S& b) {         \
    return name(a, vec<T, N>(static_cast<T>(b)));                       \
  }
SPIREA_COMPARISON(equal, ==)
SPIREA_COMPARISON(not_equal, !=)
SPIREA_COMPARISON(less, <)
SPIREA_COMPARISON(less_equal, <=)
SPIREA_COMPARISON(greater, >)
SPIREA_COMPARISON(greater_equal, >=)
#undef SPIREA_COMPARISON

constexpr bool any(const vec<bool, 2>& v) { return v.x || v.y; }
constexpr bool any(const vec<bool, 3>& v) { return v.x || v.y || v.z; }
constexpr bool any(const vec<bool, 4>& v) { return v.x || v.y || v.z || v.w; }
template <std::size_t N>
constexpr bool all(const vec<bool, N>& v) {
  return !any(!v);
}
/// By element: the second operand where the first is true, else the third.
template <class T, std::size_t N>
constexpr vec<T, N> select(const vec<bool, N>& which, const vec<T, N>& a, const vec<T, N>& b) {
  return detail::each([](bool w, T x, T y) { return w ? x : y; }, which, a, b);
}

// Functions by element.
template <class T, std::size_t N>
constexpr vec<T, N> min(const vec<T, N>& a, const vec<T, N>& b) {
  return detail::each([](T x, T y) { return y < x ? y : x; }, a, b);
}
template <class T, std::size_t N>
constexpr vec<T, N> max(const vec<T, N>& a, const vec<T, N>& b) {
  return detail::each([](T x, T y) { return x < y ? y : x; }, a, b);
}
template <class T, std::size_t N>
constexpr vec<T, N> clamp(const vec<T, N>& v, const vec<T, N>& low, const vec<T, N>& high) {
  return min(max(v, low), high);
}
template <class T, std::size_t N>
constexpr vec<T, N> clamp(const vec<T, N>& v, T low, T high) {
  return clamp(v, vec<T, N>(low), vec<T, N>(high));
}
template <class T, std::size_t N>
constexpr vec<T, N> abs(const vec<T, N>& v) {
  return detail::each([](T x) { return x <= T(0) ? static_cast<T>(T(0) - x) : x; }, v);
}
/// a + (b - a) * t
template <class T, std::size_t N>
constexpr vec<T, N> mix(const vec<T, N>& a, const vec<T, N>& b, T t) {
  return a + (b - a) * t;
}

/// The sum of the products, from x on.
template <class T>
constexpr T dot(const vec<T, 2>& a, const vec<T, 2>& b) {
  return static_cast<T>(a.x * b.x + a.y * b.y);
}
template <class T>
constexpr T dot(const vec<T, 3>& a, const vec<T, 3>& b) {
  return static_cast<T>(a.x * b.x + a.y * b.y + a.z * b.z);
}
template <class T>
constexpr T dot(const vec<T, 4>& a, const vec<T, 4>& b) {
  return static_cast<T>(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
}
template <class T>
constexpr vec<T, 3> cross(const vec<T, 3>& a, const vec<T, 3>& b) {
  return a.yzx() * b.zxy() - a.zxy() * b.yzx();
}

namespace detail {
inline float square_root(float x) { return __builtin_sqrtf(x); }
inline double square_root(double x) { return __builtin_sqrt(x); }
}  // namespace detail

/// Of half and bfloat16, computed in float.
template <class T, std::size_t N>
requires(!std::is_integral_v<T>) T length(const vec<T, N>& v) {
  using Wide = std::conditional_t<std::is_same_v<T, double>, double, float>;
  const vec<Wide, N> wide(v);
  return static_cast<T>(detail::square_root(dot(wide, wide)));
}
template <class T, std::size_t N>
T distance(const vec<T, N>& a, const vec<T, N>& b) {
  return length(a - b);
}
template <class T, std::size_t N>
vec<T, N> normalize(const vec<T, N>& v) {
  return v / length(v);
}

#define SPIREA_VECTORS(name, T) \
  using name##2 = vec<T, 2>;    \
  using name##3 = vec<T, 3>;    \
  using name##4 = vec<T, 4>;
SPIREA_VECTORS(bool, bool)
SPIREA_VECTORS(char, std::int8_t)
SPIREA_VECTORS(uchar, std::uint8_t)
SPIREA_VECTORS(short, std::int16_t)
SPIREA_VECTORS(ushort, std::uint16_t)
SPIREA_VECTORS(int, std::int32_t)
SPIREA_VECTORS(uint, std::uint32_t)
SPIREA_VECTORS(long, std::int64_t)
SPIREA_VECTORS(ulong, std::uint64_t)
SPIREA_VECTORS(half, half)
SPIREA_VECTORS(float, float)
SPIREA_VECTORS(double, double)
#undef SPIREA_VECTORS

static_assert(sizeof(float3) == 12 && alignof(float3) == 4 && sizeof(float4) == 16 && alignof(float4) == 16);
static_assert(sizeof(uint3) == 12 && alignof(uint3) == 4 && sizeof(double4) == 32 && alignof(double4) == 16);
static_assert(std::is_trivially_copyable_v<float4> && std::is_trivially_default_constructible_v<float4>);

}  // namespace spirea
