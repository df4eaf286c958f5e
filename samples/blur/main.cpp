// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// blur [input.png [output [radius]]]: blurs a picture on Vulkan and on the host, writes output.vulkan.png and
// output.host.png, and compares both with the same function run as plain C++.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <png.h>
#include <span>
#include <spirea/spirea.hpp>
#include <stdexcept>
#include <string>
#include <vector>

struct Pixel {
  std::uint8_t red, green, blue, alpha;
};

struct Size {
  int width, height;
};

/// Gaussian blur; pixels beyond the edge are those at the edge.
[[spirea::kernel, spirea::workgroup_size(16, 16)]] void blur(std::span<const Pixel> in, std::span<Pixel> out,
                                                             Size size, int radius) {
  const int x = static_cast<int>(spirea::global_id().x);
  const int y = static_cast<int>(spirea::global_id().y);
  if (x >= size.width || y >= size.height) return;

  const float sigma = 0.5f * static_cast<float>(radius) + 0.5f;
  const float falloff = -0.5f / (sigma * sigma);
  float red = 0, green = 0, blue = 0, total = 0;
  for (int dy = -radius; dy <= radius; ++dy) {
    const int row = std::clamp(y + dy, 0, size.height - 1) * size.width;
    for (int dx = -radius; dx <= radius; ++dx) {
      const Pixel& pixel = in[static_cast<std::size_t>(row + std::clamp(x + dx, 0, size.width - 1))];
      const float weight = std::exp(falloff * static_cast<float>(dx * dx + dy * dy));
      red += weight * pixel.red;
      green += weight * pixel.green;
      blue += weight * pixel.blue;
      total += weight;
    }
  }
  const auto to_byte = [total](float sum) { return static_cast<std::uint8_t>(sum / total + 0.5f); };
  const auto index = static_cast<std::size_t>(y * size.width + x);
  out[index] = {to_byte(red), to_byte(green), to_byte(blue), in[index].alpha};
}

namespace {

struct Picture {
  Size size{};
  std::vector<Pixel> pixels;
};

/// A difference of one comes from the rounding of exp(); more is an error.
constexpr int kAllowedDifference = 1;

double milliseconds(std::chrono::nanoseconds time) { return static_cast<double>(time.count()) / 1e6; }

Picture read_png(const std::string& path) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_file(&image, path.c_str()) == 0)
    throw std::runtime_error("cannot read '" + path + "': " + image.message);
  image.format = PNG_FORMAT_RGBA;
  Picture picture{{static_cast<int>(image.width), static_cast<int>(image.height)}, {}};
  picture.pixels.resize(std::size_t{image.width} * image.height);
  if (png_image_finish_read(&image, nullptr, picture.pixels.data(), 0, nullptr) == 0)
    throw std::runtime_error("cannot read '" + path + "': " + image.message);
  return picture;
}

void write_png(const std::string& path, const Picture& picture) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.size.width);
  image.height = static_cast<png_uint_32>(picture.size.height);
  image.format = PNG_FORMAT_RGBA;
  if (png_image_write_to_file(&image, path.c_str(), 0, picture.pixels.data(), 0, nullptr) == 0)
    throw std::runtime_error("cannot write '" + path + "': " + image.message);
}

/// The kernel called as the plain C++ function that it is.
Picture blur_in_plain_cpp(const Picture& in, int radius) {
  Picture out{in.size, std::vector<Pixel>(in.pixels.size())};
  const auto groups = [](int n) { return static_cast<std::uint32_t>((n + 15) / 16); };
  spirea::for_each_invocation({groups(in.size.width), groups(in.size.height), 1}, {16, 16, 1},
                              [&] { blur(in.pixels, out.pixels, in.size, radius); });
  return out;
}

Picture blur_on(spirea::device& device, const Picture& in, int radius) {
  spirea::buffer<Pixel> source(device, in.pixels), result(device, in.pixels.size());
  const auto grid =
      spirea::grid(static_cast<std::uint32_t>(in.size.width), static_cast<std::uint32_t>(in.size.height));
  spirea::launch<blur>(device, grid, source, result, in.size, radius)
      .wait();  // the first one loads the kernel
  spirea::event event = spirea::launch<blur>(device, grid, source, result, in.size, radius);
  event.wait();
  std::printf("%-7s %s: %.2f ms\n", spirea::to_string(device.backend()).data(), device.name().c_str(),
              milliseconds(event.duration()));
  return {in.size, result.to_vector()};
}

int largest_difference(const Picture& a, const Picture& b) {
  int largest = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i) {
    const Pixel &p = a.pixels[i], &q = b.pixels[i];
    largest = std::max({largest, std::abs(p.red - q.red), std::abs(p.green - q.green),
                        std::abs(p.blue - q.blue), std::abs(p.alpha - q.alpha)});
  }
  return largest;
}

/// The device, or nothing and the reason on the standard output.
std::optional<spirea::device> open(const char* selector) {
  try {
    return spirea::device(selector);
  } catch (const spirea::error& error) {
    std::printf("%-7s not available: %s\n", selector, error.what());
    return std::nullopt;
  }
}

int run(const std::string& input, const std::string& output, int radius) {
  const Picture photo = read_png(input);
  std::printf("%s: %d x %d pixels, radius %d\n", input.c_str(), photo.size.width, photo.size.height, radius);
  const auto start = std::chrono::steady_clock::now();
  const Picture expected = blur_in_plain_cpp(photo, radius);
  std::printf("plain C++, one thread: %.2f ms\n", milliseconds(std::chrono::steady_clock::now() - start));

  bool good = true;
  int devices = 0;
  for (const char* selector : {"vulkan", "host"}) {
    std::optional<spirea::device> device = open(selector);
    if (!device) continue;
    ++devices;
    const Picture blurred = blur_on(*device, photo, radius);
    const std::string path = output + "." + selector + ".png";
    write_png(path, blurred);
    const int difference = largest_difference(blurred, expected);
    std::printf("        wrote %s; largest difference to plain C++: %d of 255\n", path.c_str(), difference);
    good = good && difference <= kAllowedDifference;
  }
  if (!good) std::fprintf(stderr, "error: results differ\n");
  return good && devices > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string input = argc > 1 ? argv[1] : "photo.png";
  const std::string output = argc > 2 ? argv[2] : "blurred";
  const int radius = argc > 3 ? std::atoi(argv[3]) : 8;
  if (argc > 4 || radius < 0 || radius > 256) {
    std::fprintf(stderr, "usage: %s [input.png [output [radius, 0 to 256]]]\n", argv[0]);
    return 2;
  }
  try {
    return run(input, output, radius);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
