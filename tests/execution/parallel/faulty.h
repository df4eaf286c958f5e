// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tests/execution/parallel/faulty.cpp says of its kernels, and how they are run.
#pragma once

#include <cstdint>
#include <ostream>
#include <spirea/spirea.hpp>
#include <string>
#include <vector>

namespace faulty {

using u32 = std::uint32_t;

/// Two workgroups of 16 invocations, in subgroups of 4.
constexpr u32 kGroup = 16, kGroups = 2, kSubgroup = 4;

/// What the interpreter is to say: a part of the message, the invocation in which it happens, and the other
/// one.
struct Expected {
  const char* message;
  int invocation;
  int other = -1;             ///< -1: there is none
  const char* relation = "";  ///< what stands before the other invocation, or behind it
};

struct Kernel {
  const char* name;
  Expected expected;
  std::string (*run)(bool repaired);  ///< the error of a launch on the interpreter, empty if it has none
};
inline std::ostream& operator<<(std::ostream& out, const Kernel& kernel) { return out << kernel.name; }

const std::vector<Kernel>& kernels();

#ifdef __SPIREA_DEVICE__
template <auto Faulty, auto Repaired>
std::string run(bool) {
  return {};
}
#else
spirea::device& interpreter();

template <auto Faulty, auto Repaired>
std::string run(bool repaired) {
  const std::vector<u32> zeros(kGroup * kGroups);
  spirea::device& device = interpreter();
  spirea::buffer<u32> out(device, zeros), data(device, zeros);
  const auto launch = [&](auto kernel) {
    spirea::launch<kernel.value>(device, spirea::groups(kGroups), out, data).wait();
  };
  try {
    if (repaired)
      launch(std::integral_constant<decltype(Repaired), Repaired>());
    else
      launch(std::integral_constant<decltype(Faulty), Faulty>());
    return {};
  } catch (const spirea::error& e) {
    return e.what();
  }
}
#endif

}  // namespace faulty
