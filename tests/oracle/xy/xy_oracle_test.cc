// The oracle itself, on the examples of the paper.

#include <gtest/gtest.h>

#include "join.h"

namespace oracle::xy {
namespace {

// Section 1.1, Table 1. Jobs are a flat tree: 1 banker, 2 clerk, 3 driver, 4 engineer. Names:
// 0 Alice, 1 Bob, 2 Cathy. Diseases: 0 cancer, 1 HIV.
World Hospital() {
  World world;
  world.trees = {{{-1, 0, 0, 0, 0}}};
  world.tables.resize(2);
  world.tables[0].trees = {std::nullopt, 0};
  world.tables[0].rows = {{0, 1}, {0, 1}, {1, 2}, {1, 3}, {2, 4}};
  world.tables[1].trees = {0, std::nullopt};
  world.tables[1].rows = {{1, 0}, {1, 0}, {2, 1}, {3, 0}, {4, 1}};
  world.joins = {{{0, 1}, {1, 0}}};
  return world;
}

TEST(XyOracle, TableOne) {
  const World world = Hospital();
  Promise anonymity;
  anonymity.x = {{0, 0}, {1, 1}};
  anonymity.y_keys = {0, 1};
  anonymity.k = 2;
  Promise linkability;
  linkability.anonymity = false;
  linkability.x = {{0, 0}};
  linkability.y = {{1, 1}};
  linkability.confidence = 0.9;
  const std::vector<Tuple> join = Join(world);
  const Answers answers = AnswersOf(world, join, {anonymity, linkability});
  EXPECT_EQ(answers.join_rows, 7);
  EXPECT_EQ(answers.dangling, (std::vector<long>{0, 0}));
  // {Bob, HIV} is one person, {Alice, cancer} has four rows.
  EXPECT_EQ(answers.promises[0].anonymity, 1);
  EXPECT_EQ(answers.promises[0].violating, 3);
  const auto groups = GroupByX(world, join, anonymity);
  EXPECT_EQ(groups.at({1, 1}).records, 1);
  EXPECT_EQ(groups.at({0, 0}).records, 4);
  // Alice → cancer and Cathy → HIV are certain, Bob → either is not.
  EXPECT_EQ(answers.promises[1].linkability, 1.0);
  EXPECT_EQ(answers.promises[1].violating, 2);
  EXPECT_EQ(GroupByX(world, join, linkability).at({1}).with_y.at({0}), 1);
}

// Section 4: anonymity rises where a row becomes dangling. D is d (1) over d1 (3) and d2 (4), and
// d3 (2).
TEST(XyOracle, DanglingRow) {
  World world;
  world.trees = {{{-1, 0, 0, 1, 1}}};
  world.tables.resize(2);
  world.tables[0].trees = {std::nullopt, 0};
  world.tables[0].rows = {{1, 2}, {2, 1}};
  world.tables[1].trees = {0, std::nullopt};
  world.tables[1].rows = {{2, 3}, {2, 2}, {3, 1}};
  world.joins = {{{0, 1}, {1, 0}}};
  Promise promise;
  promise.x = {{0, 0}, {0, 1}, {1, 0}};
  promise.y = {{1, 1}};
  const Answers before = AnswersOf(world, {promise});
  EXPECT_EQ(before.join_rows, 3);
  EXPECT_EQ(before.promises[0].anonymity, 1);
  EXPECT_EQ(before.dangling, (std::vector<long>{0, 0}));
  world.tables[0].rows[1][1] = 4;
  const Answers after = AnswersOf(world, {promise});
  EXPECT_EQ(after.join_rows, 2);
  EXPECT_EQ(after.promises[0].anonymity, 2);
  EXPECT_EQ(after.dangling, (std::vector<long>{1, 1}));
}

// Section 3.3: what is inconsistent stays so further down. Sex: 1 male over 3 married male, 2
// female. Condition: 1 pregnant over 2 six months pregnant.
TEST(XyOracle, Inconsistent) {
  World world;
  world.trees = {{{-1, 0, 0, 1}}, {{-1, 0, 1}}};
  world.tables.resize(2);
  world.tables[0].trees = {0};
  world.tables[0].rows = {{3}, {2}, {0}};
  world.tables[1].trees = {1};
  world.tables[1].rows = {{2}, {0}};
  EXPECT_EQ(Join(world).size(), 6u);
  world.forbidden = {{{1, 0}, 1, {0, 0}, 1}};
  EXPECT_EQ(Join(world), (std::vector<Tuple>{{0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}}));
}

// Section 7: all tables that have an attribute, in pairs.
TEST(XyOracle, ThreeTables) {
  World world;
  world.trees = {{{-1, 0, 0}}};
  world.tables.resize(3);
  for (Table& table : world.tables) table.trees = {0};
  world.tables[0].rows = {{0}};
  world.tables[1].rows = {{1}, {2}};
  world.tables[2].rows = {{1}, {1}, {0}};
  world.joins = {{{0, 0}, {1, 0}, {2, 0}}};
  EXPECT_EQ(Join(world), (std::vector<Tuple>{{0, 0, 0}, {0, 0, 1}, {0, 0, 2}, {0, 1, 2}}));
}

}  // namespace
}  // namespace oracle::xy
