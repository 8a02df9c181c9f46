#pragma once
// What a policy promises about the releases of a table that only grows: what model `k` promises of
// one, of everything that is left to readers of all of them.

#include "reissue/contract/promise.h"
#include "reissue/models/bcf/publisher/publish.h"
#include "reissue/models/bcf/service/series.h"
#include "reissue/models/k/service/promise.h"

namespace reissue::models::bcf::service {

struct Promise : k::service::Promise {
  // Whom it protects: everybody who could be there as far as readers can tell, or only the people
  // of the holder's table.
  Targets targets = Targets::kAny;
  // Newcomers of a release per row of the one before, as far as one can tell beforehand; for local
  // recoding, no part of what is promised.
  double growth = 0.1;

  // Rows may be starred, and whoever is stays so: `suppression`. Readers know it.
  Stars stars() const {
    return suppression_rows.value_or(0) > 0 || suppression_share > 0 ? Stars::kStay : Stars::kAny;
  }
};

// Errors: as k::service::ReadGuarantee.
Result<contract::PromisePtr> ReadPromise(const contract::Asked& asked, const std::string& model);

}  // namespace reissue::models::bcf::service
