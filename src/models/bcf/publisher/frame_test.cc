#include "reissue/models/bcf/publisher/frame.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "growing_table.h"
#include "reissue/models/bcf/adversary/history.h"
#include "reissue/models/bcf/adversary/series_attack.h"
#include "reissue/models/bcf/publisher/series_condition.h"
#include "reissue/models/k/publisher/partition.h"
#include "reissue/models/k/publisher/search.h"

namespace reissue::models::bcf {
namespace {

using internal::EndedAt;
using internal::FencesOf;
using internal::FloorsOf;
using internal::FrameOf;

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
      if (round % 4 == 0) options.targets = Targets::kReal;
      if (round % 3 == 1) options.search.score = k::Score::kDiscernibility;
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
    if (round % 4 == 0) attack.real = testing::RealTargets(table, cuts, series);
    EXPECT_EQ(AttackSeries(series, Formulas(series), attack).verdict, Verdict::kKept) << round;
  }
  EXPECT_GT(framed, 0u);
  EXPECT_GT(finer, 10u);
  EXPECT_GT(passed_over, 0u);
}

// With however little a budget the descent is asked to its end.
TEST(FrameTest, LongSeriesStayOnTheWayOfOneDescent) {
  constexpr std::size_t kReleases = 12;
  Random random = Random::Seeded(23);
  std::size_t stayed = 0;
  for (int round = 0; round < 8; ++round) {
    const auto table = testing::RandomTable(random, 2, 4, 20 * kReleases, 2, kReleases);
    k::Guarantee guarantee;
    guarantee.k = 3;
    ThreadPool pool(1);
    Progress progress;
    PublishOptions options;
    options.search.budget_seconds = 0.0001;
    options.search.lasting = true;
    options.earlier_kept = true;
    auto first =
        k::Publish(testing::TableAt(table, 0, false, 2), guarantee, options.search, pool, progress);
    ASSERT_TRUE(first.has_value());
    std::vector<testing::Cuts> cuts = {first->cuts};
    while (cuts.size() < kReleases) {
      const Series earlier = testing::Publish(table, cuts);
      const k::LeafCells now = testing::TableAt(table, cuts.size(), true, 2);
      PublishOptions one = options;
      one.search.search = k::Search::kGreedy;
      const auto found = Publish(now, earlier, guarantee, options, pool, progress);
      const auto descent = Publish(now, earlier, guarantee, one, pool, progress);
      ASSERT_TRUE(found.has_value() && descent.has_value());
      EXPECT_EQ(found->greedy_cost, descent->cost);
      if (found->cost * 1.1 >= descent->cost) {
        EXPECT_EQ(found->cuts, descent->cuts);
        ++stayed;
      }
      cuts.push_back(found->cuts);
    }
  }
  EXPECT_GT(stayed, 20u);
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
    internal::SeriesCondition condition(task, now, problem);
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

// Whatever is nowhere finer than a release from the frame on ends at the floors; and where rows
// are, they lie as low as they can.
TEST(FloorsTest, WhatIsNowhereFinerEndsThere) {
  Random random = Random::Seeded(23);
  std::size_t ended = 0, beyond = 0;
  for (int round = 0; round < 3000; ++round) {
    constexpr std::size_t kReleases = 4;
    const auto table = testing::RandomTable(random, 2, 5, 4 + random.Below(20), 2, kReleases);
    std::vector<testing::Cuts> cuts;
    for (std::size_t i = 0; i < kReleases; ++i) {
      const bool again = i > 0 && random.Below(2) == 0;
      cuts.push_back(again ? cuts[random.Below(i)] : testing::RandomCuts(random, table.trees));
    }
    if (std::ranges::none_of(table.people, [](const auto& person) { return person.born == 0; })) {
      continue;
    }
    const Series earlier = testing::Publish(table, {cuts.begin(), cuts.end() - 1});
    const std::size_t frame = 1 + random.Below(kReleases - 2);
    const testing::Cuts floors = FloorsOf(earlier, frame);
    if (floors.empty()) continue;
    const Series with = testing::Extended(earlier, table, cuts.back());
    const bool within = History(with).first_birth(kReleases - 1) > frame;
    bool ends = true;
    for (std::size_t j = 0; j < floors.size(); ++j) {
      for (const testing::Person& person : table.people) {
        const NodeId node = cuts.back()[j].NodeOfLeaf(person.leaves[j]);
        const NodeId floor = floors[j].NodeOfLeaf(person.leaves[j]);
        ends = ends && table.trees[j]->depth(node) <= table.trees[j]->depth(floor);
      }
    }
    ASSERT_TRUE(ends || !within) << "round " << round;
    ended += within;
    beyond += !ends;
  }
  EXPECT_GT(ended, 100u);
  EXPECT_GT(beyond, 100u);
}

// Recoded within the floors, births and all, and what it costs.
TEST(FloorsTest, TheTableIsRecodedTheSame) {
  Random random = Random::Seeded(24);
  for (int round = 0; round < 400; ++round) {
    const auto growing = testing::RandomTable(random, 2, 6, 40, 3, 3);
    const bool births = round % 2 == 0;
    const k::LeafCells table = testing::TableAt(growing, 2, births, 3);
    testing::Cuts floors = testing::RandomCuts(random, growing.trees), cuts;
    for (std::size_t j = 0; j < floors.size(); ++j) {
      cuts.push_back(taxonomy::Envelope(*growing.trees[j], floors[j],
                                        testing::RandomCuts(random, growing.trees)[j]));
    }
    k::Guarantee guarantee;
    guarantee.k = 1;
    for (const k::Score score :
         {k::Score::kLoss, k::Score::kDistortion, k::Score::kDiscernibility}) {
      const k::LeafCells ended = EndedAt(table, floors, score);
      ASSERT_EQ(ended.cells.origins(), table.cells.origins());
      const Cells a = k::Recoded(table, cuts), b = k::Recoded(ended, cuts);
      ASSERT_EQ(a.size(), b.size());
      for (std::size_t i = 0; i < a.size(); ++i) {
        ASSERT_TRUE(std::ranges::equal(a.key(CellId(i)), b.key(CellId(i))));
        ASSERT_EQ(a.count(CellId(i)), b.count(CellId(i)));
      }
      const k::internal::Problem whole(table, guarantee, score, 0);
      const k::internal::Problem within(ended, guarantee, score, 0);
      ASSERT_EQ(whole.places(), within.places());
      k::internal::Recoding recoding(whole.places(), 0);
      for (k::internal::Spot p = 0; p < whole.places(); ++p) {
        const std::size_t j = whole.column(p);
        const taxonomy::Taxonomy& tree = *growing.trees[j];
        const NodeId in_cut = cuts[j].NodeOfLeaf(tree.first_leaf(whole.node(p)));
        recoding[p] = tree.depth(whole.node(p)) < tree.depth(in_cut);
        ASSERT_TRUE(recoding[p] == 0 || !within.is_leaf(p));
        ASSERT_EQ(whole.rows_at(p) > 0 && recoding[p] != 0,
                  within.rows_at(p) > 0 && recoding[p] != 0);
      }
      ASSERT_EQ(whole.Cuts(recoding), within.Cuts(recoding));
      k::internal::Partition first(whole), second(within);
      first.Reset(recoding);
      second.Reset(recoding);
      EXPECT_NEAR(first.Cost(), second.Cost(), 1e-12);
      EXPECT_EQ(first.cells(), second.cells());
    }
  }
}

}  // namespace
}  // namespace reissue::models::bcf
