// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The standard library's vocabulary: optional, variant, tuple, complex, bits, ranges, random engines,
// charconv.
#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <charconv>
#include <chrono>
#include <complex>
#include <functional>
#include <limits>
#include <optional>
#include <random>
#include <ranges>
#include <ratio>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>

#include "tests/execution/harness.h"

using namespace execution;

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

std::optional<u32> half_of_even(u32 x) {
  if (x % 2 != 0) return std::nullopt;
  return x / 2;
}
u32 optionals(u32 x) {
  auto v = half_of_even(x);
  u32 hash = v.value_or(77);
  for (u32 k = 0; k < 4 && v; ++k) hash = mix(hash, *v), v = half_of_even(*v);
  if (!v) v.emplace(x);
  std::optional<u32> other = std::move(v);
  v.reset();
  return mix(hash, *other) + (v < other ? 1 : 0) + (other == x ? 2 : 0);
}

using Value = std::variant<u32, float, std::array<std::uint16_t, 2>>;
Value value_of(u32 x) {
  if (x % 3 == 0) return x;
  if (x % 3 == 1) return static_cast<float>(x % 1024) * 0.5f;
  return std::array<std::uint16_t, 2>{static_cast<std::uint16_t>(x), 9};
}
u32 variants(u32 x) {
  Value v = value_of(x);
  u32 hash = static_cast<u32>(v.index());
  if (const u32* p = std::get_if<u32>(&v)) hash = mix(hash, *p);
  if (std::holds_alternative<float>(v)) hash += 5;
  v = value_of(x + 1);
  if (auto* a = std::get_if<2>(&v)) (*a)[0] += 3, hash = mix(hash, (*a)[0]);
  return hash * 4 + static_cast<u32>(v.index());
}
template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
u32 variants_visited(u32 x) {
  u32 hash = 0;
  for (u32 k = 0; k < 3; ++k)
    hash = mix(
        hash, std::visit(Overloaded{[](u32 v) { return v; }, [](float f) { return static_cast<u32>(f * 2); },
                                    [](const std::array<std::uint16_t, 2>& a) { return a[0] + 100u * a[1]; }},
                         value_of(x + k)));
  return hash;
}
u32 tuples(u32 x) {
  std::tuple<u32, std::uint8_t, double> t{x, 7, 0.5};
  std::get<0>(t) += std::get<std::uint8_t>(t);
  auto [a, b, c] = std::tuple_cat(std::tuple{x % 5}, std::pair{3u, x});
  std::tie(a, b) = std::pair{b, a};
  const u32 applied = std::apply([](u32 p, u32 q, double r) { return p + q + static_cast<u32>(r * 4); }, t);
  return mix(applied + a * 3 + b, c) + (std::tuple{a, b} < std::tuple{b, c} ? 1 : 0);
}
u32 complex_numbers(u32 x) {
  std::complex<float> z(static_cast<float>(x % 8), static_cast<float>(x >> 4 & 7)), c(1, -2);
  z = z * c + std::complex<float>(0.5f, 2);
  z += std::conj(c) * 2.f;
  return static_cast<u32>(static_cast<std::int32_t>(z.real() * 4 + z.imag() * 1024 + std::norm(c)));
}
u32 bit_functions(u32 x) {
  return mix(std::bit_ceil(x % 100000) + std::bit_floor(x), std::rotl(x, static_cast<int>(x % 40) - 20)) +
         static_cast<u32>(std::bit_width(x) * 100 + std::popcount(x) + std::countl_one(x) +
                          std::countr_zero(x)) +
         (std::has_single_bit(x) ? 7 : 0) + (std::endian::native == std::endian::little ? 1000 : 0);
}
u32 bitsets(u32 x) {
  std::bitset<40> bits(x);
  bits <<= x % 9;
  bits.flip(3);
  bits[x % 40] = true;
  const std::bitset<40> other = ~bits & std::bitset<40>(0xf0f0f0);
  return static_cast<u32>(bits.count() * 100 + other.count()) ^ static_cast<u32>(other.to_ullong());
}
u64 numeric_limits(u64 x) {
  return x % 2 == 0 ? std::numeric_limits<std::int64_t>::max() - x % 7
                    : std::numeric_limits<std::uint16_t>::digits + std::numeric_limits<u32>::max();
}
u32 engines_linear(u32 x) {
  std::minstd_rand a(x % 5000 + 1);
  std::minstd_rand0 b(x % 77 + 1);
  a.discard(3);
  u32 hash = 0;
  for (u32 k = 0; k < 5; ++k) hash = mix(hash, static_cast<u32>(a() ^ b()));
  return hash;
}
u32 engines_mersenne_twister(u32 x) {
  std::mt19937 engine(x);
  return static_cast<u32>(engine() ^ engine());
}
u32 to_chars(u32 x) {
  char text[40];
  const auto [end, error] = std::to_chars(text, text + sizeof text, x);
  u32 hash = static_cast<u32>(end - text);
  for (const char* p = text; p != end; ++p) hash = mix(hash, static_cast<u32>(*p));
  const auto hex = std::to_chars(text, text + sizeof text, static_cast<int>(x), 16);
  for (const char* p = text; p != hex.ptr; ++p) hash = mix(hash, static_cast<u32>(*p));
  return hash + static_cast<u32>(error);
}
u32 from_chars(u32 x) {
  char text[12] = "-0000x77";
  for (u32 k = 1; k < 5; ++k) text[k] = static_cast<char>('0' + (x >> (3 * k)) % 10);
  int value = 5;
  const auto result = std::from_chars(text + x % 2, text + 8, value);
  u32 hex = 1;
  std::from_chars(text + 6, text + 8, hex, 16);
  return mix(static_cast<u32>(value), static_cast<u32>(result.ptr - text)) + hex;
}
u32 durations(u32 x) {
  using namespace std::chrono;
  const seconds s(x % 100000);
  const auto m = duration_cast<minutes>(s);
  const milliseconds total = s + hours(1) + 5ms;
  return static_cast<u32>(m.count() * 3 + total.count()) + (s > 20min ? 1 : 0) +
         std::ratio_multiply<std::kilo, std::ratio<1, 8>>::num;
}
u32 function_objects_of_the_library(u32 x) {
  const auto negate = std::not_fn([](u32 v) { return v % 2 == 0; });
  const auto add = std::bind_front(std::plus<>(), 5u);
  const std::pair<u32, u32> p{x, 3};
  return add(x) + (negate(x) ? 10 : 0) + std::invoke(&std::pair<u32, u32>::second, p) + std::identity()(x) +
         (std::cmp_less(-1, x) ? 1 : 0);
}
u32 exchanges_and_swaps(u32 x) {
  std::array<u32, 3> a{x, 1, 2}, b{4, x, 6};
  std::swap(a, b);
  const u32 old = std::exchange(a[x % 3], 99u);
  return mix(mix(a[0], a[1]) + a[2], old + b[0]) + std::to_integer<u32>(std::byte{0xf0} >> 2 | std::byte{1});
}
constexpr auto kSum = [](auto&& range) {
  u32 hash = 0;
  for (const u32 v : range) hash = mix(hash, v);
  return hash;
};
u32 views_filter_and_transform(u32 x) {
  const std::array<u32, 10> v{1, x, 3, x >> 2, 5, 6, x >> 5, 8, 9, 10};
  const std::span<const u32> s(v);
  return kSum(s | std::views::filter([](u32 e) { return e % 2 == 0; }) |
              std::views::transform([x](u32 e) { return e * 3 + x; }));
}
u32 views_take_drop_reverse(u32 x) {
  const std::array<u32, 10> v{1, x, 3, x >> 2, 5, 6, x >> 5, 8, 9, 10};
  return mix(kSum(v | std::views::drop(x % 4) | std::views::take(5) | std::views::reverse),
             kSum(v | std::views::take_while([](u32 e) { return e < 100; })) +
                 kSum(v | std::views::drop_while([](u32 e) { return e < 3; })));
}
u32 views_iota(u32 x) {
  return kSum(std::views::iota(x % 10, 20u) | std::views::filter([](u32 e) { return e % 3 != 1; })) +
         kSum(std::views::iota(1u) | std::views::take(x % 6));
}
u32 views_elements_and_join(u32 x) {
  const std::array<std::pair<u32, u32>, 4> pairs{{{x, 1}, {2, x >> 1}, {3, 3}, {x >> 9, 4}}};
  const std::array<std::array<u32, 3>, 2> rows{{{x, 2, 3}, {4, x, 6}}};
  return kSum(pairs | std::views::keys) + kSum(pairs | std::views::values) + kSum(rows | std::views::join);
}
u32 ranges_algorithms(u32 x) {
  struct Item {
    u32 key, value;
  };
  std::array<Item, 9> items;
  for (u32 k = 0; k < 9; ++k) items[k] = {(x * (k + 3) >> 3) % 50, k};
  const auto best = std::ranges::max_element(items, {}, &Item::key);
  const auto found = std::ranges::find(items, 5u, &Item::value);
  const auto count = std::ranges::count_if(
      items, [](u32 k) { return k > 20; }, &Item::key);
  std::ranges::reverse(items);
  return best->key * 100 + found->key + static_cast<u32>(count) * 10000 + items[x % 9].value;
}
[[spirea::kernel]] void views_over_device_memory(std::span<const u32> in, std::span<u32> out) {
  const auto i = spirea::global_id().x;
  if (i >= out.size()) return;
  u32 hash = 0;
  for (const u32 v :
       in | std::views::drop(i) | std::views::take(6) | std::views::filter([](u32 e) { return e % 4 != 0; }))
    hash = mix(hash, v);
  out[i] = hash;
}

