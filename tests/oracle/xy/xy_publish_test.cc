// The publisher of model `xy` against the oracle: what it hands out keeps every promise in the join
// with the earlier tables and cannot be specialised further, and it gives up only where it must.

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "draw.h"
#include "product.h"
#include "reissue/core/parallel.h"
#include "reissue/core/progress.h"
#include "reissue/models/xy/publisher/publish.h"
#include "reissue/taxonomy/cut.h"

namespace oracle::xy {
namespace {

constexpr std::uint64_t kProblems = 8000;
constexpr std::size_t kRecodings = 2000;

struct Problem {
  World raw;  // the new table at its leaves, the earlier ones as published
  std::vector<Promise> promises;
  std::vector<bool> continuous;  // per column of the new table: plain values are ranks of numbers
  std::vector<Label> classes;    // per row of the new table; empty: no class column
  model::PublishOptions options;
  bool one_table = false;
};

bool InSomeX(const Problem& problem, std::size_t column) {
  return std::any_of(problem.promises.begin(), problem.promises.end(), [&](const Promise& promise) {
    return std::count(promise.x.begin(), promise.x.end(), Place{0, column}) > 0;
  });
}

bool InSomeY(const std::vector<Promise>& promises, const Place& place) {
  return std::any_of(promises.begin(), promises.end(), [&](const Promise& promise) {
    return std::count(promise.y.begin(), promise.y.end(), place) > 0 ||
           std::any_of(promise.named.begin(), promise.named.end(),
                       [&](const auto& named) { return named.place == place; });
  });
}

// Half of the time columns of the new table that some Y has are in no X, and the other way round.
std::vector<Promise> DrawPromises(const World& world, reissue::Random& random) {
  const bool apart = random.Below(2) == 0;
  std::vector<Promise> promises;
  const std::size_t number = random.Below(2) == 0 ? 1 : 2 + random.Below(2);
  for (std::size_t tries = 0; promises.size() < number && tries < 20; ++tries) {
    std::vector<Place> fixed;
    for (const Place& place : AllPlaces(world)) {
      if (apart && place.table == 0 && InSomeY(promises, place)) fixed.push_back(place);
    }
    Promise promise = DrawPromise(world, fixed, random);
    const bool clash = std::any_of(promises.begin(), promises.end(), [&](const Promise& other) {
      return std::any_of(other.x.begin(), other.x.end(), [&](const Place& place) {
        return place.table == 0 && InSomeY({promise}, place);
      });
    });
    if (apart && clash) continue;
    promise.k = static_cast<long>(1 + random.Below(number == 1 ? 4 : 3));
    promise.confidence = std::max(promise.confidence, 0.6);
    for (auto& named : promise.named) named.threshold = std::max(named.threshold, 0.5);
    promises.push_back(promise);
  }
  return promises;
}

Problem DrawProblem(std::uint64_t number) {
  reissue::Random random = reissue::Random::Seeded(6000000 + number);
  Problem problem;
  const DrawnWorld drawn = DrawWorld(random);
  problem.one_table = drawn.one_table;
  problem.raw = drawn.world;
  problem.raw.tables[0] = drawn.raw.tables[0];
  problem.promises = DrawPromises(problem.raw, random);
  Table& table = problem.raw.tables[0];
  for (std::size_t c = 0; c < table.trees.size(); ++c) {
    const bool forbidden =
        std::any_of(problem.raw.forbidden.begin(), problem.raw.forbidden.end(), [&](const auto& f) {
          return f.a == Place{0, c} || f.b == Place{0, c};
        });
    problem.continuous.push_back(!table.trees[c] && !forbidden && random.Below(2) == 0 &&
                                 !InSomeY(problem.promises, {0, c}));
  }
  if (random.Below(2) == 0) {
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      problem.classes.push_back(static_cast<Label>(random.Below(2)));
    }
  }
  using model::Gain;
  problem.options.gain = std::vector{Gain::kDistortion, Gain::kDiscernibility,
                                     Gain::kClass}[random.Below(problem.classes.empty() ? 2 : 3)];
  problem.options.search = random.Below(2) == 0 ? model::Search::kPaper : model::Search::kDefault;
  return problem;
}

// Numbers that occur, ascending; their ranks are the oracle's labels after this.
constexpr double kNumbers[] = {1.5, 4, 10};

model::Source ToSource(Problem& problem, const Translator& translator) {
  Table& table = problem.raw.tables[0];
  model::Source source;
  for (std::size_t c = 0; c < table.trees.size(); ++c) {
    model::Source::Column column;
    if (table.trees[c]) column.tree = translator.tree(*table.trees[c]);
    if (problem.continuous[c]) {
      std::set<Label> seen;
      for (const Labels& row : table.rows) seen.insert(row[c]);
      for (const Label label : seen) column.numbers.push_back(kNumbers[label]);
      for (Labels& row : table.rows) {
        row[c] = static_cast<Label>(std::distance(seen.begin(), seen.find(row[c])));
      }
    }
    source.columns.push_back(column);
  }
  std::vector<std::uint32_t> keys;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    for (std::size_t c = 0; c < table.trees.size(); ++c) {
      std::uint32_t code = translator.CodeOf(table.trees[c], table.rows[i][c]);
      if (table.trees[c]) code = source.columns[c].tree->first_leaf(reissue::NodeId(code));
      keys.push_back(code);
    }
    if (!problem.classes.empty()) keys.push_back(static_cast<std::uint32_t>(problem.classes[i]));
  }
  source.class_values = problem.classes.empty() ? 0 : 2;
  source.cells = reissue::CollectCells(table.trees.size() + (problem.classes.empty() ? 0 : 1), keys,
                                       std::vector<std::uint64_t>(table.rows.size(), 1));
  return source;
}

