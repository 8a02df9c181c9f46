#include "reissue/models/xy/publisher/predict.h"

#include <gtest/gtest.h>

#include "hints.h"
#include "reissue/core/random.h"
#include "reissue/metrics/classification.h"

namespace reissue::models::xy {
namespace {

using support::kHints;
constexpr std::size_t kRows = 2000;

Source HintsAndProof(Random& random) {
  Source source;
  source.columns.resize(1 + kHints);
  for (Source::Column& column : source.columns) column.tree = support::FourLeaves();
  source.class_values = 2;
  std::vector<std::uint32_t> keys;
  for (std::size_t i = 0; i < kRows; ++i) {
    const support::HintedRow row = support::NextHintedRow(random);
    keys.insert(keys.end(), row.leaves.begin(), row.leaves.end());
    keys.push_back(row.value);
  }
  source.cells = CollectCells(kHints + 2, keys, std::vector<std::uint64_t>(kRows, 1));
  return source;
}

metrics::Examples Read(const Source& source, const Outcome& outcome) {
  metrics::Examples examples;
  examples.columns.resize(source.columns.size());
  for (std::size_t i = 0; i < source.cells.size(); ++i) {
    const auto key = source.cells.key(CellId(i));
    for (std::uint64_t row = 0; row < source.cells.count(CellId(i)); ++row) {
      for (std::size_t c = 0; c < source.columns.size(); ++c) {
        examples.columns[c].push_back(outcome.cuts[c]->NodeOfLeaf(key[c]).raw());
      }
      examples.classes.push_back(key.back());
    }
  }
  return examples;
}

// Learned from the release, counted on other people.
double ErrorOn(const Source& others, const Source& source, const PublishOptions& options) {
  Requirement requirement;
  for (std::size_t c = 0; c < source.columns.size(); ++c) requirement.x.push_back({0, c});
  requirement.y_keys = {0};
  requirement.k = 150;
  ThreadPool pool(1);
  Progress progress;
  const auto outcome = Publish(source, {}, {}, {}, {&requirement, 1}, options, pool, progress);
  EXPECT_TRUE(outcome.has_value());
  if (!outcome) return 1;
  metrics::Schema schema{{}, 2};
  schema.attributes.assign(source.columns.size(), {"", 5, {}});
  return metrics::ClassificationError(schema, Read(source, *outcome), Read(others, *outcome))
      .value()
      .test_error;
}

TEST(Predict, ClassIsPredictedAsWellAsByTheOtherSearches) {
  Random random = Random::Seeded(31);
  for (int round = 0; round < 3; ++round) {
    const Source source = HintsAndProof(random), others = HintsAndProof(random);
    const double by_default = ErrorOn(others, source, {Gain::kClass, Search::kDefault});
    EXPECT_LE(by_default, ErrorOn(others, source, {Gain::kClass, Search::kPaper}) + 0.01);
    EXPECT_LE(by_default, ErrorOn(others, source, {Gain::kDistortion, Search::kDefault}) + 0.01);
    EXPECT_LT(by_default, 0.15);  // the hints: 0.25
  }
}

}  // namespace
}  // namespace reissue::models::xy
