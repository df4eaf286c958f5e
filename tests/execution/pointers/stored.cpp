// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers in memory, pointers to several kinds of memory, constants that hold addresses.
#include <cstdint>

#include "tests/execution/harness.h"

using namespace execution;

namespace {

using u32 = std::uint32_t;
using In = std::span<const int>;
using Out = std::span<int>;

struct Node {
  int value;
  Node* next;
};

/// Sorted insertion into a list whose nodes lie in a local array.
[[spirea::kernel]] void linked_list(In in, Out out) {
  const auto i = spirea::global_id().x;
  if (i * 8 + 8 > in.size()) return;
  Node nodes[8];
  Node* head = nullptr;
  for (u32 k = 0; k < 8; ++k) {
    nodes[k].value = in[i * 8 + k];
    Node** place = &head;
    while (*place != nullptr && (*place)->value < nodes[k].value) place = &(*place)->next;
    nodes[k].next = *place;
    *place = &nodes[k];
  }
  u32 at = 0;
  for (const Node* node = head; node != nullptr; node = node->next) out[i * 8 + at++] = node->value;
}

/// No node but the last: all pointers in memory are null, and yet the walk is one through local memory.
[[spirea::kernel]] void list_of_one_node(In in, Out out) {
  const auto i = spirea::global_id().x;
  if (i >= out.size()) return;
  Node node = {in[i], nullptr};
  int sum = 1;
  for (Node* at = &node; at != nullptr; at = at->next) {
    sum = sum * 31 + at->value % 1000;
    at->value -= sum;
  }
  out[i] = sum ^ node.value;
}

struct Tree {
  int key;
  Tree *left, *right;
};

[[spirea::kernel]] void search_tree(In in, Out out) {
  const auto i = spirea::global_id().x;
  if (i * 6 + 6 > in.size()) return;
  Tree nodes[6];
  Tree* root = nullptr;
  for (u32 k = 0; k < 6; ++k) {
    nodes[k] = {in[i * 6 + k], nullptr, nullptr};
    Tree** place = &root;
    while (*place != nullptr) place = nodes[k].key < (*place)->key ? &(*place)->left : &(*place)->right;
    *place = &nodes[k];
  }
  int depth = 0;
  for (const Tree* node = root; node != nullptr; ++depth) node = depth % 2 == 0 ? node->right : node->left;
  out[i * 2] = depth;
  const Tree* least = root;
  while (least->left != nullptr) least = least->left;
  out[i * 2 + 1] = least->key;
}

/// An array of pointers to different variables, by an index that is known at run time alone.
[[spirea::kernel]] void array_of_pointers(In in, Out out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  int a = in[i], b = a * 3, c[4] = {a + 1, a + 2, a + 3, a + 4};
  int* places[4] = {&a, &b, &c[i % 4], &c[3]};
  for (u32 k = 0; k < 7; ++k) *places[(i + k * 5) % 4] += static_cast<int>(k);
  int sum = 0;
  for (const int* place : places) sum = sum * 31 + *place;
  out[i] = sum;
}

[[spirea::kernel]] void pointer_to_pointer(In in, Out out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  int values[3] = {in[i], in[i] + 10, in[i] + 20};
  int* inner[3] = {&values[2], &values[0], &values[1]};
  int** outer = &inner[i % 3];
  **outer += 5;
  *outer = &values[(i + 1) % 3];
  **outer += 7;
  out[i] = values[0] + values[1] * 100 + values[2] * 10000;
}

[[spirea::kernel]] void null_or_local(In in, Out out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  int best[2] = {in[i], 0};
  int* found = nullptr;
  for (u32 k = 0; k < 5; ++k) {
    const int v = in[(i + k) % in.size()];
    if (v % 3 == 0) {
      best[k % 2] = v;
      found = &best[k % 2];
    }
  }
  out[i] = found != nullptr ? *found : -1;
}

/// A pointer to a buffer or to a local variable: known at run time alone.
[[spirea::kernel]] void local_or_buffer(In in, Out out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  int local[4] = {1, 2, 3, static_cast<int>(i)};
  const int* p = in[i] % 2 == 0 ? &in[i] : &local[i % 4];
  int sum = 0;
  for (u32 k = 0; k < 3; ++k) {
    sum = sum * 7 + *p;
    p = k % 2 == i % 2 ? &local[(i + k) % 4] : &in[(i + k) % in.size()];
  }
  out[i] = sum + *p;
}

[[spirea::kernel]] void store_to_local_or_buffer(In in, Out out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  int local = 5;
  int* p = in[i] % 3 == 0 ? &out[i] : &local;
  out[i] = 1;
  *p = in[i];
  if (p == &local) out[i] += local * 2;
}

/// The same in memory: what a struct points to is known at run time alone.
struct View {
  const int* data;
  u32 size;
};
[[spirea::kernel]] void structs_of_both(In in, Out out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  int local[3] = {7, 8, in[i]};
  const View views[3] = {{in.data(), static_cast<u32>(in.size())}, {local, 3}, {&in[i], 1}};
  const View& view = views[i % 3];
  int sum = 0;
  for (u32 k = 0; k < 4; ++k) sum = sum * 3 + view.data[k % view.size];
  out[i] = sum;
}

constexpr const char* kNames[] = {"zero", "one", "two", "three", "four"};
constexpr int kPrimes[] = {2, 3, 5, 7, 11, 13};
struct Entry {
  const char* name;
  const int* values;
  int count;
};
constexpr Entry kEntries[] = {{"a", kPrimes, 2}, {"bc", kPrimes + 2, 3}, {"def", nullptr, 0}};

[[spirea::kernel]] void table_of_strings(In in, Out out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  int hash = 0;
  for (const char* c = kNames[static_cast<u32>(in[i]) % 5]; *c != 0; ++c) hash = hash * 31 + *c;
  out[i] = hash;
}

[[spirea::kernel]] void table_of_structs(In in, Out out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  const Entry& entry = kEntries[static_cast<u32>(in[i]) % 3];
  int sum = entry.name[0] * 100;
  for (int k = 0; k < entry.count; ++k) sum += entry.values[k];
  out[i] = entry.values == nullptr ? -sum : sum;
}

/// Constant, local and device memory through one function.
__attribute__((noinline)) int first_of(const int* p) { return p[0] * 2 + p[1]; }
[[spirea::kernel]] void three_kinds_of_memory(In in, Out out) {
  const auto i = spirea::global_id().x;
  if (i + 1 >= in.size()) return;
  const int local[2] = {in[i], static_cast<int>(i)};
  const int* places[3] = {local, kPrimes + i % 4, &in[i]};
  out[i] = first_of(places[static_cast<u32>(in[i]) % 3]);
}

/// A pointer as a number, and back.
[[spirea::kernel]] void pointer_as_number(In in, Out out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  int local[4] = {in[i], in[i] + 1, in[i] + 2, in[i] + 3};
  std::uintptr_t numbers[2] = {reinterpret_cast<std::uintptr_t>(&local[i % 4]),
                               reinterpret_cast<std::uintptr_t>(&in[i])};
  numbers[0] ^= 0x5555;
  const std::uintptr_t n = numbers[i % 2];
  out[i] = *reinterpret_cast<const int*>(i % 2 == 0 ? n ^ 0x5555 : n) * 3;
}

/// Pointers are copied with the struct that holds them.
struct Pair {
  int* first;
  int* second;
  int tag;
};
[[spirea::kernel]] void copied_structs(In in, Out out) {
  const auto i = spirea::global_id().x;
  if (i >= in.size()) return;
  int a = in[i], b = in[i] * 2;
  Pair pairs[3] = {{&a, &b, 1}, {&b, &a, 2}, {&a, &a, 3}};
  const Pair copy = pairs[i % 3];
  pairs[(i + 1) % 3] = copy;
  *pairs[(i + 1) % 3].first += 9;
  *copy.second -= 4;
  out[i] = a * 1000 + b + copy.tag;
}

[[spirea::kernel]] void reversed_list(In in, Out out) {
  const auto i = spirea::global_id().x;
  if (i * 5 + 5 > in.size()) return;
  Node nodes[5];
  for (u32 k = 0; k < 5; ++k) nodes[k] = {in[i * 5 + k], k < 4 ? &nodes[k + 1] : nullptr};
  Node *previous = nullptr, *node = nodes;
  while (node != nullptr) {
    Node* next = node->next;
    node->next = previous;
    previous = node;
    node = next;
  }
  u32 at = 0;
  for (node = previous; node != nullptr; node = node->next) out[i * 5 + at++] = node->value;
}

}  // namespace

