#pragma once
// A table that is fine by itself may still not be publishable as asked.

#include <string>

#include "reissue/binding/context.h"
#include "reissue/contract/reports.h"
#include "reissue/io/policy.h"
#include "reissue/models/k/service/promise.h"

namespace reissue::models::k::service {

void CheckTable(const io::Policy& policy, const Promise& promise, const std::string& path,
                binding::Context& context, contract::CheckReport& report);

}  // namespace reissue::models::k::service
