// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers of 128 bits.
#include <cstring>

#include "tests/execution/harness.h"

using namespace execution;

namespace {

using u64 = std::uint64_t;

u64 int128_product(u64 x) {
  const unsigned __int128 p = static_cast<unsigned __int128>(x) * (x ^ 0x9e3779b97f4a7c15u);
  return static_cast<u64>(p >> 64) ^ static_cast<u64>(p);
}

u64 int128_sums_and_shifts(u64 x) {
  unsigned __int128 v = static_cast<unsigned __int128>(x) << 64 | ~x;
  v += static_cast<unsigned __int128>(x) << (x % 100);
  v ^= v >> (x % 127 + 1);
  __int128 s = static_cast<__int128>(v);
  s = -s >> (x % 9);
  return static_cast<u64>(s) * 3 + static_cast<u64>(s >> 64) + (s < 0 ? 1 : 0);
}

u64 int128_division(u64 x) {
  const unsigned __int128 n = static_cast<unsigned __int128>(x) << 50 | 0x123456789;
  const unsigned __int128 d = static_cast<unsigned __int128>(x >> 3) + 7;
  const __int128 s = static_cast<__int128>(n) - (static_cast<__int128>(x) << 52);
  return static_cast<u64>(n / d) ^ static_cast<u64>(n % d) ^ static_cast<u64>(s / 1000003) ^
         static_cast<u64>(s % 1000003);
}

u64 int128_in_memory(u64 x) {
  unsigned __int128 v[3] = {x, static_cast<unsigned __int128>(x) << 70, 5};
  v[x % 3] += v[(x >> 2) % 3];
  u64 words[6];
  std::memcpy(words, v, sizeof v);
  u64 hash = 0;
  for (const u64 w : words) hash = hash * 31 + w;
  return hash;
}

}  // namespace

EXECUTION_TEST(int128_product) { run_map<int128_product>(); }
EXECUTION_TEST(int128_sums_and_shifts) { run_map<int128_sums_and_shifts>(); }
EXECUTION_TEST(int128_division) { run_map<int128_division>(); }
EXECUTION_TEST(int128_in_memory) { run_map<int128_in_memory>(); }
