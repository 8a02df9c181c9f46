#pragma once
// Takes up a series that another tool started: audits it, and records its releases in a new vault
// so that publishing continues it.

#include "reissue/binding/context.h"
#include "reissue/contract/tasks.h"
#include "reissue/core/result.h"
#include "reissue/models/bcf/service/promise.h"

namespace reissue::models::bcf::service {

// Recorded where the promise is kept, or where `anyway` is set and the files are one series.
// Otherwise nothing is, and the report says why. Errors: a vault with releases or of another
// policy.
Result<contract::AdoptReport> AdoptSeries(const contract::AdoptRequest& request,
                                          const io::Policy& policy, const Promise& promise,
                                          binding::Context& context);

}  // namespace reissue::models::bcf::service
