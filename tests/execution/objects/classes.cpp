// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classes: inheritance, construction and destruction, operators.
#include <array>
#include <compare>
#include <type_traits>
#include <utility>

#include "tests/execution/harness.h"

using namespace execution;

namespace {

using u32 = std::uint32_t;

struct Left {
  u32 a;
  u32 left() const { return a * 3; }
};
struct Right {
  u32 b;
  u32 right() const { return b + 7; }
};
struct Both : Left, Right {
  u32 c;
  u32 sum() const { return left() + right() * 5 + c; }
};

u32 multiple_inheritance(u32 x) {
  Both v{{x}, {x >> 3}, 4};
  Right& r = v;
  r.b += 9;
  static_cast<Left*>(&v)->a ^= 1;
  const Both* back = static_cast<Both*>(&r);
  return mix(v.sum(), back->c + r.right());
}

template <class Derived>
struct Counted {
  u32 twice() const { return 2 * static_cast<const Derived*>(this)->value(); }
};
struct Number : Counted<Number> {
  u32 v;
  explicit Number(u32 n) : v(n) {}
  u32 value() const { return v + 1; }
};

u32 curiously_recurring_template(u32 x) { return Number(x).twice() + Number(3).twice(); }

struct Log {
  u32 hash = 0;
  void note(u32 v) { hash = mix(hash, v); }
};
struct Traced {
  Log* log;
  u32 id;
  Traced(Log& l, u32 n) : log(&l), id(n) { log->note(id); }
  Traced(const Traced& other) : log(other.log), id(other.id + 100) { log->note(id); }
  Traced(Traced&& other) noexcept : log(other.log), id(std::exchange(other.id, 0)) { log->note(id + 1000); }
  Traced& operator=(const Traced& other) {
    id = other.id + 7;
    log->note(id);
    return *this;
  }
  ~Traced() { log->note(~id); }
};

u32 order_of_construction(u32 x) {
  Log log;
  {
    Traced a(log, x % 16);
    Traced b(a);
    if (x % 2 == 0) {
      Traced c(std::move(a));
      b = c;
    }
    Traced all[2] = {Traced(log, 5), b};
    all[0] = all[1];
  }
  return log.hash;
}

u32 destruction_on_every_path(u32 x) {
  u32 depth = 0, hash = 0;
  struct Scope {
    u32 &depth, &hash;
    Scope(u32& d, u32& h) : depth(d), hash(h) { ++depth; }
    ~Scope() { hash = mix(hash, depth--); }
  };
  const auto run = [&]() -> u32 {
    Scope outer(depth, hash);
    for (u32 k = 0; k < 6; ++k) {
      Scope inner(depth, hash);
      if ((x >> k & 3) == 1) continue;
      if ((x >> k & 7) == 6) break;
      if ((x >> k & 7) == 7) return k;
      Scope innermost(depth, hash);
      hash += k;
    }
    return 99;
  };
  const u32 result = run();
  return mix(hash, result) + depth;
}

struct Member {
  u32 v = 4;
  Member() = default;
  explicit Member(u32 n) : v(n * 2) {}
};
struct Delegating {
  Member first{3}, second;
  u32 third = first.v + 1;
  Delegating(u32 a, u32 b) : second(a), third(b) {}
  explicit Delegating(u32 a) : Delegating(a, a + 1) { third += 10; }
  Delegating() : Delegating(5) {}
};

u32 delegating_constructors(u32 x) {
  const Delegating a(x), b(x, 3), c;
  u32 hash = 0;
  for (const Delegating* d : {&a, &b, &c}) hash = mix(hash, d->first.v + d->second.v * 10 + d->third * 100);
  return hash;
}

struct Fraction {
  int n, d;
  constexpr Fraction(int num, int den = 1) : n(num), d(den) {}
  constexpr Fraction operator+(const Fraction& o) const { return {n * o.d + o.n * d, d * o.d}; }
  constexpr Fraction& operator*=(const Fraction& o) { return n *= o.n, d *= o.d, *this; }
  constexpr Fraction operator-() const { return {-n, d}; }
  constexpr explicit operator bool() const { return n != 0; }
  constexpr operator double() const { return static_cast<double>(n) / d; }
  constexpr auto operator<=>(const Fraction& o) const { return n * o.d <=> o.n * d; }
  constexpr bool operator==(const Fraction& o) const { return n * o.d == o.n * d; }
  Fraction operator++(int) {
    Fraction old = *this;
    n += d;
    return old;
  }
};

u32 operators_of_a_class(u32 x) {
  Fraction f(static_cast<int>(x % 50), 4), g = -Fraction(static_cast<int>(x >> 5 & 15), 3);
  f = f + g;
  f *= Fraction(2, 3);
  const Fraction old = f++;
  u32 r = f > old ? 1 : 0;
  if (f == Fraction(1)) r += 2;
  if (g) r += 4;
  return r + 8 * static_cast<u32>(static_cast<int>(static_cast<double>(f) * 16) + 100000);
}

class Grid {
 public:
  u32& operator()(u32 x, u32 y) { return cells_[y * 4 + x]; }
  u32 operator[](u32 i) const { return cells_[i]; }
  u32* begin() { return cells_.data(); }
  u32* end() { return cells_.data() + cells_.size(); }

