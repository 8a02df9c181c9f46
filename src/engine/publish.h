#pragma once
// The next release of a series: search, write, attack, record. Nothing is written unless the
// promise is kept; a release is in the vault if and only if its file exists.

#include "reissue/binding/context.h"
#include "reissue/contract/reports.h"
#include "reissue/contract/tasks.h"
#include "reissue/core/result.h"

namespace reissue::engine {

// As contract::Publication::Run. Usage errors: what the promised model has no use for.
Result<contract::PublishReport> Publish(const contract::PublishRequest& request,
                                        binding::Context& context);

}  // namespace reissue::engine
