// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weighted histograms: each element of `in`, from 0 to 1, is added to the bin that it falls into.
#include <atomic>
#include <span>
#include <spirea/kernel.hpp>

namespace {

constexpr unsigned kWorkgroup = 256, kLocalBins = 256;

void add(float& cell, float value) {
  std::atomic_ref<float>(cell).fetch_add(value, std::memory_order_relaxed);
}

unsigned bin_of(float value, unsigned bins) {
  const auto bin = static_cast<unsigned>(value * static_cast<float>(bins));
  return bin < bins ? bin : bins - 1;
}

}  // namespace

/// Into bins in a buffer; the fewer there are, the more invocations meet in one.
[[spirea::kernel]] void in_buffer(std::span<const float> in, std::span<float> bins) {
  const auto i = spirea::global_id().x;
  if (i < in.size()) add(bins[bin_of(in[i], static_cast<unsigned>(bins.size()))], in[i]);
}

/// Into bins of the workgroup first, and from there into those of the buffer.
[[spirea::kernel]] [[spirea::workgroup_size(kWorkgroup)]] void in_workgroup(std::span<const float> in,
                                                                            std::span<float> bins) {
  [[spirea::shared]] static float local[kLocalBins];
  const auto i = spirea::global_id().x, lane = spirea::local_index();
  local[lane] = 0;
  spirea::workgroup_barrier();
  if (i < in.size()) add(local[bin_of(in[i], kLocalBins)], in[i]);
  spirea::workgroup_barrier();
  if (lane < bins.size()) add(bins[lane], local[lane]);
}

/// The same in double.
[[spirea::kernel]] void of_doubles(std::span<const float> in, std::span<double> bins) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  double& cell = bins[bin_of(in[i], static_cast<unsigned>(bins.size()))];
  std::atomic_ref<double>(cell).fetch_add(in[i], std::memory_order_relaxed);
}
