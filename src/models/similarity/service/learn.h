#pragma once
// Prior and transition beliefs from tables, as files that a policy can name
// (docs/formats/knowledge.md).

#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/contract/tasks.h"
#include "reissue/core/result.h"
#include "reissue/models/similarity/service/promise.h"

namespace reissue::models::similarity::service {

// Writes DIR/prior.csv and DIR/transition.csv, owner-only. Errors: tables that do not fit the
// policy (columns that this has no use for may be missing; a single table may lack the identifier),
// files that exist already.
Result<contract::LearnReport> LearnBeliefs(const contract::LearnRequest& request,
                                           const io::Policy& policy, const Promise& promise,
                                           binding::Context& context);

// A distribution as decimal texts of at most twelve places that sum to exactly 1.
std::vector<std::string> DecimalsOf(const std::vector<double>& distribution);

}  // namespace reissue::models::similarity::service
