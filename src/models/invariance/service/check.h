#pragma once
// What a policy means, and whether a table can be published with it.

#include <string>

#include "reissue/binding/context.h"
#include "reissue/contract/reports.h"
#include "reissue/io/policy.h"
#include "reissue/models/invariance/service/promise.h"

namespace reissue::models::invariance::service {

// What the policy means, where it does not say so.
void DescribePolicy(const io::Policy& policy, const Promise& promise,
                    contract::CheckReport& report);

// `first`: of the series.
void CheckTable(const io::Policy& policy, const Promise& promise, const std::string& path,
                bool first, binding::Context& context, contract::CheckReport& report);

}  // namespace reissue::models::invariance::service
