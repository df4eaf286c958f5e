// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers to device memory, alone and together with pointers to locals.
#include <algorithm>

#include "tests/execution/harness.h"

using namespace execution;

namespace {

using u32 = std::uint32_t;

u32 sum_of(const u32* values, u32 n) {
  u32 hash = n;
  for (u32 k = 0; k < n; ++k) hash = mix(hash, values[k]);
  return hash;
}
void double_all(u32* values, u32 n) {
  for (u32 k = 0; k < n; ++k) values[k] *= 2;
}

[[spirea::kernel]] void called_with_local_and_device(const u32* in, u32* out, u32 n) {
  const auto i = spirea::global_id().x;
  if (i * 4 + 4 > n) return;
  u32 local[4];
  std::copy_n(in + i * 4, 4, local);
  double_all(local, 4);
  std::copy_n(local, 4, out + i * 4);
  double_all(out + i * 4 + 1, 2);
  out[n + i] = sum_of(in + i * 4, 4) ^ sum_of(local, 4);
}

[[spirea::kernel]] void local_or_device(const u32* in, u32* out, u32 n) {
  const auto i = spirea::global_id().x;
  if (i >= n) return;
  u32 fallback[2] = {i, i * 3};
  const u32* p = in[i] % 2 == 0 ? in + i : fallback;
  u32 hash = *p;
  if (in[i] % 3 == 0) p = fallback + 1;
  hash = mix(hash, *p);
  u32* to = in[i] % 5 < 3 ? out + i : fallback;
  *to = hash;
  out[n + i] = fallback[0] + fallback[1];
}

[[spirea::kernel]] void pointers_to_device_in_locals(const u32* a, const u32* b, u32* out, u32 n) {
  const auto i = spirea::global_id().x;
  if (i >= n) return;
  const u32* sources[4] = {a, b, a + i, b + i / 2};
  u32 hash = 0;
  for (u32 k = 0; k < 6; ++k) hash = mix(hash, *sources[(a[i] >> k) % 4]);
  struct Slice {
    const u32* first;
    u32 size;
  } slice{sources[a[i] % 2], std::min(n - i, 3u)};
  out[i] = hash + sum_of(slice.first, slice.size);
}

[[spirea::kernel]] void device_pointer_difference(const u32* in, std::int64_t* out, u32 n) {
  const auto i = spirea::global_id().x;
  if (i >= n) return;
  const u32* p = in + in[i] % n;
  const u32* q = &in[i];
  out[i] = (p - q) * 4 + (p < q ? 1 : 0) + (p == q ? 2 : 0);
}

struct Item {
  u32 key;
  u32 next;
  friend bool operator==(const Item&, const Item&) = default;
};

[[spirea::kernel]] void list_by_indices(std::span<const Item> items, std::span<u32> out) {
  const auto i = spirea::global_id().x;
  if (i >= out.size()) return;
  u32 hash = 0;
  u32 steps = 0;
  for (const Item* at = &items[i]; at->next < items.size() && steps < 20; at = &items[at->next], ++steps)
    hash = mix(hash, at->key);
  out[i] = hash + steps;
}

[[spirea::kernel]] void binary_search_by_pointers(const u32* sorted, u32 n, std::span<const u32> keys,
                                                  std::span<u32> out) {
  const auto i = spirea::global_id().x;
  if (i >= keys.size()) return;
  const u32 *low = sorted, *high = sorted + n;
  while (low != high) {
    const u32* middle = low + (high - low) / 2;
    if (*middle < keys[i])
      low = middle + 1;
    else
      high = middle;
  }
  out[i] = static_cast<u32>(low - sorted);
}

[[spirea::kernel]] void bytes_of_device_memory(std::span<const u32> in, std::span<u32> out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  const auto* bytes = reinterpret_cast<const unsigned char*>(in.data());
  u32 hash = 0;
  for (u32 k = 0; k < 4; ++k) hash = mix(hash, bytes[i * 4 + (k ^ 1)]);
  out[i] = hash;
  reinterpret_cast<unsigned char*>(&out[i])[i % 4] = static_cast<unsigned char>(i);
}

[[spirea::kernel]] void pointer_or_null(const u32* in, u32* out, u32 n, u32 limit) {
  const auto i = spirea::global_id().x;
  if (i >= n) return;
  const u32* found = nullptr;
  for (u32 k = i; k < n && k < i + 8; ++k)
    if (in[k] % 16 < limit) found = in + k;
  out[i] = found != nullptr ? *found + static_cast<u32>(found - in) : 4242u;
}

}  // namespace

EXECUTION_TEST(called_with_local_and_device) {
  run_everywhere<called_with_local_and_device>(shape(25), random_integers<u32>(100, 1), output<u32>(125),
                                               100u);
}
EXECUTION_TEST(local_or_device) {
  run_everywhere<local_or_device>(shape(80), random_integers<u32>(80, 2), output<u32>(160), 80u);
}
EXECUTION_TEST(pointers_to_device_in_locals) {
  run_everywhere<pointers_to_device_in_locals>(shape(80), random_integers<u32>(80, 3),
                                               random_integers<u32>(80, 4), output<u32>(80), 80u);
}
EXECUTION_TEST(device_pointer_difference) {
  run_everywhere<device_pointer_difference>(shape(70), random_integers<u32>(70, 5), output<std::int64_t>(70),
                                            70u);
}
EXECUTION_TEST(list_by_indices) {
  Array<Item> items;
  std::uint64_t seed = 6;
  for (u32 k = 0; k < 60; ++k)
    items.values.push_back({static_cast<u32>(next_random(seed)), static_cast<u32>(next_random(seed) % 70)});
  run_everywhere<list_by_indices>(shape(60), items, output<u32>(60));
}
EXECUTION_TEST(binary_search_by_pointers) {
  Array<u32> sorted;
  for (u32 k = 0; k < 77; ++k) sorted.values.push_back(k * k);
  Array<u32> keys = random_integers<u32>(90, 7);
  for (u32& key : keys.values) key %= 6000;
  run_everywhere<binary_search_by_pointers>(shape(90), sorted, 77u, keys, output<u32>(90));
}
EXECUTION_TEST(bytes_of_device_memory) {
  run_everywhere<bytes_of_device_memory>(shape(70), random_integers<u32>(70, 8), output<u32>(70));
}
EXECUTION_TEST(pointer_or_null) {
  run_everywhere<pointer_or_null>(shape(70), random_integers<u32>(70, 9), output<u32>(70), 70u, 3u);
}
