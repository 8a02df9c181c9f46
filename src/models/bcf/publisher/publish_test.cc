#include "reissue/models/bcf/publisher/publish.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "growing_table.h"
#include "reissue/models/bcf/adversary/diversity.h"
#include "reissue/models/bcf/adversary/series_attack.h"
#include "reissue/models/k/publisher/publish.h"

namespace reissue::models::bcf {
namespace {

using testing::Cuts;
using testing::GrowingTable;
using ::testing::HasSubstr;
using testing::PeopleAreSafe;
using testing::TableAt;

constexpr std::uint32_t kValues = 3;
constexpr k::Search kSearches[] = {k::Search::kGreedy, k::Search::kPaper, k::Search::kDefault,
                                   k::Search::kOptimal};

// Whom to protect, and whether the table says who came when.
struct Mode {
  Targets targets;
  bool births;
};
constexpr Mode kModes[] = {{Targets::kAny, false}, {Targets::kReal, false}, {Targets::kReal, true}};

PublishOptions With(k::Search search, Targets targets) {
  PublishOptions options;
  options.search.score = k::Score::kDiscernibility;
  options.search.search = search;
  options.search.budget_seconds = 0.01;
  options.targets = targets;
  return options;
}

Result<k::Outcome> Publication(const k::LeafCells& table, const Series& earlier,
                               const k::Guarantee& guarantee, const PublishOptions& options,
                               std::size_t threads = 1) {
  ThreadPool pool(threads);
  Progress progress;
  return Publish(table, earlier, guarantee, options, pool, progress);
}

k::Guarantee Promise(std::uint64_t k) {
  k::Guarantee g;
  g.k = k;
  return g;
}

// Two releases: a table, the cuts of the first, and the promise that it keeps.
struct Case {
  GrowingTable table;
  Cuts first;
  k::Guarantee guarantee;

