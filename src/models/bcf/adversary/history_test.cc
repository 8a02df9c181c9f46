#include "reissue/models/bcf/adversary/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "drawn_series.h"
#include "reissue/core/random.h"
#include "reissue/models/bcf/adversary/series_attack.h"
#include "rounds.h"

namespace reissue::models::bcf {
namespace {

using ::testing::ElementsAre;

// Four releases of one column: halves, everything, halves, leaves.
Series Halves() {
  const Taxonomies trees = {
      testing::Tree({{"a1", "A", "*"}, {"a2", "A", "*"}, {"b1", "B", "*"}, {"b2", "B", "*"}})};
  return testing::FromLabels(trees, {{{{"A"}, 0, 5}, {{"B"}, 0, 5}},
                                     {{{"*"}, 0, 16}},
                                     {{{"A"}, 0, 11}, {{"B"}, 0, 9}},
                                     {{{"a1"}, 0, 9}, {{"a2"}, 0, 4}, {{"B"}, 0, 13}}});
}

TEST(HistoryTest, ReleasesTellOfThoseWhoCameSince) {
  const History history(Halves());
  EXPECT_EQ(history.first_birth(0), 0u);
  EXPECT_EQ(history.first_birth(1), 1u);
  EXPECT_EQ(history.first_birth(2), 1u);  // whoever was in A is in A again
  EXPECT_EQ(history.first_birth(3), 0u);  // finer than all before
  EXPECT_EQ(history.rows(1, 0), 6u);
  EXPECT_EQ(history.rows(2, 0), 6u);
  EXPECT_EQ(history.rows(2, 1), 4u);
  EXPECT_EQ(history.rows(3, 0), 9u);
  EXPECT_THAT(history.releases(0), ElementsAre(0, 3));
  EXPECT_THAT(history.releases(1), ElementsAre(1, 2, 3));
  EXPECT_THAT(history.releases(2), ElementsAre(2, 3));
  EXPECT_THAT(history.Expand(0, std::vector<std::uint32_t>{0, 1}), ElementsAre(0, 0, 0, 1));
  EXPECT_EQ(history.FirstUnsettled(), 0u);
}

TEST(HistoryTest, WhatIsSettled) {
  const Taxonomies trees = {testing::Tree({{"a", "*"}, {"b", "*"}})};
  const Series series = testing::FromLabels(trees, {{{{"a"}, 0, 5}, {{"b"}, 0, 5}},
                                                    {{{"*"}, 0, 16}},
                                                    {{{"a"}, 0, 11}, {{"b"}, 0, 9}},
                                                    {{{"*"}, 0, 30}},
                                                    {{{"a"}, 0, 20}, {{"b"}, 0, 15}}});
  const History history(series);
  EXPECT_EQ(history.first_birth(4), 3u);
  EXPECT_EQ(history.FirstUnsettled(), 3u);
  EXPECT_THAT(history.releases(1), ElementsAre(1, 2));
}

// Somebody is somewhere else from some release on.
Series Spoilt(Random& random) {
  const std::size_t n = 3 + random.Below(3);
  auto table = testing::RandomTable(random, 2, 3, 6, 1, n);
  const auto cuts = testing::Wandering(random, table.trees, n);
  const std::size_t when = 1 + random.Below(n - 1);
  std::vector<Cells> published;
  for (std::size_t i = 0; i < n; ++i) {
    if (i == when) {
      for (std::uint32_t& leaf : table.people[random.Below(table.people.size())].leaves) {
        leaf = static_cast<std::uint32_t>(random.Below(3));
      }
    }
    published.push_back(
        testing::Recode(table, i, [&](const testing::Person& person, std::size_t column) {
          return cuts[i][column].NodeOfLeaf(person.leaves[column]);
        }));
  }
  return Series::Make(table.trees, published).value();
}

// Everybody has the same left, whether each release is asked about everybody or about those alone
// whom it tells of.
TEST(HistoryTest, SummedUpTellsTheSame) {
  Random random = Random::Seeded(12);
  int summed_up = 0, broken = 0, settled = 0;
  for (int round = 0; round < Rounds(300); ++round) {
    const Series series = testing::Drawn(random, round);
    const Formulas formulas(series);
    SeriesAttackOptions options;
    options.guarantee.k = 1 + random.Below(5);
    if (random.Below(3) == 0) options.guarantee.distinct = 2;
    const History history(series);
    summed_up += history.whole() ? 0 : 1;
    const SeriesAttackReport summed = AttackSeries(series, formulas, history, options);
    options.whole_history = true;
    const SeriesAttackReport full = AttackSeries(series, formulas, options);
    ASSERT_TRUE(testing::TellTheSame(summed, full)) << round;
    broken += full.verdict == Verdict::kBroken;
    if (full.verdict != Verdict::kKept) continue;
    options.verdict_only = options.earlier_kept = true;
    options.whole_history = false;
    ASSERT_EQ(AttackSeries(series, formulas, history, options).verdict, Verdict::kKept) << round;
    settled += history.FirstUnsettled() > 0;
  }
  EXPECT_GE(summed_up, LeastSeen(120));
  EXPECT_GE(broken, LeastSeen(30));
  EXPECT_GE(settled, LeastSeen(15));
}

// What was kept without the last release and is broken with it is seen without a look at births
// that are settled.
TEST(HistoryTest, SettledBirthsAreNotBroken) {
  Random random = Random::Seeded(13);
  int broken = 0;
  for (int round = 0; round < Rounds(1'000); ++round) {
    const std::size_t n = 3 + random.Below(3);
    const auto table = testing::RandomTable(random, 1, 4, 60, 2, n);
    std::vector<testing::Cuts> cuts = testing::Wandering(random, table.trees, n);
    const Series series = testing::Publish(table, cuts);
    cuts.pop_back();
    const Series earlier = testing::Publish(table, cuts);
    SeriesAttackOptions options;
    options.guarantee.k = 2 + random.Below(3);
    options.verdict_only = true;
    if (AttackSeries(earlier, Formulas(earlier), options).verdict != Verdict::kKept) continue;
    const Formulas formulas(series);
    const Verdict all = AttackSeries(series, formulas, options).verdict;
    options.earlier_kept = true;
    ASSERT_EQ(AttackSeries(series, formulas, options).verdict, all) << round;
    broken += all == Verdict::kBroken;
  }
  EXPECT_GE(broken, LeastSeen(20));
}

// Files that are not one growing table are found out, and the proof holds in what was published.
TEST(HistoryTest, ImpossibleEitherWay) {
  Random random = Random::Seeded(14);
  int impossible = 0, together = 0;
  for (int round = 0; round < Rounds(20'000); ++round) {
    const Series series = Spoilt(random);
    const Formulas formulas(series);
    const Worlds summed(series, formulas);
    const Worlds whole(series, formulas, History::Whole(series), {});
    ASSERT_EQ(summed.impossible().empty(), whole.impossible().empty()) << round;
    impossible += !whole.impossible().empty();
    together += !whole.impossible().empty() && formulas.consistent();
    for (const Impossible& each : summed.impossible()) {
      std::int64_t sum = 0;
      for (const Impossible::Term& term : each.terms) {
        const auto group = series.release(term.release).FindGroup(term.cell, each.value);
        ASSERT_TRUE(group.has_value());
        EXPECT_EQ(series.release(term.release).rows_of_group(*group), term.rows);
        sum += term.times * static_cast<std::int64_t>(term.rows);
      }
      EXPECT_TRUE(each.terms.empty() || sum < 0) << round;
    }
  }
  EXPECT_GE(impossible, LeastSeen(200));
  EXPECT_GE(together, LeastSeen(2));
}

}  // namespace
}  // namespace reissue::models::bcf
