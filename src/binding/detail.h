#pragma once
// What a release costs in detail: binds a raw table and a release to metrics/.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/binding/load.h"
#include "reissue/binding/prediction.h"
#include "reissue/core/result.h"
#include "reissue/io/policy.h"
#include "reissue/metrics/loss.h"
#include "reissue/metrics/worth.h"

namespace reissue::binding {

struct Detail {
  metrics::Loss loss;
  std::vector<std::vector<std::string>> labels;  // of the release, as loss.attributes
  std::optional<Prediction> prediction;          // where there is a class
  metrics::Worth worth;
};

struct DetailOptions {
  std::string class_column = {};        // to predict; empty: none
  std::string test = {};                // rows to test the prediction on; empty: a third of all
  std::uint64_t queries = 1000;         // of each kind
  std::uint64_t seed = 1;               // chooses queries, and test rows
  std::optional<std::uint64_t> k = {};  // that was promised
};
// `holder`: the table that the release was made from; the release may lack columns of the policy
// that the table lacks as well. Errors: a label that the column's tree does not have.
Result<Detail> MeasureDetail(const io::Policy& policy, const HolderTable& holder,
                             const std::string& release, const DetailOptions& options,
                             Context& context);

}  // namespace reissue::binding
