#pragma once
// Whether a table has grown out of the releases that are out. Internal to the publisher.

#include <cstdint>
#include <vector>

#include "reissue/models/bcf/release/series.h"
#include "reissue/models/k/publisher/publish.h"

namespace reissue::models::bcf::internal {

struct Growth {
  // Rows of the release that the table does not have, by the finest that the release tells.
  std::uint64_t missing = 0;
  // The births of the table are not those of the release.
  bool births_differ = false;

  bool operator==(const Growth&) const = default;
};

// Of each earlier release; nothing of one that is no global recoding. `births`: the origins of the
// table's cells are births. A series comes back to the same cuts again and again, so the table is
// read once for all releases that have them: O(cells · columns + parts) for each recoding that
// differs, and O(groups of all releases · columns).
std::vector<Growth> GrowthOf(const k::LeafCells& table, const Series& earlier, bool births);

}  // namespace reissue::models::bcf::internal
