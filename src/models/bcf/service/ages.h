#pragma once
// Readers who know since when the values of a taxonomy are there (docs/design/0012): whoever is in
// a release has a value that was there then.

#include <optional>
#include <vector>

#include "reissue/binding/load.h"
#include "reissue/contract/living.h"
#include "reissue/models/bcf/service/series.h"

namespace reissue::models::bcf::service {

// The series as these readers see it: for every column that has got values, and every release that
// brought some, one column more, with the labels `before`, `since` and `*`.
struct Dated {
  binding::ReleaseColumns columns;
  Taxonomies trees;
  std::vector<PublishedRelease> releases;
};
// Nothing where they see no more than others: no label stands for new values alone. `stars`: rows
// that are starred in all columns stay so, and say nothing.
std::optional<Dated> WithAges(const binding::ReleaseColumns& columns, const Taxonomies& trees,
                              const std::vector<PublishedRelease>& releases,
                              const contract::Ages& ages, bool stars);

}  // namespace reissue::models::bcf::service
