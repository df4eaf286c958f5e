// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// square_sin [n [device]]: computes x * x + sin(x) for n values on a device and checks the result.
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <span>
#include <spirea/spirea.hpp>
#include <vector>

[[spirea::kernel]] void square_sin(std::span<const float> in, std::span<float> out) {
  const auto i = spirea::global_id().x;
  if (i < out.size()) out[i] = in[i] * in[i] + std::sin(in[i]);
}

namespace {

/// The largest distance from the result in double precision.
double largest_error(std::span<const float> in, std::span<const float> out) {
  double largest = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const double x = in[i];
    largest = std::fmax(largest, std::fabs(out[i] - (x * x + std::sin(x))));
  }
  return largest;
}

int run(std::size_t n, spirea::device& device) {
  std::vector<float> x(n), y(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<float>(i % 1000) * 0.001f;

  spirea::buffer<float> in(device, x), out(device, n);
  spirea::launch<square_sin>(device, spirea::grid(n), in, out);
  out.read(y);

  const double error = largest_error(x, y);
  std::printf("%s: %zu values, largest error %.3g\n", device.name().c_str(), n, error);
  return error < 1e-5 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::size_t n = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : std::size_t{1} << 20;
    spirea::device device = argc > 2 ? spirea::device(argv[2]) : spirea::device();
    return run(n, device);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
