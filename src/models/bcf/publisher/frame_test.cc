#include "reissue/models/bcf/publisher/frame.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "growing_table.h"
#include "reissue/models/bcf/adversary/series_attack.h"
#include "reissue/models/bcf/publisher/series_condition.h"
#include "reissue/models/k/publisher/search.h"

namespace reissue::models::bcf {
namespace {

using internal::FencesOf;
using internal::FrameOf;
using internal::LastingRows;

// One column of halves; each release shows the leaves (a), the halves (A) or nothing (*).
Series Shown(const std::string& releases) {
  const Taxonomies trees = {testing::Tree({{"a", "A", "*"}, {"b", "A", "*"}, {"c", "*"}})};
  std::vector<std::vector<testing::Published>> published;
  std::uint64_t rows = 20;
  for (const char shown : releases) {
    rows += 20;
    if (shown == '*') {
      published.push_back({{{"*"}, 0, 2 * rows}});
    } else if (shown == 'a') {
      published.push_back({{{"a"}, 0, 5}, {{"b"}, 0, rows - 5}, {{"c"}, 0, rows}});
    } else {
      published.push_back({{{"A"}, 0, rows}, {{"c"}, 0, rows}});
    }
  }
  return testing::FromLabels(trees, published);
}

TEST(FrameTest, MovesOnToTheBestRelease) {
  EXPECT_EQ(FrameOf(Shown("A")), 0u);
  EXPECT_EQ(FrameOf(Shown("A*A*A*A*")), 0u);    // not yet
  EXPECT_EQ(FrameOf(Shown("A*A*A*A*A")), 8u);   // the best since the first
  EXPECT_EQ(FrameOf(Shown("A*A*A*A**")), 0u);   // not the best
  EXPECT_EQ(FrameOf(Shown("A*A*A*A**A")), 9u);  // the next that is
}

// One release that told more than all others does not keep the frame where it is.
TEST(FrameTest, ForgetsWhatDoesNotComeAgain) {
  EXPECT_EQ(FrameOf(Shown("AaAAAAAAA")), 0u);
  EXPECT_EQ(FrameOf(Shown("AaAAAAAAAA")), 9u);
  EXPECT_EQ(FrameOf(Shown("A*******aAAAAAAAA")), 16u);  // from the ninth, which was one
}

// The same cuts, though the newcomers are where more is hidden.
TEST(FrameTest, TheSameCutsTellTheSame) {
  const Taxonomies trees = {testing::Tree({{"a", "A", "*"}, {"b", "A", "*"}, {"c", "*"}})};
  std::vector<std::vector<testing::Published>> published;
  for (std::uint64_t i = 0; i < 9; ++i) {
    published.push_back({{{"A"}, 0, 20 + 20 * i}, {{"c"}, 0, 20}});
  }
  EXPECT_EQ(FrameOf(testing::FromLabels(trees, published)), 8u);
}

// Each release tells less than the one before: after some the frame moves all the same.
TEST(FrameTest, IsNeverOlderThanSome) {
  constexpr std::size_t kReleases = 36;
  std::vector<std::vector<std::string>> paths(kReleases + 1);
  for (std::size_t leaf = 0; leaf <= kReleases; ++leaf) {
    paths[leaf].push_back("x" + std::to_string(leaf));
    for (std::size_t above = std::max<std::size_t>(leaf, 1); above < kReleases; ++above) {
      paths[leaf].push_back("up to " + std::to_string(above));
    }
    paths[leaf].push_back("*");
  }
  std::vector<std::vector<testing::Published>> published;
  for (std::size_t i = 1; i <= kReleases; ++i) {
    const std::string wide = i == kReleases ? "*" : "up to " + std::to_string(i);
    published.push_back({{{wide}, 0, 20 * (i + 1)}});
    for (std::size_t leaf = i + 1; leaf <= kReleases; ++leaf) {
      published.back().push_back({{"x" + std::to_string(leaf)}, 0, 20});
    }
  }
  const auto frame_after = [&](std::size_t releases) {
    return FrameOf(testing::FromLabels(
        {testing::Tree(paths)}, {published.begin(), published.begin() + std::ptrdiff_t(releases)}));
  };
  EXPECT_EQ(frame_after(32), 0u);
  EXPECT_EQ(frame_after(33), 32u);
}

TEST(FrameTest, LastingRowsGrowWithTheTable) {
  EXPECT_EQ(LastingRows(10'000, 0, 5), 0u);
  EXPECT_EQ(LastingRows(10'000, 10'000, 5), 8u);  // 7.79 newcomers are expected
  EXPECT_EQ(LastingRows(10'000, 1'000, 5), 78u);
  EXPECT_GT(LastingRows(20'000, 1'000, 5), LastingRows(10'000, 1'000, 5));
  EXPECT_GT(LastingRows(10'000, 1'000, 6), LastingRows(10'000, 1'000, 5));
}

// Fifteen releases, well past the first frame: none is refused as long as enough people come, and
// each is attacked by the adversary who asks every release about everybody.
TEST(FrameTest, LongSeriesAreSafeAndDoNotEnd) {
  constexpr std::size_t kReleases = 15;
  Random random = Random::Seeded(21);
  std::size_t framed = 0, finer = 0, passed_over = 0;
  for (int round = 0; round < 12; ++round) {
    const auto table = testing::RandomTable(random, 2, 4, 20 * kReleases, 2, kReleases);
    k::Guarantee guarantee;
    guarantee.k = 3;
    ThreadPool pool(1);
    Progress progress;
    k::PublishOptions search;
    search.budget_seconds = 0.01;
    search.lasting = true;
    auto first =
        k::Publish(testing::TableAt(table, 0, false, 2), guarantee, search, pool, progress);
    ASSERT_TRUE(first.has_value());
    std::vector<testing::Cuts> cuts = {first->cuts};
    while (cuts.size() < kReleases) {
      const Series earlier = testing::Publish(table, cuts);
      PublishOptions options;
      options.search = search;
      options.earlier_kept = true;
      const bool births = round % 2 == 0;
      const auto outcome = Publish(testing::TableAt(table, cuts.size(), births, 2), earlier,
                                   guarantee, options, pool, progress);
      ASSERT_TRUE(outcome.has_value()) << outcome.error().ToString();
      cuts.push_back(outcome->cuts);
      // What lasts is not taken at any price.
      if (outcome->passing_cost) {
        ++passed_over;
        EXPECT_GT(outcome->cost, *outcome->passing_cost);
        EXPECT_LE(outcome->cost, 1.1 * *outcome->passing_cost + 1e-9);
      }
      framed += FrameOf(earlier) > 0;
      finer += testing::Publish(table, cuts).release(cuts.size() - 1).cells() > 1;
    }
    const Series series = testing::Publish(table, cuts);
    SeriesAttackOptions attack;
    attack.guarantee = guarantee;
    attack.verdict_only = true;
    attack.whole_history = true;
    EXPECT_EQ(AttackSeries(series, Formulas(series), attack).verdict, Verdict::kKept) << round;
  }
  EXPECT_GT(framed, 0u);
  EXPECT_GT(finer, 10u);
  EXPECT_GT(passed_over, 0u);
}

// What the audit would not prove is not found twice, and something else is.
TEST(FrameTest, WhatIsRejectedIsNotFoundAgain) {
  Random random = Random::Seeded(22);
  std::size_t others = 0;
  for (int round = 0; round < 20; ++round) {
    const auto table = testing::RandomTable(random, 2, 4, 90, 2, 3);
    const Series earlier = testing::Publish(
        table,
        {testing::Cuts{taxonomy::Cut::Root(*table.trees[0]), taxonomy::Cut::Root(*table.trees[1])},
         testing::Cuts{taxonomy::Cut::Root(*table.trees[0]),
                       taxonomy::Cut::Root(*table.trees[1])}});
    const k::LeafCells now = testing::TableAt(table, 2, true, 2);
    k::Guarantee guarantee;
    guarantee.k = 2;
    PublishOptions options;
    const internal::Task task{now, earlier, guarantee, options};
    const k::internal::Problem problem(now, guarantee, options.search.score, 0);
    internal::SeriesCondition condition(task, problem);
    ThreadPool pool(1);
    Progress progress;
    const auto search = [&] {
      return k::internal::PublishProblem(now, problem, options.search, &condition, pool, progress);
    };
    const auto first = search();
    ASSERT_TRUE(first.has_value());
    EXPECT_TRUE(condition.AuditProves(first->cuts));
    condition.Reject(first->cuts);
    const auto second = search();
    if (!second) continue;  // there was nothing but the most general one
    ++others;
    EXPECT_NE(first->cuts, second->cuts);
    EXPECT_LE(first->cost, second->cost);
  }
  EXPECT_GT(others, 5u);
}

}  // namespace
}  // namespace reissue::models::bcf
