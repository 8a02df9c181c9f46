#pragma once
// People to rows of values so that the total is as large as possible (the assignment problem, by
// shortest augmenting paths after Jonker and Volgenant).

#include <cstdint>
#include <vector>

#include "reissue/inference/estimators.h"

namespace reissue::inference::internal {

struct Assigned {
  std::vector<std::uint32_t> value_of;  // per person
  std::vector<char> tight;  // people * values: the pairs of which every best assignment consists
};

// `order` is a permutation of the people; it decides between assignments of the same total.
// O(people² · values²).
Assigned BestAssignment(const BeliefGroup& group, const std::vector<std::uint32_t>& order);

}  // namespace reissue::inference::internal
