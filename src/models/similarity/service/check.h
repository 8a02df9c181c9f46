#pragma once
// What a policy means, and whether the tables of a series and what readers know fit it.

#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/contract/reports.h"
#include "reissue/io/policy.h"
#include "reissue/models/similarity/service/promise.h"

namespace reissue::models::similarity::service {

// What the policy means, where it does not say so.
void DescribePolicy(const io::Policy& policy, const Promise& promise,
                    contract::CheckReport& report);

// Oldest first.
void CheckTables(const io::Policy& policy, const Promise& promise,
                 const std::vector<std::string>& paths, binding::Context& context,
                 contract::CheckReport& report);

}  // namespace reissue::models::similarity::service
