#include "reissue/models/bcf/publisher/stars.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "growing_table.h"
#include "reissue/models/bcf/adversary/series_attack.h"
#include "reissue/models/bcf/publisher/local.h"
#include "reissue/models/bcf/release/stars.h"
#include "reissue/models/k/publisher/local.h"
#include "rounds.h"

namespace reissue::models::bcf {
namespace {

using taxonomy::SpaceTree;
using testing::GrowingTable;
using testing::Person;

constexpr std::uint32_t kCodes = 3;

// A series of boxes in which people are starred: who is what, and what was published.
class StarredSeries {
 public:
  StarredSeries(GrowingTable growing, k::Guarantee guarantee)
      : growing_(std::move(growing)),
        guarantee_(guarantee),
        starred_(growing_.people.size(), false) {}

  std::size_t size() const { return published_.size(); }
  std::uint64_t stars() const {
    return static_cast<std::uint64_t>(std::ranges::count(starred_, true));
  }

  // The next release, with at most so many rows starred in all.
  Result<k::Outcome> Try(std::uint64_t limit, std::size_t threads = 1,
                         std::optional<double> budget = std::nullopt) const {
    ThreadPool pool(threads);
    Progress progress;
    k::PublishOptions search;
    search.search = budget ? k::Search::kDefault : k::Search::kGreedy;
    search.budget_seconds = budget.value_or(search.budget_seconds);
    search.suppression_limit = limit;
    if (published_.empty()) {
      search.growth = 0.3;
      search.starred = true;
      return k::PublishLocally(testing::TableAt(growing_, 0, false, kCodes), guarantee_, search,
                               pool, progress);
    }
    const k::LeafCells table = Table();
    const SpaceTree tree = k::GrownOn(PartOf(table, kTold), guarantee_, search, *tree_, pool);
    PublishOptions options;
    options.search = search;
    return PublishLocally(table, tree, Read(true), guarantee_, options, pool, progress);
  }

  void Take(const k::Outcome& outcome) {
    const k::LocalRecoding& local = *outcome.local;
    for (std::size_t p = 0; p < starred_.size(); ++p) {
      const Person& person = growing_.people[p];
      if (person.born != size() || local.starred.empty()) continue;
      starred_[p] = local.starred[local.tree.Locate(person.leaves)] != 0;
    }
    tree_ = local.tree;
    shown_.push_back(local);
    published_.push_back(Rows(size()));
  }

  // As readers see it who know of stars, or do not.
  Series Read(bool knowing) const {
    Taxonomies trees = growing_.trees;
    if (!knowing) return Series::Make(trees, published_).value();
    trees.push_back(StarTree());
    return Series::Make(trees, bcf::WithStars(published_)).value();
  }

  Verdict Attacked() const {
    const Series series = Read(true);
    SeriesAttackOptions attack;
    attack.guarantee = guarantee_;
    const SeriesAttackReport report = AttackSeries(series, Formulas(series), attack);
    EXPECT_TRUE(report.impossible.empty());
    return report.verdict;
  }

  // One newcomer of the last release, who was told, is starred, too; whether readers see that.
  bool StarOneMore() {
    for (std::size_t p = 0; p < starred_.size(); ++p) {
      if (growing_.people[p].born + 1 != size() || starred_[p]) continue;
      starred_[p] = true;
      published_.back() = Rows(size() - 1);
      return AnyStars({&published_.back(), 1});
    }
    return false;
  }

  // Detail that a release loses, per row, by the definition.
  double Loss(const k::Outcome& outcome) const {
    StarredSeries after = *this;
    after.Take(outcome);
    const Cells& rows = after.published_.back();
    double sum = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      double hidden = 0;
      for (std::size_t j = 0; j < growing_.trees.size(); ++j) {
        const taxonomy::Taxonomy& tree = *growing_.trees[j];
        const NodeId node(rows.key(CellId(i))[j]);
        if (tree.is_leaf(node)) continue;
        hidden += static_cast<double>(tree.leaf_count(node)) / static_cast<double>(tree.leaves());
      }
      sum += hidden * static_cast<double>(rows.count(CellId(i)));
    }
    return sum / static_cast<double>(rows.rows() * growing_.trees.size());
  }

 private:
  k::LeafCells Table() const {
    const std::size_t births = size() + 1;
    std::vector<std::uint32_t> keys;
    std::vector<std::uint64_t> counts;
    for (std::size_t p = 0; p < starred_.size(); ++p) {
      const Person& person = growing_.people[p];
      if (person.born >= births) continue;
      keys.insert(keys.end(), person.leaves.begin(), person.leaves.end());
      keys.push_back(person.value);
      keys.push_back(static_cast<std::uint32_t>(person.born + (starred_[p] ? births : 0)));
      counts.push_back(1);
    }
    k::LeafCells table;
    table.taxonomies = growing_.trees;
    table.sensitive_values = kCodes;
    table.cells = CollectCells(growing_.trees.size() + 1, keys, counts, 2 * births);
    return WithStars(table);
  }

