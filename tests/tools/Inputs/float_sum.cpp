#include <atomic>
#include <spirea/kernel.hpp>
#include <span>

[[spirea::kernel]] void sum(std::span<const float> in, std::span<float> out) {
  const auto i = spirea::global_id().x;
  if (i < in.size()) std::atomic_ref<float>(out[0]).fetch_add(in[i], std::memory_order_relaxed);
}