  Series Before() const { return testing::Publish(table, {first}); }
  Series After(const Cuts& cuts) const { return testing::Publish(table, {first, cuts}); }
};

struct Shape {
  std::size_t columns, leaves, people;
};

Case RandomCase(Random& random, const Shape& shape) {
  while (true) {
    Case made;
    made.table =
        testing::RandomTable(random, shape.columns, shape.leaves, shape.people, kValues, 2);
    made.guarantee = Promise(2 + random.Below(3));
    ThreadPool pool(1);
    Progress progress;
    k::PublishOptions options;
    options.score = k::Score::kDiscernibility;
    options.search = k::Search::kGreedy;
    const auto first =
        k::Publish(TableAt(made.table, 0, false, kValues), made.guarantee, options, pool, progress);
    if (!first) continue;
    made.first = first->cuts;
    return made;
  }
}

Shape RandomShape(Random& random) {
  return {1 + random.Below(3), 3 + random.Below(3), 15 + random.Below(60)};
}

bool IsSafe(const Case& c, const Cuts& cuts, const Mode& mode) {
  const Series series = c.After(cuts);
  for (std::size_t cell = 0; cell < series.release(1).cells(); ++cell) {
    if (series.release(1).rows_of_cell(cell) < c.guarantee.k) return false;
  }
  if (mode.targets == Targets::kReal) {
    return PeopleAreSafe(c.table, {c.first, cuts}, series, c.guarantee.k, mode.births);
  }
  return AttackPair(series, Pair::Solve(series, 0, 1), c.guarantee.k).satisfied;
}

TEST(Publish, WhatIsPublishedIsSafe) {
  Random random = Random::Seeded(1);
  int published = 0, refused = 0, specialised = 0, exposed = 0;
  for (int round = 0; round < 400; ++round) {
    Case c = RandomCase(random, RandomShape(random));
    if (round % 8 == 0) c.guarantee.k += 2;
    for (const Mode& mode : kModes) {
      const k::LeafCells table = TableAt(c.table, 1, mode.births, kValues);
      const auto outcome =
          Publication(table, c.Before(), c.guarantee, With(kSearches[round % 4], mode.targets));
      if (!outcome) {
        ASSERT_EQ(outcome.error().code, ErrorCode::kPromise) << outcome.error().ToString();
        ++refused;
        continue;
      }
      ASSERT_TRUE(IsSafe(c, outcome->cuts, mode)) << "round " << round;
      ++published;
      for (std::size_t j = 0; j < outcome->cuts.size(); ++j) {
        specialised += outcome->cuts[j].Nodes().size() > 1;
      }
    }
    // The planted bug: as if there were no earlier release. The same eyes must see it.
    ThreadPool pool(1);
    Progress progress;
    const auto alone = k::Publish(TableAt(c.table, 1, false, kValues), c.guarantee,
                                  With(kSearches[round % 4], Targets::kAny).search, pool, progress);
    exposed += alone.has_value() && !IsSafe(c, alone->cuts, kModes[0]);
  }
  EXPECT_GT(published, 900);
  EXPECT_GT(refused, 5);
  EXPECT_GT(specialised, 300);
  EXPECT_GT(exposed, 100);
}

// Calls visit(cuts) for every combination of cuts.
template <typename Visit>
void ForAllCuts(const Taxonomies& trees, const Visit& visit) {
  std::vector<std::vector<taxonomy::Cut>> choices;
  for (const auto& tree : trees) choices.push_back(support::AllCuts(*tree));
  std::vector<std::size_t> at(choices.size(), 0);
  while (true) {
    Cuts cuts;
    for (std::size_t j = 0; j < at.size(); ++j) cuts.push_back(choices[j][at[j]]);
    visit(cuts);
    std::size_t j = 0;
    while (j < at.size() && ++at[j] == choices[j].size()) at[j++] = 0;
    if (j == at.size()) return;
  }
}

double Discernibility(const Release& release) {
  double squares = 0;
  for (std::size_t cell = 0; cell < release.cells(); ++cell) {
    squares += static_cast<double>(release.rows_of_cell(cell) * release.rows_of_cell(cell));
  }
  return squares / static_cast<double>(release.rows() * release.rows());
}

TEST(Publish, OptimalEqualsExhaustiveEnumeration) {
  Random random = Random::Seeded(2);
  int solved = 0, better = 0;
  for (int round = 0; round < 300; ++round) {
    const Case c =
        RandomCase(random, {1 + random.Below(2), 3 + random.Below(3), 20 + random.Below(50)});
    for (const Mode& mode : kModes) {
      const auto outcome = Publication(TableAt(c.table, 1, mode.births, kValues), c.Before(),
                                       c.guarantee, With(k::Search::kOptimal, mode.targets));
      if (!outcome) continue;
      ASSERT_TRUE(outcome->optimal);
      double best = 1;
      ForAllCuts(c.table.trees, [&](const Cuts& cuts) {
        const double cost = Discernibility(c.After(cuts).release(1));
        if (cost < best && IsSafe(c, cuts, mode)) best = cost;
      });
      ASSERT_NEAR(outcome->cost, best, 1e-9) << "round " << round;
      ++solved;
      better += outcome->cost < outcome->greedy_cost - 1e-9;
    }
  }
  EXPECT_GT(solved, 700);
  EXPECT_GT(better, 10);
}

// Where less is never safe: for people whose births are known.
TEST(Publish, DescentsEndMaximalForRealPeople) {
  Random random = Random::Seeded(3);
  int looked_at = 0;
  for (int round = 0; round < 150; ++round) {
    const Case c = RandomCase(random, RandomShape(random));
    const auto outcome = Publication(TableAt(c.table, 1, true, kValues), c.Before(), c.guarantee,
                                     With(kSearches[round % 2], Targets::kReal));
    if (!outcome) continue;
    for (std::size_t j = 0; j < outcome->cuts.size(); ++j) {
      const taxonomy::Taxonomy& tree = *c.table.trees[j];
      for (const NodeId node : outcome->cuts[j].Nodes()) {
        if (tree.is_leaf(node)) continue;
        Cuts finer = outcome->cuts;
        finer[j].Specialise(tree, node);
        ASSERT_FALSE(IsSafe(c, finer, kModes[2]));
        ++looked_at;
      }
    }
  }
  EXPECT_GT(looked_at, 100);
}

TEST(Publish, SameSeedSameResultOnAnyNumberOfThreads) {
  Random random = Random::Seeded(4);
  for (int round = 0; round < 8; ++round) {
    const Case c = RandomCase(random, {3, 9, 400});
    PublishOptions options = With(k::Search::kDefault, kModes[round % 2].targets);
    options.search.budget_seconds = 0.05;
    const k::LeafCells table = TableAt(c.table, 1, false, kValues);
    const auto one = Publication(table, c.Before(), c.guarantee, options, 1);
    const auto four = Publication(table, c.Before(), c.guarantee, options, 4);
    ASSERT_TRUE(one.has_value());
    EXPECT_EQ(one->cuts, four->cuts);
    EXPECT_EQ(one->cost, four->cost);
    EXPECT_EQ(one->descents, four->descents);
    EXPECT_LE(one->cost, one->greedy_cost);
  }
}

TEST(Publish, SameSeedSameSeriesOnAnyNumberOfThreads) {
  Random random = Random::Seeded(13);
  int compared = 0;
  for (int round = 0; round < 6; ++round) {
    const GrowingTable growing = testing::RandomTable(random, 3, 5, 240, 2, 3);
    Cuts root;
    for (const auto& tree : growing.trees) root.push_back(taxonomy::Cut::Root(*tree));
    Cuts first = root, second = root;
    first[0] = taxonomy::Cut::Leaves(*growing.trees[0]);
    second[1] = taxonomy::Cut::Leaves(*growing.trees[1]);
    const Series earlier = testing::Publish(growing, {first, second});
    const PublishOptions options = With(k::Search::kDefault, kModes[round % 2].targets);
    const k::LeafCells table = TableAt(growing, 2, false, 2);
    const auto one = Publication(table, earlier, Promise(3), options, 1);
    const auto four = Publication(table, earlier, Promise(3), options, 4);
    ASSERT_EQ(one.has_value(), four.has_value());
    if (!one) continue;
    EXPECT_EQ(one->cuts, four->cuts);
    EXPECT_EQ(one->descents, four->descents);
    ++compared;
  }
  EXPECT_GT(compared, 2);
}

TEST(Publish, DiversityHoldsAfterExclusion) {
  Random random = Random::Seeded(5);
  int published = 0, exposed = 0;
  for (int round = 0; round < 300; ++round) {
    Case c = RandomCase(random, RandomShape(random));
    if (round % 3 == 0) c.guarantee.distinct = 2;
    if (round % 3 == 1) c.guarantee.alpha = 0.7;
    if (round % 3 == 2) c.guarantee.entropy = 1.5;
    c.first.clear();
    for (const auto& tree : c.table.trees) c.first.push_back(taxonomy::Cut::Root(*tree));
    if (!c.first.empty()) c.first[0] = testing::RandomCuts(random, c.table.trees)[0];
    const k::LeafCells table = TableAt(c.table, 1, false, kValues);
    const auto broken = [&](const Cuts& cuts) {
      const Series series = c.After(cuts);
      const Pair pair = Pair::Solve(series, 0, 1);
      return !AttackPair(series, pair, c.guarantee.k).satisfied ||
             !MeasureDiversity(series, pair, c.guarantee).broken.empty();
    };
    const auto outcome =
        Publication(table, c.Before(), c.guarantee, With(kSearches[round % 4], Targets::kAny));
    if (!outcome) continue;
    ASSERT_FALSE(broken(outcome->cuts)) << "round " << round;
    ++published;
    ThreadPool pool(1);
    Progress progress;
    const auto alone = k::Publish(table, c.guarantee,
                                  With(kSearches[round % 4], Targets::kAny).search, pool, progress);
    exposed += alone.has_value() && broken(alone->cuts);
  }
  EXPECT_GT(published, 80);
  EXPECT_GT(exposed, 10);
}

// Every cell of the second release by itself, and what the two leave together.
bool KeepsDiversity(const Case& c, const Cuts& cuts) {
  const Series series = c.After(cuts);
  const Release& release = series.release(1);
  k::Overall overall(kValues, 0);
  std::vector<std::vector<k::Bin>> cells(release.cells());
  for (std::size_t g = 0; g < release.groups(); ++g) {
    overall[release.value(g)] += release.rows_of_group(g);
    cells[release.cell_of_group(g)].push_back({release.value(g), release.rows_of_group(g)});
  }
  for (const std::vector<k::Bin>& cell : cells) {
    if (!k::Keeps(cell, overall, c.guarantee)) return false;
  }
  const Pair pair = Pair::Solve(series, 0, 1);
  return AttackPair(series, pair, c.guarantee.k).satisfied &&
         MeasureDiversity(series, pair, c.guarantee).broken.empty();
}

// Two thirds of what came in is one value, and the most general release shows it. Where each cell
// has one row of it, no reader can tell more than half.
TEST(Publish, FinerReleasesMayKeepWhatTheMostGeneralOneBreaks) {
  const std::vector<taxonomy::HierarchyLine> lines = {{1, {"a0", "*"}}, {2, {"a1", "*"}}};
  Case c;
  c.table.trees = {
      std::make_shared<const taxonomy::Taxonomy>(taxonomy::FromHierarchy(lines, "a.csv").value())};
  constexpr std::uint32_t kNew = 0;
  const std::vector<std::array<std::uint32_t, 3>> people = {
      {0, 1, 0}, {0, 2, 0}, {1, 1, 0}, {1, 2, 0}, {1, 2, 0}, {0, kNew, 1}, {1, kNew, 1}, {1, 1, 1}};
  for (const auto& [leaf, value, born] : people) {
    testing::Person person;
    person.leaves = {leaf};
    person.value = value;
    person.born = born;
    c.table.people.push_back(person);
  }
  c.first = {taxonomy::Cut::Root(*c.table.trees[0])};
  c.guarantee.alpha = 0.6;
  ASSERT_FALSE(KeepsDiversity(c, c.first));
  for (const k::Search search : kSearches) {
    const auto outcome = Publication(TableAt(c.table, 1, false, kValues), c.Before(), c.guarantee,
                                     With(search, Targets::kAny));
    ASSERT_TRUE(outcome.has_value()) << outcome.error().ToString();
    EXPECT_TRUE(KeepsDiversity(c, outcome->cuts));
  }
}

TEST(Publish, RefusesOnlyWhatNoRecodingKeeps) {
  Random random = Random::Seeded(14);
  int refused = 0, beyond_the_root = 0;
  for (int round = 0; round < 1500; ++round) {
    Case c = RandomCase(random, {1 + random.Below(2), 2 + random.Below(3), 6 + random.Below(14)});
    c.guarantee.k = 1 + random.Below(2);
    if (round % 2 == 0) c.guarantee.alpha = 0.5 + 0.1 * static_cast<double>(random.Below(3));
    if (round % 3 == 0) c.guarantee.entropy = 1.6 + random.Unit();
    if (round % 5 == 0) c.guarantee.distinct = 2;
    c.first.clear();
    for (const auto& tree : c.table.trees) c.first.push_back(taxonomy::Cut::Root(*tree));
    if (!KeepsDiversity({c.table, c.first, {}}, c.first)) continue;
    bool any = false;
    ForAllCuts(c.table.trees, [&](const Cuts& cuts) { any = any || KeepsDiversity(c, cuts); });
    const auto outcome = Publication(TableAt(c.table, 1, false, kValues), c.Before(), c.guarantee,
                                     With(kSearches[round % 4], Targets::kAny));
    ASSERT_EQ(outcome.has_value(), any) << "round " << round;
    if (outcome) {
      ASSERT_TRUE(KeepsDiversity(c, outcome->cuts)) << "round " << round;
      beyond_the_root += !KeepsDiversity(c, c.first);
    } else {
      EXPECT_EQ(outcome.error().code, ErrorCode::kPromise);
      ++refused;
    }
  }
  EXPECT_GT(refused, 100);
  EXPECT_GT(beyond_the_root, 0);
}

// Earlier releases with a label and one above it in one column.
TEST(Publish, EarlierReleasesNeedNotBeGlobalRecodings) {
  Random random = Random::Seeded(6);
  int published = 0, by_flow = 0;
  for (int round = 0; round < 60; ++round) {
    const GrowingTable growing = testing::RandomTable(random, 2, 3, 300, 2, 2);
    const Series before = testing::PublishLocally(random, growing, 1);
    const auto outcome = Publication(TableAt(growing, 1, false, 2), before, Promise(2),
                                     With(kSearches[round % 3], Targets::kAny));
    if (!outcome) {
      ASSERT_EQ(outcome.error().code, ErrorCode::kPromise) << outcome.error().ToString();
      continue;
    }
    const Series series = testing::Extended(before, growing, outcome->cuts);
    const PairReport report = AttackPair(series, Pair::Solve(series, 0, 1), 2);
    ASSERT_TRUE(report.satisfied) << "round " << round;
    by_flow += report.method == Method::kFlow;
    ++published;
  }
  EXPECT_GT(published, 20);
  EXPECT_GT(by_flow, 20);
}

TEST(Publish, SeriesOfSixReleasesAreSafeTogether) {
  Random random = Random::Seeded(7);
  int longest = 0, specialised = 0;
  for (int round = 0; round < 24; ++round) {
    const GrowingTable growing = testing::RandomTable(random, 2, 4, 60 + random.Below(100), 2, 6);
    const k::Guarantee g = Promise(2 + random.Below(2));
    const Mode& mode = kModes[round % 3];
    ThreadPool pool(1);
    Progress progress;
    k::PublishOptions first;
    first.score = k::Score::kDiscernibility;
    first.search = k::Search::kGreedy;
    const auto start = k::Publish(TableAt(growing, 0, false, 2), g, first, pool, progress);
    if (!start) continue;
    std::vector<Cuts> cuts = {start->cuts};
    for (std::size_t release = 1; release < 6; ++release) {
      const auto next =
          Publication(TableAt(growing, release, mode.births, 2), testing::Publish(growing, cuts), g,
                      With(kSearches[round % 3], mode.targets));
      if (!next) {
        ASSERT_EQ(next.error().code, ErrorCode::kPromise) << next.error().ToString();
        break;
      }
      cuts.push_back(next->cuts);
      specialised += next->cost < 1;
      const Series series = testing::Publish(growing, cuts);
      SeriesAttackOptions attack;
      attack.guarantee = g;
      if (mode.targets == Targets::kReal) attack.real = testing::RealTargets(growing, cuts, series);
      const SeriesAttackReport report = AttackSeries(series, Formulas(series), attack);
      ASSERT_EQ(report.verdict, Verdict::kKept) << "round " << round;
      ASSERT_TRUE(!report.anonymity || report.anonymity->lower >= g.k);
    }
    longest = std::max(longest, static_cast<int>(cuts.size()));
  }
  EXPECT_EQ(longest, 6);
  EXPECT_GT(specialised, 20);
}

TEST(Publish, RowsThatAreGoneAreAnInputError) {
  Random random = Random::Seeded(8);
  const Case c = RandomCase(random, {2, 4, 60});
  GrowingTable shrunk = c.table;
  const auto old = std::find_if(shrunk.people.begin(), shrunk.people.end(),
                                [](const testing::Person& person) { return person.born == 0; });
  // Everybody like this one is gone.
  const testing::Person gone = *old;
  std::erase_if(shrunk.people,
                [&](const testing::Person& person) { return person.value == gone.value; });
  const auto outcome = Publication(TableAt(shrunk, 1, false, kValues), c.Before(), c.guarantee,
                                   With(k::Search::kGreedy, Targets::kAny));
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code, ErrorCode::kInput);
  EXPECT_THAT(outcome.error().message, HasSubstr("not one growing table"));
  EXPECT_THAT(outcome.error().remedy, HasSubstr("m-invariance"));
}

TEST(Publish, WrongBirthsAreAnInputError) {
  Random random = Random::Seeded(9);
  const Case c = RandomCase(random, {2, 4, 60});
  GrowingTable wrong = c.table;
  wrong.people[0].born = 1 - wrong.people[0].born;
  const auto outcome = Publication(TableAt(wrong, 1, true, kValues), c.Before(), c.guarantee,
                                   With(k::Search::kGreedy, Targets::kReal));
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code, ErrorCode::kInput);
}

