#pragma once
// Model `bcf`: releases of a table that only grows, judged together.

#include "reissue/contract/model.h"

namespace reissue::models::bcf::service {

const contract::Model& TheModel();

}  // namespace reissue::models::bcf::service
