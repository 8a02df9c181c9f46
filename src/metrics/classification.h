#pragma once
// How well a class can still be predicted: learn a decision tree on training rows, count its errors
// on test rows (paper 001, section 6). Compare the error on a release with the error on the raw
// table and with always guessing the majority. Plain functions, safe to call from any thread.

#include <cstdint>
#include <span>
#include <vector>

#include "reissue/core/ids.h"
#include "reissue/core/random.h"
#include "reissue/core/result.h"
#include "reissue/metrics/decision_tree.h"

namespace reissue::metrics {

struct ClassificationReport {
  std::uint64_t train_rows = 0;
  std::uint64_t test_rows = 0;
  std::uint64_t train_errors = 0;
  std::uint64_t test_errors = 0;
  std::uint64_t majority_errors = 0;  // on the test rows, always guessing the training majority
  double train_error = 0;             // shares of rows, 0 … 1
  double test_error = 0;
  double majority_error = 0;
  std::size_t nodes = 0;
  std::size_t leaves = 0;
  std::size_t depth = 0;
};

// Both sets share `schema`. Errors: as DecisionTree::Learn; no test rows.
Result<ClassificationReport> ClassificationError(const Schema& schema, const Examples& train,
                                                 const Examples& test,
                                                 const TreeOptions& options = {});

struct TrainTestRows {
  std::vector<RowId> train;  // ascending
  std::vector<RowId> test;   // ascending
};

// Chooses round(rows · test_share) of the rows as test rows, each set of that size equally likely;
// from two rows on, neither part stays empty. A share outside (0, 1) is an error. O(rows).
Result<TrainTestRows> SplitTrainTest(std::size_t rows, Random& random, double test_share = 1.0 / 3);

// Some of the rows, each set of that size equally likely (all where there are fewer): for every one
// of them the index of its count, ascending. O(rows).
std::vector<std::uint32_t> DrawRows(std::span<const std::uint64_t> counts, std::uint64_t wanted,
                                    Random& random);

// The rows are put into `parts` parts by chance; the errors on each part of the tree that is
// learned from the others, all together: an honest estimate where there are no further rows. The
// sum for one part is 0 where there are no rows for it, or none to learn from. Errors: as
// DecisionTree::Learn.
Result<std::uint64_t> CrossValidatedErrors(const Schema& schema, const Examples& examples,
                                           std::size_t parts, Random& random,
                                           const TreeOptions& options = {});

// The chosen rows, in the order given. All rows exist.
Examples SelectRows(const Examples& examples, std::span<const RowId> rows);

}  // namespace reissue::metrics
