#include "two.h"

#include <span>
#include <spirea/kernel.hpp>

namespace image {

[[spirea::kernel]] void scale(std::span<const float> in, std::span<float> out, float factor) {
  const auto i = spirea::global_id().x;
  if (i < out.size()) out[i] = in[i] * factor + OFFSET;
}

}  // namespace image

[[spirea::kernel, spirea::workgroup_size(8)]] void count(std::span<int> out, Range range) {
  const auto i = spirea::global_id().x;
  if (i < out.size()) out[i] = range.first + static_cast<int>(i) * range.step;
}
