#pragma once
// What Publish does once the problem is built; for publishers of other models, which add a
// condition. Internal to publishers.

#include "reissue/models/k/publisher/condition.h"
#include "reissue/models/k/publisher/problem.h"
#include "reissue/models/k/publisher/publish.h"

namespace reissue::models::k::internal {

// As Publish. `problem` must have been made of `table`, options.score and
// options.suppression_limit. With a condition (null: none) the outcome keeps it too, and kPromise
// is also returned where no recoding does, or none was found; kUsage together with suppression:
// rows that are left out would be missing in a later release.
Result<Outcome> PublishProblem(const LeafCells& table, const Problem& problem,
                               const PublishOptions& options, const Condition* condition,
                               ThreadPool& pool, Progress& progress);

}  // namespace reissue::models::k::internal
