#pragma once
// Branch and bound over recodings: exact, and proven where it ends. Internal to the publisher.

#include <optional>

#include "reissue/core/parallel.h"
#include "reissue/core/progress.h"
#include "reissue/models/k/publisher/condition.h"
#include "reissue/models/k/publisher/improve.h"
#include "reissue/models/k/publisher/problem.h"

namespace reissue::models::k::internal {

struct Exact {
  Solution best;              // never worse than the incumbent
  Front seen;                 // the best, and with suppression what else was found
  bool proven = false;        // no recoding is cheaper; false where the limit was reached
  std::uint64_t visited = 0;  // states
  std::uint64_t work = 0;     // tuple visits
};

// Each state specialises one place, or closes it. Pruned are: what breaks the promise (where that
// is for good, anti-monotone), what cannot become cheaper than the best known even if everything
// still possible is specialised (a row then costs at least k for discernibility), and the choice
// itself where a place can be specialised whatever else happens. Not where leaving rows out moves
// what cells are measured against, nor with suppression for the score kClass. Stops after
// `work_limit` tuple visits. Two states at a time are looked at side by side, on any number of
// threads, and taken in their order.
//
// With a condition only recodings that keep it are solutions, the incumbent included.
// Only what is hopeless is pruned by it.
Exact SearchExactly(const Problem& problem, Solution incumbent, std::uint64_t work_limit,
                    ThreadPool& pool, Progress& progress, const Condition* condition = nullptr);

// Whether SearchExactly may be asked.
bool CanSearchExactly(const Problem& problem);

}  // namespace reissue::models::k::internal
