#pragma once
// How well the quasi-identifiers of a release still predict a column: a decision tree learnt from
// the release beside one learnt from the raw table, both asked about rows that they have not seen.

#include <cstdint>
#include <string>

#include "reissue/binding/coded.h"
#include "reissue/binding/context.h"
#include "reissue/binding/load.h"
#include "reissue/core/result.h"
#include "reissue/io/policy.h"

namespace reissue::binding {

// Shares of wrong answers on test rows.
struct Prediction {
  std::string column;
  double baseline_error = 0;          // tree on the raw table
  double release_error = 0;           // tree on the release
  double majority_error = 0;          // always the most frequent value
  std::uint64_t train = 0, test = 0;  // rows
  bool held_out = false;              // the test rows are of a file of their own
};

struct PredictionOptions {
  std::string column;
  std::string test;        // a file of raw rows; empty: a third of the rows is held back
  std::uint64_t seed = 1;  // chooses them
};

// `coded`: of both, by CodeRecoded. A raw test row is seen by the tree of the release as the
// narrowest cell that contains it; where none does, as the narrowest label of each column. Errors:
// a column that is not in all files, a value that the taxonomies do not have (place, not value).
Result<Prediction> Predict(const io::Policy& policy, const HolderTable& holder,
                           const ReleaseTable& release, const Coded& coded,
                           const PredictionOptions& options, Context& context);

}  // namespace reissue::binding
