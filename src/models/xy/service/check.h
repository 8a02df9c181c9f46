#pragma once
// A table beside the earlier releases, before it is published.

#include "reissue/binding/context.h"
#include "reissue/contract/tasks.h"
#include "reissue/models/xy/service/promise.h"

namespace reissue::models::xy::service {

void CheckTable(const contract::CheckTask& task, const std::string& table,
                binding::Context& context, contract::CheckReport& report);

}  // namespace reissue::models::xy::service