  Cells Rows(std::size_t release) const {
    const k::LocalRecoding& local = shown_[release];
    return testing::Recode(growing_, release, [&](const Person& person, std::size_t column) {
      const auto p = static_cast<std::size_t>(&person - growing_.people.data());
      return starred_[p] ? taxonomy::Taxonomy::root()
                         : local.tree.nodes(local.shown[local.tree.Locate(person.leaves)])[column];
    });
  }

  GrowingTable growing_;
  k::Guarantee guarantee_;
  std::vector<bool> starred_;
  std::optional<SpaceTree> tree_;
  std::vector<k::LocalRecoding> shown_;
  std::vector<Cells> published_;
};

// Most people are there from the start.
StarredSeries RandomSeries(Random& random) {
  GrowingTable growing =
      testing::RandomTable(random, 2, 4 + random.Below(3), 80 + random.Below(120), kCodes, 3);
  for (Person& person : growing.people) {
    if (person.born > 0 && random.Below(3) == 0) person.born = 0;
  }
  k::Guarantee guarantee;
  guarantee.k = 2 + random.Below(4);
  if (random.Below(3) == 0) guarantee.distinct = 2;
  return {std::move(growing), guarantee};
}

TEST(Stars, WhatIsPublishedIsSafe) {
  Random random = Random::Seeded(21);
  int releases = 0, with_stars = 0, exposed = 0, planted = 0;
  for (int round = 0; round < 60; ++round) {
    StarredSeries series = RandomSeries(random);
    while (series.size() < 3) {
      const std::uint64_t limit = series.stars() + random.Below(30);
      const auto outcome = series.Try(limit);
      if (!outcome) {
        ASSERT_EQ(outcome.error().code, ErrorCode::kPromise) << outcome.error().ToString();
        break;
      }
      const std::uint64_t before = series.stars();
      ASSERT_NEAR(series.Loss(*outcome), outcome->cost, 1e-9);
      series.Take(*outcome);
      ASSERT_EQ(series.stars(), outcome->starred_rows);
      ASSERT_LE(series.stars(), limit);
      ASSERT_EQ(series.Attacked(), Verdict::kKept) << "round " << round;
      ++releases;
      with_stars += series.stars() > before;
      // The planted bug: fewer stars than the promise asks for. The same eyes must see it.
      StarredSeries wrong = series;
      if (series.stars() > before || !wrong.StarOneMore()) continue;
      ++planted;
      exposed += wrong.Attacked() == Verdict::kBroken;
    }
  }
  EXPECT_GT(releases, 100);
  EXPECT_GT(with_stars, 20);
  EXPECT_GT(planted, 20);
  EXPECT_EQ(exposed, planted);
}

TEST(Stars, WhoeverMayStarMoreGetsNoWorseARelease) {
  Random random = Random::Seeded(22);
  int better = 0;
  for (int round = 0; round < Rounds(40); ++round) {
    StarredSeries series = RandomSeries(random);
    while (series.size() < 3) {
      double least = 2;
      std::optional<k::Outcome> last;
      for (const std::uint64_t more : {0, 3, 6, 12, 25, 50, 1000}) {
        auto outcome = series.Try(series.stars() + more);
        if (!outcome) break;
        ASSERT_LE(outcome->cost, least) << "round " << round << ", " << more << " more";
        better += more > 0 && outcome->cost < least;
        least = outcome->cost;
        if (more <= 12) last = *std::move(outcome);
      }
      if (!last) break;
      series.Take(*last);
    }
  }
  EXPECT_GE(better, LeastSeen(40));
}

// One descent asks the adversary to its end; the default search has a budget for that.
TEST(Stars, ADescentEndsWithTheBudget) {
  Random random = Random::Seeded(24);
  int earlier = 0;
  for (int round = 0; round < 20; ++round) {
    StarredSeries series = RandomSeries(random);
    while (series.size() < 2) {
      const auto next = series.Try(20);
      if (!next) break;
      series.Take(*next);
    }
    const auto whole = series.Try(20), within = series.Try(20, 1, 0.0);
    ASSERT_EQ(whole.has_value(), within.has_value());
    if (!whole || series.size() < 2) continue;
    EXPECT_LE(within->work, whole->work);
    earlier += within->work < whole->work;
    series.Take(*within);
    EXPECT_EQ(series.Attacked(), Verdict::kKept);
  }
  EXPECT_GT(earlier, 0);
}

// Whoever has more time tries more plans, and looks no shorter at each.
TEST(Stars, MoreTimeNeverMakesWorse) {
  Random random = Random::Seeded(29);
  int cheaper = 0;
  for (int round = 0; round < 30; ++round) {
    StarredSeries series = RandomSeries(random);
    while (series.size() < 3) {
      double before = std::numeric_limits<double>::infinity(), first = before;
      std::optional<k::Outcome> best;
      for (const double budget : {0.0, 0.0005, 0.002, 0.01, 0.1, 3.0}) {
        const auto next = series.Try(20, 1, budget);
        if (!next) continue;
        EXPECT_LE(next->cost, before + 1e-12) << "round " << round << ", budget " << budget;
        before = next->cost;
        if (!best) first = next->cost;
        best = *next;
      }
      if (!best) break;
      cheaper += before < first;
      series.Take(*best);
    }
  }
  EXPECT_GT(cheaper, 3);
}

TEST(Stars, TheSameForAnyNumberOfThreads) {
  Random random = Random::Seeded(23);
  for (int round = 0; round < 10; ++round) {
    StarredSeries series = RandomSeries(random);
    while (series.size() < 3) {
      const auto one = series.Try(20, 1), three = series.Try(20, 3);
      ASSERT_EQ(one.has_value(), three.has_value());
      if (!one) break;
      EXPECT_EQ(one->cost, three->cost);
      EXPECT_EQ(one->local->shown, three->local->shown);
      EXPECT_EQ(one->local->starred, three->local->starred);
      series.Take(*one);
    }
  }
}

// A reader who does not know the rule has no fewer rows left of anybody.
TEST(Stars, WhoeverDoesNotKnowTheRuleExcludesNoMore) {
  Random random = Random::Seeded(24);
  int compared = 0;
  for (int round = 0; round < 20; ++round) {
    StarredSeries made = RandomSeries(random);
    while (made.size() < 2) {
      const auto outcome = made.Try(made.stars() + 20);
      if (!outcome) break;
      made.Take(*outcome);
    }
    if (made.size() < 2 || made.stars() == 0) continue;
    const Series knowing = made.Read(true), plain = made.Read(false);
    const Pair with = Pair::Solve(knowing, 0, 1), without = Pair::Solve(plain, 0, 1);
    // Cells are sorted by their labels, and the column comes after them: the numbers are the same.
    ASSERT_EQ(knowing.release(1).groups(), plain.release(1).groups());
    for (std::size_t g = 0; g < plain.release(1).groups(); ++g, ++compared) {
      ASSERT_GE(without.Newcomers(g), with.Newcomers(g));
    }
    for (std::uint32_t cell = 0; cell < knowing.release(0).cells(); ++cell) {
      for (const std::uint32_t other : with.ComparableCells(cell)) {
        ASSERT_GE(without.TogetherInCells(plain, cell, other),
                  with.TogetherInCells(knowing, cell, other));
      }
    }
  }
  EXPECT_GT(compared, 100);
}

// One column, * → {a, b, c}; three people each in release 1; newcomers: 4 in a, 1 in b, 1 in c.
struct SmallCase {
  std::shared_ptr<const taxonomy::Taxonomy> tree =
      testing::Tree({{"a", "*"}, {"b", "*"}, {"c", "*"}, {"starred", "*"}});
  k::LeafCells table;
  Series earlier;

