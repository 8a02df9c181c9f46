#include "reissue/models/xy/publisher/predict.h"

#include <algorithm>

#include "reissue/core/random.h"
#include "reissue/metrics/classification.h"

namespace reissue::models::xy::internal {
namespace {

constexpr std::uint64_t kDrawn = 10'000;
constexpr std::size_t kParts = 3;
constexpr std::uint64_t kSeed = 1;

// What stands in the release for each rank of a column.
std::vector<std::uint32_t> CodesOf(const Source::Column& column, std::size_t c,
                                   const Outcome& outcome) {
  std::vector<std::uint32_t> codes(column.tree != nullptr ? column.tree->leaves()
                                                          : column.numbers.size());
  for (std::uint32_t rank = 0; rank < codes.size(); ++rank) {
    if (column.tree != nullptr) {
      codes[rank] = outcome.cuts[c]->NodeOfLeaf(rank).raw();
    } else {
      const auto after = std::ranges::upper_bound(outcome.intervals[c], rank);
      codes[rank] = static_cast<std::uint32_t>(after - outcome.intervals[c].begin());
    }
  }
  return codes;
}

}  // namespace

std::uint64_t PredictionErrors(const Source& source, std::span<const std::uint32_t> columns,
                               const Outcome& outcome) {
  std::vector<std::uint64_t> counts;
  for (std::size_t i = 0; i < source.cells.size(); ++i) {
    counts.push_back(source.cells.count(CellId(i)));
  }
  Random random = Random::Seeded(kSeed);
  const std::vector<std::uint32_t> rows = metrics::DrawRows(counts, kDrawn, random);
  metrics::Schema schema{{}, source.class_values};
  metrics::Examples examples;
  for (const std::uint32_t row : rows) {
    examples.classes.push_back(source.cells.key(CellId(row)).back());
  }
  for (const std::uint32_t c : columns) {
    const std::vector<std::uint32_t> codes = CodesOf(source.columns[c], c, outcome);
    schema.attributes.push_back({"", std::ranges::max(codes) + 1, {}});
    std::vector<std::uint32_t>& column = examples.columns.emplace_back();
    for (const std::uint32_t row : rows) column.push_back(codes[source.cells.key(CellId(row))[c]]);
  }
  const auto errors = metrics::CrossValidatedErrors(schema, examples, kParts, random);
  REISSUE_CHECK(errors.has_value());
  return *errors;
}

}  // namespace reissue::models::xy::internal
