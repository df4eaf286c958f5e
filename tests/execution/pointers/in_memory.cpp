// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers that are themselves stored in local memory: in arrays, structs, linked structures and closures.
#include <array>
#include <functional>
#include <span>
#include <string_view>

#include "tests/execution/harness.h"

using namespace execution;

namespace {

using u32 = std::uint32_t;

u32 array_of_pointers(u32 x) {
  u32 a = x, b = x + 1, c = x * 2, d = 9;
  u32* all[4] = {&a, &b, &c, &d};
  *all[x % 4] += 50;
  std::swap(all[0], all[(x >> 2) % 4]);
  *all[(x >> 4) % 4] ^= *all[0];
  return mix(mix(a, b), mix(c, d));
}

u32 sorted_pointers(u32 x) {
  u32 values[7];
  u32* order[7];
  for (u32 k = 0; k < 7; ++k) values[k] = (x = x * 1664525u + 1013904223u) >> 8, order[k] = &values[k];
  for (u32 n = 1; n < 7; ++n)
    for (u32 k = n; k > 0 && *order[k] < *order[k - 1]; --k) std::swap(order[k], order[k - 1]);
  u32 hash = 0;
  for (const u32* p : order) hash = mix(hash, *p ^ static_cast<u32>(p - values));
  return hash;
}

struct Cursor {
  const u32* at;
  const u32* end;
  bool more() const { return at != end; }
  u32 take() { return *at++; }
};

u32 pointer_in_struct(u32 x) {
  u32 values[8];
  for (u32 k = 0; k < 8; ++k) values[k] = x >> k;
  Cursor cursor{values + x % 8, values + 8};
  u32 hash = 0;
  while (cursor.more()) {
    hash = mix(hash, cursor.take());
    if (hash % 4 == 0 && cursor.more()) cursor.take();
  }
  return hash;
}

struct Node {
  u32 value;
  Node* next;
};

u32 linked_list(u32 x) {
  Node nodes[10];
  Node* head = nullptr;
  for (u32 k = 0; k < 10; ++k) {
    nodes[k].value = x >> k & 255;
    Node** where = &head;  // kept sorted
    while (*where != nullptr && (*where)->value < nodes[k].value) where = &(*where)->next;
    nodes[k].next = *where;
    *where = &nodes[k];
  }
  u32 hash = 0;
  for (const Node* n = head; n != nullptr; n = n->next)
    hash = mix(hash, n->value * 16 + static_cast<u32>(n - nodes));
  return hash;
}

u32 reversed_list(u32 x) {
  Node nodes[6];
  for (u32 k = 0; k < 6; ++k) nodes[k] = {x * (k + 1), k + 1 < 6 && k != x % 6 ? &nodes[k + 1] : nullptr};
  Node* previous = nullptr;
  for (Node* n = nodes; n != nullptr;) {
    Node* const next = n->next;
    n->next = previous;
    previous = n, n = next;
  }
  u32 hash = 0;
  for (const Node* n = previous; n != nullptr; n = n->next) hash = mix(hash, n->value);
  return hash;
}

struct Ring {
  u32 value;
  Ring *before, *after;
};

u32 doubly_linked_ring(u32 x) {
  Ring ring[8];
  for (u32 k = 0; k < 8; ++k) ring[k] = {k + 1, &ring[(k + 7) % 8], &ring[(k + 1) % 8]};
  Ring* at = ring;
  u32 hash = 0;
  for (u32 left = 8; left > 1; --left) {  // counting out
    for (u32 step = 0; step < (x >> left) % 4 + 1; ++step) at = at->after;
    hash = mix(hash, at->value);
    at->before->after = at->after;
    at->after->before = at->before;
    at = (x & left) != 0 ? at->after : at->before;
  }
  return mix(hash, at->value);
}

struct Tree {
  u32 key;
  Tree* child[2];
};

u32 binary_tree(u32 x) {
  Tree nodes[12];
  Tree* root = nullptr;
  u32 used = 0;
  for (u32 k = 0; k < 12; ++k) {
    const u32 key = (x = x * 22695477u + 1) >> 20;
    Tree** at = &root;
    while (*at != nullptr && (*at)->key != key) at = &(*at)->child[key > (*at)->key ? 1 : 0];
    if (*at != nullptr) continue;
    nodes[used] = {key, {nullptr, nullptr}};
    *at = &nodes[used++];
  }
  const Tree* stack[12];
  u32 depth = 0, hash = used;
  for (const Tree* t = root; t != nullptr || depth > 0;) {  // in order
    while (t != nullptr) stack[depth++] = t, t = t->child[0];
    t = stack[--depth];
    hash = mix(hash, t->key);
    t = t->child[1];
  }
  return hash;
}

u32 pointer_to_pointer(u32 x) {
  u32 a = x, b = ~x;
  u32 *p = &a, *q = &b;
  u32** pp = x % 2 == 0 ? &p : &q;
  **pp += 5;
  *pp = x % 3 == 0 ? &a : &b;
  **pp ^= 0x55;
  *p += 1, *q += 2;
  return mix(a, b);
}

void advance(const u32** p, u32 n) { *p += n; }

u32 pointer_by_pointer(u32 x) {
  const u32 values[6] = {x, x * 3, 8, x >> 7, 2, 1};
  const u32* p = values;
  for (u32 k = 0; k < 3; ++k) advance(&p, (x >> k) % 2);
  const u32*& r = p;
  ++r;
  return mix(*p, static_cast<u32>(p - values));
}

u32 struct_with_references(u32 x) {
  struct View {
    u32& low;
    u32& high;
    const u32 (&table)[3];
    void step() { low += table[high++ % 3]; }
  };
  u32 low = x & 0xffff, high = x >> 16;
  const u32 table[3] = {3, x % 10, 11};
  View view{low, high, table};
  for (u32 k = 0; k < 4; ++k) view.step();
  return mix(low, high);
}

u32 closure_by_reference(u32 x) {
  u32 sum = 0, count = 0;
  u32 seen[4] = {};
  const auto add = [&](u32 v) {
    sum += v;
    seen[v % 4] += ++count;
  };
  for (u32 k = 0; k < 9; ++k)
    if ((x >> k & 1) != 0) add(x % (k + 2));
  u32 hash = mix(sum, count);
  for (const u32 v : seen) hash = mix(hash, v);
  return hash;
}

template <class F>
void twice(F&& f) {
  f(1u);
  f(2u);
}

u32 closures_in_closures(u32 x) {
  u32 total = x, inner_calls = 0;
  twice([&](u32 a) {
    const u32 scale = a * 10;
    twice([&](u32 b) {
      total = total * 3 + scale + b;
      ++inner_calls;
    });
  });
  return mix(total, inner_calls);
}

u32 closure_stored_in_struct(u32 x) {
  u32 log[5] = {}, n = 0;
  const auto note = [&log, &n](u32 v) { log[n++ % 5] = v; };
  struct Holder {
    decltype(note)* call;
    u32 base;
  } holder{&note, x};
  for (u32 k = 0; k < 7; ++k) (*holder.call)(holder.base >> k);
  u32 hash = n;
  for (const u32 v : log) hash = mix(hash, v);
  return hash;
}

u32 array_of_spans(u32 x) {
  u32 a[4] = {x, 1, x >> 2, 3}, b[6] = {9, 8, x >> 5, 6, x, 4}, c[2] = {x, x};
  const std::array<std::span<u32>, 3> all{std::span<u32>(a), std::span<u32>(b), std::span<u32>(c)};
  u32 hash = 0;
  for (const auto& s : all) s[x % s.size()] += 40;
  for (const auto& s : all)
    for (const u32 v : s) hash = mix(hash, v);
  return mix(hash, static_cast<u32>(all[x % 3].size()));
}

u32 string_views(u32 x) {
  constexpr std::string_view names[] = {"one", "twelve", "three hundred", "x"};
  std::string_view name = names[x % 4];
  name.remove_prefix(x % 2);
  u32 hash = static_cast<u32>(name.size());
  for (const char c : name) hash = mix(hash, static_cast<u32>(c));
  return hash;
}

u32 reference_wrappers(u32 x) {
  u32 a = x, b = x + 3;
  std::array<std::reference_wrapper<u32>, 2> refs{a, b};
  refs[x & 1].get() *= 5;
  refs[0] = refs[1];
  refs[0].get() += 1;
  return mix(a, b);
}

struct Fields {
  u32 a, b, c;
  u32 sum() const { return a + b * 3 + c * 7; }
  u32 first() const { return a; }
};

u32 member_pointers(u32 x) {
  Fields f{x, x >> 3, 7};
  u32 Fields::*const fields[3] = {&Fields::a, &Fields::b, &Fields::c};
  for (u32 k = 0; k < 3; ++k) f.*fields[(x + k) % 3] += k * 10;
  const u32 Fields::*chosen = x % 2 == 0 ? &Fields::a : &Fields::c;
  return mix(f.sum(), f.*chosen);
}

u32 member_function_pointers(u32 x) {
  const Fields f{x, 2, 3};
  constexpr u32 (Fields::*sum)() const = &Fields::sum;
  constexpr auto first = &Fields::first;
  return mix((f.*sum)(), std::invoke(first, f));
}

struct Arena {
  alignas(8) std::array<std::byte, 64> bytes;
  u32 used = 0;
  template <class T>
  T* make(T value) {
    void* at = bytes.data() + used;
    used += sizeof(T);
    return new (at) T(value);
  }
};

u32 objects_in_bytes(u32 x) {
  Arena arena;
  u32* a = arena.make<u32>(x);
  std::uint16_t* b = arena.make<std::uint16_t>(static_cast<std::uint16_t>(x >> 3));
  std::uint16_t* c = arena.make<std::uint16_t>(9);
  std::uint64_t* d = arena.make<std::uint64_t>(std::uint64_t{x} << 20);
  *a += *b, *c = static_cast<std::uint16_t>(*c * *b), *d ^= *a;
  return mix(mix(*a, *c), static_cast<u32>(*d >> 16) + arena.used);
}

}  // namespace

