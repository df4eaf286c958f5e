// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstdint>
#include <span>
#include <spirea/kernel.hpp>

[[spirea::kernel]] void smooth(std::span<const float> in, std::span<float> out) {
  const auto i = spirea::global_id().x;
  if (i > 0 && i + 1 < in.size()) out[i] = (in[i - 1] + 2 * in[i] + in[i + 1]) / 4;
}

// The mistake: a sum of 64 is bin 8 of 8.
[[spirea::kernel]] void histogram(std::span<const std::uint32_t> in, std::span<std::uint32_t> bins,
                                  std::uint32_t rounds, bool mirrored) {
  const auto i = spirea::global_id().x;
  std::uint32_t local[8] = {};
  for (std::uint32_t round = 0; round < rounds; ++round) {
    std::uint32_t sum = 0;
    for (std::uint32_t k = 0; k < 8; ++k) {
      if ((in[k] & 1) != 0 && mirrored) continue;
      switch (in[k] % 4) {
        case 0: sum += in[k]; break;
        case 1: sum ^= k; break;
        default: sum += 1;
      }
      if (sum > 1000) break;
    }
    local[std::min(sum, 64u) / 8] += round;
  }
  for (std::uint32_t k = 0; k < 8; ++k) bins[i * 8 + k] = local[k];
}
