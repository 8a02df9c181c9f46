#pragma once
// Model `xy`: a release beside earlier ones of other columns of the same people.

#include "reissue/contract/model.h"

namespace reissue::models::xy::service {

const contract::Model& TheModel();

}  // namespace reissue::models::xy::service
