#pragma once
// What a release costs: compares it with the table that it was made from.

#include "reissue/binding/context.h"
#include "reissue/contract/reports.h"
#include "reissue/contract/tasks.h"
#include "reissue/core/result.h"
#include "reissue/io/policy.h"

namespace reissue::engine {

Result<contract::MetricsReport> Measure(const io::Policy& policy,
                                        const contract::MeasureRequest& request,
                                        binding::Context& context);

}  // namespace reissue::engine
