// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What C++11 to C++20 added to the language: each feature in a function of its own.
#include <array>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tests/execution/harness.h"

using namespace execution;

namespace {

using u32 = std::uint32_t;

constexpr u32 collatz_steps(u32 n) {
  u32 steps = 0;
  while (n != 1) n = n % 2 == 0 ? n / 2 : n * 3 + 1, ++steps;
  return steps;
}
consteval u32 factorial(u32 n) { return n <= 1 ? 1 : n * factorial(n - 1); }
constinit const u32 kStart = collatz_steps(27);

u32 constexpr_and_consteval(u32 x) {
  constexpr u32 fixed = collatz_steps(97);
  static_assert(fixed == 118);
  return x % 3 == 0 ? fixed + factorial(10) : x % 3 == 1 ? kStart : collatz_steps(x % 50 + 1);
}

constexpr u32 where(u32 v) { return std::is_constant_evaluated() ? v + 1000 : v; }
u32 is_constant_evaluated(u32 x) {
  constexpr u32 a = where(1);
  return a + where(x);
}

template <class T>
concept Number = std::integral<T> || std::floating_point<T>;
template <class T>
concept HasSize = requires(const T& t) {
  { t.size() } -> std::convertible_to<std::size_t>;
};
u32 kind(const auto&) { return 1; }
u32 kind(const Number auto&) { return 2; }
u32 kind(const std::integral auto&) requires true { return 3; }
template <HasSize T>
u32 kind(const T& t) {
  return 10 + static_cast<u32>(t.size());
}

u32 overloads_by_concept(u32 x) {
  struct Other {};
  const std::array<u32, 5> array{};
  return kind(array) * (x % 9) + kind(2.5f) * 100 + kind(Other{}) * 1000;
}

template <class... T>
u32 folded(T... v) {
  const u32 sum = (0u + ... + static_cast<u32>(v));
  const bool all = (... && (v != 0));
  u32 hash = 0;
  ((hash = mix(hash, static_cast<u32>(v))), ...);
  return mix(sum + (all ? 1 : 0), hash) + sizeof...(v);
}

u32 fold_expressions(u32 x) {
  return folded(x, static_cast<std::uint8_t>(x >> 3), 7, 'c') + folded() + folded(x % 2);
}

template <class First, class... Rest>
u32 sum_of_squares(First first, Rest... rest) {
  const u32 square = static_cast<u32>(first) * static_cast<u32>(first);
  if constexpr (sizeof...(rest) == 0)
    return square;
  else
    return square + sum_of_squares(rest...);
}

u32 variadic_templates(u32 x) { return sum_of_squares(x % 100, x >> 20, static_cast<unsigned char>(9), 4l); }

template <std::size_t... I>
u32 by_indices(u32 x, std::index_sequence<I...>) {
  const u32 table[] = {(x >> I)...};
  return (... ^ (table[I] * static_cast<u32>(I + 1)));
}

u32 index_sequences(u32 x) { return by_indices(x, std::make_index_sequence<12>()); }

struct Point {
  u32 x, y;
  std::uint8_t z : 4, w : 4;
};

u32 structured_bindings(u32 x) {
  Point p{x, x >> 2, 5, 9};
  auto& [a, b, c, d] = p;
  a += d, c = static_cast<std::uint8_t>(b & 7);
  const auto [e, f] = std::pair{x % 10, static_cast<std::uint16_t>(x)};
  u32 values[3] = {1, 2, x};
  auto& [first, second, third] = values;
  std::swap(first, third);
  const auto [t0, t1, t2] = std::tuple{x, 3.0f, second};
  return mix(mix(p.x + p.z, values[0] * e + f), t0 + static_cast<u32>(t1) + t2);
}

struct Rgb {
  u32 packed;
  template <std::size_t I>
  u32 get() const {
    return packed >> (8 * I) & 0xff;
  }
};

}  // namespace

template <>
struct std::tuple_size<Rgb> : std::integral_constant<std::size_t, 3> {};
template <std::size_t I>
struct std::tuple_element<I, Rgb> {
  using type = std::uint32_t;
};

