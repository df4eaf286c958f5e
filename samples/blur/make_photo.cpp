// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// make_photo output.png: paints the landscape that the sample blurs. Everything in it is computed: value
// noise for clouds, ridges and water, haze by distance, and the grain of a camera's sensor.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <png.h>
#include <vector>

namespace {

constexpr int kWidth = 960, kHeight = 640;
constexpr double kHorizon = 0.58;  // of the height
constexpr double kSunX = 0.68, kSunY = 0.40;

struct Color {
  double r = 0, g = 0, b = 0;
};
Color mix(const Color& a, const Color& b, double t) {
  t = std::clamp(t, 0.0, 1.0);
  return {a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t};
}
Color scale(const Color& c, double s) { return {c.r * s, c.g * s, c.b * s}; }

double smooth(double edge0, double edge1, double x) {
  const double t = std::clamp((x - edge0) / (edge1 - edge0), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

double hash(int x, int y, std::uint32_t seed) {
  std::uint32_t h =
      static_cast<std::uint32_t>(x) * 0x9e3779b1u ^ static_cast<std::uint32_t>(y) * 0x85ebca77u ^ seed;
  h ^= h >> 15;
  h *= 0x2c1b3c6du;
  h ^= h >> 12;
  h *= 0x297a2d39u;
  h ^= h >> 15;
  return h / 4294967296.0;
}

double noise(double x, double y, std::uint32_t seed) {
  const int ix = static_cast<int>(std::floor(x)), iy = static_cast<int>(std::floor(y));
  const double fx = x - ix, fy = y - iy;
  const double u = fx * fx * (3 - 2 * fx), v = fy * fy * (3 - 2 * fy);
  const double top = hash(ix, iy, seed) + (hash(ix + 1, iy, seed) - hash(ix, iy, seed)) * u;
  const double bottom = hash(ix, iy + 1, seed) + (hash(ix + 1, iy + 1, seed) - hash(ix, iy + 1, seed)) * u;
  return top + (bottom - top) * v;
}

/// Noise of several octaves, 0 to 1.
double fractal(double x, double y, int octaves, std::uint32_t seed) {
  double sum = 0, amplitude = 0.5, total = 0;
  for (int i = 0; i < octaves; ++i) {
    sum += amplitude * noise(x, y, seed + static_cast<std::uint32_t>(i) * 101u);
    total += amplitude;
    amplitude *= 0.5;
    const double turned = x * 1.6 - y * 1.2;
    y = x * 1.2 + y * 1.6;
    x = turned;
  }
  return sum / total;
}

Color sky(double x, double y) {
  const Color zenith{0.16, 0.30, 0.58}, middle{0.52, 0.62, 0.78}, low{0.98, 0.78, 0.56};
  const double t = y / kHorizon;
  Color color = t < 0.6 ? mix(zenith, middle, t / 0.6) : mix(middle, low, (t - 0.6) / 0.4);
  const double dx = (x - kSunX) * kWidth / kHeight, distance = std::hypot(dx, y - kSunY);
  color = mix(color, {1.0, 0.86, 0.62}, 0.75 * std::exp(-distance * 5.5));
  const double depth = 1.0 / (kHorizon + 0.08 - y);  // clouds are closer together towards the horizon
  const double cover = fractal(x * 2.2 * depth, depth * 2.6, 7, 11) + 0.12 * (1 - t);
  const double density = smooth(0.52, 0.78, cover);
  const Color lit = mix({0.99, 0.93, 0.86}, {1.0, 0.78, 0.58}, std::exp(-distance * 2.0));
  const Color shaded{0.50, 0.50, 0.58};
  color = mix(color, mix(lit, shaded, smooth(0.62, 0.92, cover)), 0.9 * density);
  return mix(color, {1.0, 0.97, 0.86}, smooth(0.034, 0.028, distance));
}

struct Ridge {
  double base, height, frequency, haze;
  std::uint32_t seed;
};
constexpr Ridge kRidges[] = {{0.50, 0.21, 2.1, 0.78, 21},
                             {0.55, 0.15, 3.2, 0.55, 37},
                             {0.585, 0.09, 5.4, 0.30, 53},
                             {0.60, 0.045, 9.0, 0.08, 71}};

double ridge_top(const Ridge& ridge, double x) {
  const double folded = 1 - std::fabs(2 * fractal(x * ridge.frequency, 0.5, 3, ridge.seed) - 1);
  return ridge.base - ridge.height * (folded * 0.8 +
                                      0.45 * fractal(x * ridge.frequency * 4, 7.5, 6, ridge.seed + 5) - 0.25);
}

Color mountain(const Ridge& ridge, double x, double y, double top) {
  const double across = x * ridge.frequency * 16, down = y * 44;
  const double fold = fractal(across * 0.35, down * 0.35, 4, ridge.seed + 13);
  const double relief = fractal(across + 3 * fold, down - across * 0.3, 7, ridge.seed + 9);
  const double below = fractal(across + 0.5 + 3 * fold, down - across * 0.3 + 0.35, 7, ridge.seed + 9);
  const double light =
      std::clamp(0.62 + 2.6 * (below - relief) + 0.5 * (fold - 0.5), 0.12, 1.15);  // from the right
  Color rock = mix({0.20, 0.22, 0.20}, {0.36, 0.32, 0.27}, relief);
  const double forest = smooth(0.35, 0.6, (y - top) / ridge.height + 0.35 * (relief - 0.5));
  rock = mix(rock, {0.10, 0.17, 0.09}, forest * (1 - 0.4 * ridge.haze));
  const double snow =
      smooth(0.16, 0.05, (y - top) / ridge.height + 0.25 * (relief - 0.5)) * smooth(0.12, 0.2, ridge.height);
  rock = mix(scale(rock, light * 1.5), scale({0.95, 0.95, 0.98}, std::clamp(0.55 + 0.6 * light, 0.0, 1.0)),
             snow);
  return mix(rock, {0.70, 0.70, 0.76}, ridge.haze * (0.75 + 0.25 * smooth(top, kHorizon, y)));
}

Color land(double x, double y) {
  Color color = sky(x, std::min(y, kHorizon));
  for (const Ridge& ridge : kRidges) {
    const double top = ridge_top(ridge, x);
    if (y >= top) color = mix(color, mountain(ridge, x, y, top), smooth(top, top + 1.5 / kHeight, y));
  }
  return color;
}

Color water(double x, double y) {
  const double depth = (y - kHorizon) / (1 - kHorizon);
  const double wave = fractal(x * 14 / (0.12 + depth), 9 / (0.05 + depth), 5, 91) - 0.5;
  const double mirrored = kHorizon - (y - kHorizon) * 1.15 + wave * 0.05 * (0.15 + depth);
  const Color reflected = land(x + wave * 0.012, std::clamp(mirrored, 0.0, kHorizon - 0.002));
  const Color own{0.05, 0.13, 0.17};
  Color color = mix(scale(reflected, 0.86), own, 0.25 + 0.45 * depth + 0.5 * wave);
  const double dx = (x - kSunX) / (0.02 + 0.10 * depth);
  const double glitter =
      smooth(0.60, 0.80, fractal(x * 70, 26 / (0.06 + depth), 4, 131)) * std::exp(-dx * dx);
  return mix(color, {1.0, 0.90, 0.70}, 0.9 * glitter);
}

/// Grass on the near bank: blades that lean, darker at the foot.
Color bank(Color behind, double x, double y) {
  const double top = 0.93 - 0.07 * fractal(x * 3.1, 2.5, 4, 151) + 0.10 * smooth(0.15, 0.75, x);
  for (int layer = 0; layer < 4; ++layer) {
    const double foot = top + 0.035 * layer;
    const double blade =
        noise(x * 170 + y * (20 - 11 * layer), 3.7 * layer, 171u + static_cast<std::uint32_t>(layer));
    const double tip = foot - 0.075 * blade * blade;
    if (y < tip) continue;
    const double shade =
        0.35 + 0.75 * smooth(foot + 0.05, tip, y) * (0.5 + 0.5 * noise(x * 300, y * 40, 181));
    behind = mix(behind, scale(mix({0.16, 0.24, 0.06}, {0.46, 0.44, 0.16}, blade), shade),
                 smooth(tip, tip + 0.004, y));
  }
  return behind;
}

Color pixel(int px, int py) {
  const double x = (px + 0.5) / kWidth, y = (py + 0.5) / kHeight;
  Color color = bank(y < kHorizon ? land(x, y) : water(x, y), x, y);
  const double vignette = 1 - 0.35 * (std::pow(x - 0.5, 2) + std::pow(y - 0.5, 2));
  return scale(color, vignette);
}

std::uint8_t to_byte(double value, int px, int py, std::uint32_t channel) {
  const double grain = (hash(px, py, 211 + channel) + hash(px, py, 223 + channel) - 1) * 0.012;
  return static_cast<std::uint8_t>(std::clamp(value + grain, 0.0, 1.0) * 255 + 0.5);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s output.png\n", argv[0]);
    return 2;
  }
  std::vector<std::uint8_t> bytes;
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      const Color color = pixel(x, y);
      bytes.insert(bytes.end(),
                   {to_byte(color.r, x, y, 0), to_byte(color.g, x, y, 1), to_byte(color.b, x, y, 2)});
    }
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = kWidth;
  image.height = kHeight;
  image.format = PNG_FORMAT_RGB;
  if (png_image_write_to_file(&image, argv[1], 0, bytes.data(), 0, nullptr) != 0) return EXIT_SUCCESS;
  std::fprintf(stderr, "error: cannot write '%s': %s\n", argv[1], image.message);
  return EXIT_FAILURE;
}
