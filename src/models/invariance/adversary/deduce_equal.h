#pragma once
// People who have the same value because two groups of the same values differ by one person each.
// Internal to the adversary.

#include <utility>
#include <vector>

#include "reissue/models/invariance/release/series.h"

namespace reissue::models::invariance {

// Pairs of which all others follow; among the groups that are asked for. Found by sums of random
// numbers per person, then compared. Linear in the rows, apart from what is found.
std::vector<std::pair<Person, Person>> EqualPeople(const std::vector<PublishedGroup>& groups,
                                                   const std::vector<bool>& asked);

}  // namespace reissue::models::invariance