EXECUTION_TEST(pointers_stored_linked_list) {
  run_everywhere<linked_list>(shape(20), random_integers<int>(160, 1), output<int>(160));
}
EXECUTION_TEST(pointers_stored_list_of_one_node) {
  run_everywhere<list_of_one_node>(shape(20), random_integers<int>(20, 2), output<int>(20));
}
EXECUTION_TEST(pointers_stored_search_tree) {
  run_everywhere<search_tree>(shape(20), random_integers<int>(120, 2), output<int>(40));
}
EXECUTION_TEST(pointers_stored_array_of_pointers) {
  run_everywhere<array_of_pointers>(shape(50), array<int>(std::vector<int>(50, 4)), output<int>(50));
}
EXECUTION_TEST(pointers_stored_pointer_to_pointer) {
  run_everywhere<pointer_to_pointer>(shape(50), array<int>(std::vector<int>(50, 3)), output<int>(50));
}
EXECUTION_TEST(pointers_stored_null_or_local) {
  run_everywhere<null_or_local>(shape(60), random_integers<int>(60, 5), output<int>(60));
}
EXECUTION_TEST(pointers_stored_local_or_buffer) {
  run_everywhere<local_or_buffer>(shape(60), array<int>({4, 7, 8, 1, 3, 6, 9, 12, 5, 10}), output<int>(10));
}
EXECUTION_TEST(pointers_stored_store_to_local_or_buffer) {
  run_everywhere<store_to_local_or_buffer>(shape(60), array<int>({4, 7, 9, 1, 3, 6, 9, 12, 5, 10}),
                                           output<int>(10));
}
EXECUTION_TEST(pointers_stored_structs_of_both) {
  run_everywhere<structs_of_both>(shape(30), array<int>({4, 7, 9, 1, 3, 6, 9, 12, 5, 10}), output<int>(10));
}
EXECUTION_TEST(pointers_stored_table_of_strings) {
  run_everywhere<table_of_strings>(shape(60), random_integers<int>(60, 6), output<int>(60));
}
EXECUTION_TEST(pointers_stored_table_of_structs) {
  run_everywhere<table_of_structs>(shape(60), random_integers<int>(60, 7), output<int>(60));
}
EXECUTION_TEST(pointers_stored_three_kinds_of_memory) {
  run_everywhere<three_kinds_of_memory>(shape(60), array<int>({4, 7, 9, 1, 3, 6, 9, 12, 5, 10}),
                                        output<int>(10));
}
EXECUTION_TEST(pointers_stored_pointer_as_number) {
  run_everywhere<pointer_as_number>(shape(60), array<int>({4, 7, 9, 1, 3, 6, 9, 12, 5, 10}), output<int>(10));
}
EXECUTION_TEST(pointers_stored_copied_structs) {
  run_everywhere<copied_structs>(shape(60), array<int>({4, 7, 9, 1, 3, 6, 9, 12, 5, 10}), output<int>(10));
}
EXECUTION_TEST(pointers_stored_reversed_list) {
  run_everywhere<reversed_list>(shape(20), random_integers<int>(100, 8), output<int>(100));
}
