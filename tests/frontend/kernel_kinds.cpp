// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of every kind. The host compiler compiles this file into the test, which compiles it for devices
// too and compares the names.
#include "tests/frontend/kernel_kinds.h"

#include <concepts>
#include <cstdint>
#include <span>
#include <spirea/kernel.hpp>
#include <typeinfo>

[[spirea::kernel]] void plain(std::span<const float>, std::span<float>) {}
extern "C" [[spirea::kernel]] void c_linkage(int*, unsigned) {}
[[spirea::kernel]] static void internal(int*) {}
[[spirea::kernel]] void overloaded(int) {}
[[spirea::kernel]] void overloaded(float, std::span<const float>, std::span<float>) {}
[[spirea::kernel]] void no_parameters() {}

namespace outer::inner {
struct Pair {
  int a, b;
};
[[spirea::kernel]] void in_namespace(std::span<Pair>, Pair) {}
}  // namespace outer::inner

namespace {
enum class Mode { A };
[[spirea::kernel]] void in_anonymous_namespace(std::span<const std::uint64_t>, Mode) {}
template <class T, int N>
[[spirea::kernel]] void template_in_anonymous_namespace(std::span<T, N>) {}
}  // namespace

template <class T>
[[spirea::kernel]] void scale(std::span<T>, T) {}
template <class... T>
[[spirea::kernel]] void variadic(T...) {}
template <class F>
[[spirea::kernel]] void apply(std::span<int>, F) {}
template <class T>
[[spirea::kernel]] void explicitly_instantiated(T*) {}
template void explicitly_instantiated<short>(short*);
template <auto F>
[[spirea::kernel]] void with_function(std::span<int>) {}
template <auto Value, auto... More>
[[spirea::kernel]] void with_values(std::span<int>) {}
template <std::integral T>
[[spirea::kernel]] void constrained(std::span<T>) {}
template <class T>
requires(sizeof(T) == 4) [[spirea::kernel]] void with_requirement(std::span<T>) {}
inline int negated(int v) { return -v; }

namespace {

std::vector<std::string> keys;

template <auto Kernel>
void use() {
  keys.push_back(typeid(spirea::detail::kernel_tag<Kernel>).name());
}

struct Functor {
  void operator()(int&) const {}
};

void with_lambdas() {
  const int k = 3;
  auto first = [k](int& v) { v += k; };
  auto second = [k](int& v) { v -= k; };
  auto other_signature = [](int& v, int) { v = 0; };
  auto third = [](int& v) { v = 3; };
  (void)other_signature;
  use<apply<decltype(first)>>();
  use<apply<decltype(second)>>();
  use<apply<decltype(third)>>();
}

}  // namespace

std::vector<std::string> host_keys() {
  keys.clear();
  use<plain>();
  use<c_linkage>();
  use<internal>();
  use<static_cast<void (*)(int)>(overloaded)>();
  use<static_cast<void (*)(float, std::span<const float>, std::span<float>)>(overloaded)>();
  use<no_parameters>();
  use<outer::inner::in_namespace>();
  use<in_anonymous_namespace>();
  use<template_in_anonymous_namespace<double, 4>>();
  use<scale<float>>();
  use<scale<std::uint8_t>>();
  use<variadic<int, float, bool>>();
  use<variadic<>>();
  use<apply<Functor>>();
  use<explicitly_instantiated<short>>();
  use<with_function<negated>>();
  use<with_values<3, 'c', &negated>>();
  use<with_values<true>>();
  use<constrained<int>>();
  use<with_requirement<float>>();
  with_lambdas();
  return keys;
}
