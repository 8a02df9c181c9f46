#pragma once
// The groups of our own algorithm: a first partition, and improvement of any.

#include <cstdint>

#include "reissue/core/parallel.h"
#include "reissue/models/similarity/publisher/draft.h"

namespace reissue::models::similarity::internal {

// Rows of rare values first, each with as many near rows as beta wants; what is left is cut in two
// again and again, with `by_beliefs` first until beliefs are alike. Rows of which no valid group
// could be made are out. O(rows log rows) where places are spread.
void Partition(Draft& draft, bool by_beliefs);

// Splits groups, and cuts pairs of neighbours anew, as long as that costs less, for at most
// `rounds` rounds. Never costs more than before, and shows the same rows. The same for any number
// of threads.
void Improve(Draft& draft, std::uint64_t rounds, ThreadPool& pool);

}  // namespace reissue::models::similarity::internal
