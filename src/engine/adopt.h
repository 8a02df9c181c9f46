#pragma once
// Takes up a series that another tool started.

#include "reissue/binding/context.h"
#include "reissue/contract/reports.h"
#include "reissue/contract/tasks.h"
#include "reissue/core/result.h"

namespace reissue::engine {

// Errors: a policy of a model whose series cannot be adopted, a vault with releases or of another
// policy.
Result<contract::AdoptReport> Adopt(const contract::AdoptRequest& request,
                                    binding::Context& context);

}  // namespace reissue::engine