  SmallCase() {
    table.taxonomies = {tree};
    table.hidden = {{1, 0, 0, 0, 1}};
    const std::vector<std::uint32_t> keys = {0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 1, 2, 0, 0, 2, 0, 1};
    const std::vector<std::uint64_t> counts = {3, 4, 3, 1, 3, 1};  // of birth 0 and 1
    table.cells = CollectCells(2, keys, counts, 2);
    earlier = testing::FromLabels({tree}, {{{{"a"}, 0, 3}, {{"b"}, 0, 3}, {{"c"}, 0, 3}}});
  }
};

TEST(Stars, OnePlanForWhomTheBoxesAreTooSmallFor) {
  const SmallCase small;
  const auto plans =
      internal::PlanStars(small.table, small.earlier, *small.tree->Find("starred"), 2);
  ASSERT_EQ(plans.size(), 1u);
  EXPECT_EQ(plans[0].rows, 2u);
  EXPECT_EQ(plans[0].cost, 2);
  EXPECT_THAT(plans[0].nodes,
              ::testing::ElementsAre(*small.tree->Find("b"), *small.tree->Find("c")));
}

TEST(Stars, NoPlanWhereTooFewWouldBeStarred) {
  const SmallCase small;
  EXPECT_TRUE(
      internal::PlanStars(small.table, small.earlier, *small.tree->Find("starred"), 3).empty());
}

TEST(Stars, PartsOfATable) {
  const auto tree = testing::Tree({{"a", "*"}, {"b", "*"}});
  k::LeafCells table;
  table.taxonomies = {tree};
  const std::vector<std::uint32_t> keys = {0, 0, 0, 0, 0, 1, 0, 0, 2, /**/ 1, 0, 1};
  const std::vector<std::uint64_t> counts = {5, 2, 1, /**/ 3};
  table.cells = CollectCells(2, keys, counts, 4);  // told and starred of two births
  const k::LeafCells with = WithStars(table);
  EXPECT_EQ(with.cells.origins(), 2u);
  EXPECT_EQ(PartOf(with, kTold).cells.rows(), 10u);
  EXPECT_EQ(PartOf(with, kStarred).cells.rows(), 1u);
  EXPECT_EQ(WithoutStars(with).cells.rows(), 11u);
  SpaceTree space({tree});
  space.Split(0, 0);
  const k::LeafCells after = AfterStarring(with, space, {0, 0, 1});
  EXPECT_EQ(PartOf(after, kStarred).cells.rows(), 4u);
  EXPECT_EQ(WithoutStars(after).cells.rows(), 11u);
}

}  // namespace
}  // namespace reissue::models::bcf
