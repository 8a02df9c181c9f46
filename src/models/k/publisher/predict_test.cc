#include "reissue/models/k/publisher/predict.h"

#include <gtest/gtest.h>

#include "hints.h"
#include "random_problem.h"
#include "reissue/metrics/classification.h"

namespace reissue::models::k {
namespace {

using support::kHints;
constexpr std::size_t kRows = 2000;

LeafCells HintsAndProof(Random& random) {
  LeafCells table;
  table.taxonomies.assign(1 + kHints, support::FourLeaves());
  table.class_values = 2;
  std::vector<std::uint32_t> keys;
  for (std::size_t i = 0; i < kRows; ++i) {
    const support::HintedRow row = support::NextHintedRow(random);
    keys.insert(keys.end(), row.leaves.begin(), row.leaves.end());
    keys.insert(keys.end(), {0, row.value});
  }
  table.cells = CollectCells(kHints + 3, keys, std::vector<std::uint64_t>(kRows, 1));
  return table;
}

metrics::Examples Read(const LeafCells& table, const std::vector<taxonomy::Cut>& cuts) {
  metrics::Examples examples;
  examples.columns.resize(cuts.size());
  for (std::size_t i = 0; i < table.cells.size(); ++i) {
    const auto key = table.cells.key(CellId(i));
    for (std::uint64_t row = 0; row < table.cells.count(CellId(i)); ++row) {
      for (std::size_t j = 0; j < cuts.size(); ++j) {
        examples.columns[j].push_back(cuts[j].NodeOfLeaf(key[j]).raw());
      }
      examples.classes.push_back(key.back());
    }
  }
  return examples;
}

// Learned from the release, counted on other people.
double ErrorOn(const LeafCells& others, const LeafCells& table, const PublishOptions& options) {
  Guarantee g;
  g.k = 150;
  ThreadPool pool(1);
  Progress progress;
  const auto outcome = Publish(table, g, options, pool, progress);
  EXPECT_TRUE(outcome.has_value());
  if (!outcome) return 1;
  metrics::Schema schema{{}, 2};
  schema.attributes.assign(outcome->cuts.size(), {"", 5, {}});
  return metrics::ClassificationError(schema, Read(table, outcome->cuts),
                                      Read(others, outcome->cuts))
      .value()
      .test_error;
}

TEST(Predict, ClassIsPredictedAsWellAsByTheOtherSearches) {
  Random random = Random::Seeded(31);
  for (int round = 0; round < 5; ++round) {
    const LeafCells table = HintsAndProof(random), others = HintsAndProof(random);
    PublishOptions options;
    options.budget_seconds = 0.01;
    options.score = Score::kClass;
    const double by_default = ErrorOn(others, table, options);
    options.search = Search::kPaper;
    const double by_paper = ErrorOn(others, table, options);
    options.search = Search::kDefault;
    options.score = Score::kLoss;
    const double by_loss = ErrorOn(others, table, options);
    EXPECT_LE(by_default, by_paper + 0.01);
    EXPECT_LE(by_default, by_loss + 0.01);
    EXPECT_LT(by_default, 0.15);  // the hints: 0.25
  }
}

TEST(Predict, ErrorsAreThoseOfRowsNotLearnedFrom) {
  Random random = Random::Seeded(32);
  const LeafCells table = HintsAndProof(random);
  const internal::Problem problem(table, {}, Score::kClass, 0);
  const internal::Predictor predictor(problem, 1);
  internal::Recoding proof = problem.Root(), hint = problem.Root();
  proof[problem.root(0)] = 1;
  hint[problem.root(1)] = 1;
  EXPECT_NEAR(static_cast<double>(predictor.Errors(problem.Root())), 0.5 * kRows, 0.05 * kRows);
  EXPECT_NEAR(static_cast<double>(predictor.Errors(proof)), 0.1 * kRows, 0.03 * kRows);
  EXPECT_NEAR(static_cast<double>(predictor.Errors(hint)), 0.25 * kRows, 0.03 * kRows);
  EXPECT_EQ(predictor.Errors(hint), internal::Predictor(problem, 1).Errors(hint));
}

}  // namespace
}  // namespace reissue::models::k
