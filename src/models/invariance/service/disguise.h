#pragma once
// Gives the counterfeits of a release their looks.

#include "reissue/binding/grouped/table.h"
#include "reissue/core/random.h"
#include "reissue/io/policy.h"
#include "reissue/models/invariance/publisher/publish.h"
#include "reissue/models/invariance/service/state.h"

namespace reissue::models::invariance::service {

// Counterfeits and guides of `after`, whose state is that of the plan, become those of the plan.
void Disguise(const binding::GroupedTable& table, const io::Policy& policy, const Plan& plan,
              SeriesState& after, Random& random);

}  // namespace reissue::models::invariance::service
