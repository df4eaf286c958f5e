// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs random programs: as plain C++, then on each device that the command line names, and compares what they
// leave in memory, bit by bit. One line for each difference; tests/fuzz/random_programs.py reads them.
#pragma once

#include <cstdio>
#include <exception>
#include <spirea/spirea.hpp>
#include <string>
#include <vector>

#include "tests/fuzz/prelude.h"

namespace fuzz {

inline constexpr u32 kInvocations = 13;  // the second workgroup is not full
inline constexpr u32 kWorkgroup = 8;
inline constexpr u32 kSlots = 16;  // elements of `data` that one invocation owns

struct Memory {
  std::vector<u32> in = std::vector<u32>(64);
  std::vector<u32> data = std::vector<u32>(kInvocations * kSlots);
  std::vector<u64> out = std::vector<u64>(kInvocations);

  explicit Memory(u64 seed) {
    u64 state = seed;
    for (u32& word : in) {
      state = mix(state, 1);
      // Small numbers take more branches.
      word = static_cast<u32>(state >> (state % 3 == 0 ? 60 : 32));
    }
    for (u32& word : data) word = static_cast<u32>(state = mix(state, 2));
  }
};

/// The first difference in words, or nothing.
template <class T>
std::string difference(const char* name, const std::vector<T>& want, const std::vector<T>& got) {
  for (std::size_t i = 0; i < want.size(); ++i)
    if (want[i] != got[i])
      return std::string(name) + "[" + std::to_string(i) + "] is " + std::to_string(got[i]) +
             ", plain C++ gives " + std::to_string(want[i]);
  return {};
}

template <auto Kernel>
std::string run_on(spirea::device& device, u64 seed, const Memory& want) {
  const Memory before(seed);
  spirea::buffer<u32> in(device, before.in);
  spirea::buffer<u32> data(device, before.data);
  spirea::buffer<u64> out(device, before.out);
  spirea::launch<Kernel>(device, spirea::grid(kInvocations).workgroup(kWorkgroup, 1, 1), in, data, out)
      .wait();
  const std::string wrong = difference("out", want.out, out.to_vector());
  return wrong.empty() ? difference("data", want.data, data.to_vector()) : wrong;
}

struct Device {
  std::string name;
  spirea::device device;
};

/// The number of devices that differ.
template <auto Kernel>
int check(u64 seed, std::vector<Device>& devices) {
  Memory want(seed);
  const auto groups = (kInvocations + kWorkgroup - 1) / kWorkgroup;
  spirea::for_each_invocation({groups, 1, 1}, {kWorkgroup, 1, 1},
                              [&] { Kernel(want.in, want.data, want.out); });
  int failures = 0;
  for (Device& entry : devices) {
    std::string wrong;
    try {
      wrong = run_on<Kernel>(entry.device, seed, want);
    } catch (const std::exception& error) {
      wrong = error.what();
    }
    if (wrong.empty()) continue;
    for (char& c : wrong)
      if (c == '\n') c = ' ';
    std::printf("FAIL %llu %s %s\n", static_cast<unsigned long long>(seed), entry.name.c_str(),
                wrong.c_str());
    ++failures;
  }
  return failures;
}

struct Entry {
  u64 seed;
  int (*check)(u64, std::vector<Device>&);
};

/// `devices` are the selectors on the command line.
inline int run_all(std::span<const Entry> entries, int argc, char** argv) {
  std::vector<Device> devices;
  for (int i = 1; i < argc; ++i) devices.push_back({argv[i], spirea::device(argv[i])});
  int failures = 0;
  for (const Entry& entry : entries) {
    failures += entry.check(entry.seed, devices);
    std::printf("DONE %llu\n", static_cast<unsigned long long>(entry.seed));
    std::fflush(stdout);
  }
  return failures == 0 ? 0 : 1;
}

}  // namespace fuzz
