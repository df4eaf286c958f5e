// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <chrono>
#include <gtest/gtest.h>

#include "tests/import/graphs.h"

namespace import_test {
namespace {

using namespace spirea::structurize;

std::string show(const Cfg& cfg) {
  std::string text;
  for (std::size_t i = 0; i < cfg.size(); ++i) {
    text += std::to_string(i) + " ->";
    for (const int next : cfg[i].successors) text += " " + std::to_string(next);
    text += cfg[i].is_empty ? " (empty)\n" : "\n";
  }
  return text;
}

/// Structurizes and compares traces for several decision sequences; counts reducible graphs.
class Property {
 public:
  void check(const Cfg& cfg, unsigned seeds, unsigned steps) {
    Sequence items;
    if (structurize(cfg, items) != Status::Done) {
      ++irreducible;
      return;
    }
    ++reducible;
    for (unsigned seed = 0; seed < seeds; ++seed)
      ASSERT_EQ(run_graph(cfg, seed, steps), run_structured(cfg, items, seed, steps))
          << "seed " << seed << "\n"
          << show(cfg);
    const std::vector<int> counts = count_code(cfg, items);
    for (std::size_t b = 0; b < counts.size(); ++b)
      ASSERT_TRUE(counts[b] == 1 || (cfg[b].is_empty && counts[b] == 0)) << "block " << b << "\n"
                                                                         << show(cfg);
  }
  long reducible = 0, irreducible = 0;
};

TEST(Structurize, every_graph_of_up_to_4_blocks) {
  Property property;
  for (int n = 1; n <= 4; ++n)
    enumerate_graphs(n, [&](const Cfg& cfg) {
      if (!::testing::Test::HasFatalFailure()) property.check(cfg, 6, 24);
    });
  EXPECT_GT(property.reducible, 10000);
  EXPECT_GT(property.irreducible, 100);
  RecordProperty("reducible", static_cast<int>(property.reducible));
  std::printf("%ld reducible and %ld irreducible graphs\n", property.reducible, property.irreducible);
}

TEST(Structurize, random_graphs_of_5_to_12_blocks) {
  Property property;
  std::uint64_t state = 12345;
  for (int i = 0; property.reducible < 20000 && !::testing::Test::HasFatalFailure(); ++i)
    property.check(random_graph(5 + i % 8, state), 8, 60);
  EXPECT_EQ(property.reducible, 20000);
  std::printf("%ld reducible and %ld irreducible graphs\n", property.reducible, property.irreducible);
}

/// The entry of a loop with two entries is refused, not mistreated.
TEST(Structurize, irreducible) {
  Cfg cfg(4);
  cfg[0] = {BranchKind::If, {1, 2}};
  cfg[1] = {BranchKind::If, {2, 3}};
  cfg[2] = {BranchKind::Jump, {1}};
  cfg[3] = {BranchKind::Return, {}};
  Sequence items;
  EXPECT_EQ(structurize(cfg, items), Status::Irreducible);
}

unsigned depth(const Sequence& items) {
  unsigned result = 0;
  for (const auto& item : items)
    for (const Sequence& body : item->bodies) result = std::max(result, 1 + depth(body));
  return result;
}

/// `if (c) a; if (d) b; ...`: the ifs follow each other, they do not nest.
TEST(Structurize, a_sequence_stays_flat) {
  constexpr int n = 5000;
  Cfg cfg(n * 2 + 1);
  for (int i = 0; i < n; ++i) {
    cfg[static_cast<std::size_t>(2 * i)] = {BranchKind::If, {2 * i + 1, 2 * i + 2}};
    cfg[static_cast<std::size_t>(2 * i + 1)] = {BranchKind::Jump, {2 * i + 2}};
  }
  Sequence items;
  ASSERT_EQ(structurize(cfg, items), Status::Done);
  EXPECT_EQ(depth(items), 1u);
  EXPECT_EQ(run_graph(cfg, 1, 20000), run_structured(cfg, items, 1, 20000));
}

/// What follows a check that fails in one arm, there with a branch of its own, is behind the check.
TEST(Structurize, code_behind_checks_stays_flat) {
  constexpr int n = 3000;
  Cfg cfg(n * 4 + 1);
  for (int i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(4 * i);
    const int failure = 4 * i + 1, next = 4 * i + 4;
    cfg[at] = {BranchKind::If, i % 2 == 0 ? std::vector{failure, next} : std::vector{next, failure}};
    cfg[at + 1] = {BranchKind::If, {failure + 1, failure + 2}};
    cfg[at + 2] = {BranchKind::Jump, {failure + 2}};
    cfg[at + 3] = {BranchKind::Unreachable, {}};
  }
  Sequence items;
  ASSERT_EQ(structurize(cfg, items), Status::Done);
  EXPECT_EQ(depth(items), 2u);
  for (std::uint64_t seed = 1; seed < 20; ++seed)
    EXPECT_EQ(run_graph(cfg, seed, 20000), run_structured(cfg, items, seed, 20000));
}

/// A simple if with a join needs no block around it: the break of each arm leaves the if itself.
TEST(Structurize, an_if_is_its_own_target) {
  Cfg cfg(4);
  cfg[0] = {BranchKind::If, {1, 2}};
  cfg[1] = {BranchKind::Jump, {3}};
  cfg[2] = {BranchKind::Jump, {3}};
  cfg[3] = {BranchKind::Return, {}};
  Sequence items;
  ASSERT_EQ(structurize(cfg, items), Status::Done);
  ASSERT_EQ(items.size(), 4u);  // code 0, if, code 3, return
  EXPECT_EQ(items[1]->kind, ItemKind::If);
  EXPECT_EQ(items[1]->after, 3);
  EXPECT_EQ(items[1]->bodies[0].back()->target, items[1].get());
}

/// What a loop exits to stands behind the loop, not in it.
TEST(Structurize, code_behind_a_loop_is_outside) {
  Cfg cfg(4);
  cfg[0] = {BranchKind::Jump, {1}};
  cfg[1] = {BranchKind::If, {2, 3}};
  cfg[2] = {BranchKind::Jump, {1}};
  cfg[3] = {BranchKind::Return, {}};
  Sequence items;
  ASSERT_EQ(structurize(cfg, items), Status::Done);
  ASSERT_EQ(items[2]->kind, ItemKind::Loop);
  EXPECT_EQ(items[2]->after, 3);
  EXPECT_EQ(items[3]->kind, ItemKind::Code);
  EXPECT_EQ(items[3]->block, 3);
}

TEST(Structurize, a_switch_of_1000_cases_to_10_targets) {
  Cfg cfg(12);
  cfg[0].kind = BranchKind::Switch;
  for (int i = 0; i < 1000; ++i) cfg[0].successors.push_back(1 + i % 10);
  for (int i = 1; i <= 10; ++i) cfg[static_cast<std::size_t>(i)] = {BranchKind::Jump, {11}};
  Sequence items;
  ASSERT_EQ(structurize(cfg, items), Status::Done);
  ASSERT_EQ(items[1]->kind, ItemKind::Switch);
  EXPECT_EQ(items[1]->bodies.size(), 10u);
  for (unsigned seed = 0; seed < 20; ++seed)
    EXPECT_EQ(run_graph(cfg, seed, 20), run_structured(cfg, items, seed, 20));
}

}  // namespace
}  // namespace import_test
