#pragma once
// Readers who know since when the values of a taxonomy are there (docs/design/0012): from policies
// of a vault to releases as these readers see them.

#include <optional>
#include <vector>

#include "reissue/contract/living.h"
#include "reissue/models/bcf/release/ages.h"
#include "reissue/models/bcf/service/series.h"

namespace reissue::models::bcf::service {

// Of the leaves of trees that have the labels of the policy's, or end above some of them.
Ages LeafAges(const contract::Ages& ages, const Taxonomies& trees);

// A series with what they know.
struct DatedSeries {
  std::vector<AgeColumn> columns;  // that its trees end with
  Series series;
};
// Nothing where they see no more than others: no label stands for new values alone.
Result<std::optional<DatedSeries>> WithAges(const BoundSeries& bound, const Ages& ages);

}  // namespace reissue::models::bcf::service
