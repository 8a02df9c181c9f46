#pragma once
// The searches, for one number of rows that may be left out after the other: nobody, then fixed
// shares of the rows up to the first that is not below the limit. What is found on the way is kept
// together with the rows it leaves out. So the searches for a limit are those for every smaller one
// and some more, and whoever allows more is never worse off. Internal to the publisher.

#include <cstdint>

#include "reissue/core/parallel.h"
#include "reissue/core/progress.h"
#include "reissue/models/k/publisher/condition.h"
#include "reissue/models/k/publisher/front.h"
#include "reissue/models/k/publisher/problem.h"
#include "reissue/models/k/publisher/publish.h"

namespace reissue::models::k::internal {

struct Found {
  Front greedy, paper;  // one descent each, which goes on where more may be left out
  Front best;           // all searches
  std::uint64_t descents = 0;
  std::uint64_t visited = 0;  // states of proofs
  std::uint64_t work = 0;     // tuple visits of two cores: what one does alone counts twice
  bool optimal = false;       // no recoding is cheaper than the best within the limit
};

// `starts` must have something within the limit; with a condition (null: none), which excludes
// suppression, that must keep it, and so does what is found. kOptimal is searched as kDefault.
// `limit` is the work that the default search may do.
Found Climb(const Problem& problem, const Front& starts, const PublishOptions& options,
            const Condition* condition, std::uint64_t limit, ThreadPool& pool, Progress& progress);

}  // namespace reissue::models::k::internal
