#include "reissue/models/bcf/adversary/formulas.h"

#include <gtest/gtest.h>

#include <map>

#include "reissue/models/bcf/adversary/attack.h"
#include "reissue/models/bcf/adversary/small_series.h"

namespace reissue::models::bcf {
namespace {

using testing::CellOf;
using testing::FromLabels;
using testing::GrowingTable;
using testing::Tree;

// The smallest case known in which the formulas leave too much: in truth the person born in
// release 2 with (a2,b2) is singled out.
TEST(Formulas, LeaveTwoWhereThereIsOne) {
  const auto tree = Tree({{"a1", "A", "*"}, {"a2", "A", "*"}, {"b1", "B", "*"}, {"b2", "B", "*"}});
  const Series series = FromLabels({tree, tree}, {{{{"A", "b2"}, 0, 1}, {{"B", "b2"}, 0, 1}},
                                                  {{{"*", "B"}, 0, 4}},
                                                  {{{"A", "*"}, 0, 2}, {{"B", "*"}, 0, 2}}});
  const Formulas formulas(series);
  ASSERT_TRUE(formulas.consistent());
  const std::vector<std::uint32_t> cells = {CellOf(series, 1, {"*", "B"}),
                                            CellOf(series, 2, {"A", "*"})};
  EXPECT_EQ(formulas.Left(1, cells), 2u);
  const SeriesBound bound = formulas.Bound();
  ASSERT_EQ(bound.births.size(), 3u);
  EXPECT_EQ(bound.births[0].forward, 1u);
  EXPECT_EQ(bound.births[0].cross, 1u);
  EXPECT_EQ(bound.births[0].backward, std::nullopt);
  EXPECT_EQ(bound.births[1].forward, 2u);
  EXPECT_EQ(bound.births[1].cross, 2u);
  EXPECT_EQ(bound.births[1].backward, 2u);
  EXPECT_EQ(bound.births[2].forward, std::nullopt);
  EXPECT_EQ(bound.births[2].backward, std::nullopt);  // nobody was added
  EXPECT_EQ(bound.anonymity, 1u);
  EXPECT_EQ(bound.tuples, 4u);
  EXPECT_TRUE(bound.complete);
}

TEST(Formulas, ComposeBackwardWithForwardAndCross) {
  // Release 2 has 6 rows of which release 1 proves 4 to be older: 2 are left. Forward alone would
  // leave min(6, 5), cross alone min(6, 5) as well.
  const Taxonomies trees = {Tree({{"a", "*"}, {"b", "*"}})};
  const Series series =
      FromLabels(trees, {{{{"*"}, 0, 4}}, {{{"*"}, 0, 6}}, {{{"a"}, 0, 5}, {{"b"}, 0, 1}}});
  const SeriesBound bound = Formulas(series).Bound();
  EXPECT_EQ(bound.births[1].backward, 2u);
  EXPECT_EQ(bound.births[1].forward, 1u);  // in b
  EXPECT_EQ(bound.births[1].cross, 1u);
  const Formulas formulas(series);
  const std::vector<std::uint32_t> in_a = {0, CellOf(series, 2, {"a"})};
  EXPECT_EQ(formulas.Left(1, in_a), 2u);
  EXPECT_EQ(formulas.pair(1, 2).TogetherInCells(series, in_a[0], in_a[1]), 5u);
}

TEST(Formulas, TakeTheBestReleaseForEachGroup) {
  // Forward on release 1: release 2 limits value 0, release 3 limits value 1.
  const Taxonomies trees = {Tree({{"a", "*"}, {"b", "*"}})};
  const Series series =
      FromLabels(trees, {{{{"*"}, 0, 4}, {{"*"}, 1, 4}},
                         {{{"a"}, 0, 1}, {{"a"}, 1, 4}, {{"b"}, 0, 3}, {{"b"}, 1, 4}},
                         {{{"a"}, 0, 9}, {{"a"}, 1, 6}, {{"b"}, 0, 3}, {{"b"}, 1, 4}}});
  const Formulas formulas(series);
  ASSERT_TRUE(formulas.consistent());
  const std::vector<std::uint32_t> in_a = {0, CellOf(series, 1, {"a"}), CellOf(series, 2, {"a"})};
  EXPECT_EQ(formulas.Left(0, in_a), 5u);  // 1 + 4
  const std::vector<std::uint32_t> in_b = {0, CellOf(series, 1, {"b"}), CellOf(series, 2, {"b"})};
  EXPECT_EQ(formulas.Left(0, in_b), 7u);  // 3 + 4
  EXPECT_EQ(formulas.Bound().births[0].forward, 5u);
}

TEST(Formulas, AreTheAttacksOfThePairForTwoReleases) {
  Random random = Random::Seeded(41);
  for (int round = 0; round < 200; ++round) {
    const GrowingTable table = testing::RandomTable(random, 2, 6, 1 + random.Below(40), 2, 2);
    const Series series = round % 2 == 0
                              ? testing::PublishLocally(random, table, 2)
                              : testing::Publish(table, {testing::RandomCuts(random, table.trees),
                                                         testing::RandomCuts(random, table.trees)});
    const Formulas formulas(series);
    const PairReport report = AttackPair(series, formulas.pair(0, 1), 2);
    const SeriesBound bound = formulas.Bound();
    ASSERT_EQ(bound.births[0].forward, report.forward.anonymity) << round;
    ASSERT_EQ(bound.births[0].cross, report.cross.anonymity) << round;
    ASSERT_EQ(bound.births[1].backward, report.backward.anonymity) << round;
  }
}

// The holder's own table is a world: what the formulas leave is never less than who is there.
TEST(Formulas, LeaveAtLeastThePeopleWhoAreThere) {
  Random random = Random::Seeded(42);
  for (int round = 0; round < 200; ++round) {
    const GrowingTable table = testing::RandomTable(random, 2, 4, 1 + random.Below(30), 2, 3);
    std::vector<testing::Cuts> cuts;
    for (int i = 0; i < 3; ++i) cuts.push_back(testing::RandomCuts(random, table.trees));
    const Series series = testing::Publish(table, cuts);
    const Formulas formulas(series);
    ASSERT_TRUE(formulas.consistent());
    std::map<std::vector<std::uint32_t>, std::uint64_t> there[3];
    for (const testing::Person& person : table.people) {
      std::vector<std::uint32_t> cells;
      for (std::size_t release = person.born; release < 3; ++release) {
        std::vector<std::uint32_t> key;
        for (std::size_t column = 0; column < 2; ++column) {
          key.push_back(cuts[release][column].NodeOfLeaf(person.leaves[column]).raw());
        }
        const auto cell = series.release(release).FindCell(key);
        cells.push_back(static_cast<std::uint32_t>(cell.value()));
      }
      ++there[person.born][cells];
    }
    for (std::size_t born = 0; born < 3; ++born) {
      for (const auto& [cells, people] : there[born]) {
        ASSERT_GE(formulas.Left(born, cells), people) << round;
      }
    }
  }
}

TEST(Formulas, SayWhenTheyStoppedEarly) {
  const Taxonomies trees = {Tree({{"a", "*"}, {"b", "*"}})};
  const Series series = FromLabels(trees, {{{{"*"}, 0, 4}}, {{{"a"}, 0, 3}, {{"b"}, 0, 3}}});
  EXPECT_FALSE(Formulas(series).Bound(1).complete);
  EXPECT_TRUE(Formulas(series).Bound(2).complete);
}

TEST(Formulas, NoticeASeriesThatShrinks) {
  const Taxonomies trees = {Tree({{"a", "*"}, {"b", "*"}})};
  EXPECT_FALSE(Formulas(FromLabels(trees, {{{{"*"}, 0, 4}}, {{{"*"}, 0, 5}}, {{{"a"}, 0, 3}}}))
                   .consistent());
}

}  // namespace
}  // namespace reissue::models::bcf
