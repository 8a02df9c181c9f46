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
  std::vector<char> certain(table.value.size(), 0);
  std::vector<Statement> statements;
  // Her beliefs before the release are the table's; statements below certainty are in them already
  // unless they go into the weights.
  knowledge.prior = table.beliefs;
  const bool weights =
      options.cascade == Cascade::kPosterior && options.estimator == Estimator::kBayes;
  for (const Statement& statement : watched.statements) {
    if (statement.confidence == 1) certain[statement.person] = 1;
    if (statement.confidence == 1 || weights) statements.push_back(statement);
  }
  for (std::uint32_t row = 0; row < table.value.size(); ++row) {
    snapshot.rows.push_back({row, outcome.group[row], outcome.shown[row], table.belief[row]});
  }
  ThreadPool pool(1);
  Reader reader(knowledge, options);
  const Beliefs beliefs = reader.See(snapshot, statements, pool);
  if (limits.max_belief) {
    EXPECT_LE(beliefs.strongest, *limits.max_belief + 1e-8);
  }
  for (std::uint32_t row = 0; row < table.value.size() && limits.max_gain; ++row) {
    if (!certain[row]) {
      EXPECT_LE(beliefs.gain[row], *limits.max_gain + 1e-8);
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
    if (random.Below(3) > 0) options.limits->max_belief = 0.5 + 0.45 * random.Unit();
    if (random.Below(3) > 0) options.limits->max_gain = 0.3 + 0.6 * random.Unit();
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
  options.limits->max_belief = 0.7;
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
  options.limits->max_belief = 0.6;
  const Result<Outcome> less_allowed = Publish(table, options, pool);
  ASSERT_TRUE(less_allowed.has_value());
  EXPECT_EQ(less_allowed->suppressed, 1u);  // somebody with value 1
  options.limits->max_belief = 0.3;
  EXPECT_EQ(Publish(table, options, pool).error().code, ErrorCode::kPromise);
}

}  // namespace
}  // namespace reissue::models::similarity
