// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers and spans that are themselves in device memory, or in structs that are arguments.
#include <algorithm>

#include "tests/execution/harness.h"

using namespace execution;

namespace {

using u32 = std::uint32_t;

struct Row {
  const u32* values;
  u32 count;
  std::span<u32> result;
};

[[spirea::kernel]] void structs_of_pointers(std::span<const Row> rows) {
  const auto i = spirea::global_id().x;
  if (i >= rows.size()) return;
  const Row& row = rows[i];
  u32 hash = i;
  for (u32 k = 0; k < row.count; ++k) row.result[k] = hash = mix(hash, row.values[k]);
}

[[spirea::kernel]] void struct_argument_of_pointers(Row row, std::span<u32> out) {
  const auto i = spirea::global_id().x;
  if (i >= row.count) return;
  row.result[i] = mix(row.values[i], i);
  out[i] = row.values[row.count - 1 - i];
}

struct Node {
  u32 value;
  Node* next;
};

[[spirea::kernel]] void walks_lists(std::span<Node* const> heads, std::span<u32> out) {
  const auto i = spirea::global_id().x;
  if (i >= heads.size()) return;
  u32 hash = i;
  for (const Node* node = heads[i]; node != nullptr; node = node->next) hash = mix(hash, node->value);
  out[i] = hash;
}

/// Each invocation links and reverses a list of its own.
[[spirea::kernel]] void builds_lists(std::span<Node> nodes, std::span<Node*> heads) {
  const auto i = spirea::global_id().x;
  const u32 length = static_cast<u32>(nodes.size() / heads.size());
  if (i >= heads.size()) return;
  Node* head = nullptr;
  for (u32 k = 0; k < length; ++k) {
    Node* node = &nodes[i * length + k];
    node->next = head;
    head = node;
  }
  Node* reversed = nullptr;
  while (head != nullptr) {
    Node* rest = head->next;
    head->next = reversed;
    reversed = head;
    head = rest;
  }
  heads[i] = reversed;
}

struct Tree {
  u32 key;
  const Tree* child[2];
  const u32* payload;
};

[[spirea::kernel]] void searches_a_tree(const Tree* root, std::span<const u32> keys, std::span<u32> out) {
  const auto i = spirea::global_id().x;
  if (i >= keys.size()) return;
  const Tree* at = root;
  u32 steps = 0;
  while (at != nullptr && at->key != keys[i]) {
    at = at->child[keys[i] > at->key ? 1 : 0];
    ++steps;
  }
  out[i] = at != nullptr ? mix(*at->payload, steps) : steps;
}

/// A pointer from memory, one to a local, and one made from an argument in one variable.
[[spirea::kernel]] void mixes_stored_and_local_pointers(std::span<const Row> rows, std::span<u32> out) {
  const auto i = spirea::global_id().x;
  if (i >= rows.size()) return;
  const u32 local[3] = {i, i * 7, 5};
  const u32* from = rows[i].count % 3 == 0 ? local : rows[i].count % 3 == 1 ? rows[i].values : out.data();
  out[i] = mix(from[1], rows[i].count);
}

#ifndef __SPIREA_DEVICE__

constexpr u32 kRows = 40;

std::vector<Node> make_nodes(Node* base, u32 n) {
  std::vector<Node> nodes;
  for (u32 k = 0; k < n; ++k)
    nodes.push_back({k * 2654435761u, k % 7 == 6 ? nullptr : base + (k * 11 + 1) % n});
  for (u32 k = 0; k < n; ++k)  // no cycles
    if (nodes[k].next != nullptr && nodes[k].next <= base + k) nodes[k].next = nullptr;
  return nodes;
}

std::vector<Node*> make_heads(Node* base, u32 n) {
  std::vector<Node*> heads;
  for (u32 k = 0; k < n; ++k) heads.push_back(k % 9 == 8 ? nullptr : base + k * 3 % n);
  return heads;
}

std::vector<Row> make_rows(const u32* values, std::span<u32> result) {
  std::vector<Row> rows;
  for (u32 k = 0; k < kRows; ++k) rows.push_back({values + k, k % 5 + 2, result.subspan(k * 6, k % 5 + 2)});
  return rows;
}

/// A balanced tree of even keys; the root is the first.
std::vector<Tree> make_tree(const Tree* base, const u32* payload, u32 n) {
  std::vector<Tree> tree;
  const auto build = [&](const auto& self, u32 low, u32 high) -> const Tree* {
    if (low == high) return nullptr;
    const u32 middle = (low + high) / 2;
    const std::size_t at = tree.size();
    tree.push_back({middle * 2, {nullptr, nullptr}, payload + middle});
    const Tree* left = self(self, low, middle);
    const Tree* right = self(self, middle + 1, high);
    tree[at].child[0] = left;
    tree[at].child[1] = right;
    return base + at;
  };
  build(build, 0, n);
  return tree;
}

template <class F>
void on_host(u32 n, F&& kernel) {
  spirea::for_each_invocation({(n + 63) / 64, 1, 1}, {64, 1, 1}, kernel);
}

void expect_alike(const std::string& device, const std::vector<u32>& got, const std::vector<u32>& want) {
  compare(Array<u32>{}, want, got, 0, device);
}

#endif

}  // namespace

#ifndef __SPIREA_DEVICE__