reissue::Result<model::Outcome> PublishBy(const Problem& problem, const Translator& translator,
                                          const model::Source& source) {
  std::vector<model::LinkedTable> prior;
  for (std::size_t i = 1; i < problem.raw.tables.size(); ++i) {
    prior.push_back(translator.ToTable(problem.raw.tables[i]));
  }
  reissue::ThreadPool pool(1);
  reissue::Progress progress;
  return model::Publish(source, prior, ToJoins(problem.raw), translator.ToInconsistent(problem.raw),
                        translator.ToRequirements(problem.raw, problem.promises), problem.options,
                        pool, progress);
}

// How the new table is recoded: a cut (trees) or for each rank its interval (continuous); empty
// where a column stays as it is.
using Recodings = std::vector<Cut>;

Recodings AtTheRoot(const Problem& problem) {
  const Table& table = problem.raw.tables[0];
  Recodings recodings(table.trees.size());
  for (std::size_t c = 0; c < table.trees.size(); ++c) {
    if (!InSomeX(problem, c)) continue;
    if (table.trees[c]) recodings[c].assign(problem.raw.trees[*table.trees[c]].parents.size(), 0);
    if (problem.continuous[c]) recodings[c].assign(std::size(kNumbers), 0);
  }
  return recodings;
}

World Recoded(const Problem& problem, const Recodings& recodings) {
  World world = problem.raw;
  for (std::size_t c = 0; c < recodings.size(); ++c) {
    if (!recodings[c].empty()) Recode(world, {0, c}, recodings[c]);
  }
  return world;
}

bool Keeps(const Problem& problem, const Recodings& recodings) {
  return AnswersOf(Recoded(problem, recodings), problem.promises).satisfied;
}

Recodings FromOutcome(const Problem& problem, const Translator& translator,
                      const model::Outcome& outcome) {
  const Table& table = problem.raw.tables[0];
  Recodings recodings = AtTheRoot(problem);
  for (std::size_t c = 0; c < recodings.size(); ++c) {
    const bool cut = InSomeX(problem, c) && table.trees[c].has_value();
    const bool split = InSomeX(problem, c) && problem.continuous[c];
    EXPECT_EQ(outcome.cuts.at(c).has_value(), cut);
    EXPECT_EQ(outcome.intervals.at(c).empty(), !split);
    if (cut && outcome.cuts[c]) {
      const auto& tree = *translator.tree(*table.trees[c]);
      for (std::size_t rank = 0; rank < tree.leaves(); ++rank) {
        const Label leaf = translator.LabelOf(table.trees[c], tree.leaf(rank).raw());
        recodings[c][static_cast<std::size_t>(leaf)] =
            translator.LabelOf(table.trees[c], outcome.cuts[c]->NodeOfLeaf(rank).raw());
      }
    }
    if (!split) continue;
    const auto& begins = outcome.intervals[c];
    EXPECT_TRUE(!begins.empty() && begins[0] == 0 && std::is_sorted(begins.begin(), begins.end()));
    for (std::size_t rank = 0; rank < recodings[c].size(); ++rank) {
      const auto after = std::upper_bound(begins.begin(), begins.end(), rank);
      recodings[c][rank] = static_cast<Label>(after - begins.begin()) - 1;
    }
  }
  return recodings;
}

// Recodings that replace one node by its children, where that changes a row.
std::vector<Recodings> OneStepFiner(const Problem& problem, const Recodings& recodings) {
  const Table& table = problem.raw.tables[0];
  std::vector<Recodings> finer;
  for (std::size_t c = 0; c < recodings.size(); ++c) {
    if (recodings[c].empty() || !table.trees[c]) continue;
    const Tree& tree = problem.raw.trees[*table.trees[c]];
    std::set<Label> nodes;
    for (const Labels& row : table.rows) {
      const Label node = recodings[c][static_cast<std::size_t>(row[c])];
      if (!tree.Children(node).empty()) nodes.insert(node);
    }
    for (const Label node : nodes) {
      finer.push_back(recodings);
      finer.back()[c] = Specialised(tree, recodings[c], node);
    }
  }
  return finer;
}