u32 searches_in_text(u32 x) {
  constexpr std::string_view text = "the quick brown fox jumps over the lazy dog";
  constexpr std::string_view words[] = {"the", "quick", "jumps over", "dog", "cat", "", "o"};
  const std::string_view word = words[x % 7];
  const auto place = [](std::size_t at) { return static_cast<u32>(at == std::string_view::npos ? 999 : at); };
  u32 hash = mix(place(text.find(word)), place(text.rfind(word)));
  hash = mix(hash, place(text.find(word, x / 7 % 50)));
  hash = mix(hash, place(text.find(static_cast<char>('a' + x % 26))));
  hash = mix(hash, place(text.find_first_of(word)) + place(text.find_last_of("aeiou")) * 3);
  hash = mix(hash, place(text.find_first_not_of("the ")) + place(word.find_last_not_of('o')));
  return mix(hash, (text.starts_with(word) ? 1 : 0) + (text.ends_with(word) ? 2 : 0)) +
         (word < text.substr(4) ? 4 : 0);
}

u32 distributions_of_integers(u32 x) {
  std::minstd_rand engine(x % 1000 + 1);
  std::uniform_int_distribution<int> die(1, 6);
  std::uniform_int_distribution<u32> wide(0, 1000000);
  u32 hash = 0;
  for (u32 k = 0; k < 4; ++k) hash = mix(hash, static_cast<u32>(die(engine)) * 7 + wide(engine));
  return hash;
}

}  // namespace

