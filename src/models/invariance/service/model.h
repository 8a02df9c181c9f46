#pragma once
// Model `m-invariance`: a table whose rows come and go.

#include "reissue/contract/model.h"

namespace reissue::models::invariance::service {

const contract::Model& TheModel();

}  // namespace reissue::models::invariance::service
