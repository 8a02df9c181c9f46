#pragma once
// The default search: many descents from partly undone recodings. Internal to the publisher.

#include "reissue/core/parallel.h"
#include "reissue/core/progress.h"
#include "reissue/models/k/publisher/condition.h"
#include "reissue/models/k/publisher/front.h"
#include "reissue/models/k/publisher/problem.h"

namespace reissue::models::k::internal {

// In tuple visits.
struct Effort {
  std::uint64_t limit = 0;
  std::uint64_t descent = 0;  // what one descent from the root takes
};

struct Improvement {
  Solution best;
  Front seen;  // with suppression: what else was found
  std::uint64_t descents = 0;
  std::uint64_t work = 0;
};

// Never worse than any of `starts` (at least one). A fixed number of lanes walk on their own with
// seeds derived from `seed`, in rounds; between rounds the weaker half takes over the best
// recoding. Ends when the next steps would go beyond the limit, or after kPatience rounds in a row
// without improvement. The result depends on the seed alone, not on the number of threads: a round
// is cut by work and iterations, and combined in the order of the lanes. What lanes have seen of
// recodings they tell each other between rounds (trail.h). With a condition the
// starts must keep it, and so does the result.
Improvement Improve(const Problem& problem, std::vector<Solution> starts, const Effort& effort,
                    std::uint64_t seed, ThreadPool& pool, Progress& progress,
                    const Condition* condition = nullptr);

// The nominal machine: two cores. Visits are dearer in large problems, which do not fit its caches.
inline constexpr double kVisitsPerSecond = 600e6;
std::uint64_t VisitsIn(double seconds, const Problem& problem);

inline constexpr std::size_t kLanes = 8;
inline constexpr std::size_t kIterationsPerRound = 32;
inline constexpr std::size_t kPatience = 10;

}  // namespace reissue::models::k::internal