 private:
  std::array<u32, 16> cells_{};
};

u32 call_and_index_operators(u32 x) {
  Grid g;
  for (u32 k = 0; k < 6; ++k) g(x >> k & 3, x >> (k + 3) & 3) += k + 1;
  u32 hash = g[x % 16];
  for (u32& v : g) hash = mix(hash, v++);
  return hash + g[0];
}

template <class T>
class Owner {  // what a smart pointer does, without a heap
 public:
  explicit Owner(T& v) : p_(&v) {}
  Owner(Owner&& o) noexcept : p_(std::exchange(o.p_, nullptr)) {}
  Owner(const Owner&) = delete;
  ~Owner() {
    if (p_ != nullptr) *p_ += 1000;
  }
  T& operator*() const { return *p_; }
  explicit operator bool() const { return p_ != nullptr; }

 private:
  T* p_;
};

u32 move_only_class(u32 x) {
  u32 v = x;
  u32 alive = 0;
  {
    Owner<u32> a(v);
    *a += 5;
    Owner<u32> b(std::move(a));
    if (b) *b *= 3;
    alive = (a ? 1 : 0) + (b ? 2 : 0);
  }
  return v + alive;
}

struct Version {
  u32 major, minor;
  auto operator<=>(const Version&) const = default;
};

u32 defaulted_comparisons(u32 x) {
  const Version a{x % 4, x >> 2 & 3}, b{x >> 4 & 3, x >> 6 & 3};
  return (a < b ? 1u : 0) | (a <= b ? 2u : 0) | (a == b ? 4u : 0) | (a != b ? 8u : 0) | (a > b ? 16u : 0) |
         ((a <=> b) == std::strong_ordering::greater ? 32u : 0);
}

class Account {
  friend u32 peek(const Account& a) { return a.secret_ * 2; }
  class Inner {
   public:
    explicit Inner(Account& a) : a_(a) {}
    void add(u32 v) { a_.secret_ += v; }

   private:
    Account& a_;
  };
  u32 secret_ = 1;

 public:
  Inner inner() { return Inner(*this); }
  template <class T>
  Account& with(T v) {
    secret_ ^= static_cast<u32>(v);
    return *this;
  }
};

u32 friends_and_nested_classes(u32 x) {
  Account a;
  a.inner().add(x);
  return peek(a.with(static_cast<short>(x)).with(3.5f));
}

struct Options {
  u32 width = 3;
  bool flip = false;
  struct {
    u32 x = 1, y = 2;
  } origin;
};

u32 designated_initializers(u32 x) {
  const Options a{.width = x % 100, .origin = {.y = x >> 5}};
  const Options b{.flip = x % 2 == 0, .origin = {}};
  return mix(a.width + a.origin.x * 3 + a.origin.y, b.width + (b.flip ? 50 : 0) + b.origin.y);
}

struct Tagged {
  enum Kind : unsigned char { Integer, Real, Pair } kind;
  union {
    u32 integer;
    float real;
    struct {
      std::uint16_t low, high;
    };
  };
};

u32 anonymous_unions(u32 x) {
  Tagged all[3];
  all[0].kind = Tagged::Integer, all[0].integer = x;
  all[1].kind = Tagged::Real, all[1].real = static_cast<float>(x % 4096) * 0.25f;
  all[2].kind = Tagged::Pair, all[2].low = static_cast<std::uint16_t>(x), all[2].high = 7;
  u32 hash = 0;
  for (u32 k = 0; k < 5; ++k) {
    const Tagged& t = all[(x + k) % 3];
    switch (t.kind) {
      case Tagged::Integer: hash = mix(hash, t.integer); break;
      case Tagged::Real: hash = mix(hash, static_cast<u32>(t.real)); break;
      case Tagged::Pair: hash = mix(hash, t.low * 3u + t.high); break;
    }
  }
  return hash;
}

struct Static {
  static constexpr u32 kScale = 6;
  static inline const u32 kOffset = 11;
  static u32 apply(u32 v) { return v * kScale + kOffset; }
  static constexpr std::array<u32, 3> kSteps{1, 10, 100};
};

u32 static_members(u32 x) { return Static::apply(x) + Static::kSteps[x % 3]; }

}  // namespace

EXECUTION_TEST(multiple_inheritance) { run_map<multiple_inheritance>(); }
EXECUTION_TEST(curiously_recurring_template) { run_map<curiously_recurring_template>(); }
EXECUTION_TEST(order_of_construction) { run_map<order_of_construction>(); }
EXECUTION_TEST(destruction_on_every_path) { run_map<destruction_on_every_path>(); }
EXECUTION_TEST(delegating_constructors) { run_map<delegating_constructors>(); }
EXECUTION_TEST(operators_of_a_class) { run_map<operators_of_a_class>(); }
EXECUTION_TEST(call_and_index_operators) { run_map<call_and_index_operators>(); }
EXECUTION_TEST(move_only_class) { run_map<move_only_class>(); }
EXECUTION_TEST(defaulted_comparisons) { run_map<defaulted_comparisons>(); }
EXECUTION_TEST(friends_and_nested_classes) { run_map<friends_and_nested_classes>(); }
EXECUTION_TEST(designated_initializers) { run_map<designated_initializers>(); }
EXECUTION_TEST(anonymous_unions) { run_map<anonymous_unions>(); }
EXECUTION_TEST(static_members) { run_map<static_members>(); }