EXECUTION_TEST(array_of_pointers) { run_map<array_of_pointers>(); }
EXECUTION_TEST(sorted_pointers) { run_map<sorted_pointers>(); }
EXECUTION_TEST(pointer_in_struct) { run_map<pointer_in_struct>(); }
EXECUTION_TEST(linked_list) { run_map<linked_list>(); }
EXECUTION_TEST(reversed_list) { run_map<reversed_list>(); }
EXECUTION_TEST(doubly_linked_ring) { run_map<doubly_linked_ring>(); }
EXECUTION_TEST(binary_tree) { run_map<binary_tree>(); }
EXECUTION_TEST(pointer_to_pointer) { run_map<pointer_to_pointer>(); }
EXECUTION_TEST(pointer_by_pointer) { run_map<pointer_by_pointer>(); }
EXECUTION_TEST(struct_with_references) { run_map<struct_with_references>(); }
EXECUTION_TEST(closure_by_reference) { run_map<closure_by_reference>(); }
EXECUTION_TEST(closures_in_closures) { run_map<closures_in_closures>(); }
EXECUTION_TEST(closure_stored_in_struct) { run_map<closure_stored_in_struct>(); }
EXECUTION_TEST(array_of_spans) { run_map<array_of_spans>(); }
EXECUTION_TEST(string_views) { run_map<string_views>(); }
EXECUTION_TEST(reference_wrappers) { run_map<reference_wrappers>(); }
EXECUTION_TEST(member_pointers) { run_map<member_pointers>(); }
EXECUTION_TEST(member_function_pointers) { run_map<member_function_pointers>(); }
EXECUTION_TEST(objects_in_bytes) { run_map<objects_in_bytes>(); }
