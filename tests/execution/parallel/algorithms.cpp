// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Algorithms as users write them for a GPU, on sizes that are no multiple of anything, against plain C++.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <string>

#include "tests/execution/harness.h"

using namespace execution;

namespace {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u32 kGroup = 128;

u32 groups_of(std::size_t n, u32 per_group) { return static_cast<u32>((n + per_group - 1) / per_group); }

/// The sum of the workgroup's values, in every invocation.
template <class T>
T workgroup_sum(T value) {
  [[spirea::shared]] static T partial[kGroup];
  const u32 l = spirea::local_index();
  partial[l] = value;
  for (u32 half = kGroup / 2; half != 0; half /= 2) {
    spirea::workgroup_barrier();
    if (l < half) partial[l] = partial[l] + partial[l + half];
  }
  spirea::workgroup_barrier();
  const T result = partial[0];
  spirea::workgroup_barrier();
  return result;
}

/// Inclusive scan over the workgroup (Hillis and Steele, 1986).
template <class T>
T workgroup_scan(T value) {
  [[spirea::shared]] static T line[2][kGroup];
  const u32 l = spirea::local_index();
  u32 from = 0;
  line[0][l] = value;
  spirea::workgroup_barrier();
  for (u32 step = 1; step < kGroup; step *= 2) {
    line[1 - from][l] = l >= step ? line[from][l] + line[from][l - step] : line[from][l];
    from = 1 - from;
    spirea::workgroup_barrier();
  }
  const T result = line[from][l];
  spirea::workgroup_barrier();
  return result;
}

// Reduction
// ---------------------------------------------------------------------------------------------------

[[spirea::kernel, spirea::workgroup_size(kGroup)]] void sum_all(std::span<const u32> in,
                                                                std::span<u64> total) {
  u64 mine = 0;
  for (u64 i = spirea::global_id().x; i < in.size(); i += spirea::global_size().x) mine += in[i];
  const u64 sum = workgroup_sum(mine);
  if (spirea::local_index() == 0) std::atomic_ref(total[0]).fetch_add(sum, std::memory_order_relaxed);
}

// Scan
// --------------------------------------------------------------------------------------------------------

[[spirea::kernel, spirea::workgroup_size(kGroup)]] void scan_blocks(std::span<const u32> in,
                                                                    std::span<u32> out, std::span<u32> sums,
                                                                    bool exclusive) {
  const u32 i = spirea::global_id().x;
  const u32 value = i < in.size() ? in[i] : 0;
  const u32 scan = workgroup_scan(value);
  if (i < in.size()) out[i] = exclusive ? scan - value : scan;
  if (spirea::local_index() == kGroup - 1) sums[spirea::workgroup_id().x] = scan;
}

[[spirea::kernel]] void add_offsets(std::span<u32> out, std::span<const u32> offsets) {
  const u32 i = spirea::global_id().x;
  if (i < out.size()) out[i] += offsets[i / kGroup];
}

void scan(spirea::device& device, spirea::buffer<u32>& in, spirea::buffer<u32>& out, bool exclusive) {
  const u32 blocks = groups_of(in.size(), kGroup);
  spirea::buffer<u32> sums(device, blocks);
  spirea::launch<scan_blocks>(device, spirea::groups(blocks), in, out, sums, exclusive);
  if (blocks == 1) return;
  spirea::buffer<u32> offsets(device, blocks);
  scan(device, sums, offsets, true);
  spirea::launch<add_offsets>(device, spirea::grid(in.size()).workgroup(kGroup), out, offsets);
}

// Radix sort, four bits a pass
// ------------------------------------------------------------------------------------

constexpr u32 kDigits = 16;

[[spirea::kernel, spirea::workgroup_size(kGroup)]] void count_digits(std::span<const u32> keys,
                                                                     std::span<u32> counts, u32 shift) {
  [[spirea::shared]] static u32 digits[kDigits];
  const u32 l = spirea::local_index(), i = spirea::global_id().x;
  if (l < kDigits) digits[l] = 0;
  spirea::workgroup_barrier();
  if (i < keys.size()) {
    const u32 digit = keys[i] >> shift & (kDigits - 1);
    spirea::atomic_ref<u32, spirea::memory_scope::workgroup>(digits[digit])
        .fetch_add(1, std::memory_order_relaxed);
  }
  spirea::workgroup_barrier();
  if (l < kDigits) counts[l * spirea::num_workgroups().x + spirea::workgroup_id().x] = digits[l];
}

[[spirea::kernel, spirea::workgroup_size(kGroup)]] void scatter(std::span<const u32> keys,
                                                                std::span<u32> sorted,
                                                                std::span<const u32> starts, u32 shift) {
  [[spirea::shared]] static u8 digits[kGroup];
  const u32 l = spirea::local_index(), i = spirea::global_id().x;
  const u32 digit = i < keys.size() ? keys[i] >> shift & (kDigits - 1) : kDigits;
  digits[l] = static_cast<u8>(digit);
  spirea::workgroup_barrier();
  if (i >= keys.size()) return;
  const u32 rank = static_cast<u32>(std::count(digits, digits + l, static_cast<u8>(digit)));
  sorted[starts[digit * spirea::num_workgroups().x + spirea::workgroup_id().x] + rank] = keys[i];
}

// Bitonic sort (Batcher, 1968)
// -------------------------------------------------------------------------------------

[[spirea::kernel]] void bitonic_step(std::span<u32> data, u32 size, u32 stride) {
  const u32 i = spirea::global_id().x, j = i ^ stride;
  if (j <= i || j >= data.size()) return;
  if ((data[i] > data[j]) == ((i & size) == 0)) std::swap(data[i], data[j]);
}

// Tiled matrix product
// ----------------------------------------------------------------------------------------------

constexpr u32 kTile = 8;

[[spirea::kernel, spirea::workgroup_size(kTile, kTile)]] void matrix_product(std::span<const float> a,
                                                                             std::span<const float> b,
                                                                             std::span<float> c, u32 m, u32 n,
                                                                             u32 k) {
  [[spirea::shared]] static float tile_a[kTile][kTile], tile_b[kTile][kTile];
  const auto [x, y, z] = spirea::local_id();
  const u32 row = spirea::global_id().y, column = spirea::global_id().x;
  float sum = 0;
  for (u32 base = 0; base < k; base += kTile) {
    tile_a[y][x] = row < m && base + x < k ? a[row * k + base + x] : 0;
    tile_b[y][x] = base + y < k && column < n ? b[(base + y) * n + column] : 0;
    spirea::workgroup_barrier();
    for (u32 i = 0; i < kTile; ++i) sum += tile_a[y][i] * tile_b[i][x];
    spirea::workgroup_barrier();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

// Softmax and layer normalization: a workgroup for each row
// ------------------------------------------------------------

[[spirea::kernel, spirea::workgroup_size(kGroup)]] void softmax(std::span<const float> in,
                                                                std::span<float> out, u32 columns) {
  [[spirea::shared]] static float largest[kGroup];
  const u32 l = spirea::local_index();
  const auto row = in.subspan(std::size_t{spirea::workgroup_id().x} * columns, columns);
  float most = -INFINITY;
  for (u32 j = l; j < columns; j += kGroup) most = std::max(most, row[j]);
  largest[l] = most;
  spirea::workgroup_barrier();
  for (u32 half = kGroup / 2; half != 0; half /= 2) {
    if (l < half) largest[l] = std::max(largest[l], largest[l + half]);
    spirea::workgroup_barrier();
  }
  most = largest[0];
  float sum = 0;
  for (u32 j = l; j < columns; j += kGroup) sum += std::exp(row[j] - most);
  sum = workgroup_sum(sum);
  for (u32 j = l; j < columns; j += kGroup)
    out[std::size_t{spirea::workgroup_id().x} * columns + j] = std::exp(row[j] - most) / sum;
}

[[spirea::kernel, spirea::workgroup_size(kGroup)]] void layer_norm(std::span<const float> in,
                                                                   std::span<float> out, u32 columns,
                                                                   float epsilon) {
  const u32 l = spirea::local_index();
  const std::size_t first = std::size_t{spirea::workgroup_id().x} * columns;
  float sum = 0;
  for (u32 j = l; j < columns; j += kGroup) sum += in[first + j];
  const float mean = workgroup_sum(sum) / static_cast<float>(columns);
  float squares = 0;
  for (u32 j = l; j < columns; j += kGroup) squares += (in[first + j] - mean) * (in[first + j] - mean);
  const float variance = workgroup_sum(squares) / static_cast<float>(columns);
  for (u32 j = l; j < columns; j += kGroup)
    out[first + j] = (in[first + j] - mean) / std::sqrt(variance + epsilon);
}

// N-body: forces by tiles of bodies
// ------------------------------------------------------------------------------------

struct Body {
  float x, y, z, mass;
};

[[spirea::kernel, spirea::workgroup_size(kGroup)]] void forces(std::span<const Body> bodies,
                                                               std::span<float> out) {
  [[spirea::shared]] static Body tile[kGroup];
  const u32 l = spirea::local_index(), i = spirea::global_id().x;
  const Body self = i < bodies.size() ? bodies[i] : Body{};
  float fx = 0, fy = 0, fz = 0;
  for (u32 base = 0; base < bodies.size(); base += kGroup) {
    tile[l] = base + l < bodies.size() ? bodies[base + l] : Body{};
    spirea::workgroup_barrier();
    for (const Body& other : tile) {
      const float dx = other.x - self.x, dy = other.y - self.y, dz = other.z - self.z;
      const float distance = dx * dx + dy * dy + dz * dz + 0.01f;
      const float strength = other.mass / (distance * std::sqrt(distance));
      fx += dx * strength, fy += dy * strength, fz += dz * strength;
    }
    spirea::workgroup_barrier();
  }
  if (i >= bodies.size()) return;
  out[3 * i] = fx, out[3 * i + 1] = fy, out[3 * i + 2] = fz;
}

// Mandelbrot, Game of Life
// ------------------------------------------------------------------------------------------------

u32 escape_time(float cx, float cy, u32 limit) {
  float x = 0, y = 0;
  u32 n = 0;
  while (n < limit && x * x + y * y < 4.0f) {
    const float next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
    ++n;
  }
  return n;
}

[[spirea::kernel]] void mandelbrot(std::span<u32> out, u32 width, u32 height, u32 limit) {
  const auto [x, y, z] = spirea::global_id();
  if (x >= width || y >= height) return;
  // Steps of powers of two: every product is exact, fused or not, until the last ones.
  out[y * width + x] =
      escape_time(-2.0f + 0.03125f * static_cast<float>(x), -1.25f + 0.03125f * static_cast<float>(y), limit);
}

[[spirea::kernel]] void game_of_life(std::span<const u8> in, std::span<u8> out, u32 width, u32 height) {
  const auto [x, y, z] = spirea::global_id();
  if (x >= width || y >= height) return;
  u32 neighbours = 0;
  for (u32 dy = height - 1; dy <= height + 1; ++dy)
    for (u32 dx = width - 1; dx <= width + 1; ++dx)
      if (dx != width || dy != height) neighbours += in[(y + dy) % height * width + (x + dx) % width];
  out[y * width + x] = neighbours == 3 || (neighbours == 2 && in[y * width + x] != 0);
}

// String search
// -----------------------------------------------------------------------------------------------------------

/// Positions of the matches, in no order.
[[spirea::kernel]] void find_all(std::span<const char> text, std::span<const char> pattern,
                                 std::span<u32> positions, std::span<u32> count) {
  const u32 i = spirea::global_id().x;
  if (i + pattern.size() > text.size()) return;
  for (u32 j = 0; j < pattern.size(); ++j)
    if (text[i + j] != pattern[j]) return;
  positions[std::atomic_ref(count[0]).fetch_add(1, std::memory_order_relaxed)] = i;
}

// Sparse matrix times vector: a subgroup for each row
// -----------------------------------------------------------------------

[[spirea::kernel, spirea::workgroup_size(kGroup)]] void spmv(std::span<const u32> starts,
                                                             std::span<const u32> columns,
                                                             std::span<const float> values,
                                                             std::span<const float> x, std::span<float> y) {
  const u32 per_group = spirea::num_subgroups(), lane = spirea::subgroup_lane();
  const u32 step = per_group * spirea::num_workgroups().x;
  for (u32 row = spirea::workgroup_id().x * per_group + spirea::subgroup_id(); row + 1 < starts.size();
       row += step) {
    float sum = 0;
    for (u32 i = starts[row] + lane; i < starts[row + 1]; i += spirea::subgroup_size())
      sum += values[i] * x[columns[i]];
    sum = spirea::subgroup_add(sum);
    if (spirea::subgroup_elect()) y[row] = sum;
  }
}

// FFT of 256 points in workgroup memory (Stockham)
// ----------------------------------------------------------------------------

constexpr u32 kPoints = 256;

struct Complex {
  float re, im;
};

[[spirea::kernel, spirea::workgroup_size(kPoints / 2)]] void fft(std::span<const Complex> in,
                                                                 std::span<Complex> out) {
  [[spirea::shared]] static Complex line[2][kPoints];
  const u32 l = spirea::local_index(), base = spirea::workgroup_id().x * kPoints;
  line[0][l] = in[base + l];
  line[0][l + kPoints / 2] = in[base + l + kPoints / 2];
  spirea::workgroup_barrier();
  u32 from = 0;
  for (u32 half = 1; half < kPoints; half *= 2) {
    const u32 k = l % half, group = l / half;
    const float angle = -3.14159265f * static_cast<float>(k) / static_cast<float>(half);
    const float c = std::cos(angle), s = std::sin(angle);
    const Complex a = line[from][l], b = line[from][l + kPoints / 2];
    const Complex t{b.re * c - b.im * s, b.re * s + b.im * c};
    line[1 - from][group * 2 * half + k] = {a.re + t.re, a.im + t.im};
    line[1 - from][group * 2 * half + k + half] = {a.re - t.re, a.im - t.im};
    from = 1 - from;
    spirea::workgroup_barrier();
  }
  out[base + l] = line[from][l];
  out[base + l + kPoints / 2] = line[from][l + kPoints / 2];
}

// K-means: one step (integers, so that sums do not depend on their order)
// ----------------------------------------------------

constexpr u32 kCenters = 5;

struct Point {
  std::int32_t x, y;
};

u32 nearest(Point p, std::span<const Point> centers) {
  u32 best = 0;
  u64 least = ~u64{0};
  for (u32 c = 0; c < centers.size(); ++c) {
    const std::int64_t dx = p.x - centers[c].x, dy = p.y - centers[c].y;
    const auto distance = static_cast<u64>(dx * dx + dy * dy);
    if (distance < least) least = distance, best = c;
  }
  return best;
}

[[spirea::kernel, spirea::workgroup_size(kGroup)]] void assign_points(std::span<const Point> points,
                                                                      std::span<const Point> centers,
                                                                      std::span<std::int32_t> sums) {
  [[spirea::shared]] static std::int32_t local[kCenters][3];
  const u32 l = spirea::local_index(), i = spirea::global_id().x;
  if (l < kCenters * 3) (&local[0][0])[l] = 0;
  spirea::workgroup_barrier();
  if (i < points.size()) {
    auto& sum = local[nearest(points[i], centers)];
    std::atomic_ref(sum[0]).fetch_add(points[i].x, std::memory_order_relaxed);
    std::atomic_ref(sum[1]).fetch_add(points[i].y, std::memory_order_relaxed);
    std::atomic_ref(sum[2]).fetch_add(1, std::memory_order_relaxed);
  }
  spirea::workgroup_barrier();
  if (l < kCenters * 3) std::atomic_ref(sums[l]).fetch_add((&local[0][0])[l]);
}

std::vector<u32> numbers(std::size_t n, u64 seed) { return random_integers<u32>(n, seed).values; }
std::vector<float> floats(std::size_t n, u64 seed) { return random_floats<float>(n, seed, -1, 1).values; }

}  // namespace

/// Millions of elements, where the device is no interpreter.
std::size_t many(spirea::device& device) {
  return device.backend() == spirea::backend_kind::interp ? 40009 : 3000017;
}

EXECUTION_TEST(algorithm_reduction) {
  on_every_device([&](spirea::device& device) {
    const auto in = numbers(many(device), 41);
    spirea::buffer<u32> data(device, in);
    spirea::buffer<u64> total(device, {u64{0}});
    spirea::launch<sum_all>(device, spirea::groups(7), data, total);
    expect_near(total.to_vector(), {std::accumulate(in.begin(), in.end(), u64{0})});
  });
}

EXECUTION_TEST(algorithm_scan) {
  on_every_device([&](spirea::device& device) {
    const auto in = numbers(many(device), 42);
    std::vector<u32> inclusive(in.size()), exclusive(in.size());
    std::inclusive_scan(in.begin(), in.end(), inclusive.begin());
    std::exclusive_scan(in.begin(), in.end(), exclusive.begin(), 0u);
    spirea::buffer<u32> data(device, in), out(device, in.size());
    scan(device, data, out, false);
    expect_near(out.to_vector(), inclusive);
    scan(device, data, out, true);
    expect_near(out.to_vector(), exclusive);
  });
}

EXECUTION_TEST(algorithm_radix_sort) {
  const auto in = numbers(3001, 43);
  auto want = in;
  std::sort(want.begin(), want.end());
  on_every_device([&](spirea::device& device) {
    const u32 blocks = groups_of(in.size(), kGroup);
    spirea::buffer<u32> keys(device, in), other(device, in.size()), counts(device, blocks * kDigits),
        starts(device, blocks * kDigits);
    for (u32 shift = 0; shift < 32; shift += 4) {
      spirea::launch<count_digits>(device, spirea::grid(in.size()), keys, counts, shift);
      scan(device, counts, starts, true);
      spirea::launch<scatter>(device, spirea::grid(in.size()), keys, other, starts, shift);
      std::swap(keys, other);
    }
    expect_near(keys.to_vector(), want);
  });
}

EXECUTION_TEST(algorithm_bitonic_sort) {
  auto in = numbers(1000, 44);
  in.resize(1024, ~0u);
  auto want = in;
  std::sort(want.begin(), want.end());
  on_every_device([&](spirea::device& device) {
    spirea::buffer<u32> data(device, in);
    for (u32 size = 2; size <= in.size(); size *= 2)
      for (u32 stride = size / 2; stride != 0; stride /= 2)
        spirea::launch<bitonic_step>(device, spirea::grid(in.size()), data, size, stride);
    expect_near(data.to_vector(), want);
  });
}

EXECUTION_TEST(algorithm_matrix_product) {
  const u32 m = 37, n = 29, k = 51;
  const auto a = floats(m * k, 45), b = floats(k * n, 46);
  std::vector<float> want(m * n);
  for (u32 i = 0; i < m; ++i)
    for (u32 j = 0; j < n; ++j) {
      double sum = 0;
      for (u32 t = 0; t < k; ++t) sum += double{a[i * k + t]} * b[t * n + j];
      want[i * n + j] = static_cast<float>(sum);
    }
  on_every_device([&](spirea::device& device) {
    spirea::buffer<float> x(device, a), y(device, b), c(device, m * n);
    spirea::launch<matrix_product>(device, spirea::grid(n, m), x, y, c, m, n, k);
    expect_near(c.to_vector(), want, 1e-5);
  });
}

EXECUTION_TEST(algorithm_softmax) {
  const u32 rows = 5, columns = 333;
  const auto in = random_floats<float>(rows * columns, 47, -20, 20).values;
  std::vector<float> want(in.size());
  for (u32 r = 0; r < rows; ++r) {
    const auto row = std::span(in).subspan(r * columns, columns);
    const double most = *std::max_element(row.begin(), row.end());
    double sum = 0;
    for (const float v : row) sum += std::exp(v - most);
    for (u32 j = 0; j < columns; ++j)
      want[r * columns + j] = static_cast<float>(std::exp(row[j] - most) / sum);
  }
  on_every_device([&](spirea::device& device) {
    spirea::buffer<float> data(device, in), out(device, in.size());
    spirea::launch<softmax>(device, spirea::groups(rows), data, out, columns);
    expect_near(out.to_vector(), want, 1e-5);
  });
}

EXECUTION_TEST(algorithm_layer_norm) {
  const u32 rows = 4, columns = 301;
  const auto in = floats(rows * columns, 48);
  std::vector<float> want(in.size());
  for (u32 r = 0; r < rows; ++r) {
    const auto row = std::span(in).subspan(r * columns, columns);
    const double mean = std::accumulate(row.begin(), row.end(), 0.0) / columns;
    double variance = 0;
    for (const float v : row) variance += (v - mean) * (v - mean) / columns;
    for (u32 j = 0; j < columns; ++j)
      want[r * columns + j] = static_cast<float>((row[j] - mean) / std::sqrt(variance + 1e-5));
  }
  on_every_device([&](spirea::device& device) {
    spirea::buffer<float> data(device, in), out(device, in.size());
    spirea::launch<layer_norm>(device, spirea::groups(rows), data, out, columns, 1e-5f);
    expect_near(out.to_vector(), want, 1e-4);
  });
}

EXECUTION_TEST(algorithm_n_body) {
  const auto coordinates = floats(4 * 203, 49);
  std::vector<Body> bodies(203);
  for (std::size_t i = 0; i < bodies.size(); ++i)
    bodies[i] = {coordinates[4 * i], coordinates[4 * i + 1], coordinates[4 * i + 2],
                 coordinates[4 * i + 3] + 1.5f};
  std::vector<float> want(3 * bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    double force[3] = {};
    for (const Body& other : bodies) {
      const double d[3] = {double{other.x} - bodies[i].x, double{other.y} - bodies[i].y,
                           double{other.z} - bodies[i].z};
      const double distance = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.01;
      for (int axis = 0; axis < 3; ++axis)
        force[axis] += d[axis] * other.mass / (distance * std::sqrt(distance));
    }
    for (std::size_t axis = 0; axis < 3; ++axis) want[3 * i + axis] = static_cast<float>(force[axis]);
  }
  on_every_device([&](spirea::device& device) {
    spirea::buffer<Body> data(device, bodies);
    spirea::buffer<float> out(device, want.size());
    spirea::launch<forces>(device, spirea::grid(bodies.size()), data, out);
    expect_near(out.to_vector(), want, 2e-3);
  });
}

EXECUTION_TEST(algorithm_mandelbrot) {
  const u32 width = 83, height = 79, limit = 4;  // few steps, which are exact
  std::vector<u32> want(width * height);
  for (u32 y = 0; y < height; ++y)
    for (u32 x = 0; x < width; ++x)
      want[y * width + x] = escape_time(-2.0f + 0.03125f * static_cast<float>(x),
                                        -1.25f + 0.03125f * static_cast<float>(y), limit);
  on_every_device([&](spirea::device& device) {
    spirea::buffer<u32> out(device, want.size());
    spirea::launch<mandelbrot>(device, spirea::grid(width, height), out, width, height, limit);
    expect_near(out.to_vector(), want);
  });
}

EXECUTION_TEST(algorithm_game_of_life) {
  const u32 width = 53, height = 37;
  std::vector<u8> start(width * height);
  const auto random = numbers(start.size(), 50);
  for (std::size_t i = 0; i < start.size(); ++i) start[i] = random[i] % 3 == 0;
  std::vector<u8> want = start;
  for (int generation = 0; generation < 5; ++generation) {
    const std::vector<u8> before = want;
    for (u32 y = 0; y < height; ++y)
      for (u32 x = 0; x < width; ++x) {
        u32 neighbours = 0;
        for (u32 dy : {height - 1, 0u, 1u})
          for (u32 dx : {width - 1, 0u, 1u})
            if (dx != 0 || dy != 0) neighbours += before[(y + dy) % height * width + (x + dx) % width];
        want[y * width + x] = neighbours == 3 || (neighbours == 2 && before[y * width + x] != 0);
      }
  }
  on_every_device([&](spirea::device& device) {
    spirea::buffer<u8> cells(device, start), next(device, start.size());
    for (int generation = 0; generation < 5; ++generation) {
      spirea::launch<game_of_life>(device, spirea::grid(width, height), cells, next, width, height);
      std::swap(cells, next);
    }
    expect_near(cells.to_vector(), want);
  });
}

EXECUTION_TEST(algorithm_string_search) {
  std::string text;
  const auto random = numbers(5003, 51);
  for (const u32 r : random) text += "ab"[r >> 9 & 1];
  const std::string pattern = "abbab";
  std::vector<u32> want;
  for (std::size_t at = text.find(pattern); at != std::string::npos; at = text.find(pattern, at + 1))
    want.push_back(static_cast<u32>(at));
  on_every_device([&](spirea::device& device) {
    spirea::buffer<char> characters(device, std::span<const char>(text)),
        wanted(device, std::span<const char>(pattern));
    spirea::buffer<u32> positions(device, text.size()), count(device, {0u});
    spirea::launch<find_all>(device, spirea::grid(text.size()), characters, wanted, positions, count);
    std::vector<u32> got(count.to_vector()[0]);
    positions.read(got);
    std::sort(got.begin(), got.end());
    expect_near(got, want);
  });
}

EXECUTION_TEST(algorithm_sparse_matrix_vector_product) {
  const u32 rows = 307;
  const auto random = numbers(20000, 52);
  std::vector<u32> starts{0}, columns;
  std::vector<float> values;
  for (u32 r = 0; r < rows; ++r) {
    for (u32 i = 0; i < random[r] % 60; ++i) {
      columns.push_back(random[500 + r * 60 + i] % rows);
      values.push_back(static_cast<float>(static_cast<int>(random[900 + r * 60 + i] % 64) - 32));
    }
    starts.push_back(static_cast<u32>(columns.size()));
  }
  std::vector<float> x(rows), want(rows);
  for (u32 r = 0; r < rows; ++r) x[r] = static_cast<float>(r % 17);
  for (u32 r = 0; r < rows; ++r)
    for (u32 i = starts[r]; i < starts[r + 1]; ++i) want[r] += values[i] * x[columns[i]];
  on_every_device([&](spirea::device& device) {
    spirea::buffer<u32> s(device, starts), c(device, columns);
    spirea::buffer<float> v(device, values), vector(device, x), y(device, rows);
    spirea::launch<spmv>(device, spirea::groups(3), s, c, v, vector, y);
    expect_near(y.to_vector(), want);  // small integers: exact in any order
  });
}

EXECUTION_TEST(algorithm_fft) {
  const u32 lines = 3;
  const auto random = floats(2 * kPoints * lines, 53);
  std::vector<Complex> in(kPoints * lines);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = {random[2 * i], random[2 * i + 1]};
  std::vector<float> want(2 * in.size());
  for (u32 line = 0; line < lines; ++line)
    for (u32 k = 0; k < kPoints; ++k) {
      double re = 0, im = 0;
      for (u32 n = 0; n < kPoints; ++n) {
        const double angle = -2 * 3.14159265358979323846 * (n * k % kPoints) / kPoints;
        const Complex v = in[line * kPoints + n];
        re += v.re * std::cos(angle) - v.im * std::sin(angle);
        im += v.re * std::sin(angle) + v.im * std::cos(angle);
      }
      want[2 * (line * kPoints + k)] = static_cast<float>(re);
      want[2 * (line * kPoints + k) + 1] = static_cast<float>(im);
    }
  on_every_device([&](spirea::device& device) {
    spirea::buffer<Complex> data(device, in), out(device, in.size());
    spirea::launch<fft>(device, spirea::groups(lines), data, out);
    std::vector<float> got;
    for (const Complex v : out.to_vector()) got.insert(got.end(), {v.re, v.im});
    expect_near(got, want, 2e-4);
  });
}

EXECUTION_TEST(algorithm_k_means) {
  const auto random = numbers(2 * 1501, 54);
  std::vector<Point> points(1501);
  for (std::size_t i = 0; i < points.size(); ++i)
    points[i] = {static_cast<std::int32_t>(random[2 * i] % 2000),
                 static_cast<std::int32_t>(random[2 * i + 1] % 2000)};
  std::vector<Point> start(points.begin(), points.begin() + kCenters);
  const auto move = [](std::vector<Point>& centers, const std::vector<std::int32_t>& sums) {
    for (u32 c = 0; c < kCenters; ++c)
      if (sums[3 * c + 2] != 0)
        centers[c] = {sums[3 * c] / sums[3 * c + 2], sums[3 * c + 1] / sums[3 * c + 2]};
  };
  std::vector<Point> wanted_centers = start;
  std::vector<std::int32_t> want;
  for (int step = 0; step < 4; ++step) {
    want.assign(3 * kCenters, 0);
    for (const Point p : points) {
      const u32 c = nearest(p, wanted_centers);
      want[3 * c] += p.x, want[3 * c + 1] += p.y, ++want[3 * c + 2];
    }
    move(wanted_centers, want);
  }
  on_every_device([&](spirea::device& device) {
    spirea::buffer<Point> data(device, points);
    std::vector<Point> centers = start;
    std::vector<std::int32_t> sums;
    for (int step = 0; step < 4; ++step) {
      spirea::buffer<Point> current(device, centers);
      spirea::buffer<std::int32_t> totals(device, 3 * kCenters);
      totals.fill(0);
      spirea::launch<assign_points>(device, spirea::grid(points.size()), data, current, totals);
      sums = totals.to_vector();
      move(centers, sums);
    }
    expect_near(sums, want);
  });
}
