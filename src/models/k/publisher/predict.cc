#include "reissue/models/k/publisher/predict.h"

#include <algorithm>

#include "reissue/core/random.h"
#include "reissue/metrics/classification.h"
#include "reissue/models/k/publisher/partition.h"

namespace reissue::models::k::internal {
namespace {

constexpr std::uint64_t kDrawn = 10'000;
constexpr std::size_t kParts = 3;
// What a tree does with one value of one row, in visits.
constexpr std::uint64_t kVisitsPerValue = 20;

}  // namespace

Predictor::Predictor(const Problem& problem, std::uint64_t seed) : problem_(problem), seed_(seed) {
  std::vector<Row> all;
  std::vector<std::uint64_t> counts;
  for (std::uint32_t tuple = 0; tuple < problem.tuples(); ++tuple) {
    for (const Bin& bin : problem.classes(tuple)) {
      classes_ = std::max(classes_, bin.code + 1);
      all.push_back({tuple, bin.code});
      counts.push_back(bin.rows);
    }
  }
  Random random = Random::Seeded(seed);
  for (const std::uint32_t i : metrics::DrawRows(counts, kDrawn, random)) rows_.push_back(all[i]);
}

std::uint64_t Predictor::Errors(const Recoding& recoding) const {
  Partition partition(problem_);
  partition.Reset(recoding);
  std::vector<std::uint8_t> left_out(problem_.tuples(), 0);
  for (const std::uint32_t tuple : partition.SuppressedTuples()) left_out[tuple] = 1;
  metrics::Schema schema{{}, classes_};
  metrics::Examples examples;
  for (const Row& row : rows_) examples.classes.push_back(row.value);
  for (std::size_t j = 0; j < problem_.columns(); ++j) {
    const Spot root = problem_.root(j);
    schema.attributes.push_back({"", static_cast<std::uint32_t>(problem_.end(root) - root), {}});
    std::vector<std::uint32_t>& column = examples.columns.emplace_back();
    for (const Row& row : rows_) {
      Spot p = root;
      while (left_out[row.tuple] == 0 && recoding[p] != 0) {
        p = problem_.children(p)[problem_.child_of_leaf(p)[problem_.leaves(row.tuple)[j]]];
      }
      column.push_back(p - root);
    }
  }
  Random random = Random::Seeded(seed_);
  const auto errors = metrics::CrossValidatedErrors(schema, examples, kParts, random);
  REISSUE_CHECK(errors.has_value());
  return *errors;
}

std::uint64_t Predictor::work() const {
  return rows_.size() * problem_.columns() * kParts * kVisitsPerValue;
}

}  // namespace reissue::models::k::internal
