#pragma once
// The next release of an evolving table.

#include <memory>

#include "reissue/contract/model.h"

namespace reissue::models::similarity::service {

std::unique_ptr<contract::Publication> StartGroups(const contract::PublishTask& task,
                                                   const contract::Traits& traits,
                                                   binding::Context& context);

}  // namespace reissue::models::similarity::service