EXECUTION_TEST(optionals) { run_map<optionals>(); }
EXECUTION_TEST(variants) { run_map<variants>(); }
EXECUTION_TEST(variants_visited) { run_map<variants_visited>(); }
EXECUTION_TEST(tuples) { run_map<tuples>(); }
EXECUTION_TEST(complex_numbers) { run_map<complex_numbers>(); }
EXECUTION_TEST(bit_functions) { run_map<bit_functions>(); }
EXECUTION_TEST(bitsets) { run_map<bitsets>(); }
EXECUTION_TEST(numeric_limits) { run_map<numeric_limits>(); }
EXECUTION_TEST(engines_linear) { run_map<engines_linear>(); }
EXECUTION_TEST(engines_mersenne_twister) { run_map<engines_mersenne_twister>(); }
EXECUTION_TEST(to_chars) { run_map<to_chars>(); }
EXECUTION_TEST(from_chars) { run_map<from_chars>(); }
EXECUTION_TEST(durations) { run_map<durations>(); }
EXECUTION_TEST(function_objects_of_the_library) { run_map<function_objects_of_the_library>(); }
EXECUTION_TEST(exchanges_and_swaps) { run_map<exchanges_and_swaps>(); }
EXECUTION_TEST(views_filter_and_transform) { run_map<views_filter_and_transform>(); }
EXECUTION_TEST(views_take_drop_reverse) { run_map<views_take_drop_reverse>(); }
EXECUTION_TEST(views_iota) { run_map<views_iota>(); }
EXECUTION_TEST(views_elements_and_join) { run_map<views_elements_and_join>(); }
EXECUTION_TEST(ranges_algorithms) { run_map<ranges_algorithms>(); }
EXECUTION_TEST(views_over_device_memory) {
  run_everywhere<views_over_device_memory>(shape(70), random_integers<u32>(80, 1), output<u32>(70));
}
EXECUTION_TEST(searches_in_text) { run_map<searches_in_text>(); }
EXECUTION_TEST(distributions_of_integers) { run_map<distributions_of_integers>(); }
