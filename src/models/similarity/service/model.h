#pragma once
// Model `j-similarity`: a table whose rows come and go and whose values change, before a reader
// with beliefs.

#include "reissue/contract/model.h"

namespace reissue::models::similarity::service {

const contract::Model& TheModel();

}  // namespace reissue::models::similarity::service
