#pragma once
// What a release costs: compares it with the table that it was made from.

#include <cstdint>
#include <string>

#include "reissue/binding/context.h"
#include "reissue/contract/reports.h"
#include "reissue/core/result.h"
#include "reissue/io/policy.h"

namespace reissue::engine {

// `class_column` may be empty: the policy's class, if any. `seed` chooses what is drawn.
Result<contract::MetricsReport> Measure(const io::Policy& policy, const std::string& table,
                                        const std::string& release, const std::string& class_column,
                                        std::uint64_t seed, binding::Context& context);

}  // namespace reissue::engine
