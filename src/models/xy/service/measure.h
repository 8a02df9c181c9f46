#pragma once
// What a release beside others costs in detail.

#include "reissue/binding/context.h"
#include "reissue/contract/tasks.h"

namespace reissue::models::xy::service {

Result<contract::MetricsReport> MeasureJoin(const contract::MeasureTask& task,
                                            binding::Context& context);

}  // namespace reissue::models::xy::service