// All ways to split one interval of a continuous column, interval by interval.
std::vector<std::vector<Recodings>> OneSplitFiner(const Problem& problem,
                                                  const Recodings& recodings) {
  std::vector<std::vector<Recodings>> finer;
  for (std::size_t c = 0; c < recodings.size(); ++c) {
    if (recodings[c].empty() || !problem.continuous[c]) continue;
    std::set<Label> ranks;
    for (const Labels& row : problem.raw.tables[0].rows) ranks.insert(row[c]);
    const Cut& intervals = recodings[c];
    for (Label interval = 0; interval <= intervals.back(); ++interval) {
      std::vector<Recodings> ways;
      for (std::size_t at = 1; at < ranks.size(); ++at) {
        if (intervals[at] != interval || intervals[at - 1] != interval) continue;
        ways.push_back(recodings);
        for (std::size_t rank = at; rank < intervals.size(); ++rank) ++ways.back()[c][rank];
      }
      if (!ways.empty()) finer.push_back(ways);
    }
  }
  return finer;
}

// Every way to cut the columns with trees, continuous ones in one interval; empty where there are
// too many.
std::set<Recodings> AllRecodings(const Problem& problem) {
  std::set<Recodings> all = {AtTheRoot(problem)};
  std::vector<Recodings> open(all.begin(), all.end());
  while (!open.empty()) {
    const Recodings next = open.back();
    open.pop_back();
    for (const Recodings& finer : OneStepFiner(problem, next)) {
      if (all.insert(finer).second) open.push_back(finer);
    }
    if (all.size() > kRecodings) return {};
  }
  return all;
}

bool AnyKeeps(const Problem& problem, const std::set<Recodings>& recodings) {
  return std::any_of(recodings.begin(), recodings.end(),
                     [&](const Recodings& each) { return Keeps(problem, each); });
}

// A requirement that never becomes easier where rows do not dangle: X has everything that matters
// for matching, Y is in one table.
bool Tame(const Problem& problem) {
  return std::all_of(problem.promises.begin(), problem.promises.end(), [&](const Promise& promise) {
    std::set<std::size_t> tables(promise.y_keys.begin(), promise.y_keys.end());
    for (const Place& place : promise.y) tables.insert(place.table);
    return IsPlain(problem.raw, promise) && tables.size() <= 1;
  });
}

std::string Describe(const Problem& problem, const Recodings& recodings) {
  std::string text = Describe(problem.raw);
  for (const Promise& promise : problem.promises) text += Describe(promise);
  for (std::size_t c = 0; c < recodings.size(); ++c) {
    text += "column " + std::to_string(c) + (problem.continuous[c] ? " (continuous):" : ":");
    for (const Label label : recodings[c]) text += ' ' + std::to_string(label);
    text += '\n';
  }
  return text + "gain " + std::to_string(static_cast<int>(problem.options.gain)) + ", search " +
         std::to_string(static_cast<int>(problem.options.search)) + '\n';
}

struct Tried {
  std::size_t refused = 0, published = 0, beyond_root = 0, coarse = 0, continuous = 0, tame = 0;
  std::size_t steps = 0, reexamined = 0, finer_tried = 0, root_broken = 0;
};

void CheckOutcome(const Problem& problem, const Translator& translator, const model::Source& source,
                  const model::Outcome& outcome, Tried& covered) {
  const Recodings recodings = FromOutcome(problem, translator, outcome);
  const World world = Recoded(problem, recodings);
  std::vector<Labels> rows = world.tables[0].rows;
  std::sort(rows.begin(), rows.end());
  EXPECT_EQ(translator.ToRows(model::Published(source, outcome), world.tables[0]), rows);
  EXPECT_TRUE(AnswersOf(world, problem.promises).satisfied);

  bool maximal = true;
  const std::vector<Recodings> finer = OneStepFiner(problem, recodings);
  for (const Recodings& step : finer) maximal = maximal && !Keeps(problem, step);
  for (const std::vector<Recodings>& ways : OneSplitFiner(problem, recodings)) {
    maximal = maximal && !std::all_of(ways.begin(), ways.end(),
                                      [&](const Recodings& way) { return Keeps(problem, way); });
  }
  EXPECT_TRUE(maximal);
  covered.finer_tried += finer.size();
  covered.coarse += finer.empty() ? 0 : 1;
  covered.beyond_root += recodings == AtTheRoot(problem) ? 0 : 1;
  covered.tame += Tame(problem) ? 1 : 0;
  covered.steps += outcome.steps;
  covered.reexamined += outcome.reexamined;
  covered.continuous += std::any_of(outcome.intervals.begin(), outcome.intervals.end(),
                                    [](const auto& begins) { return !begins.empty(); })
                            ? 1
                            : 0;
  if (testing::Test::HasFailure()) ADD_FAILURE() << Describe(problem, recodings);
}

