#pragma once
// What a grid of releases may vary: the promises of model `k` and how a release is made.

#include <vector>

#include "reissue/contract/explore.h"
#include "reissue/io/policy.h"

namespace reissue::models::k::service {

// `series`: nobody is left out, and starring needs an identifier.
std::vector<contract::Axis> AxesOf(const io::Policy& policy, bool series);

}  // namespace reissue::models::k::service
