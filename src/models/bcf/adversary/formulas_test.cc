#include "reissue/models/bcf/adversary/formulas.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <span>

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

// The least of a birth by looking at every tuple of cells that are comparable two by two.
void LookAtAll(const Series& series, const Formulas& formulas, std::size_t birth,
               std::vector<std::uint32_t>& cells, BirthBound& bound, std::uint64_t& tuples) {
  const std::size_t release = birth + cells.size();
  if (release == series.size()) {
    const std::uint64_t left = formulas.Left(birth, cells);
    if (left == 0) return;
    ++tuples;
    bound.forward = std::min(bound.forward.value_or(left), left);
    return;
  }
  for (std::uint32_t cell = 0; cell < series.release(release).cells(); ++cell) {
    bool fits = true;
    for (std::size_t i = 0; i < cells.size() && fits; ++i) {
      fits = series.Comparable(series.release(birth + i).key(cells[i]),
                               series.release(release).key(cell));
    }
    if (!fits) continue;
    cells.push_back(cell);
    LookAtAll(series, formulas, birth, cells, bound, tuples);
    cells.pop_back();
  }
}

TEST(Formulas, FindTheLeastOfAllTuples) {
  Random random = Random::Seeded(43);
  for (int round = 0; round < 60; ++round) {
    const GrowingTable table = testing::RandomTable(random, 2, 6, 1 + random.Below(60), 2, 4);
    std::vector<testing::Cuts> cuts;
    for (int i = 0; i < 4; ++i) cuts.push_back(testing::RandomCuts(random, table.trees));
    cuts[2] = cuts[0];
    const Series series =
        round % 3 == 0 ? testing::PublishBoxes(random, table, 4) : testing::Publish(table, cuts);
    const Formulas formulas(series);
    const SeriesBound found = formulas.Bound();
    std::uint64_t tuples = 0;
    for (std::size_t birth = 0; birth + 1 < series.size(); ++birth) {
      BirthBound expected;
      std::vector<std::uint32_t> cells;
      LookAtAll(series, formulas, birth, cells, expected, tuples);
      ASSERT_EQ(found.births[birth].forward, expected.forward) << round;
    }
    ASSERT_EQ(found.tuples, tuples) << round;
  }
}

void ExpectTheSame(const Series& series, const Pair& shared, const Pair& own) {
  const Release& before = series.release(own.earlier());
  const Release& after = series.release(own.later());
  ASSERT_EQ(shared.earlier(), own.earlier());
  ASSERT_EQ(shared.later(), own.later());
  ASSERT_EQ(shared.method(), own.method());
  ASSERT_EQ(shared.contradictions().size(), own.contradictions().size());
  for (std::size_t i = 0; i < own.contradictions().size(); ++i) {
    ASSERT_EQ(shared.contradictions()[i].earlier_cells, own.contradictions()[i].earlier_cells);
    ASSERT_EQ(shared.contradictions()[i].later_cells, own.contradictions()[i].later_cells);
    ASSERT_EQ(shared.contradictions()[i].earlier_rows, own.contradictions()[i].earlier_rows);
    ASSERT_EQ(shared.contradictions()[i].later_rows, own.contradictions()[i].later_rows);
  }
  for (std::size_t g = 0; g < after.groups() && own.contradictions().empty(); ++g) {
    ASSERT_EQ(shared.Newcomers(g), own.Newcomers(g));
    ASSERT_EQ(shared.RowsOfClass(series, g).earlier, own.RowsOfClass(series, g).earlier);
    ASSERT_EQ(shared.RowsOfClass(series, g).later, own.RowsOfClass(series, g).later);
  }
  for (std::uint32_t cell = 0; cell < before.cells(); ++cell) {
    const auto comparable = series.ComparableCells(own.later(), before.key(cell));
    ASSERT_TRUE(std::ranges::equal(shared.ComparableCells(cell), comparable));
    for (const std::uint32_t other : comparable) {
      if (!own.contradictions().empty()) break;
      ASSERT_EQ(shared.TogetherInCells(series, cell, other),
                own.TogetherInCells(series, cell, other));
    }
  }
}

void ExpectEachPair(const Series& series, const Formulas& formulas) {
  for (std::size_t later = 1; later < series.size(); ++later) {
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      ExpectTheSame(series, formulas.pair(earlier, later), Pair::Solve(series, earlier, later));
    }
  }
}

// Releases come back to the same cells, in any order, and candidates are not taken for each other.
TEST(Formulas, SharesWhatFollowsFromCells) {
  Random random = Random::Seeded(44);
  std::size_t alike = 0;
  for (int round = 0; round < 150; ++round) {
    const GrowingTable table = testing::RandomTable(random, 2, 5, 1 + random.Below(40), 2, 6);
    const testing::Cuts some[] = {testing::RandomCuts(random, table.trees),
                                  testing::RandomCuts(random, table.trees),
                                  testing::RandomCuts(random, table.trees)};
    std::vector<testing::Cuts> cuts;
    for (int i = 0; i < 6; ++i) cuts.push_back(some[random.Below(3)]);
    const Series grown = round % 3 == 0   ? testing::PublishBoxes(random, table, 6)
                         : round % 3 == 1 ? testing::PublishLocally(random, table, 6)
                                          : testing::Publish(table, cuts);
    std::vector<Cells> published;
    for (std::size_t i = 0; i < 6; ++i) published.push_back(grown.release(i).AsCells());
    // No series of one table: contradictions are shared no more than numbers are.
    if (round % 5 == 0) std::ranges::reverse(published);
    if (round % 3 == 1) published[4] = published[1];
    const Series earlier = Series::Make(table.trees, std::span(published).first(5)).value();
    const Formulas of_earlier(earlier);
    for (const std::size_t last : {5u, 0u, 3u}) {
      const Series series = earlier.With(published[last]).value();
      for (std::size_t i = 0; i < series.size(); ++i) alike += series.shape(i) < i;
      ExpectEachPair(series, Formulas(series, of_earlier));
    }
    ExpectEachPair(earlier, of_earlier);
  }
  EXPECT_GT(alike, 200u);
}

}  // namespace
}  // namespace reissue::models::bcf
