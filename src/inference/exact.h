#pragma once
// The posterior of independent people by Bayes' rule: ratios of permanents, by dynamic programming
// over how many rows of each value are left.

#include <cstdint>
#include <optional>
#include <vector>

#include "reissue/inference/estimators.h"

namespace reissue::inference::internal {

// Π (rows + 1) over the values; saturates.
std::uint64_t StatesOf(const BeliefGroup& group);

// Beliefs, people * values. Nothing where no assignment is possible (every one has a person whose
// prior excludes the value), or beyond `states`. Empty where the beliefs of somebody were enough.
std::optional<std::vector<double>> ExactBelief(
    const BeliefGroup& group, std::uint64_t states,
    const decltype(EstimateOptions::enough)& enough = nullptr);

}  // namespace reissue::inference::internal
