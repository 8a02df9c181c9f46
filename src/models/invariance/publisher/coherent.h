#pragma once
// Whether a state that was read from somewhere can be one that Publish has made. Whatever is not
// would be followed into nowhere, or counted below nothing.

#include "reissue/models/invariance/publisher/publish.h"

namespace reissue::models::invariance {

// Moments, signatures and histories are what they are said to be; members have a place in the
// history of their bucket, no more of them than it knows of; of those who are there every value of
// a bucket has the same number. O(members · log(stays)).
bool Coherent(const State& state);

}  // namespace reissue::models::invariance
