#include "reissue/models/bcf/adversary/series_attack.h"

#include <gtest/gtest.h>

#include "reissue/models/bcf/adversary/attack.h"
#include "small_series.h"

namespace reissue::models::bcf {
namespace {

SeriesAttackOptions Asking(std::uint64_t k) {
  SeriesAttackOptions options;
  options.guarantee.k = k;
  return options;
}

TEST(SiegeTest, PaperTables) {
  const Series series = testing::PaperTables();
  const Formulas formulas(series);
  const SeriesAttackReport report = AttackSeries(series, formulas, Asking(5));
  EXPECT_EQ(report.verdict, Verdict::kBroken);
  EXPECT_EQ(report.anonymity, (Interval{4, 4}));
  EXPECT_EQ(report.exposed, (std::vector<std::uint64_t>{5, 10}));
  EXPECT_EQ(report.broken, std::vector<std::string>{"k"});
  EXPECT_EQ(report.worst.size(), 2u);
  EXPECT_EQ(AttackSeries(series, formulas, Asking(4)).verdict, Verdict::kKept);
}

// Two releases: the same numbers as the attacks on the pair.
TEST(SiegeTest, TwoReleasesAsThePair) {
  Random random = Random::Seeded(5);
  for (int round = 0; round < 300; ++round) {
    const auto table = testing::RandomTable(random, 1 + random.Below(3), 4, 30, 3, 2);
    const Series series = round % 3 == 0
                              ? testing::PublishLocally(random, table, 2)
                              : testing::Publish(table, {testing::RandomCuts(random, table.trees),
                                                         testing::RandomCuts(random, table.trees)});
    const Formulas formulas(series);
    const std::uint64_t k = 1 + random.Below(6);
    const PairReport pair = AttackPair(series, formulas.pair(0, 1), k);
    const SeriesAttackReport report = AttackSeries(series, formulas, Asking(k));
    ASSERT_TRUE(report.impossible.empty());
    EXPECT_EQ(report.verdict == Verdict::kKept, pair.satisfied);
    const auto value = [](const std::optional<Interval>& left) {
      EXPECT_TRUE(!left || left->exact());
      return left ? std::optional(left->lower) : std::nullopt;
    };
    EXPECT_EQ(value(report.of_birth[0]), pair.forward.anonymity);
    EXPECT_EQ(value(report.of_birth[1]), pair.backward.anonymity);
  }
}

TEST(SiegeTest, DiversityAfterExclusion) {
  // Three values in each cell, but the newcomers all have one.
  const Taxonomies trees = {testing::Tree({{"x", "*"}, {"y", "*"}})};
  const Series series = testing::FromLabels(trees, {{{{"*"}, 0, 3}, {{"*"}, 1, 3}, {{"*"}, 2, 3}},
                                                    {{{"*"}, 0, 9}, {{"*"}, 1, 3}, {{"*"}, 2, 3}}});
  const Formulas formulas(series);
  SeriesAttackOptions options = Asking(3);
  EXPECT_EQ(AttackSeries(series, formulas, options).verdict, Verdict::kKept);
  options.guarantee.entropy = 2;
  options.guarantee.alpha = 0.7;
  const SeriesAttackReport report = AttackSeries(series, formulas, options);
  EXPECT_EQ(report.verdict, Verdict::kBroken);
  EXPECT_EQ(report.broken, (std::vector<std::string>{"entropy", "alpha"}));
  ASSERT_EQ(report.worst.size(), 1u);
  EXPECT_EQ(report.worst[0].target.birth, 1u);
  EXPECT_EQ(report.worst[0].left, (Interval{6, 6}));
}

TEST(SiegeTest, VerdictOnlyAgrees) {
  Random random = Random::Seeded(6);
  std::size_t kept = 0;
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = 3 + random.Below(2);
    const auto table = testing::RandomTable(random, 2, 4, 40, 2, n);
    std::vector<testing::Cuts> cuts;
    for (std::size_t i = 0; i < n; ++i) cuts.push_back(testing::RandomCuts(random, table.trees));
    const Series series = testing::Publish(table, cuts);
    const Formulas formulas(series);
    SeriesAttackOptions options = Asking(1 + random.Below(4));
    const SeriesAttackReport whole = AttackSeries(series, formulas, options);
    options.verdict_only = true;
    EXPECT_EQ(AttackSeries(series, formulas, options).verdict, whole.verdict);
    ASSERT_TRUE(whole.anonymity.has_value());
    EXPECT_TRUE(whole.anonymity->exact());
    EXPECT_EQ(whole.verdict == Verdict::kKept, whole.anonymity->lower >= options.guarantee.k);
    kept += whole.verdict == Verdict::kKept ? 1 : 0;
  }
  EXPECT_GT(kept, 20u);
  EXPECT_LT(kept, 280u);
}

TEST(SiegeTest, RealPeopleOnly) {
  // The target that is exposed is a place where nobody is.
  const Series series = testing::PaperTables();
  const Formulas formulas(series);
  SeriesAttackOptions options = Asking(5);
  const std::uint32_t uk = testing::CellOf(series, 1, {"UK", "Professional"});
  options.real.emplace();
  *options.real = {{{0, uk}}, {}};
  EXPECT_EQ(AttackSeries(series, formulas, options).verdict, Verdict::kKept);
  *options.real = {{{0, uk}}, {{uk}}};
  EXPECT_EQ(AttackSeries(series, formulas, options).verdict, Verdict::kBroken);
}

}  // namespace
}  // namespace reissue::models::bcf
