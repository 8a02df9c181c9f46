#include "reissue/models/k/publisher/predict.h"

#include <gtest/gtest.h>

#include "random_problem.h"
#include "reissue/metrics/classification.h"

namespace reissue::models::k {
namespace {

constexpr std::size_t kHints = 5;
constexpr std::size_t kRows = 2000;

std::shared_ptr<const taxonomy::Taxonomy> FourLeaves() {
  const std::vector<taxonomy::HierarchyLine> lines = {
      {1, {"a", "*"}}, {2, {"b", "*"}}, {3, {"c", "*"}}, {4, {"d", "*"}}};
  return std::make_shared<const taxonomy::Taxonomy>(
      taxonomy::FromHierarchy(lines, "four.csv").value());
}

// The first column tells the class of nine rows in ten. The others all give the same hint, right
// three times in four: together they look like more, and there is no room for both.
LeafCells HintsAndProof(Random& random) {
  LeafCells table;
  table.taxonomies.assign(1 + kHints, FourLeaves());
  table.class_values = 2;
  std::vector<std::uint32_t> keys;
  for (std::size_t row = 0; row < kRows; ++row) {
    const auto value = static_cast<std::uint32_t>(random.Below(2));
    const auto told = [&](double right) {
      const bool is_right = random.Unit() < right;
      return 2 * (is_right ? value : 1 - value) + static_cast<std::uint32_t>(random.Below(2));
    };
    keys.push_back(told(0.9));
    keys.insert(keys.end(), kHints, told(0.75));
    keys.insert(keys.end(), {0, value});
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