TEST(Execution, device_pointers_in_structs) {
  std::vector<u32> values = random_integers<u32>(kRows + 8, 1).values, want(kRows * 6, 77);
  std::vector<Row> rows = make_rows(values.data(), want);
  on_host(kRows, [&] { structs_of_pointers(rows); });
  on_each_entry([&](TestDevice& entry) {
    spirea::device& device = *entry.device;
    const std::string& selector = entry.selector;
    const spirea::buffer<u32> in(device, values);
    spirea::buffer<u32> result(device, std::vector<u32>(want.size(), 77));
    const spirea::buffer<Row> table(device, make_rows(in.device_span().data(), result.device_span()));
    spirea::launch<structs_of_pointers>(device, spirea::grid(kRows), table).wait();
    expect_alike(selector, result.to_vector(), want);
  });
}

TEST(Execution, device_pointers_in_arguments) {
  std::vector<u32> values = random_integers<u32>(70, 2).values, want(70, 77), want_out(70, 77);
  on_host(70, [&] { struct_argument_of_pointers({values.data(), 70, want}, want_out); });
  on_each_entry([&](TestDevice& entry) {
    spirea::device& device = *entry.device;
    const std::string& selector = entry.selector;
    const spirea::buffer<u32> in(device, values);
    spirea::buffer<u32> result(device, 70), out(device, 70);
    const Row row{in.device_span().data(), 70, result.device_span()};
    spirea::launch<struct_argument_of_pointers>(device, spirea::grid(70), row, out).wait();
    expect_alike(selector, result.to_vector(), want);
    expect_alike(selector, out.to_vector(), want_out);
  });
}

TEST(Execution, linked_lists_in_device_memory) {
  std::vector<Node> nodes(90);
  std::ranges::copy(make_nodes(nodes.data(), 90), nodes.begin());
  std::vector<Node*> heads = make_heads(nodes.data(), 90);
  std::vector<u32> want(90, 77);
  on_host(90, [&] { walks_lists(heads, want); });
  on_each_entry([&](TestDevice& entry) {
    spirea::device& device = *entry.device;
    const std::string& selector = entry.selector;
    spirea::buffer<Node> memory(device, 90);
    Node* base = memory.device_span().data();
    memory.write(make_nodes(base, 90));
    const spirea::buffer<Node*> starts(device, make_heads(base, 90));
    spirea::buffer<u32> out(device, 90);
    spirea::launch<walks_lists>(device, spirea::grid(90), starts, out).wait();
    expect_alike(selector, out.to_vector(), want);
  });
}

TEST(Execution, lists_built_in_device_memory) {
  constexpr u32 lists = 20, length = 7;
  std::vector<Node> nodes(lists * length);
  for (u32 k = 0; k < nodes.size(); ++k) nodes[k].value = k * 77;
  std::vector<Node*> heads(lists);
  std::vector<u32> want(lists, 77);
  on_host(lists, [&] { builds_lists(nodes, heads); });
  on_host(lists, [&] { walks_lists(heads, want); });
  on_each_entry([&](TestDevice& entry) {
    spirea::device& device = *entry.device;
    const std::string& selector = entry.selector;
    spirea::buffer<Node> memory(device, nodes);
    spirea::buffer<Node*> starts(device, lists);
    spirea::buffer<u32> out(device, lists);
    spirea::launch<builds_lists>(device, spirea::grid(lists), memory, starts);
    spirea::launch<walks_lists>(device, spirea::grid(lists), starts, out).wait();
    expect_alike(selector, out.to_vector(), want);
  });
}

TEST(Execution, tree_in_device_memory) {
  std::vector<u32> payload = random_integers<u32>(50, 3).values, keys;
  for (u32 k = 0; k < 110; ++k) keys.push_back(k);
  std::vector<Tree> tree(50);
  const Tree* root = tree.data();
  std::ranges::copy(make_tree(root, payload.data(), 50), tree.begin());
  std::vector<u32> want(keys.size(), 77);
  on_host(110, [&] { searches_a_tree(root, keys, want); });
  on_each_entry([&](TestDevice& entry) {
    spirea::device& device = *entry.device;
    const std::string& selector = entry.selector;
    const spirea::buffer<u32> values(device, payload), wanted(device, keys);
    spirea::buffer<Tree> memory(device, 50);
    memory.write(make_tree(memory.device_span().data(), values.device_span().data(), 50));
    spirea::buffer<u32> out(device, keys.size());
    spirea::launch<searches_a_tree>(device, spirea::grid(110), memory, wanted, out).wait();
    expect_alike(selector, out.to_vector(), want);
  });
}

TEST(Execution, stored_and_local_pointers_in_one) {
  std::vector<u32> values = random_integers<u32>(kRows + 8, 4).values, unused(kRows * 6);
  std::vector<Row> rows = make_rows(values.data(), unused);
  std::vector<u32> want = random_integers<u32>(kRows, 5).values;
  for (Row& row : rows)
    row.count = row.count % 3 == 2 ? row.count + 1 : row.count;  // not from what others write
  const std::vector<u32> before = want;
  on_host(kRows, [&] { mixes_stored_and_local_pointers(rows, want); });
  on_each_entry([&](TestDevice& entry) {
    spirea::device& device = *entry.device;
    const std::string& selector = entry.selector;
    const spirea::buffer<u32> in(device, values);
    std::vector<Row> contents = make_rows(in.device_span().data(), unused);
    for (u32 k = 0; k < kRows; ++k) contents[k].count = rows[k].count;
    const spirea::buffer<Row> table(device, contents);
    spirea::buffer<u32> out(device, before);
    spirea::launch<mixes_stored_and_local_pointers>(device, spirea::grid(kRows), table, out).wait();
    expect_alike(selector, out.to_vector(), want);
  });
}

#endif
