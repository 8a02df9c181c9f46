#pragma once
// A tree of boxes through releases that are out. Which splits come first is free as long as all
// cells of all releases lie deeper in the column: what comes first is what the newcomers allow.

#include <cstdint>
#include <optional>

#include "reissue/models/bcf/release/series.h"
#include "reissue/models/k/publisher/publish.h"
#include "reissue/taxonomy/space_tree.h"

namespace reissue::models::bcf {

// A tree of which all releases are cuts, as deep as they need it, good for a release of the table;
// nothing where there is none: releases cross each other, or cells of one overlap. A split that
// gives every child no newcomers or at least `least` of them comes before others; among these the
// best, by look-ahead as far as `work` goes (visits of cells of the table). Where the releases have
// a column of stars, the table is of those who are told and has none.
std::optional<taxonomy::SpaceTree> TreeThrough(const k::LeafCells& table, const Series& releases,
                                               k::Score score, std::uint64_t least,
                                               std::uint64_t work);

}  // namespace reissue::models::bcf
