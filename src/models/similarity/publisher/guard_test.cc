#include "reissue/models/similarity/publisher/guard.h"

#include <gtest/gtest.h>

#include "random_table.h"

namespace reissue::models::similarity {
namespace {

using inference::Estimator;

// A table whose beliefs are a reader's before her first release, with what she was told.
struct Watched {
  Knowledge knowledge;
  ReaderOptions options;
  std::vector<Statement> statements;
  Table table;
};

Watched RandomWatched(Random& random, Estimator estimator, Cascade cascade) {
  Watched watched;
  watched.table = RandomTable(random, {.rows = 10 + random.Below(60),
                                       .numbers = 1 + random.Below(2),
                                       .trees = random.Below(2),
                                       .places = 2 + random.Below(20),
                                       .values = 3 + static_cast<std::uint32_t>(random.Below(3)),
                                       .beliefs = 1 + random.Below(5)});
  Table& table = watched.table;
  watched.knowledge = {.values = table.values, .prior = table.beliefs, .transition = {}};
  watched.options.estimator = estimator;
  watched.options.cascade = cascade;
  watched.options.estimate.seed = random.Next();
  const Reader reader(watched.knowledge, watched.options);
  const std::vector<std::uint32_t> kinds = table.belief;
  table.beliefs.clear();
  for (std::uint32_t row = 0; row < kinds.size(); ++row) {
    std::vector<Statement> said;
    if (random.Below(6) == 0) {
      const double confidence = random.Below(2) ? 1 : 0.5 + random.Unit() / 2.1;
      said.push_back({row, table.value[row], 0, confidence});
    }
    table.belief[row] = row;
    table.beliefs.push_back(reader.Before(row, kinds[row], said));
    watched.statements.insert(watched.statements.end(), said.begin(), said.end());
  }
  return watched;
}

// The reader herself looks at what was published.
void ExpectLittleBelieved(const Watched& watched, const ReaderLimits& limits,
                          const Outcome& outcome) {
  Knowledge knowledge = watched.knowledge;
  ReaderOptions options = watched.options;
  const Table& table = watched.table;
  Snapshot snapshot{.groups = outcome.groups, .rows = {}};
  std::vector<char> known(table.value.size(), 0);
  std::vector<Statement> statements;
  // Her beliefs before the release are the table's; statements below certainty are in them already
  // unless they go into the weights.
  knowledge.prior = table.beliefs;
  for (const Statement& statement : watched.statements) {
    if (statement.confidence == 1) known[statement.person] = 1;
    if (statement.confidence == 1 || InWeights(options)) statements.push_back(statement);
  }
  std::vector<std::vector<std::uint32_t>> rows(outcome.groups,
                                               std::vector<std::uint32_t>(table.values, 0));
  std::vector<std::size_t> people(outcome.groups, 0);
  for (std::uint32_t row = 0; row < table.value.size(); ++row) {
    snapshot.rows.push_back({row, outcome.group[row], outcome.shown[row], table.belief[row]});
    if (outcome.group[row] == kSuppressed) continue;
    ++rows[outcome.group[row]][outcome.shown[row]];
    ++people[outcome.group[row]];
  }
  ThreadPool pool(1);
  Reader reader(knowledge, options);
  const Beliefs beliefs = reader.See(snapshot, statements, pool, limits.bounds);
  EXPECT_EQ(beliefs.judged.beyond, 0u);
  EXPECT_TRUE(beliefs.judged.unsettled == 0 || !limits.bounds.any());
  for (std::uint32_t row = 0; row < table.value.size(); ++row) {
    if (outcome.group[row] == kSuppressed) continue;
    for (Value value = 0; value < table.values; ++value) {
      known[row] |= beliefs.prior[row][value] > 1 - 1e-9 && rows[outcome.group[row]][value] > 0;
    }
    for (Value value = 0; value < table.values && !known[row]; ++value) {
      const double belief = beliefs.posterior[row][value], before = beliefs.prior[row][value];
      if (limits.bounds.max_belief) {
        EXPECT_LE(belief, std::max(*limits.bounds.max_belief, before) + 1e-8);
      }
      const std::uint32_t count = rows[outcome.group[row]][value];
      if (!limits.bounds.max_gain || count == 0) continue;
      EXPECT_LE(inference::Gain(belief, count, people[outcome.group[row]]),
                *limits.bounds.max_gain + 1e-8);
      EXPECT_LT(belief, 1 - 1e-9);
    }
  }
}

TEST(Guard, TheReaderBelievesNoMoreThanAllowed) {
  Random random = Random::Seeded(20);
  int published = 0;
  std::uint64_t repaired = 0, suppressed = 0;
  for (int round = 0; round < 100; ++round) {
    const auto estimator = static_cast<Estimator>(round % 5);
    const auto cascade = random.Below(2) ? Cascade::kPrior : Cascade::kPosterior;
    const Watched watched = RandomWatched(random, estimator, cascade);
    PublishOptions options;
    options.guarantee = {.k = 2 + random.Below(3), .j = 0.3 + 0.7 * random.Unit(), .beta = 3};
    options.leftover = static_cast<Leftover>(random.Below(3));
    options.limits = ReaderLimits{};
    options.limits->reader = watched.options;
    options.limits->statements = watched.statements;
    if (random.Below(3) > 0) options.limits->bounds.max_belief = 0.5 + 0.45 * random.Unit();
    if (random.Below(3) > 0) options.limits->bounds.max_gain = 0.3 + 0.6 * random.Unit();
    double least = 0;
    for (const Algorithm algorithm :
         {Algorithm::kReissue, Algorithm::kBkaa, Algorithm::kJsReduce}) {
      options.algorithm = algorithm;
      ThreadPool one(1), three(3);
      const Result<Outcome> outcome = Publish(watched.table, options, one);
      const Result<Outcome> again = Publish(watched.table, options, three);
      ASSERT_EQ(outcome.has_value(), again.has_value());
      if (!outcome) continue;
      EXPECT_EQ(outcome->group, again->group);
      ++published;
      repaired += outcome->repaired;
      suppressed += outcome->suppressed;
      ExpectLittleBelieved(watched, *options.limits, *outcome);
      EXPECT_TRUE(ShapeOf(watched.table, *outcome, false)
                      .Keeps(outcome->relaxed.value_or(options.guarantee)));
      if (algorithm == Algorithm::kReissue) least = outcome->penalty;
      EXPECT_LE(least, outcome->penalty + 1e-9);
    }
  }
  EXPECT_GT(published, 200);
  EXPECT_GT(repaired, 100u);
  EXPECT_GT(suppressed, 0u);
}

// Many groups are repaired, each of which changes what the next ones find.
TEST(Guard, RepairsAreTheSameForAnyNumberOfThreads) {
  Random random = Random::Seeded(23);
  std::uint64_t repaired = 0, counterfeit = 0;
  for (int round = 0; round < 12; ++round) {
    PublishOptions options;
    options.guarantee = {.k = 3, .j = 0.9, .beta = 2};
    options.leftover = round % 2 ? Leftover::kCounterfeit : Leftover::kSuppress;
    options.algorithm = round % 3 ? Algorithm::kReissue : Algorithm::kBkaa;
    options.limits = ReaderLimits{};
    options.limits->reader.estimator = round % 4 < 3 ? Estimator::kExact : Estimator::kOmega;
    options.limits->bounds.max_belief = 0.6;
    const Table table = RandomTable(
        random, {.rows = 400, .numbers = 2, .trees = 1, .places = 40, .values = 5, .beliefs = 30});
    ThreadPool one(1), three(3);
    const Result<Outcome> alone = Publish(table, options, one);
    ASSERT_TRUE(alone);
    repaired += alone->repaired;
    counterfeit += alone->counterfeit;
    const Result<Outcome> together = Publish(table, options, three);
    ASSERT_TRUE(together);
    EXPECT_EQ(together->group, alone->group);
    EXPECT_EQ(together->shown, alone->shown);
    EXPECT_EQ(together->repaired, alone->repaired);
  }
  EXPECT_GT(repaired, 200u);
  EXPECT_GT(counterfeit, 0u);
}

// Two values: whoever is told that the belief in the true one is small knows the true one.
TEST(Guard, ABeliefInAFalseValueIsRepairedToo) {
  Table table;
  table.points.columns = {Column::Number(0, 3)};
  table.points.place = {0, 0, 3, 3};
  table.values = 2;
  table.value = {1, 0, 0, 1};  // the first of each pair has what she does not expect
  table.belief = {0, 1, 1, 0};
  table.beliefs = {{0.75, 0.25}, {0.25, 0.75}};
  PublishOptions options;
  options.guarantee = {.k = 2, .beta = 3};
  options.limits = ReaderLimits{};
  options.limits->bounds.max_belief = 0.85;
  ThreadPool pool(1);
  const Result<Outcome> outcome = Publish(table, options, pool);
  ASSERT_TRUE(outcome.has_value());
  EXPECT_GT(outcome->repaired, 0u);  // she would be nine parts in ten sure of two false values
}

TEST(Guard, NoGroupOfOneValueIsMadeForTheSakeOfASmallGain) {
  Table table;
  table.points.columns = {Column::Number(0, 5)};
  table.values = 2;
  for (int row = 0; row < 12; ++row) {
    table.points.place.push_back(row / 3);
    table.value.push_back(static_cast<Value>(row / 3 % 2));
    table.belief.push_back(0);
  }
  table.beliefs = {{0.5, 0.5}};
  PublishOptions options;
  options.guarantee = {.k = 3, .beta = 9};
  options.limits = ReaderLimits{};
  options.limits->bounds.max_gain = 0.3;
  ThreadPool pool(1);
  const Result<Outcome> outcome = Publish(table, options, pool);
  ASSERT_TRUE(outcome.has_value());
  std::vector<std::vector<int>> rows(outcome->groups, {0, 0});
  for (std::size_t row = 0; row < table.value.size(); ++row) {
    if (outcome->group[row] != kSuppressed) ++rows[outcome->group[row]][table.value[row]];
  }
  for (const std::vector<int>& group : rows) EXPECT_TRUE(group[0] > 0 && group[1] > 0);
  // One value in the whole table: there is nothing to hide behind.
  for (Value& value : table.value) value = 1;
  EXPECT_EQ(Publish(table, options, pool).error().code, ErrorCode::kPromise);
}

TEST(Guard, CertainPeopleDoNotCountButTellOfOthers) {
  // Two rows, two values: whoever knows one knows the other.
  Table table;
  table.points.columns = {Column::Number(0, 3)};
  table.points.place = {0, 1, 2, 3};
  table.values = 2;
  table.value = {0, 1, 0, 1};
  table.belief = {0, 0, 0, 0};
  table.beliefs = {{0.5, 0.5}};
  PublishOptions options;
  options.guarantee = {.k = 2, .beta = 3};
  options.limits = ReaderLimits{};
  options.limits->bounds.max_belief = 0.7;
  ThreadPool pool(1);
  const Result<Outcome> nothing_known = Publish(table, options, pool);
  ASSERT_TRUE(nothing_known.has_value());
  EXPECT_EQ(nothing_known->groups, 2u);
  EXPECT_EQ(nothing_known->repaired, 0u);
  options.limits->statements = {{.person = 0, .value = 0, .release = 0, .confidence = 1}};
  const Result<Outcome> one_known = Publish(table, options, pool);
  ASSERT_TRUE(one_known.has_value());
  EXPECT_EQ(one_known->groups, 1u);  // of the three others, two have value 1
  EXPECT_GT(one_known->repaired, 0u);
  options.limits->bounds.max_belief = 0.6;
  const Result<Outcome> less_allowed = Publish(table, options, pool);
  ASSERT_TRUE(less_allowed.has_value());
  EXPECT_EQ(less_allowed->suppressed, 1u);  // somebody with value 1
  options.limits->bounds.max_belief = 0.3;  // no less than she believed before: one in two
  const Result<Outcome> as_before = Publish(table, options, pool);
  ASSERT_TRUE(as_before.has_value());
  EXPECT_EQ(as_before->suppressed, 1u);
  table.value = {0, 1, 1, 1};  // all whom she does not know have the same
  EXPECT_EQ(Publish(table, options, pool).error().code, ErrorCode::kPromise);
}

}  // namespace
}  // namespace reissue::models::similarity
