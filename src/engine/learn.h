#pragma once
// What readers may believe beforehand, from tables.

#include "reissue/binding/context.h"
#include "reissue/contract/reports.h"
#include "reissue/contract/tasks.h"
#include "reissue/core/result.h"

namespace reissue::engine {

// Errors: a policy of a model that has no use for beliefs, tables that do not fit it.
Result<contract::LearnReport> Learn(const contract::LearnRequest& request,
                                    binding::Context& context);

}  // namespace reissue::engine