TEST(Publish, FewNewcomersCannotBeHidden) {
  Random random = Random::Seeded(10);
  Case c = RandomCase(random, {2, 4, 60});
  std::size_t added = 0;
  std::erase_if(c.table.people,
                [&](const testing::Person& person) { return person.born == 1 && ++added > 1; });
  const k::LeafCells table = TableAt(c.table, 1, false, kValues);
  const auto outcome =
      Publication(table, c.Before(), c.guarantee, With(k::Search::kGreedy, Targets::kAny));
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code, ErrorCode::kPromise);
  EXPECT_THAT(outcome.error().message, HasSubstr("only 1 row was added since release 1"));

  // Nobody at all is no problem.
  std::erase_if(c.table.people, [](const testing::Person& person) { return person.born == 1; });
  EXPECT_TRUE(Publication(TableAt(c.table, 1, false, kValues), c.Before(), c.guarantee,
                          With(k::Search::kGreedy, Targets::kAny))
                  .has_value());
}

TEST(Publish, SmallCellsOfEarlierReleasesCannotBeMended) {
  Random random = Random::Seeded(11);
  const Case c = RandomCase(random, {2, 4, 60});
  const auto outcome = Publication(TableAt(c.table, 1, false, kValues), c.Before(), Promise(20),
                                   With(k::Search::kGreedy, Targets::kAny));
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code, ErrorCode::kPromise);
  EXPECT_THAT(outcome.error().message, HasSubstr("release 1 has a cell of"));
  EXPECT_THAT(outcome.error().remedy, HasSubstr("new series"));
}

TEST(Publish, NoSuppressionInASeries) {
  Random random = Random::Seeded(12);
  const Case c = RandomCase(random, {2, 4, 60});
  PublishOptions options = With(k::Search::kGreedy, Targets::kAny);
  options.search.suppression_limit = 1;
  const auto outcome =
      Publication(TableAt(c.table, 1, false, kValues), c.Before(), c.guarantee, options);
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code, ErrorCode::kUsage);
}

}  // namespace
}  // namespace reissue::models::bcf