namespace {

u32 structured_bindings_of_own_class(u32 x) {
  const auto [r, g, b] = Rgb{x};
  return r * 3 + g * 5 + b * 7;
}

constexpr u32 operator""_kib(unsigned long long v) { return static_cast<u32>(v * 1024); }
template <char... C>
constexpr u32 operator""_digits() {
  return (0u + ... + static_cast<u32>(C - '0'));
}
constexpr std::size_t operator""_len(const char*, std::size_t n) { return n; }

u32 user_defined_literals(u32 x) { return x + 4_kib + 12345_digits + static_cast<u32>("spirea"_len); }

u32 if_and_switch_with_initializers(u32 x) {
  if (const u32 low = x & 0xf; low > 7)
    return low * 3;
  else if (const auto [a, b] = std::pair{low + 1, x >> 8}; a < b)
    return a ^ b;
  else
    return a + low;
}

u32 generic_lambdas(u32 x) {
  const auto add = [](auto a, auto b) { return a + b; };
  const auto apply = []<class F, class... T>(F f, T... v) { return f(v...); };
  return apply(add, x, 5u) + static_cast<u32>(apply(add, 1.5f, static_cast<float>(x % 16))) +
         static_cast<u32>(add(std::uint8_t{200}, std::uint8_t{100}));
}

u32 captures_of_every_kind(u32 x) {
  u32 a = x, b = 3;
  const u32 table[3] = {1, x, 3};
  auto counter = [a, &b, table, moved = std::pair{x >> 2, 4u}, n = 0u]() mutable {
    ++n, ++b;
    a = a * 3 + table[n % 3] + moved.first;
    return a + n * moved.second;
  };
  const u32 first = counter(), second = counter();
  auto copy = counter;
  return mix(mix(first, second), mix(copy(), counter()) + a + b);
}

u32 lambdas_returned(u32 x) {
  const auto adder = [](u32 n) { return [n](u32 v) { return v + n; }; };
  const auto compose = [](auto f, auto g) { return [=](u32 v) { return f(g(v)); }; };
  const auto by_three = [](u32 v) { return v * 3; };
  return compose(compose(adder(x % 7), by_three), adder(5))(x);
}

struct WithThis {
  u32 v;
  u32 run() {
    const auto by_reference = [this](u32 n) { return v += n; };
    const auto by_copy = [*this](u32 n) { return v * n; };
    return by_reference(3) + by_copy(2) + v;
  }
};
u32 lambdas_capturing_this(u32 x) { return WithThis{x}.run(); }

struct Fixed {
  u32 scale;
  u32 bias;
  constexpr bool operator==(const Fixed&) const = default;
};
template <Fixed F>
u32 with_constant(u32 v) {
  return v * F.scale + F.bias;
}
template <auto... Values>
constexpr std::array<u32, sizeof...(Values)> kArray{static_cast<u32>(Values)...};

u32 values_as_template_arguments(u32 x) {
  return with_constant<Fixed{3, 9}>(x) + with_constant<Fixed{.scale = 1, .bias = 2}>(x) +
         kArray<4, 'x', true>[x % 3];
}

template <template <class, std::size_t> class Container, class T>
u32 filled(T v) {
  Container<T, 4> c{};
  for (auto& e : c) e = v++;
  return c[0] + c[3];
}
u32 templates_as_template_arguments(u32 x) { return filled<std::array>(x); }

template <class T>
struct Size : std::integral_constant<u32, sizeof(T)> {};
template <class T>
struct Size<T*> : std::integral_constant<u32, 100> {};
template <class T, std::size_t N>
struct Size<T[N]> : std::integral_constant<u32, static_cast<u32>(N) * 1000> {};

u32 partial_specializations(u32 x) { return x * Size<short>::value + Size<int*>() + Size<char[3]>(); }

template <class T, std::enable_if_t<std::is_signed_v<T>, int> = 0>
u32 signedness(T) {
  return 1;
}
template <class T, std::enable_if_t<std::is_unsigned_v<T>, int> = 0>
u32 signedness(T) {
  return 2;
}
u32 substitution_failure(u32 x) { return signedness(x) * 10 + signedness(static_cast<short>(x)) + x; }

enum class Suit : std::uint8_t { Clubs = 1, Hearts = 4, Spades = 9 };
constexpr Suit operator|(Suit a, Suit b) {
  return static_cast<Suit>(static_cast<int>(a) | static_cast<int>(b));
}

u32 scoped_enums(u32 x) {
  using enum Suit;
  const Suit suit = (x & 1) != 0 ? Clubs | Hearts : Spades;
  return static_cast<u32>(suit) + (suit == Spades ? x : 0) + (suit < Suit{6} ? 100 : 0);
}

u32 defaults(u32 a, u32 b = 7, u32 c = 9) { return a * b + c; }
u32 default_arguments(u32 x) { return defaults(x) + defaults(x, 2) + defaults(1, x, 3); }

u32 sum_of(std::initializer_list<u32> values) {
  u32 sum = static_cast<u32>(values.size());
  for (const u32 v : values) sum = sum * 3 + v;
  return sum;
}
u32 initializer_lists(u32 x) { return sum_of({x, 1, x >> 3}) + sum_of({}) + sum_of({7}); }

u32 forwarded(u32& v) { return v++; }
u32 forwarded(u32&& v) { return v + 100; }
template <class... T>
u32 forward_all(T&&... v) {
  return (... + forwarded(std::forward<T>(v)));
}
u32 perfect_forwarding(u32 x) {
  u32 v = x;
  return forward_all(v, 3u, std::move(v)) + v;
}

u32 attributes_and_types(u32 x) {
  [[maybe_unused]] const auto unused = x;
  using Pair = std::pair<u32, u32>;
  typedef u32 Row[2];
  decltype(auto) same = (x);
  Row row = {same, 2};
  const Pair p{row[0], sizeof(Row)};
  static_assert(std::is_same_v<decltype(same), u32&>);
  same += 1;
  return p.first + p.second + x + alignof(Pair);
}

u32 numbers_of_every_base(u32 x) {
  return (x & 0b1010'1010) + 0xff'00u + 017 + static_cast<u32>(0x1.8p3) + U'\x41' + '\n';
}

template <class T>
struct Expression {
  const T& self() const { return static_cast<const T&>(*this); }
};
struct Vector4 : Expression<Vector4> {
  std::array<u32, 4> v{};
  u32 operator[](std::size_t i) const { return v[i]; }
  template <class E>
  Vector4& operator=(const Expression<E>& e) {
    for (std::size_t i = 0; i < 4; ++i) v[i] = e.self()[i];
    return *this;
  }
};
template <class A, class B>
struct Sum : Expression<Sum<A, B>> {
  const A& a;
  const B& b;
  Sum(const A& x, const B& y) : a(x), b(y) {}
  u32 operator[](std::size_t i) const { return a[i] + b[i] * 2; }
};
template <class A, class B>
Sum<A, B> operator+(const Expression<A>& a, const Expression<B>& b) {
  return {a.self(), b.self()};
}

u32 expression_templates(u32 x) {
  Vector4 a, b, c;
  for (u32 i = 0; i < 4; ++i) a.v[i] = x >> i, b.v[i] = x * i;
  c = a + b + a;
  return mix(c[0] + c[1], c[2] ^ c[3]);
}

u32 power(u32 base, u32 n) {
  return n == 0 ? 1 : n % 2 == 0 ? power(base * base, n / 2) : base * power(base, n - 1);
}
u32 is_odd(u32 n);
u32 is_even(u32 n) { return n == 0 ? 1 : is_odd(n - 1); }
u32 is_odd(u32 n) { return n == 0 ? 0 : is_even(n - 1); }

u32 recursion_of_constant_depth(u32 x) { return power(x, 13) + is_even(6) * 7 + is_even(5); }

}  // namespace

EXECUTION_TEST(constexpr_and_consteval) { run_map<constexpr_and_consteval>(); }
EXECUTION_TEST(is_constant_evaluated) { run_map<is_constant_evaluated>(); }
EXECUTION_TEST(overloads_by_concept) { run_map<overloads_by_concept>(); }
EXECUTION_TEST(fold_expressions) { run_map<fold_expressions>(); }
EXECUTION_TEST(variadic_templates) { run_map<variadic_templates>(); }
EXECUTION_TEST(index_sequences) { run_map<index_sequences>(); }
EXECUTION_TEST(structured_bindings) { run_map<structured_bindings>(); }
EXECUTION_TEST(structured_bindings_of_own_class) { run_map<structured_bindings_of_own_class>(); }
EXECUTION_TEST(user_defined_literals) { run_map<user_defined_literals>(); }
EXECUTION_TEST(if_and_switch_with_initializers) { run_map<if_and_switch_with_initializers>(); }
EXECUTION_TEST(generic_lambdas) { run_map<generic_lambdas>(); }
EXECUTION_TEST(captures_of_every_kind) { run_map<captures_of_every_kind>(); }
EXECUTION_TEST(lambdas_returned) { run_map<lambdas_returned>(); }
EXECUTION_TEST(lambdas_capturing_this) { run_map<lambdas_capturing_this>(); }
EXECUTION_TEST(values_as_template_arguments) { run_map<values_as_template_arguments>(); }
EXECUTION_TEST(templates_as_template_arguments) { run_map<templates_as_template_arguments>(); }
EXECUTION_TEST(partial_specializations) { run_map<partial_specializations>(); }
EXECUTION_TEST(substitution_failure) { run_map<substitution_failure>(); }
EXECUTION_TEST(scoped_enums) { run_map<scoped_enums>(); }
EXECUTION_TEST(default_arguments) { run_map<default_arguments>(); }
EXECUTION_TEST(initializer_lists) { run_map<initializer_lists>(); }
EXECUTION_TEST(perfect_forwarding) { run_map<perfect_forwarding>(); }
EXECUTION_TEST(attributes_and_types) { run_map<attributes_and_types>(); }
EXECUTION_TEST(numbers_of_every_base) { run_map<numbers_of_every_base>(); }
EXECUTION_TEST(expression_templates) { run_map<expression_templates>(); }
EXECUTION_TEST(recursion_of_constant_depth) { run_map<recursion_of_constant_depth>(); }
