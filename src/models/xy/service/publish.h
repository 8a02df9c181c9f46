#pragma once
// A release beside earlier ones of the same people.

#include <memory>

#include "reissue/contract/model.h"

namespace reissue::models::xy::service {

std::unique_ptr<contract::Publication> StartJoin(const contract::PublishTask& task,
                                                 const contract::Traits& traits,
                                                 binding::Context& context);

}  // namespace reissue::models::xy::service
