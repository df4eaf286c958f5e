// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Virtual functions and bases, where the optimizer sees which class an object is of.
#include "tests/execution/harness.h"

using namespace execution;

namespace {

using u32 = std::uint32_t;

struct Shape2 {
  virtual ~Shape2() = default;
  virtual u32 area() const = 0;
  virtual u32 sides() const { return 4; }
  u32 score() const { return area() * 10 + sides(); }
};
struct Square final : Shape2 {
  u32 side;
  explicit Square(u32 s) : side(s) {}
  u32 area() const override { return side * side; }
};
struct Triangle final : Shape2 {
  u32 base, height;
  Triangle(u32 b, u32 h) : base(b), height(h) {}
  u32 area() const override { return base * height / 2; }
  u32 sides() const override { return 3; }
};

u32 virtual_calls_of_known_objects(u32 x) {
  const Square square(x % 1000);
  const Triangle triangle(x % 77, 5);
  const Shape2& shape = square;
  return mix(shape.score(), triangle.score());
}

u32 score_of(const Square& s) { return s.score(); }
u32 virtual_calls_of_final_class(u32 x) {
  Square s(3);
  s.side += x % 50;
  return score_of(s);
}

struct VirtualBase {
  u32 shared;
};
struct A : virtual VirtualBase {
  u32 a;
};
struct B : virtual VirtualBase {
  u32 b;
};
struct Diamond : A, B {
  u32 total() const { return shared * 100 + a * 10 + b; }
};

u32 virtual_inheritance(u32 x) {
  Diamond d;
  d.shared = x;
  d.a = 2, d.b = x >> 4;
  d.B::shared += 1;
  return d.total();
}

}  // namespace

EXECUTION_TEST(virtual_calls_of_known_objects) { run_map<virtual_calls_of_known_objects>(); }
EXECUTION_TEST(virtual_calls_of_final_class) { run_map<virtual_calls_of_final_class>(); }
EXECUTION_TEST(virtual_inheritance) { run_map<virtual_inheritance>(); }