// One person of a named value, in a column of the new table that has a taxonomy but is not
// generalised: the value is certain whatever is done, so nothing can be published.
TEST(XyPublisherAgainstOracle, NamedValueOfAColumnWithATaxonomy) {
  Problem problem;
  problem.raw.trees = {{{-1, 0, 0}}};
  problem.raw.tables = {{{0, 0}, {{1, 2}}}, {{0}, {{1}}}};
  problem.raw.joins = {{{0, 0}, {1, 0}}};
  Promise promise;
  promise.anonymity = false;
  promise.x = {{0, 0}, {1, 0}};
  promise.named = {{{0, 1}, 2, 0.5}};
  problem.promises = {promise};
  problem.continuous = {false, false};
  const Translator translator(problem.raw);
  const model::Source source = ToSource(problem, translator);
  ASSERT_FALSE(Keeps(problem, AtTheRoot(problem)));
  const auto outcome = PublishBy(problem, translator, source);
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code, reissue::ErrorCode::kPromise);
}

// The disease must stay open where the city is known, and the city where the disease is. The table
// itself keeps both; with either column at the root there is one value of it.
TEST(XyPublisherAgainstOracle, AColumnMayBeInOneXAndInAnotherY) {
  Problem problem;
  problem.raw.trees = {{{-1, 0, 0}}, {{-1, 0, 0}}};
  problem.raw.tables = {{{0, 1}, {{1, 1}, {1, 2}, {2, 1}, {2, 2}}}, {{0}, {{1}, {1}, {2}, {2}}}};
  problem.raw.joins = {{{0, 0}, {1, 0}}};
  Promise disease, city;
  disease.x = {{0, 0}, {1, 0}};
  disease.y = {{0, 1}};
  city.x = {{0, 1}};
  city.y = {{0, 0}};
  disease.k = city.k = 2;
  problem.promises = {disease, city};
  problem.continuous = {false, false};
  const Translator translator(problem.raw);
  const model::Source source = ToSource(problem, translator);
  ASSERT_FALSE(Keeps(problem, AtTheRoot(problem)));
  ASSERT_TRUE(AnyKeeps(problem, AllRecodings(problem)));
  const auto outcome = PublishBy(problem, translator, source);
  ASSERT_TRUE(outcome.has_value()) << outcome.error().ToString();
  Tried covered;
  CheckOutcome(problem, translator, source, *outcome, covered);
}

TEST(XyPublisherAgainstOracle, KeepsPromisesAndCannotBeFiner) {
  Tried covered;
  for (std::uint64_t number = 1; number <= kProblems && !HasFailure(); ++number) {
    SCOPED_TRACE("case " + std::to_string(number));
    Problem problem = DrawProblem(number);
    const Translator translator(problem.raw);
    const model::Source source = ToSource(problem, translator);
    const auto outcome = PublishBy(problem, translator, source);
    if (!outcome) {
      ++covered.refused;
      EXPECT_EQ(outcome.error().code, reissue::ErrorCode::kPromise) << outcome.error().ToString();
      EXPECT_FALSE(AnyKeeps(problem, AllRecodings(problem)))
          << outcome.error().ToString() << '\n'
          << Describe(problem, AtTheRoot(problem));
      continue;
    }
    ++covered.published;
    covered.root_broken += Keeps(problem, AtTheRoot(problem)) ? 0 : 1;
    CheckOutcome(problem, translator, source, *outcome, covered);
  }
  if (HasFailure()) return;
  EXPECT_GT(covered.refused, kProblems / 20);
  EXPECT_GT(covered.beyond_root, kProblems / 20);
  EXPECT_GT(covered.coarse, kProblems / 20);
  EXPECT_GT(covered.root_broken, 20u);
  std::cout << covered.published << " of " << kProblems << " problems published ("
            << covered.refused << " refused, rightly), " << covered.root_broken
            << " although the root breaks a promise, " << covered.beyond_root
            << " finer than the root, " << covered.coarse << " with something left to specialise, "
            << covered.continuous << " with intervals, " << covered.tame
            << " anti-monotone if nothing dangles; " << covered.finer_tried
            << " finer recodings all break a promise; " << covered.steps << " steps, "
            << covered.reexamined << " taken after having been refused\n";
}

}  // namespace
}  // namespace oracle::xy
